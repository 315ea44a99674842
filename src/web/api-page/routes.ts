import { z } from "zod";
import { listBuiltFiles } from "../../platform/built-files.ts";
import { type Answer, textAnswer } from "../../platform/http/answer.ts";
import { createOpenAPI, type OpenAPI } from "../../platform/http/openapi.ts";
import { type Header, type Route, route } from "../../platform/http/route.ts";
import { once } from "../../platform/once.ts";
import { version } from "../../platform/version.ts";
import { getOperation, readDocument } from "./api-document.ts";
import { docsPage, operationPage, referencePage } from "./docs.ts";
import { operationPath } from "./operation.ts";
import { pageHeaders, staticRoute } from "./static.ts";

const tag = "Server";
const tokenSource = "The token from `POST /signin`, or an app key from `POST /api/v1/keys`.";
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
      response: { contentTypes: ["application/json"], description: "Done", schema: z.looseObject({}) },
      statuses: { 304: "Not modified" },
      handle: once(async () => textAnswer("application/json", JSON.stringify(await describeAPI()))),
    }),
    staticRoute({
      path: "/docs",
      contentType: "text/html",
      response: async () => htmlAnswer(docsPage(await api())),
      name: "readDocs",
      summary: "Open the API page",
    }),
  ];
  const about = { version, description, tags, tokenSource, baseURL, grantHeaders };
  const all: Route[] = [...operations, ...described];
  const describeAPI = once(() => createOpenAPI(all, about));
  const api = once(async () => readDocument(await describeAPI()));
  const page = (path: `/${string}`, render: () => Promise<string>) =>
    staticRoute({ path, contentType: "text/html", response: async () => htmlAnswer(await render()) });
  const routes = [
    ...described,
    page("/docs/reference", async () => referencePage(await api())),
    ...all.map(({ name }) =>
      page(operationPath(name), async () => operationPage(await api(), getOperation(await api(), name))),
    ),
    ...assets.map(([name, contentType]) =>
      staticRoute({ path: `/assets/${name}`, contentType, response: () => readAsset(name) }),
    ),
  ];
  return { routes, describeAPI };
}

const htmlAnswer = (text: string) => textAnswer("text/html", text, pageHeaders);

/** The design of the site, and what only these pages have. */
const assets = [
  ["design.css", "text/css"],
  ["docs.css", "text/css"],
  ["operation.css", "text/css"],
  ["docs.js", "text/javascript"],
] as const;

const findFiles = once(async () => listBuiltFiles("api-page", pageHeaders));

async function readAsset(name: string): Promise<Answer> {
  const found = (await findFiles()).get(name);
  if (!found) throw new Error(`The build of the API page has no ${name}.`);
  return found.read();
}
