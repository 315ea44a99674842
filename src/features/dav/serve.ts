import type { Disk } from "../../platform/disk.ts";
import type { Porter } from "../../platform/http/door.ts";
import type { Exchange } from "../../platform/http/exchange.ts";
import { mayActAs } from "../../platform/http/route.ts";
import type { RateLimit } from "../../platform/limits/rate-limit.ts";
import { readNames } from "./address.ts";
import { allowed, isMethod, methods } from "./method-table.ts";
import { handlers } from "./methods.ts";
import { missingHere, Refusal, refuse, toRefusal } from "./refusal.ts";
import { type OpenLink, signIn } from "./sign-in.ts";
import { type DavSite, isRootOf, type Visit } from "./visit.ts";

/** Windows looks for the last one. */
const announced = { Allow: allowed, DAV: "1, 2, 3", "MS-Author-Via": "DAV" };

/** What would change the directory itself, which is a part of one that whoever sees it as the root does not see. */
const fixedRoot: ReadonlySet<string> = new Set(["DELETE", "MOVE", "PROPPATCH", "LOCK"]);

export type DavDeps = { openLink: OpenLink; site: DavSite; guesses: RateLimit; disk: Pick<Disk, "refuseWhenTroubled"> };

/** Answers one request over WebDAV. */
export function createServe({ site, guesses, openLink, disk }: DavDeps) {
  return (exchange: Exchange, porter: Porter): Promise<Response> =>
    serve(exchange, porter).catch((error: unknown) => {
      const refusal = toRefusal(error);
      if (!refusal) throw error;
      return refuse(refusal);
    });

  async function serve(exchange: Exchange, porter: Porter): Promise<Response> {
    const { method } = exchange.request;
    // Clients ask this before they sign in. It is the same for every path.
    if (method === "OPTIONS") return new Response(null, { headers: { ...announced, "Content-Length": "0" } });
    const caller = await signIn(exchange, porter, { db: site.db, guesses, openLink });
    if (!isMethod(method)) throw new Refusal(405, `There is no ${method} here.`, { headers: { Allow: allowed } });
    // A name with this character that was not escaped would be another, shorter name.
    if (exchange.request.url.includes("#")) throw new Refusal(400, "The path has a # that is not percent-encoded.");
    if (exchange.grantToken !== null) throw missingHere();
    const { isChange, mayStore } = methods[method];
    const names = [...caller.mount, ...readNames(exchange.path)];
    if (isChange && caller.grant) throw new Refusal(403, "This link is only for reading.");
    if (fixedRoot.has(method) && caller.mount.length > 0 && isRootOf(caller, names))
      throw new Refusal(403, "This is the root of what you can see here: only what is in it can be changed.");
    if (isChange && !mayActAs(caller, "author")) throw new Refusal(403, "Only authors can change files.");
    if (mayStore) disk.refuseWhenTroubled();
    const visit: Visit = { ...site, exchange, caller, names };
    return handlers[method](visit);
  }
}
