import { Problem } from "../errors.ts";
import type { Database, Queries } from "../database/database.ts";
import { matches } from "./conditional.ts";
import { jsonAnswer } from "./json.ts";
import type { Caller, Route } from "./route.ts";

type Wanted = {
  route: Route;
  caller: Caller | null;
  params: Record<string, number>;
  ifMatch: string | null;
  isReadBack: boolean;
};

/** `newTag` returns the tag of the record after the change, "" if it was not read. */
type Edit = { transaction: Database["transaction"]; newTag(): string };

/**
 * The transaction for a handler. With `If-Match`, it first locks the record and compares its tag, so nothing can change
 * the record between the comparison and the commit. Before the commit, it reads the new tag, unless the response has
 * the record itself.
 */
export function beginEdit(db: Pick<Database, "transaction">, wanted: Wanted): Edit {
  const { route, caller, params, ifMatch } = wanted;
  const { current } = route;
  // `*` matches every record that exists, and it has been found.
  if (ifMatch === null || ifMatch.trim() === "*" || !comparesIfMatch(route)) {
    return { transaction: db.transaction, newTag: () => "" };
  }
  if (!current)
    throw new Problem(
      "outdated",
      "This has no ETag with which If-Match could be compared: send the request without it.",
    );
  const check = async (tx: Queries) => {
    if (matches(ifMatch, await tagOf(await current(tx, caller, params)))) return;
    throw new Problem(
      "outdated",
      "This has changed since you read it, or If-Match is not its ETag: read it again first.",
    );
  };
  let tag = "";
  return {
    transaction: (work, options) =>
      db.transaction(async (tx) => {
        await check(tx);
        const result = await work(tx);
        if (route.method === "PUT" && !wanted.isReadBack) tag = await tagOf(await current(tx, caller, params));
        return result;
      }, options),
    newTag: () => tag,
  };
}

/** The PUT routes whose response is what a GET would return: their tag is that of the response. */
export function findReadBack(routes: Route[]): (route: Route) => boolean {
  const read = new Map(routes.filter(({ method }) => method === "GET").map((route) => [route.path, route]));
  return ({ method, path, current, response }) =>
    method === "PUT" && current !== undefined && read.get(path)?.response === response;
}

/** Whether the pipeline compares `If-Match`. A handler that declares the header compares it itself. */
export function comparesIfMatch({ method, headers = {} }: Route): boolean {
  return (method === "PUT" || method === "PATCH" || method === "DELETE") && !("If-Match" in headers);
}

/** The tag that a GET of this value would have, or "", which matches none, if it is too long to have one. */
export async function tagOf(value: unknown): Promise<string> {
  const answer = await jsonAnswer(200, value);
  if (!(answer instanceof Response)) return answer.etag;
  await answer.body?.cancel();
  return "";
}
