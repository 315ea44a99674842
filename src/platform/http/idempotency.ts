import { invalid, Problem } from "../../errors.ts";
import type { Database, Queries, Reader } from "../database/database.ts";
import { removeRows } from "../database/remove-rows.ts";
import { sql } from "../database/sql.ts";
import { createKeyedQueue } from "../keyed-queue.ts";
import { type Answer, textAnswer } from "./answer.ts";
import type { Exchange } from "./exchange.ts";
import type { Caller, Route } from "./route.ts";
import type { Storing } from "./started.ts";

const keptMs = 86_400_000;

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

type Work = (storing: Storing) => Promise<Answer | Response>;
export type RunOnce = (keyed: Keyed, route: Route, work: Work) => Promise<Answer | Response>;

/**
 * Runs a request with an Idempotency-Key once, and returns its first result again for a day. The key and the response are
 * written in the transaction of the request itself: either all of them are stored, or nothing has happened and the request
 * may run again. Requests with the same key wait for each other: here in a queue, and those of other processes for the row.
 */
export function createRunOnce(db: Pick<Database, "get" | "transaction">): RunOnce {
  const queue = createKeyedQueue();
  return (keyed, route, work) => queue(`${keyed.caller} ${keyed.name}`, () => run(keyed, route, work));

  async function run(keyed: Keyed, { settlesLater }: Route, work: Work): Promise<Answer | Response> {
    const known = await find(db, keyed);
    if (known) return replay(known, keyed);
    let stored: Answer | Response | null = null;
    const storing: Storing = (transaction, toAnswer) => (doWork, options) => {
      const { reply, ...others } = options ?? {};
      return transaction(async (tx) => {
        const other = await claim(tx, keyed);
        if (other) throw new Repeated(other);
        const result = await doWork(tx);
        stored = await toAnswer(reply ? await reply(result, tx) : result);
        await store(tx, keyed, stored);
        return result;
      }, others);
    };
    try {
      const answer = await work(storing);
      if (!stored || !settlesLater) return stored ?? answer;
      await db.transaction((tx) => store(tx, keyed, answer));
      return answer;
    } catch (error) {
      if (error instanceof Repeated) return replay(error.row, keyed);
      // Another process may have carried it out since, which is why it is refused now.
      const since = error instanceof Problem && error.status < 500 ? await find(db, keyed) : null;
      if (since && since.fingerprint === keyed.fingerprint) return replay(since, keyed);
      throw error;
    }
  }
}

/** Another process has carried out the request in the meantime. */
class Repeated extends Error {
  readonly row: Row;
  constructor(row: Row) {
    super("A request with this Idempotency-Key was carried out.");
    this.row = row;
  }
}

const find = (db: Pick<Reader, "get">, { caller, name }: Keyed) =>
  db.get<Row>(sql`
    SELECT fingerprint, status, body, location FROM idempotency_keys
    WHERE caller = ${caller} AND name = ${name} AND expires_at > ${Date.now()}`);

/** Returns null if the key was free. Waits for a transaction that has claimed it and has not ended. */
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
  const row = await find(tx, { caller, name, fingerprint });
  // Otherwise it has expired, or was removed, since.
  return row ?? claim(tx, { caller, name, fingerprint });
}

function replay({ fingerprint, status, body, location }: Row, keyed: Keyed): Answer {
  if (fingerprint !== keyed.fingerprint) {
    throw conflict("This Idempotency-Key was sent with another request: use a new key for each request.");
  }
  // Stored by an earlier version of the program, which stored the key before it ran the request.
  if (status === null) {
    throw conflict(
      "The first request with this Idempotency-Key is still running, or its result was lost: look whether it was carried out before you send it with a new key.",
    );
  }
  if (body === null) {
    const where = location === null ? "" : `: see ${location}`;
    throw conflict(`This request was carried out, but its response is no longer stored${where}.`);
  }
  const headers = { "Idempotent-Replayed": "true", ...(location !== null && { Location: location }) };
  return textAnswer("application/json", body, headers, status);
}

/** A response that is too long to be kept in memory is stored without its body. */
async function store(tx: Queries, { caller, name }: Keyed, answer: Answer | Response): Promise<void> {
  const isComplete = !(answer instanceof Response);
  const body = isComplete ? new TextDecoder().decode(answer.plain.body) : null;
  const location = isComplete ? answer.plain.headers.Location : answer.headers.get("Location");
  await tx.run(sql`
    UPDATE idempotency_keys SET status = ${answer.status}, body = ${body}, location = ${location ?? null}
    WHERE caller = ${caller} AND name = ${name}`);
}

export function removeExpiredKeys(db: Database): Promise<number> {
  return removeRows(db, "idempotency_keys", sql`expires_at <= ${Date.now()}`, "caller, name");
}

const conflict = (message: string) => new Problem("conflict", message, { field: "Idempotency-Key" });
