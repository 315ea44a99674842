// A server in a process of its own, which prints what it has loaded when it listens, and what the first request of each kind adds.
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startServer } from "../../src/commands/serve.ts";
import { readConfig } from "../../src/config.ts";
import type { Module } from "../../src/module.ts";
import { modules } from "../../src/modules.ts";
import { createLog } from "../../src/platform/log.ts";

/** In this order: each adds to those before. What the base API needs is first. */
const requests = [
  "GET /livez",
  "GET /api/v1/photos",
  "GET /api/v1/blog",
  "GET /api/v1/comments",
  "GET /api/v1/albums",
  "GET /api/v1/files",
  "POST /signin",
  "GET /",
  "GET /blog",
  "GET /photos",
  "GET /search",
  "GET /feed.xml",
  "GET /studio",
  "GET /api/v1/search?q=a",
  "GET /api/v1/users",
  "GET /api/v1/shares",
  "GET /api/v1/trash",
  "POST /api/v1/uploads",
  "GET /api/v1/imports",
  "GET /api/v1/newsletter",
  "GET /api/v1/webhooks",
  "GET /api/v1/backups",
  "POST /webmention",
  "PROPFIND /dav",
  "GET /openapi.json",
];
const root = join(import.meta.dir, "../..");
const isSource = (path: string) => /^(src|convert)\//.test(path.slice(root.length + 1));

/** Jobs would load something at any time. */
const withoutJobs = (module: Module): Module => ({
  ...module,
  open: async (site) => ({ ...(await module.open?.(site)), jobs: [] }),
});

const dataDir = mkdtempSync(join(tmpdir(), "vitrine-loaded-"));
const env = { DATA_DIR: dataDir, HOST: "127.0.0.1", PORT: "0" };
const server = await startServer(readConfig(env), createLog("silent"), modules.map(withoutJobs));
let known = new Set<string>();
const loaded = [["listening", ...count()]];
for (const request of requests) {
  const [method = "", path = ""] = request.split(" ");
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`, { method });
  await response.bytes();
  if (response.status >= 500) throw new Error(`${request} returned ${response.status}.`);
  loaded.push([request, ...count()]);
}
console.log(JSON.stringify(loaded));
await server.close();
rmSync(dataDir, { recursive: true });
process.exit();

/** Modules of the program, and bytes of their text, that are new. */
function count(): [modules: number, bytes: number] {
  const all = Object.keys(require.cache).filter(isSource);
  const added = all.filter((path) => !known.has(path));
  known = new Set(all);
  return [added.length, added.reduce((sum, path) => sum + statSync(path).size, 0)];
}
