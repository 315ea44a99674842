import type { KeysetPage } from "../database/keyset.ts";
import { ordinaryPage } from "../database/slices.ts";
import type { Answer } from "./answer.ts";
import { type MediaResult, respondWith } from "./content.ts";
import { cursorHeaders, type CursorRequest } from "./cursor.ts";
import type { Exchange } from "./exchange.ts";
import { callerHeaders } from "./credentials.ts";
import { limitKey } from "./address.ts";
import { jsonAnswer } from "./json.ts";
import { pageHeaders, type PageRequest } from "./pages.ts";
import { isMedia, type Route } from "./route.ts";
import { takeTurns } from "./turns.ts";

/** What the response depends on, besides the value. `common` are headers of every response with bytes. */
type Asked = {
  page: PageRequest | null;
  cursor: CursorRequest | null;
  query: object | null;
  common: Record<string, string>;
};

/** What the value of a handler becomes. `isPublic` is whether the handler has said that it is the same for everyone. */
export type Presented = { answer: Answer | Response; isPublic: boolean };

export async function present(exchange: Exchange, route: Route, value: unknown, asked: Asked): Promise<Presented> {
  if (!isMedia(route.response)) return { answer: await toJSON(exchange, route, value, asked), isPublic: false };
  const result = value as MediaResult;
  const isPublic = result.isPublic === true;
  if ("plain" in result) return { answer: result, isPublic };
  return { answer: await respondWith(exchange, result, route.status ?? 200, asked.common), isPublic };
}

function toJSON(
  exchange: Exchange,
  route: Route,
  value: unknown,
  { page, cursor, query }: Asked,
): Promise<Answer | Response> {
  const headers: Record<string, string> = route.personal ? { Vary: `Accept-Encoding, ${callerHeaders}, Origin` } : {};
  const turn = takeTurns(limitKey(exchange.address));
  if (cursor) {
    const { items, next } = value as KeysetPage<unknown>;
    const isLarge = cursor.size > ordinaryPage;
    return jsonAnswer(200, items, { ...headers, ...cursorHeaders(exchange, cursor, next) }, { turn, isLarge });
  }
  if (page) {
    const { items, total } = value as { items: unknown; total: number };
    const isLarge = page.pageSize > ordinaryPage;
    return jsonAnswer(200, items, { ...headers, ...pageHeaders(exchange, page, total, query) }, { turn, isLarge });
  }
  const reply = route.responseHeaders ? (value as Reply) : { body: value, headers: {} };
  if (route.status === 201) headers.Location = locationOf(route, reply.body);
  return jsonAnswer(route.status ?? 200, reply.body, { ...headers, ...reply.headers }, { turn });
}

/** What the handler of a route with `responseHeaders` returns. */
type Reply = { body: unknown; headers: Record<string, string> };

function locationOf({ path, location = `${path}/{id}` }: Route, record: unknown): string {
  return location.replace("{id}", String((record as { id?: number }).id));
}
