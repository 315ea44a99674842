import { isCircular, isOwnPath, toAddress } from "../../core/redirects/address.ts";
import { findRedirect, type Target } from "../../core/redirects/store.ts";
import type { Queries } from "../../platform/database/database.ts";
import { invalid, Problem } from "../../platform/errors.ts";
import { findPlaces, targetAt } from "./resolve.ts";

/** The old address as it is stored. */
export function checkFrom(sent: string): string {
  const from = toAddress(sent);
  if (from === null) throw invalid('"from" must be an address of an earlier site, such as /2019/05/lisbon.', "from");
  return from;
}

export const takenBy = (from: string) =>
  new Problem("conflict", `There is a redirect of ${from} already.`, { field: "from" });

/**
 * Throws if `from` has a redirect already, or would lead in a circle: no redirect leads to an old address when it is written. `id` is
 * the redirect that is changed, if there is one already.
 */
export async function checkPair(tx: Queries, from: string, to: string, id: number | null = null): Promise<void> {
  await tx.lock("redirects");
  const known = await findRedirect(tx, from);
  if (known?.address === from && known.id !== id) throw takenBy(from);
  if (!isOwnPath(to) || !isDecodable(to))
    throw invalid('"to" must be a path of this site, such as /blog/lisbon.', "to");
  if (isCircular(from, to)) throw circular('"to" must be another address than "from".');
  const next = await findRedirect(tx, to);
  if (next && next.id !== id) throw circular('"to" is an old address itself: choose where that leads.');
}

/** What is at a path of this site. */
export async function getTarget(tx: Queries, to: string): Promise<Target> {
  const target = await targetAt(tx, to);
  const placeOf = await findPlaces(tx, { id: 0, role: "admin" }, [target]);
  if (placeOf(target) === null) throw invalid('There is nothing at the address "to".', "to");
  return target;
}

const circular = (message: string) => new Problem("conflict", message, { field: "to" });

function isDecodable(sent: string): boolean {
  try {
    return decodeURIComponent(sent) !== "";
  } catch {
    return false;
  }
}
