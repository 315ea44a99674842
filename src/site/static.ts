import { type Answer, send, textAnswer } from "../platform/http/answer.ts";
import { type Route, route } from "../platform/http/route.ts";

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** A page or asset that is the same for everybody: answered like JSON, with a tag and compressed. */
export function staticRoute(path: `/${string}`, contentType: string, text: string): Route {
  const answer: Answer = textAnswer(contentType, text, {
    "Content-Security-Policy": policy,
    "Referrer-Policy": "same-origin",
  });
  return route({
    method: "GET",
    path,
    name: `page ${path}`,
    tag: "Pages",
    summary: path,
    limit: "none",
    answer: { contentType, description: "A page" },
    handle: ({ exchange }) => send(exchange, answer),
  });
}
