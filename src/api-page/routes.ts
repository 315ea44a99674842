import { readFileSync } from "node:fs";
import { z } from "zod";
import { textAnswer } from "../platform/http/answer.ts";
import { createOpenAPI, type OpenAPI } from "../platform/http/openapi.ts";
import { type Header, type Route, route } from "../platform/http/route.ts";
import { once } from "../platform/share.ts";
import { toJavaScript } from "../platform/transpile.ts";
import { version } from "../version.ts";
import { getOperation, readDocument } from "./api-document.ts";
import { docsPage, modules, operationPage, referencePage } from "./docs.ts";
import { operationPath } from "./operation.ts";
import { staticRoute } from "./static.ts";
import { sources } from "../sources.ts";

const tag = "Server";
const tokenSource = "The token from `POST /signin`.";
const description = "Photos, blog posts, comments, albums and files of a personal site.";

type ApiPage = { routes: Route[]; describeAPI(): Promise<OpenAPI> };

/**
 * The description of the API, and its pages. None of them are rate limited. They are created when they are first
 * requested, because that takes longer than the rest of the start.
 */
export function apiPageRoutes(
  operations: Route[],
  tags: Record<string, string>,
  baseURL: string,
  grantHeaders: Record<string, Header> = {},
): ApiPage {
  const described: Route[] = [
    route({
      method: "GET",
      path: "/openapi.json",
      name: "readOpenAPI",
      tag,
      summary: "Get the description of this API",
      details: "An OpenAPI 3.1 document.",
      limit: "none",
      answer: { contentTypes: ["application/json"], description: "Done", schema: z.looseObject({}) },
      statuses: { 304: "Not modified" },
      handle: once(async () => textAnswer("application/json", JSON.stringify(await describeAPI()))),
    }),
    staticRoute({
      path: "/docs",
      contentType: "text/html",
      render: async () => docsPage(await api()),
      name: "readDocs",
      summary: "Open the API page",
    }),
  ];
  const about = { version, description, tags, tokenSource, baseURL, grantHeaders };
  const all: Route[] = [...operations, ...described];
  const describeAPI = once(() => createOpenAPI(all, about));
  const api = once(async () => readDocument(await describeAPI()));
  const page = (path: `/${string}`, render: Parameters<typeof staticRoute>[0]["render"]) =>
    staticRoute({ path, contentType: "text/html", render });
  const routes = [
    ...described,
    page("/docs/reference", async () => referencePage(await api())),
    ...all.map(({ name }) =>
      page(operationPath(name), async () => operationPage(await api(), getOperation(await api(), name))),
    ),
    ...Object.entries(styles).map(([name, files]) =>
      staticRoute({
        path: `/assets/${name}.css`,
        contentType: "text/css",
        render: () => files.map(read).join("\n"),
      }),
    ),
    ...modules.map((name) =>
      staticRoute({
        path: `/assets/${name}.js`,
        contentType: "text/javascript",
        render: () => toJavaScript(read(`api-page/browser/${name}.ts`)),
      }),
    ),
  ];
  return { routes, describeAPI };
}

/** The styles of the page and the files in them: the design of the site, and what only this page has. */
const styles = {
  design: ["design/tokens.css", "design/base.css", "design/parts.css"],
  docs: ["api-page/assets/docs.css"],
  operation: ["api-page/assets/operation.css"],
};

const read = (path: string) => readFileSync(new URL(path, sources), "utf8");
