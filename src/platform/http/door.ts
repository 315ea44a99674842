import type { Operation } from "../metrics/metrics.ts";
import { withSharedDeadline } from "../deadline.ts";
import type { Exchange } from "./exchange.ts";
import { type Limits, takeFromAccount, takeFromLimit } from "./limit.ts";
import type { Caller } from "./route.ts";
import type { Sending } from "./send.ts";
import type { Authenticate } from "./token.ts";

/**
 * Another protocol than that of the API, for a path and all below it. It has methods and answers of its own, finds out itself
 * who asks, and never uses the session of a browser. Scripts of other origins cannot use it.
 */
export type Door = {
  path: `/${string}`;
  /** What the metrics call a request with this method; there are few. */
  operationOf(method: string): Operation;
  serve(exchange: Exchange, porter: Porter): Promise<Response>;
};

/** What a door needs to know who asks, and to refuse too many requests (429). */
export type Porter = {
  authenticate: Authenticate;
  /** For a request of somebody who is not known. */
  limitAddress(): Promise<void>;
  limitAccount(caller: Caller): Promise<void>;
};

type Deps = { doors: readonly Door[]; authenticate: Authenticate; limits: Limits; sending: Sending };

export function createDoors({ doors, authenticate, limits, sending }: Deps) {
  return {
    find: ({ path }: Exchange): Door | null =>
      doors.find(
        (door) => path.startsWith(door.path) && (path.length === door.path.length || path[door.path.length] === "/"),
      ) ?? null,

    async enter(exchange: Exchange, door: Door): Promise<Response> {
      exchange.operation = door.operationOf(exchange.request.method);
      const porter: Porter = {
        authenticate,
        limitAddress: async () => void (await takeFromLimit(limits, exchange, "api")),
        limitAccount: async (caller) => void (await takeFromAccount(limits, caller)),
      };
      const response = await withSharedDeadline(() => door.serve(exchange, porter));
      return sending.complete(exchange, response, true);
    },
  };
}
