import { busy, invalid, Problem } from "../errors.ts";
import type { Database } from "../database/database.ts";
import { createKeyedQueue } from "../keyed-queue.ts";
import { type Answer, textAnswer } from "./answer.ts";
import type { SentBody } from "./body.ts";
import type { Exchange } from "./exchange.ts";
import {
  callerOf,
  createTrimming,
  findKey,
  type Keyed,
  type KeyRow,
  replaceResponse,
  storeKey,
} from "./idempotency-store.ts";
import type { Presented } from "./present.ts";
import type { Caller, Route } from "./route.ts";
import type { Storing } from "./transact.ts";

type Attempt = { exchange: Exchange; route: Route; caller: Caller | null; sent: SentBody };
type Work = (storing?: Storing) => Promise<Presented>;

/**
 * Runs a request with an Idempotency-Key once, and returns its first result again for a day. The key and the response are one
 * row, written at the end of the transaction of the request itself: either all of them are stored, or nothing has happened and
 * the request may run again. Requests with the same key wait for each other: here in a queue, and those of other processes for
 * the row, before which they have changed nothing that lasts.
 * `secret` is for keyed hashes of requests. A request without a key simply runs.
 */
export function createRunOnce(db: Pick<Database, "get" | "transaction">, secret: string) {
  const queue = createKeyedQueue();
  const trim = createTrimming();
  return (attempt: Attempt, work: Work): Promise<Presented> => {
    const name = readKey(attempt.exchange, attempt.route);
    return name === null ? work() : runKeyed(attempt, name, work);
  };

  async function runKeyed(attempt: Attempt, name: string, work: Work): Promise<Presented> {
    const { route, sent } = attempt;
    // The body is a part of what the key stands for. An error in it is reported in its turn, after other errors.
    const input = route.body ? await sent().catch(() => undefined) : null;
    if (input === undefined) return work();
    const keyed = describeRequest(attempt, name, input, secret);
    const answer = await queue(`${keyed.caller} ${keyed.name}`, () => run(keyed, route, work));
    return { answer, isPublic: false };
  }

  async function run(keyed: Keyed, { settlesLater }: Route, work: Work): Promise<Answer | Response> {
    const known = await findKey(db, keyed);
    if (known) return replay(known, keyed);
    const stored: { answer: Answer | Response | null } = { answer: null };
    const storing: Storing = (transaction, toAnswer) => (doWork, options) => {
      const { reply, ...others } = options ?? {};
      return transaction(async (tx) => {
        const result = await doWork(tx);
        stored.answer = await toAnswer(reply ? await reply(result, tx) : result);
        const bytes = await storeKey(tx, keyed, stored.answer);
        if (bytes === null) throw new Repeated();
        await trim(tx, keyed, bytes);
        return result;
      }, others);
    };
    try {
      const { answer } = await work(storing);
      // One that is sent while it is read cannot be read from a transaction that has ended.
      if (stored.answer instanceof Response) await stored.answer.body?.cancel();
      if (!stored.answer || stored.answer instanceof Response || answer instanceof Response) return answer;
      if (!settlesLater) return stored.answer;
      await db.transaction((tx) => replaceResponse(tx, keyed, answer));
      return answer;
    } catch (error) {
      // Another process may have carried it out since, which is why it is refused now.
      const isRefused = error instanceof Problem && error.status < 500;
      const isRepeated = error instanceof Repeated;
      const since = isRefused || isRepeated ? await findKey(db, keyed) : null;
      if (since && (isRepeated || since.fingerprint === keyed.fingerprint)) return replay(since, keyed);
      throw isRepeated ? busy("Another request with this Idempotency-Key has just ended; try again.") : error;
    }
  }
}

/** The Idempotency-Key of the request; null if there is none, or if the route needs none. */
function readKey({ request }: Exchange, { method, noIdempotency }: Route): string | null {
  const key = request.headers.get("idempotency-key");
  if (key === null || method !== "POST" || noIdempotency === "token" || noIdempotency === "read") return null;
  if (noIdempotency === "upload") throw invalid("Uploads do not support Idempotency-Key: send the request without it.");
  // A long one is kept as its hash, so that many of them take little space.
  if (/^[\x21-\x7e]{1,255}$/.test(key))
    return key.length <= 64 ? key : new Bun.CryptoHasher("sha256").update(key).digest("hex");
  throw invalid("Idempotency-Key must have 1 to 255 visible ASCII characters, without spaces.");
}

/** The hash is keyed, because the body may contain a password. */
function describeRequest(
  { exchange, caller }: { exchange: Exchange; caller: Caller | null },
  name: string,
  input: unknown,
  secret: string,
): Keyed {
  const { method, path, search, address } = exchange;
  const hasher = new Bun.CryptoHasher("sha256", secret);
  const fingerprint = hasher.update(JSON.stringify([method, path, search, input])).digest("hex");
  return {
    // Responses to the person, or to other keys, are beyond the limit of a key.
    caller: caller ? callerOf(caller.id, caller.limit ? caller.tokenID : null) : `address ${address}`,
    ownerID: caller?.id ?? null,
    name,
    fingerprint,
  };
}

/** Another process has carried out the request in the meantime. */
class Repeated extends Error {}

function replay({ fingerprint, status, body, location }: KeyRow, keyed: Keyed): Answer {
  if (fingerprint !== keyed.fingerprint) {
    throw conflict("This Idempotency-Key was sent with another request: use a new key for each request.");
  }
  if (body === null) {
    const where = location === null ? "" : `: see ${location}`;
    throw conflict(`This request was carried out, but its response is no longer stored${where}.`);
  }
  const headers = { "Idempotent-Replayed": "true", ...(location !== null && { Location: location }) };
  return textAnswer("application/json", body, headers, status);
}

const conflict = (message: string) => new Problem("conflict", message, { field: "Idempotency-Key" });
