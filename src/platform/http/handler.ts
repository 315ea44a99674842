import type { Database } from "../database/database.ts";
import { withETag } from "./answer.ts";
import type { Exchange } from "./exchange.ts";
import { beginEdit, findReadBack } from "./if-match.ts";
import { present, type Presented } from "./present.ts";
import type { Call, Route } from "./route.ts";
import type { Storing } from "./transact.ts";

type Deps = {
  routes: Route[];
  db: Pick<Database, "transaction">;
  /** Headers of every response with bytes. */
  common: Record<string, string>;
};

/**
 * The step `handler`: calls the handler of the route, and makes its value a response. The handler gets the transaction that
 * compares `If-Match` (412), and that stores the response if the request has an `Idempotency-Key`.
 */
export function createCallHandler({ routes, db, common }: Deps) {
  const readsBack = findReadBack(routes);
  return async (
    exchange: Exchange,
    route: Route,
    call: Omit<Call, "transaction">,
    storing?: Storing,
  ): Promise<Presented> => {
    const { caller, params, page, cursor, query } = call;
    const ifMatch = exchange.request.headers.get("if-match");
    const isReadBack = readsBack(route);
    const edit = beginEdit(db, { route, caller, params, ifMatch, isReadBack });
    const toPresented = (value: unknown) => present(exchange, route, value, { page, cursor, query, common });
    const transaction = storing?.(edit.transaction, async (value) => (await toPresented(value)).answer);
    const value = await route.handle({ ...call, transaction: transaction ?? edit.transaction });
    const presented = await toPresented(value);
    const { answer } = presented;
    if (answer instanceof Response) return presented;
    return { ...presented, answer: withETag(answer, isReadBack ? answer.etag : edit.newTag()) };
  };
}
