import { hrefOf } from "./address.ts";
import type { Lock } from "./locks.ts";
import type { Visitor } from "./visit.ts";
import { element, escapeXML } from "./xml-writer.ts";

const entryOf = (scope: string) =>
  element("lockentry", element("lockscope", element(scope, "")) + element("locktype", element("write", "")));

export const supportedLock = entryOf("exclusive") + entryOf("shared");

/** A list repeats the locks of a directory for all that is in it. */
const maxLength = 4000;

/**
 * The locks that hold for something; of many shared ones, the first. Others than the one who has a lock do not get its token, and
 * guests not who that is.
 */
export function lockDiscovery(locks: Lock[], caller: Visitor): string {
  let text = "";
  for (const lock of locks) if (text.length < maxLength) text += activeLock(lock, caller);
  return text;
}

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
