import { hrefOf } from "./address.ts";
import type { Lock } from "./locks.ts";
import type { Visitor } from "./visit.ts";
import { element, escapeXML } from "./xml-writer.ts";

const entryOf = (scope: string) =>
  element("lockentry", element("lockscope", element(scope, "")) + element("locktype", element("write", "")));

export const supportedLock = entryOf("exclusive") + entryOf("shared");

/** The locks that hold for something. Others than the one who has a lock do not get its token, and guests not who that is. */
export const lockDiscovery = (locks: Lock[], caller: Visitor): string =>
  locks.map((lock) => activeLock(lock, caller)).join("");

function activeLock(lock: Lock, caller: Visitor): string {
  const { token, userID, isExclusive, isDeep, expiresAt, names, owner } = lock;
  const seconds = Math.max(0, Math.ceil((expiresAt - Date.now()) / 1000));
  const href = (address: string) => element("href", escapeXML(address));
  return element(
    "activelock",
    element("locktype", element("write", "")) +
      element("lockscope", element(isExclusive ? "exclusive" : "shared", "")) +
      element("depth", isDeep ? "infinity" : "0") +
      (owner === "" || caller.grant ? "" : element("owner", owner)) +
      element("timeout", `Second-${seconds}`) +
      (userID === caller.id ? element("locktoken", href(token)) : "") +
      element("lockroot", href(hrefOf(caller, names, false))),
  );
}
