// Runs on the embedded engines only: the page is made from the OpenAPI document.
import { expect, test } from "bun:test";
import type { OpenAPI } from "../../platform/http/openapi.ts";
import { readDocument } from "./api-document.ts";
import { docsPage, operationPage, referencePage } from "./docs.ts";
import { html } from "../../platform/markup.ts";
import { useServer } from "../../../tests/kit/use-server.ts";

const pages = ["/docs", "/docs/createPhoto", "/docs/reference"];
const styles = ["design", "docs", "operation"].map((name) => `/assets/${name}.css`);
const assets = [...styles, "/assets/docs.js"];

const server = useServer();

test("/docs lists every operation, and each has a page with its path, its fields and a curl command", async () => {
  const document = (await (await get("/openapi.json")).json()) as OpenAPI;
  const index = await read("/docs");
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, { operationId, summary }] of Object.entries(methods)) {
      expect(index).toContain(`href="/docs/${operationId}"`);
      expect(index).toContain(html`${summary}`.toString());
      const page = await read(`/docs/${operationId}`);
      expect(page).toContain(`data-method="${method.toUpperCase()}" data-path="${path}"`);
      expect(page).toContain("curl ");
    }
  }
  expect(await read("/docs/createPost")).toMatch(/coverID[^]*integer or null[^]*optional[^]*at least 1/);
});

test("the list of operations stays small, because details are loaded when an operation is opened", async () => {
  const index = await read("/docs");
  const operations = index.match(/href="\/docs\/\w+"/g)?.length ?? 0;
  expect(index.match(/<\w+/g)?.length).toBeLessThan(16 * operations);
  expect(index).not.toContain('<form method="post" data-method');
});

test.each(pages.slice(1))("every link on %s works", async (path) => {
  const ids = new Map(await Promise.all(pages.map(async (page) => [page, idsIn(await read(page))] as const)));
  const text = await read(path);
  const own = ids.get(path) ?? [];
  expect(new Set(own).size).toBe(own.length);
  for (const [, target] of text.matchAll(/\bfor="([^"]+)"/g)) expect(own).toContain(target as string);
  for (const [, page, target] of text.matchAll(/href="([^"#]*)(?:#([^"]+))?"/g)) {
    if (page?.startsWith("data:")) continue;
    if (page && !ids.has(page)) ids.set(page, idsIn(await read(page)));
    if (target) expect(ids.get(page || path)).toContain(target);
  }
});

test("the front page links to /docs", async () => {
  expect(await read("/")).toContain('href="/docs"');
});

test.each(pages)("%s loads nothing from other origins and has no inline scripts", async (path) => {
  const response = await get(path);
  const policy = response.headers.get("content-security-policy");
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self'");
  expect(policy).not.toContain("unsafe");

  const text = await response.text();
  const loaded = [...text.matchAll(/<(?:script|link|img|iframe)\b[^>]*?(?:src|href)="([^"]*)"/g)].map(([, url]) => url);
  for (const url of loaded) expect(url).toMatch(/^(\/assets\/|data:image)/);
  for (const url of loaded.filter((url) => url?.startsWith("/"))) expect(assets).toContain(url as string);
  expect(text).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=/i);
});

test.each([...pages, ...assets])("%s returns 304 for its tag, and is compressed", async (path) => {
  const first = await get(path, { "Accept-Encoding": "gzip" });
  expect(first.status).toBe(200);
  const isShort = (await first.clone().text()).length < 1024;
  expect(first.headers.get("content-encoding")).toBe(isShort ? null : "gzip");
  const again = await get(path, { "If-None-Match": first.headers.get("etag") ?? "" });
  expect(again.status).toBe(304);
  expect(await again.text()).toBe("");
});

test("styles and scripts stay small, and name no other origin", async () => {
  const texts = await Promise.all(assets.map(read));
  expect(texts.join("").length).toBeLessThan(60_000);
  for (const text of texts) expect(text).not.toMatch(/https?:|@import|url\((?!\/assets\/[\w-]+\.woff2\))/);
});

test("the script is JavaScript, and imports nothing", async () => {
  const { imports } = new Bun.Transpiler({ loader: "js" }).scan(await read("/assets/docs.js"));
  expect(imports).toEqual([]);
});

test("all texts of the document are escaped on the page", () => {
  const evil = `"><img src=x onerror=alert(1)>'`;
  const schema = { type: "object", description: evil, properties: { [evil]: { type: "string", enum: [evil] } } };
  const content = { "application/json": { schema, example: { [evil]: evil } } };
  const operation = {
    operationId: "op",
    tags: [evil],
    summary: evil,
    description: evil,
    parameters: [{ name: evil, in: "path", required: true, schema: { type: "string" }, example: evil }],
    requestBody: { content },
    responses: { 200: { description: evil, content } },
  };
  const api = readDocument({
    info: { title: evil, version: evil, description: evil },
    paths: { [`/${evil}`]: { post: operation } },
    components: { schemas: { [evil]: schema } },
  });
  const operations = api.groups.flatMap((group) => group.operations.map((one) => operationPage(api, one)));
  const text = [docsPage(api), referencePage(api), ...operations].join("");
  expect(text).toContain("&lt;img src=x");
  expect(text).not.toContain("<img");
  expect(text).not.toContain("\">'");
});

test("an operation shows whether it needs a token, and the role if the document names one", () => {
  const operation = { operationId: "op", tags: [], summary: "It", responses: {} };
  const render = (security: object[], role?: string) =>
    docsPage(
      readDocument({
        info: { title: "T", version: "1" },
        paths: { "/it": { get: { ...operation, security, "x-required-role": role } } },
        components: { schemas: {} },
      }),
    );
  expect(render([])).toContain("No token required");
  expect(render([{ token: [] }])).toContain("Token required");
  expect(render([{ token: [] }], "author")).toContain("Requires role author or higher");
});

const idsIn = (text: string) => [...text.matchAll(/\bid="([^"]+)"/g)].map(([, id]) => id as string);

function get(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(server.url + path, { headers });
}

async function read(path: string): Promise<string> {
  const response = await get(path);
  expect([path, response.status]).toEqual([path, 200]);
  return response.text();
}
