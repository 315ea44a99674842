import { readFileSync } from "node:fs";
import { z } from "zod";
import { busy } from "../errors.ts";
import type { Database } from "../platform/database/database.ts";
import { sql } from "../platform/database/sql.ts";
import { send, textAnswer } from "../platform/http/answer.ts";
import { createOpenAPI, type OpenAPI } from "../platform/http/openapi.ts";
import { type Route, route } from "../platform/http/route.ts";
import { toJavaScript } from "../platform/transpile.ts";
import { messageSchema } from "../users/user.ts";
import { version } from "../version.ts";
import { readDocument } from "./api-document.ts";
import { docsPage, modules, operationPage, referencePage } from "./docs.ts";
import { homePage } from "./home.ts";
import { operationPath } from "./operation.ts";
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
export function siteRoutes(operations: Route[], baseURL: string): { routes: Route[]; openapi: OpenAPI } {
  const described = [
    route({
      method: "GET",
      path: "/openapi.json",
      name: "readOpenAPI",
      tag,
      summary: "Read the description of this API",
      details: "An OpenAPI 3.1 document.",
      limit: "none",
      answer: z.looseObject({}),
      handle: ({ exchange }) => send(exchange, answer),
    }),
    staticRoute({
      path: "/docs",
      contentType: "text/html",
      render: () => docsPage(api),
      name: "readDocs",
      summary: "Read this API as a page, and try it",
    }),
  ];
  const openapi = createOpenAPI([...operations, ...described], { version, description, tags, baseURL });
  const answer = textAnswer("application/json", JSON.stringify(openapi));
  const api = readDocument(openapi);
  const page = (path: `/${string}`, render: () => string) => staticRoute({ path, contentType: "text/html", render });
  const routes = [
    ...described,
    page("/", homePage),
    page("/docs/reference", () => referencePage(api)),
    ...api.groups.flatMap(({ operations: ofGroup }) =>
      ofGroup.map((operation) => page(operationPath(operation), () => operationPage(api, operation))),
    ),
    ...["site.css", "home.css", "docs.css", "operation.css"].map((name) =>
      staticRoute({ path: `/assets/${name}`, contentType: "text/css", render: () => read(`assets/${name}`) }),
    ),
    ...modules.map((name) =>
      staticRoute({
        path: `/assets/${name}.js`,
        contentType: "text/javascript",
        render: () => toJavaScript(read(`browser/${name}.ts`)),
      }),
    ),
  ];
  return { routes, openapi };
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
      limit: "none",
      answer: messageSchema,
      statuses: { 503: "The database does not answer, or the server was told to stop" },
      async handle() {
        const isDatabaseReady = !isDraining() && (await db.get(sql`SELECT 1 AS one`).catch(() => null));
        if (isDatabaseReady) return { message: "ready" };
        throw busy(isDraining() ? "The server is shutting down." : "The database does not answer.");
      },
    }),
  ];
}

const read = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8");
