import { checkMayChange } from "./collections.ts";
import { type Conditions, readConditions } from "./conditions.ts";
import { findLocksOn, insertLock, type Lock, refreshLock, removeLock } from "./locks.ts";
import { lockDiscovery } from "./lock-xml.ts";
import { put } from "./put.ts";
import { Refusal } from "./refusal.ts";
import { findResource, recordOf } from "./resources.ts";
import type { Visit } from "./visit.ts";
import { childOf, type Element, isDav } from "./xml.ts";
import { readXML } from "./xml-reader.ts";
import { element, writeInner, xmlHead } from "./xml-writer.ts";

const maxSeconds = 3600;
const maxOwnerLength = 1000;

/** LOCK: with a body a new lock, without one a longer time for one that there is. */
export async function lock(visit: Visit): Promise<Response> {
  const { exchange, caller, names, db } = visit;
  const { headers } = exchange.request;
  const body = await readXML(exchange);
  const seconds = readTimeout(headers.get("timeout"));
  const conditions = readConditions(exchange, caller, names);
  if (!body) return refresh(visit, conditions, seconds);
  const { isExclusive, owner } = readLockInfo(body);
  const depth = headers.get("depth") ?? "infinity";
  if (depth !== "0" && depth !== "infinity") throw new Refusal(400, "The Depth of a lock is 0 or infinity.");
  const before = await findResource(db, caller, names);
  if (before) checkMayChange(visit, before);
  // A name that is locked before there is anything is an empty file.
  else await makeEmpty(visit);
  const added = await db.transaction(async (tx) => {
    const resource = await findResource(tx, caller, names);
    if (!resource) throw new Refusal(409, "This was deleted in the meantime.");
    await conditions.check(tx, resource, []);
    const isDeep = depth === "infinity";
    return insertLock(tx, {
      userID: caller.id,
      names,
      isExclusive,
      isDeep,
      seconds,
      owner,
      record: recordOf(resource),
    });
  });
  return describe(visit, [added], before ? 200 : 201, { "Lock-Token": `<${added.token}>` });
}

async function makeEmpty(visit: Visit): Promise<void> {
  const request = new Request("http://localhost/", { method: "PUT", headers: keptHeaders(visit), body: null });
  await put({ ...visit, exchange: { ...visit.exchange, request } });
}

function keptHeaders({ exchange }: Visit): Headers {
  const kept = new Headers();
  for (const name of ["host", "if", "if-match", "if-none-match"]) {
    const value = exchange.request.headers.get(name);
    if (value !== null) kept.set(name, value);
  }
  return kept;
}

async function refresh(visit: Visit, conditions: Conditions, seconds: number): Promise<Response> {
  const { caller, names, db } = visit;
  const refreshed = await db.transaction(async (tx) => {
    const resource = await findResource(tx, caller, names);
    await conditions.check(tx, resource, []);
    if (resource) checkMayChange(visit, resource);
    const held = (await findLocksOn(tx, names)).filter((one) => conditions.tokens.has(one.token));
    const own = held.find(({ userID }) => userID === caller.id);
    if (!own) throw new Refusal(412, "There is no such lock here: send its token in the header If.");
    return refreshLock(tx, own, seconds);
  });
  return describe(visit, [refreshed], 200);
}

/** UNLOCK */
export async function unlock(visit: Visit): Promise<Response> {
  const { exchange, caller, names, db } = visit;
  // The client `webdav` of npm leaves the brackets out.
  const [, token] = /^\s*<?([^<>\s]+)>?\s*$/.exec(exchange.request.headers.get("lock-token") ?? "") ?? [];
  if (token === undefined) throw new Refusal(400, "The request needs the header Lock-Token.");
  await db.transaction(async (tx) => {
    const found = (await findLocksOn(tx, names)).find((one) => one.token === token);
    if (!found) throw new Refusal(409, "There is no such lock here.", { condition: "lock-token-matches-request-uri" });
    if (found.userID !== caller.id) throw new Refusal(403, "Only the one who has locked it can unlock it.");
    await removeLock(tx, token);
  });
  return new Response(null, { status: 204 });
}

function describe({ caller }: Visit, locks: Lock[], status: number, headers: Record<string, string> = {}): Response {
  const text = element("prop", element("lockdiscovery", lockDiscovery(locks, caller)), { isRoot: true });
  return new Response(xmlHead + text, {
    status,
    headers: { "Content-Type": "application/xml; charset=utf-8", ...headers },
  });
}

function readLockInfo(body: Element): { isExclusive: boolean; owner: string } {
  if (!isDav(body, "lockinfo")) throw new Refusal(400, "The body must be the element lockinfo.");
  const scope = childOf(body, "lockscope");
  const type = childOf(body, "locktype");
  const isExclusive = scope !== null && childOf(scope, "exclusive") !== null;
  const isShared = scope !== null && childOf(scope, "shared") !== null;
  if (isExclusive === isShared || !type || !childOf(type, "write"))
    throw new Refusal(400, "A lock is exclusive or shared, and for writing.");
  const sent = childOf(body, "owner");
  const refuse = () => new Refusal(400, "The owner of the lock is too long.");
  const owner = sent ? writeInner(sent, { left: maxOwnerLength, refuse }) : "";
  return { isExclusive, owner };
}

/** `Second-600`, `Infinite`, or several of them, of which the first one counts. Nobody locks something for ever. */
function readTimeout(header: string | null): number {
  const [, seconds] = /^\s*Second-(\d{1,15})/i.exec(header ?? "") ?? [];
  return seconds === undefined ? maxSeconds : Math.min(Math.max(1, Number(seconds)), maxSeconds);
}
