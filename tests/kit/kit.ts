import { hashSync } from "@node-rs/argon2";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { type Config, readConfig } from "../../src/config.ts";
import { openDatabase } from "../../src/engines.ts";
import { type Module, schemaOf } from "../../src/module.ts";
import type { Database } from "../../src/platform/database/database.ts";
import type { Schema } from "../../src/platform/database/tables.ts";
import type { Role } from "../../src/platform/http/route.ts";
import { createLog } from "../../src/platform/log.ts";
import { startServer as start } from "../../src/commands/serve.ts";
import { removeKeyFile } from "../../src/core/users/first-admin.ts";
import { addUser } from "../../src/core/users/store.ts";
import { checkResponsesOf, stopChecking } from "./check-responses.ts";
import { addMigratedSqlite, engineEnv, makeMigratedDatabase } from "./engine.ts";
import { chunk } from "./files/png-chunk.ts";
import { recordStatements } from "../observed/record.ts";
import { runVitrine } from "./process.ts";

recordStatements();

export type TestServer = {
  url: string;
  dataDir: string;
  /** What its modules expect of a database, if it has others than the program. */
  schema: Schema | undefined;
  /** The key of the set-up link, or null if there is an admin. */
  setupKey: () => Promise<string | null>;
  /** The whole log of the server. */
  logged: () => string;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

/**
 * A complete server on a free loopback port, with a new data directory unless one is given. Rate limits are effectively
 * off. Every response that `fetch` gets from it is checked against the OpenAPI document.
 */
export async function startServer(env: Record<string, string> = {}, modules?: readonly Module[]): Promise<TestServer> {
  const dataDir = env.DATA_DIR ?? mkdtempSync(join(tmpdir(), "vitrine-test-"));
  const engines = await engineEnv(dataDir, makeMigratedDatabase);
  if (!env.DATA_DIR && !modules) await addMigratedSqlite(dataDir);
  const config: Config = readConfig({
    HOST: "127.0.0.1",
    PORT: "0",
    RATE_LIMIT_PER_SECOND: "1000000",
    RATE_LIMIT_BURST: "1000000",
    PAGE_RATE_LIMIT_BURST: "1000000",
    ...engines,
    ...env,
    DATA_DIR: dataDir,
  });
  let logged = "";
  const write = (text: string) => ((logged += text), true);
  const log = createLog("info", { pretty: false, output: { write, close() {} } });
  const server = await start(config, log, modules);
  const url = `http://127.0.0.1:${server.port}`;
  checkResponsesOf(url, modules);
  const close = async () => {
    await server.close();
    stopChecking(url);
    if (!env.DATA_DIR) rmSync(dataDir, { recursive: true, force: true });
  };
  return {
    url,
    dataDir,
    schema: modules && schemaOf(modules),
    setupKey: server.setupKey,
    logged: () => (log.flush(), logged),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Headers of a guest whose requests are not served from memory. */
export const uncached = { Authorization: "none" };

export type Answer<Body = any> = { status: number; body: Body; headers: Headers };

export type Client = {
  token: string | null;
  userID: number;
  url(path: string): string;
  get<Body = any>(path: string, headers?: Record<string, string>): Promise<Answer<Body>>;
  post<Body = any>(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer<Body>>;
  put<Body = any>(path: string, body?: unknown): Promise<Answer<Body>>;
  delete<Body = any>(path: string): Promise<Answer<Body>>;
  request<Body = any>(method: string, path: string, init?: RequestInit): Promise<Answer<Body>>;
  /** Uploads a file; the fields are sent before it. Returns the file object. */
  upload(name: string, content: Bun.BlobPart, fields?: Record<string, string>): Promise<Answer>;
};

/** Sends JSON to the server, as a guest or with a token. `more` are headers of every request. */
export function client(
  server: { url: string },
  token: string | null = null,
  userID = 0,
  more: Record<string, string> = {},
): Client {
  async function request(method: string, path: string, init: RequestInit = {}): Promise<Answer> {
    const headers = new Headers(init.headers);
    for (const [name, value] of Object.entries(more)) headers.set(name, value);
    if (token) headers.set("Authorization", `Bearer ${token}`);
    const response = await fetch(server.url + path, { ...init, method, headers });
    // An event stream has no end.
    const isStream = response.headers.get("content-type") === "text/event-stream";
    const text = isStream ? "" : await response.text();
    if (isStream) await response.body?.cancel();
    const isJSON = response.headers.get("content-type")?.startsWith("application/json");
    return { status: response.status, headers: response.headers, body: isJSON && text ? JSON.parse(text) : text };
  }
  const send =
    (method: string) =>
    (path: string, body?: unknown, headers: Record<string, string> = {}) =>
      body === undefined
        ? request(method, path, { headers })
        : request(method, path, {
            body: typeof body === "string" ? body : JSON.stringify(body),
            headers: { "Content-Type": "application/json", ...headers },
          });
  return {
    token,
    userID,
    url: (path) => server.url + path,
    request,
    get: (path, headers) => request("GET", path, headers ? { headers } : {}),
    post: send("POST"),
    put: send("PUT"),
    delete: (path) => request("DELETE", path),
    upload(name, content, fields = {}) {
      const form = new FormData();
      for (const [key, value] of Object.entries(fields)) form.set(key, value);
      form.set("file", new File([content], name));
      return request("POST", "/api/v1/files", { body: form });
    },
  };
}

export const password = "correct horse battery";

/** Signs a user up and in. */
export async function person(server: { url: string }, username: string): Promise<Client> {
  const guest = client(server);
  await guest.post("/signup", { username, password });
  return signedIn(server, username);
}

export async function signedIn(server: { url: string }, username: string): Promise<Client> {
  const { body } = await client(server).post("/signin", { username, password });
  return client(server, body.token, body.user.id);
}

export const admin = (server: TestServer, username = "root"): Promise<Client> => member(server, username, "admin");

/** To check a password against this hash costs almost nothing. */
const cheapHash = hashSync(password, { memoryCost: 8, timeCost: 1, parallelism: 1 });

let lastAddition: Promise<unknown> = Promise.resolve();

/** A user with this role. */
export async function member(server: TestServer, username: string, role: Role): Promise<Client> {
  const [caller] = await addMembers(server, [{ username, role }]);
  return caller as Client;
}

/** Users, created as the command line does it: by a process that has opened the same database. */
export async function addMembers(
  server: TestServer,
  people: readonly { username: string; role: Role }[],
): Promise<Client[]> {
  if (people.length === 0) return [];
  // One after the other: in one process, two that write to a file of SQLite would block each other.
  const add = () =>
    withDatabase(server, async (db) => {
      for (const { username, role } of people) await addUser(db, username, { hash: cheapHash, warning: null }, role);
    });
  await (lastAddition = lastAddition.then(add, add));
  if (people.some(({ role }) => role === "admin")) removeKeyFile(server.dataDir);
  return Promise.all(people.map(({ username }) => signedIn(server, username)));
}

/** The environment with which the command line uses the same data. */
async function serverEnv({ dataDir }: TestServer): Promise<Record<string, string>> {
  return { DATA_DIR: dataDir, ...(await engineEnv(dataDir)) };
}

/** For a test that reads or writes the database while the server is running. */
export async function serverConfig(server: TestServer): Promise<Config> {
  return readConfig(await serverEnv(server));
}

/** Reads or changes the database while the server is running. */
export async function withDatabase<Result>(server: TestServer, work: (db: Database) => Promise<Result>) {
  const db = await openDatabase(await serverConfig(server), server.schema);
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

/** Runs the command line while the server is running. */
export async function runBeside(server: TestServer, words: string[], input = "", env: Record<string, string> = {}) {
  return runVitrine(words, { ...(await serverEnv(server)), ...env }, input);
}

/** The four kinds of callers that every permission test uses. */
export async function createPeople(server: TestServer) {
  const [owner, stranger, chief] = (await addMembers(server, [
    { username: "owner", role: "author" },
    { username: "stranger", role: "author" },
    { username: "root", role: "admin" },
  ])) as [Client, Client, Client];
  return { guest: client(server), owner, stranger, admin: chief };
}

/** The format of times in every record: ISO 8601, UTC, milliseconds. */
export const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** All records that are public, and the given `paths`: to prove that a refused request has changed nothing. */
export async function everything(server: { url: string }, ...paths: string[]): Promise<Record<string, unknown>> {
  const guest = client(server);
  const lists = ["photos", "blog", "albums"].map((name) => `/api/v1/${name}?pageSize=1000`);
  const seen = [...lists, "/api/v1/files", ...paths].map(async (path) => [path, (await guest.get(path)).body]);
  return Object.fromEntries(await Promise.all(seen)) as Record<string, unknown>;
}

export type Part = { name: string; value: string; filename?: string };

/** A form written by hand, so that its parts are in exactly this order. A part with a filename is a file. */
export function form(...parts: Part[]): { body: string; headers: Record<string, string> } {
  const boundary = "---------------------------vitrine";
  const written = parts.map(({ name, value, filename }) => {
    const file = filename === undefined ? "" : `; filename="${filename}"\r\nContent-Type: application/octet-stream`;
    return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${value}\r\n`;
  });
  return {
    body: `${written.join("")}--${boundary}--\r\n`,
    headers: { "Content-Type": `multipart/form-data; boundary=${boundary}` },
  };
}

/** A real PNG of this size, all black. */
export function png(width: number, height: number): Uint8Array<ArrayBuffer> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(8, 8);
  const rows = deflateSync(Buffer.alloc((width + 1) * height));
  const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  return new Uint8Array(
    Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", rows), chunk("IEND", new Uint8Array())]),
  );
}
