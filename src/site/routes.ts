import { readFileSync } from "node:fs";
import { z } from "zod";
import type { Database } from "../platform/database/database.ts";
import { sql } from "../platform/database/sql.ts";
import { send, textAnswer } from "../platform/http/answer.ts";
import { createOpenAPI, type OpenAPI } from "../platform/http/openapi.ts";
import { type Route, route } from "../platform/http/route.ts";
import { messageSchema } from "../users/user.ts";
import { version } from "../version.ts";
import { docsPage } from "./docs.ts";
import { homePage } from "./home.ts";
import { staticRoute } from "./static.ts";

const tag = "Server";
const tags = {
  Accounts: "Signing up, in and out. A token goes with every request that changes something.",
  Photos: "A title, a description and a size in pixels for an uploaded file.",
  Blog: "Posts, each with an optional cover photo.",
  Comments: "What readers write below a post.",
  Albums: "Photos in an order of their own.",
  Files: "A tree of directories and files, and the bytes in them.",
  Uploads: "Files that come in parts and survive a broken connection, by the tus protocol 1.0.0.",
  Versions: "What a file held before its content was replaced.",
  Search: "Words in titles, texts and names.",
  Trash: "What was deleted, until it is gone for good.",
  Storage: "How much room everything takes.",
  Server: "Health, for whoever watches over the process.",
};
const description = "Photos, blog posts, comments, albums and files of a personal site.";

/** The API's own description, and pages for people. None of it is rate limited. */
export function siteRoutes(document: OpenAPI): Route[] {
  const answer = textAnswer("application/json", JSON.stringify(document));
  return [
    route({
      method: "GET",
      path: "/openapi.json",
      name: "readOpenAPI",
      tag,
      summary: "Read the description of this API",
      limit: "none",
      answer: z.looseObject({}),
      handle: ({ exchange }) => send(exchange, answer),
    }),
    staticRoute("/", "text/html", homePage()),
    staticRoute("/docs", "text/html", docsPage(document)),
    ...["site.css", "home.css", "docs.css", "operation.css"].map((name) => asset(name, "text/css")),
    asset("docs.js", "text/javascript"),
  ];
}

export function describeAPI(routes: Route[]): OpenAPI {
  return createOpenAPI(routes, { version, description, tags });
}

export function healthRoutes(db: Database, isDraining: () => boolean): Route[] {
  return [
    route({
      method: "GET",
      path: "/livez",
      name: "readLiveness",
      tag,
      summary: "Is the process alive?",
      limit: "none",
      answer: messageSchema,
      handle: () => ({ message: "alive" }),
    }),
    route({
      method: "GET",
      path: "/readyz",
      name: "readReadiness",
      tag,
      summary: "Can it serve requests?",
      details: "503 while the database does not answer, and from the moment the server was told to stop.",
      limit: "none",
      answer: messageSchema,
      async handle({ exchange }) {
        const isDatabaseReady = !isDraining() && (await db.get(sql`SELECT 1 AS one`).catch(() => null));
        if (isDatabaseReady) return { message: "ready" };
        const error = isDraining() ? "The server is shutting down." : "The database does not answer.";
        return send(exchange, textAnswer("application/json", JSON.stringify({ error }), {}, 503));
      },
    }),
  ];
}

function asset(name: string, contentType: string): Route {
  return staticRoute(
    `/assets/${name}`,
    contentType,
    readFileSync(new URL(`./assets/${name}`, import.meta.url), "utf8"),
  );
}
