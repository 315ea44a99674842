import { Refusal } from "./refusal.ts";

/** A token of a lock, or the tag of a content. */
type Condition = { isNegated: boolean } & ({ token: string } | { etag: string });
/** `resource` is an address; null is that of the request. */
export type ConditionList = { resource: string | null; conditions: Condition[] };

const maxLists = 200;

/**
 * What an If header says (RFC 4918, 10.4): one of its lists must hold, with all its conditions. Some clients cut a long header
 * off. A list that cannot be read does not hold, which refuses more and allows nothing.
 */
export function parseIf(header: string): ConditionList[] {
  const lists: ConditionList[] = [];
  let resource: string | null = null;
  let rest = header.trim();
  const take = (pattern: RegExp): string | null => {
    const found = pattern.exec(rest);
    if (!found) return null;
    rest = rest.slice(found[0].length);
    return found[1] ?? "";
  };
  while (lists.length < maxLists) {
    resource = take(/^<([^<>]*)>\s*/) ?? resource;
    const conditions = takeList();
    if (!conditions) break;
    lists.push({ resource, conditions });
  }
  if (lists.length === 0) throw new Refusal(400, "The header If is malformed.");
  return lists;

  function takeList(): Condition[] | null {
    if (take(/^\(\s*/) === null) return null;
    const conditions: Condition[] = [];
    while (take(/^\)\s*/) === null) {
      const isNegated = take(/^Not\s*/i) !== null;
      const token = take(/^<([^<>]*)>\s*/);
      const etag = token === null ? take(/^\[\s*((?:W\/)?"[^"]*")\s*\]\s*/) : null;
      if (token !== null) conditions.push({ isNegated, token });
      else if (etag !== null) conditions.push({ isNegated, etag });
      else return null;
    }
    return conditions.length > 0 ? conditions : null;
  }
}

/** All tokens in it, whether or not they hold. */
export const tokensIn = (lists: ConditionList[]): Set<string> =>
  new Set(lists.flatMap(({ conditions }) => conditions.flatMap((one) => ("token" in one ? one.token : []))));
