import { invalid, Problem } from "../../errors.ts";
import type { Database, Queries } from "../database/database.ts";
import { removeRows } from "../database/remove-rows.ts";
import { sql } from "../database/sql.ts";
import { type Answer, textAnswer } from "./answer.ts";
import type { Exchange } from "./exchange.ts";
import type { Caller, Route } from "./route.ts";

const keptMs = 86_400_000;

type Transactions = Pick<Database, "transaction">;
/** A request that has an Idempotency-Key: whose it is, its key, and a keyed hash of what it asks for. */
type Keyed = { caller: string; name: string; fingerprint: string };
type Row = { fingerprint: string; status: number | null; body: string | null; location: string | null };

/** The Idempotency-Key of the request; null if there is none, or if the route needs none. */
export function readKey({ request }: Exchange, { method, unrepeated }: Route): string | null {
  const key = request.headers.get("idempotency-key");
  if (key === null || method !== "POST" || unrepeated === "token" || unrepeated === "read") return null;
  if (unrepeated === "upload") throw invalid("Uploads do not support Idempotency-Key: send the request without it.");
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw invalid("Idempotency-Key must have 1 to 255 visible ASCII characters, without spaces.");
}

/** The hash is keyed, because the body may contain a password. */
export function describeRequest(
  { exchange, caller }: { exchange: Exchange; caller: Caller | null },
  name: string,
  input: unknown,
  secret: string,
): Keyed {
  const { method, path, search, address } = exchange;
  const hasher = new Bun.CryptoHasher("sha256", secret);
  const fingerprint = hasher.update(JSON.stringify([method, path, search, input])).digest("hex");
  return { caller: caller ? `user ${caller.id}` : `address ${address}`, name, fingerprint };
}

/**
 * Runs a request with an Idempotency-Key once, and returns its first result again for a day. The key is stored before the
 * request runs and the result after it, so a request whose result was lost is never run again under the same key.
 */
export async function runOnce(
  db: Transactions,
  keyed: Keyed,
  work: () => Promise<Answer | Response>,
): Promise<Answer | Response> {
  const known = await db.transaction((tx) => claim(tx, keyed));
  if (known) return replay(known, keyed);
  let answer: Answer | Response;
  try {
    answer = await work();
  } catch (error) {
    // Such a request has changed nothing and may be repeated. After any other error, it may have been carried out.
    if (error instanceof Problem && (error.status < 500 || error.code === "busy" || error.code === "full")) {
      await db.transaction((tx) => release(tx, keyed));
    }
    throw error;
  }
  // A response that is too long to be kept in memory is not stored either.
  if (!(answer instanceof Response)) await db.transaction((tx) => store(tx, keyed, answer));
  return answer;
}

/** Returns null if the key was free. */
async function claim(tx: Queries, { caller, name, fingerprint }: Keyed): Promise<Row | null> {
  const now = Date.now();
  const claimed = await tx.get(sql`
    INSERT INTO idempotency_keys (caller, name, fingerprint, expires_at)
    VALUES (${caller}, ${name}, ${fingerprint}, ${now + keptMs})
    ON CONFLICT (caller, name) DO UPDATE SET fingerprint = excluded.fingerprint, expires_at = excluded.expires_at,
      status = NULL, body = NULL, location = NULL
    WHERE idempotency_keys.expires_at <= ${now}
    RETURNING name`);
  if (claimed) return null;
  const row = await tx.get<Row>(sql`
    SELECT fingerprint, status, body, location FROM idempotency_keys WHERE caller = ${caller} AND name = ${name}`);
  // Otherwise the first request has failed since, and has released the key.
  return row ?? claim(tx, { caller, name, fingerprint });
}

function replay({ fingerprint, status, body, location }: Row, keyed: Keyed): Answer {
  if (fingerprint !== keyed.fingerprint) {
    throw conflict("This Idempotency-Key was sent with another request: use a new key for each request.");
  }
  if (status === null || body === null) {
    throw conflict(
      "The first request with this Idempotency-Key is still running, or its result was lost: look whether it was carried out before you send it with a new key.",
    );
  }
  const headers = { "Idempotent-Replayed": "true", ...(location !== null && { Location: location }) };
  return textAnswer("application/json", body, headers, status);
}

async function store(tx: Queries, { caller, name }: Keyed, { status, plain }: Answer): Promise<void> {
  const body = new TextDecoder().decode(plain.body);
  await tx.run(sql`
    UPDATE idempotency_keys SET status = ${status}, body = ${body}, location = ${plain.headers.Location ?? null}
    WHERE caller = ${caller} AND name = ${name}`);
}

async function release(tx: Queries, { caller, name }: Keyed): Promise<void> {
  await tx.run(sql`DELETE FROM idempotency_keys WHERE caller = ${caller} AND name = ${name}`);
}

export function removeExpiredKeys(db: Database): Promise<number> {
  return removeRows(db, "idempotency_keys", sql`expires_at <= ${Date.now()}`, "caller, name");
}

const conflict = (message: string) => new Problem("conflict", message, { field: "Idempotency-Key" });
