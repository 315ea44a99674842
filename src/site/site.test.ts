import { afterAll, beforeAll, expect, test } from "bun:test";
import { startServer, type TestServer } from "../../tests/kit.ts";
import type { OpenAPI } from "../platform/http/openapi.ts";
import { docsPage } from "./docs.ts";
import { html } from "./markup.ts";

let server: TestServer;
const pages = ["/", "/docs"];
const assets = ["/assets/site.css", "/assets/home.css", "/assets/docs.css", "/assets/operation.css", "/assets/docs.js"];

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

test("every operation of the API stands on /docs, with its path, its fields and a command that calls it", async () => {
  const document = (await (await get("/openapi.json")).json()) as OpenAPI;
  const sections = new Map(
    (await read("/docs")).split('<article class="operation"').map((text) => [/ id="(\w+)"/.exec(text)?.[1], text]),
  );
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, { operationId, summary }] of Object.entries(methods)) {
      const section = sections.get(operationId);
      expect(section).toContain(html`${summary}`.toString());
      expect(section).toContain(`data-method="${method.toUpperCase()}" data-path="${path}"`);
      expect(section).toContain("curl ");
    }
  }
  expect(sections.get("createPost")).toMatch(/coverID[^]*integer or null[^]*optional[^]*at least 1/);
});

test("every link inside /docs leads to something on it", async () => {
  const text = await read("/docs");
  const ids = [...text.matchAll(/\bid="([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const [, target] of text.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target);
  for (const [, target] of text.matchAll(/\bfor="([^"]+)"/g)) expect(ids).toContain(target);
});

test("the front page leads to /docs", async () => {
  expect(await read("/")).toContain('href="/docs"');
});

test.each(pages)("%s loads nothing from elsewhere and runs nothing inline", async (path) => {
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

test.each([...pages, ...assets])("%s answers 304 to its tag, and compresses", async (path) => {
  const first = await get(path, { "Accept-Encoding": "gzip" });
  expect(first.status).toBe(200);
  expect(first.headers.get("content-encoding")).toBe("gzip");
  const again = await get(path, { "If-None-Match": first.headers.get("etag") ?? "" });
  expect(again.status).toBe(304);
  expect(await again.text()).toBe("");
});

test("style and script stay small, and name no other origin", async () => {
  const texts = await Promise.all(assets.map(read));
  expect(texts.join("").length).toBeLessThan(60_000);
  for (const text of texts) expect(text).not.toMatch(/https?:|@import|url\(/);
});

test("whatever the document says is text on the page, never markup", () => {
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
  const text = docsPage({
    info: { title: evil, version: evil, description: evil },
    paths: { [`/${evil}`]: { post: operation } },
    components: { schemas: { [evil]: schema } },
  });
  expect(text).toContain("&lt;img src=x");
  expect(text).not.toContain("<img");
  expect(text).not.toContain("\">'");
});

test("an operation says whether it needs a token, and the role where the document names it", () => {
  const operation = { operationId: "op", tags: [], summary: "It", responses: {} };
  const render = (security: object[], role?: string) =>
    docsPage({
      info: { title: "T", version: "1" },
      paths: { "/it": { get: { ...operation, security, "x-required-role": role } } },
      components: { schemas: {} },
    });
  expect(render([])).toContain("Open to everybody");
  expect(render([{ token: [] }])).toContain("Token needed");
  expect(render([{ token: [] }], "author")).toContain("Token of role author or higher");
});

function get(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(server.url + path, { headers });
}

async function read(path: string): Promise<string> {
  return (await get(path)).text();
}
