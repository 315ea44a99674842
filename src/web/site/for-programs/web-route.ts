import type { z } from "zod";
import { type Answer, textAnswer } from "../../../platform/http/answer.ts";
import type { MediaResult } from "../../../platform/http/content.ts";
import { type Route, route } from "../../../platform/http/route.ts";
import { languageFor } from "../language.ts";
import { createLinks } from "../links.ts";
import type { PageCall } from "../page.ts";
import { decodeAll, type Renderer } from "../render.ts";

/** An address that programs read. It is the same for everyone: what a guest sees, in the language of the site. */
type WebPage<Query> = {
  path: `/${string}`;
  contentType: string;
  /** For what costs as much as a picture. */
  limit?: "media";
  handle(call: PageCall<Query>): MediaResult | Promise<MediaResult>;
};

export function webRoute(renderer: Renderer, page: WebPage<null>): Route {
  return toRoute(renderer, page);
}

export function webRouteWithQuery<Query extends z.ZodObject>(
  renderer: Renderer,
  query: Query,
  page: WebPage<z.output<Query>>,
): Route {
  return toRoute(renderer, page, query);
}

function toRoute({ openVisit }: Renderer, page: WebPage<unknown>, query?: z.ZodObject): Route {
  const { path, contentType, limit } = page;
  return route({
    method: "GET",
    path,
    name: `web ${path}`,
    tag: "Site",
    summary: path,
    isPage: true,
    limit: limit ?? "pages",
    ...(query && { query }),
    response: { contentTypes: [contentType], description: "The document" },
    async handle({ query, texts, exchange }) {
      const visit = await openVisit(exchange, null);
      const language = languageFor(visit.settings.language);
      return page.handle({ ...visit, language, links: createLinks(), params: decodeAll(texts), query });
    },
  });
}

/** Browsers may also open these documents. */
export const webHeaders = { "Content-Security-Policy": "default-src 'none'" };

export const webText = (type: string, text: string): Answer => textAnswer(type, text, webHeaders);
