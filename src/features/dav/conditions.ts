import type { Reader } from "../../platform/database/database.ts";
import { matches } from "../../platform/http/conditional.ts";
import type { Exchange } from "../../platform/http/exchange.ts";
import { readAddress } from "./address.ts";
import { type ConditionList, parseIf, tokensIn } from "./if-header.ts";
import { checkLocks, findLocksOn, type Touched } from "./locks.ts";
import { Refusal } from "./refusal.ts";
import { etagOf, findResource, type Resource } from "./resources.ts";
import type { Visitor } from "./visit.ts";

/** What a request asks for before it may change anything. */
export type Conditions = {
  /** The tokens of locks that it has sent. */
  tokens: ReadonlySet<string>;
  /**
   * Throws if a condition of the request does not hold (412), or something that it changes is locked (423). For a change it
   * is called twice: before a body is received, and in the transaction.
   */
  check(db: Reader, resource: Resource | null, touched: Touched[]): Promise<void>;
};

export function readConditions(exchange: Exchange, caller: Visitor, names: string[]): Conditions {
  const { headers } = exchange.request;
  const ifHeader = headers.get("if");
  const lists = ifHeader === null ? [] : parseIf(ifHeader);
  const tokens = tokensIn(lists);
  return {
    tokens,
    async check(db, resource, touched) {
      checkTags(headers, resource && etagOf(resource, caller), resource !== null);
      if (lists.length > 0 && !(await holds(db, lists))) throw new Refusal(412, "The header If does not hold.");
      for (const one of touched) await checkLocks(db, caller, tokens, one);
    },
  };

  async function holds(db: Reader, wanted: ConditionList[]): Promise<boolean> {
    const states = new Map<string | null, Awaited<ReturnType<typeof readState>>>();
    for (const { resource, conditions } of wanted) {
      let state = states.get(resource);
      if (!state) states.set(resource, (state = await readState(db, resource)));
      const { etag, locks } = state;
      const isTrue = conditions.every(
        (one) => ("token" in one ? locks.has(one.token) : one.etag === etag) !== one.isNegated,
      );
      if (isTrue) return true;
    }
    return false;
  }

  async function readState(db: Reader, address: string | null) {
    const place = address === null ? names : readAddress(exchange, caller, address);
    if (!place) return { etag: null, locks: new Set<string>() };
    const found = await findResource(db, caller, place);
    const locks = await findLocksOn(db, place);
    return { etag: found && etagOf(found, caller), locks: new Set(locks.map(({ token }) => token)) };
  }
}

/** `If-Match` and `If-None-Match`. `*` means that there is something. */
function checkTags(headers: Headers, etag: string | null, exists: boolean): void {
  const [ifMatch, ifNoneMatch] = [headers.get("if-match"), headers.get("if-none-match")];
  const isAny = (header: string) => header.trim() === "*";
  const isMet = (header: string) => (isAny(header) ? exists : etag !== null && matches(header, etag));
  if (ifMatch !== null && !isMet(ifMatch)) throw outdated();
  if (ifNoneMatch !== null && isMet(ifNoneMatch)) throw outdated();
}

const outdated = () => new Refusal(412, "This is not what If-Match or If-None-Match says: read it again first.");
