import type { Answer } from "../../platform/http/answer.ts";
import { type Route, route } from "../../platform/http/route.ts";
import { once } from "../../platform/once.ts";

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

type Page = {
  path: `/${string}`;
  contentType: string;
  response: () => Promise<Answer>;
  name?: string;
  summary?: string;
};

/** A page or asset that is the same for everyone: rendered when it is first requested, with a tag and compressed. */
export function staticRoute({ path, contentType, response, name = `page ${path}`, summary = path }: Page): Route {
  return route({
    method: "GET",
    path,
    name,
    tag: "Server",
    summary,
    limit: "none",
    response: { contentTypes: [contentType], description: "The page" },
    statuses: { 304: "Not modified" },
    handle: once(response),
  });
}

/** The headers of pages and assets. */
export const pageHeaders = { "Content-Security-Policy": policy, "Referrer-Policy": "same-origin" };
