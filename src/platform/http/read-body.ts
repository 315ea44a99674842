import type { Route } from "./route.ts";
import { validate } from "./validate.ts";

/** The validated body of a request; null if the route has none. `mayWith` decides before anything is said about the body. */
export async function readBody(route: Route, record: unknown, readSent: () => Promise<unknown>): Promise<unknown> {
  const { body, mayWith } = route;
  if (!body) return null;
  const sent = readSent();
  if (mayWith) {
    mayWith(record, await sent.catch(() => null));
  }
  return validate(body, await sent);
}
