import { readJSON } from "./body-json.ts";
import { sendsToken } from "./credentials.ts";
import type { Exchange } from "./exchange.ts";
import { isPageForm, readPageForm } from "./page-form.ts";
import type { Route } from "./route.ts";
import { validate } from "./validate.ts";

/** The body as it was sent, before it is validated. It is read at the first call, and once. */
export type SentBody = () => Promise<Record<string, unknown>>;

export function openBody(exchange: Exchange, route: Route, maxBytes: number): SentBody {
  let sent: Promise<Record<string, unknown>> | null = null;
  return () => (sent ??= read());

  function read(): Promise<Record<string, unknown>> {
    const { acceptsForm, ignoresSessions } = route;
    if (acceptsForm && isPageForm(exchange)) return readPageForm(exchange);
    // A page of another site may send any text, but no JSON, with the session of the browser that shows it.
    return readJSON(exchange, maxBytes, !acceptsForm && (ignoresSessions === true || sendsToken(exchange)));
  }
}

/**
 * The step `body`: the validated body (400); null if the route has none. `mayWith` decides before anything is said about the
 * body.
 */
export async function readBody(route: Route, record: unknown, readSent: SentBody): Promise<unknown> {
  const { body, mayWith } = route;
  if (!body) return null;
  const sent = readSent();
  if (mayWith) {
    mayWith(record, await sent.catch(() => null));
  }
  return validate(body, await sent);
}
