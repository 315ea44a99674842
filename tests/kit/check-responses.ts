import { findMismatch } from "./json-schema.ts";

type APIDocument = { paths: Record<string, Item>; components: { responses: any; schemas: any } };
type Item = Record<string, Operation>;
type Operation = { responses: Record<string, { $ref?: string } & Declared> };
type Declared = { content?: Record<string, { schema: any }>; headers?: Record<string, { required?: boolean }> };

/** A longer body is not read a second time. */
const maxBytes = 2 ** 20;
/** The metrics, another protocol, pages, what they load, and their redirects are not part of the API, also where they have the address of an operation. */
function isOutsideAPI(path: string, { status, headers }: Response): boolean {
  if (path === "/metrics" || path === "/mcp") return true;
  return !path.startsWith("/api/") && (status === 303 || !headers.get("content-type")?.startsWith("application/json"));
}

/** The API below a share link is the same API. */
const linkPrefix = /^\/s\/[\w-]{43}(?=\/api\/)/;

type Modules = readonly unknown[] | undefined;

const servers = new Map<string, Modules>();
const plainFetch = globalThis.fetch;
/** Servers with the same modules have the same document. */
const documents = new Map<Modules, Promise<APIDocument | null>>();

/** From now on, `fetch` in this process checks every response of this server against the OpenAPI document. */
export function checkResponsesOf(url: string, modules?: Modules): void {
  servers.set(url, modules);
  globalThis.fetch = checkedFetch;
}

export function stopChecking(url: string): void {
  servers.delete(url);
}

const checkedFetch = Object.assign(async (target: any, init?: any): Promise<Response> => {
  const response = await plainFetch(target, init);
  const { origin, pathname } = new URL(target instanceof Request ? target.url : target);
  if (!servers.has(origin) || response.redirected || init?.decompress === false) return response;
  const document = await loadDocument(origin);
  const method = init?.method ?? target.method ?? "GET";
  const path = pathname.replace(linkPrefix, "").replaceAll(/\/{2,}/g, "/");
  const problem = document && (await findProblem(document, methodOf(method, init), path, response));
  if (problem) throw new Error(`The OpenAPI document and ${method} ${pathname} disagree: ${problem}.`);
  return response;
}, plainFetch);

/** Null while the server cannot be reached: it may have been killed. */
async function loadDocument(origin: string): Promise<APIDocument | null> {
  const modules = servers.get(origin);
  const loading =
    documents.get(modules) ??
    plainFetch(`${origin}/openapi.json`)
      .then((response) => response.json() as Promise<APIDocument>)
      .catch(() => null);
  documents.set(modules, loading);
  const document = await loading;
  if (!document) documents.delete(modules);
  return document;
}

function methodOf(method: string, init?: RequestInit): string {
  const meant = method === "POST" ? new Headers(init?.headers).get("x-http-method-override") : null;
  return (meant === "PATCH" || meant === "DELETE" ? meant : method).toLowerCase();
}

async function findProblem(document: APIDocument, method: string, path: string, response: Response) {
  const { status, headers } = response;
  if (headers.get("x-content-type-options") !== "nosniff") return `${status} without nosniff`;
  const unclear = await findTypeProblem(response);
  if (unclear || method === "options") return unclear;
  const item = findItem(document, path);
  const operation = item?.[method === "head" ? "get" : method];
  if (isOutsideAPI(path, response)) return null;
  // A page that another program than a browser asks for fails with JSON; oEmbed is JSON by its own standard.
  if (!operation && !path.startsWith("/api/") && (status >= 400 || path === "/oembed")) return null;
  if (!operation) return [404, 405, 429].includes(status) ? null : `${status} is undocumented`;
  const found = operation.responses[status];
  if (!found) return `the status ${status} is not declared`;
  const declared: Declared = found.$ref ? document.components.responses[status] : found;
  const lacking = Object.entries(declared.headers ?? {}).find(([name, { required }]) => required && !headers.has(name));
  if (lacking) return `${status} without the header ${lacking[0]}`;
  return method === "head" ? null : findBodyProblem(document, declared, response);
}

/** Every body says what it is, and a text also its encoding. Events are UTF-8 by their standard; XML that was uploaded says it itself. */
async function findTypeProblem(response: Response): Promise<string | null> {
  const { status, headers } = response;
  const type = headers.get("content-type");
  if (type === null)
    return (await response.clone().text()) === "" ? null : `${status} has a body without a content type`;
  const isText = /^text\/(?!event-stream$)|[/+]xml\b/.test(type) && !/; ?charset=utf-8$/.test(type);
  const isUpload = headers.get("content-disposition")?.startsWith("attachment") ?? false;
  return isText && !isUpload ? `${status} has the content type ${type} without an encoding` : null;
}

async function findBodyProblem({ components }: APIDocument, { content }: Declared, response: Response) {
  const type = response.headers.get("content-type")?.split(";")[0];
  if (!content) return (await response.clone().text()) === "" ? null : `${response.status} has a body`;
  const declared = content[type ?? ""] ?? content["*/*"];
  if (!declared) return `${response.status} has the content type ${type}`;
  const isSmall = Number(response.headers.get("content-length") ?? Infinity) <= maxBytes;
  if (type !== "application/json" || content["*/*"] || !isSmall) return null;
  const text = await response.clone().text();
  const hash = Bun.hash(text);
  const known = valid.get(declared.schema) ?? new Set();
  if (known.has(hash)) return null;
  const problem = findMismatch(JSON.parse(text), declared.schema, components.schemas);
  if (problem) return `${response.status}: ${problem}`;
  valid.set(declared.schema, known.add(hash));
  return null;
}

/** The hashes of bodies that match a schema: many tests read the same records again and again. */
const valid = new WeakMap<object, Set<number | bigint>>();

function findItem(document: APIDocument, path: string): Item | undefined {
  const asked = path.length > 1 ? path.replace(/\/$/, "") : path;
  return document.paths[asked] ?? patternsOf(document).find(({ pattern }) => pattern.test(asked))?.item;
}

/** Made once for each document. */
const patterns = new WeakMap<APIDocument, { pattern: RegExp; item: Item }[]>();

function patternsOf(document: APIDocument): { pattern: RegExp; item: Item }[] {
  const known = patterns.get(document);
  if (known) return known;
  const made = Object.entries(document.paths).map(([template, item]) => {
    const pattern = template.replace("/{path}", "(/.*)?").replace(/\{\w+\}/g, "[^/]+");
    return { pattern: new RegExp(`^${pattern}$`), item };
  });
  patterns.set(document, made);
  return made;
}
