import { readFileSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { nginx, startNginx } from "./nginx.ts";

type Served = { url: string } & AsyncDisposable;

/**
 * Serves a static copy on this port: with nginx and the file that the copy has for it, or, without nginx, with as little as
 * hosts have that read `_redirects`. With a base, the copy lies in that folder of the root.
 */
export const serveCopy = (root: string, port: number, base = ""): Promise<Served> =>
  nginx
    ? startNginx(
        `server { listen 127.0.0.1:${port}; root ${root}; include ${root}${base}/nginx.conf; }`,
        port,
        `${base}/`,
      )
    : startPlain(root, port, base);

async function startPlain(root: string, port: number, base: string): Promise<Served> {
  const lines = readFileSync(join(root, base, "_redirects"), "utf8").split("\n");
  const redirects = new Map(lines.map((line) => line.split(" ") as [string, string]));
  const server = Bun.serve({
    port,
    hostname: "127.0.0.1",
    async fetch(request) {
      const { pathname } = new URL(request.url);
      const location = redirects.get(pathname);
      if (location) return new Response(null, { status: 301, headers: { Location: location } });
      const path = join(root, decodeURIComponent(pathname));
      const isDirectory = (await stat(path).catch(() => null))?.isDirectory();
      const file = Bun.file(isDirectory ? join(path, "index.html") : path);
      if (await file.exists()) return new Response(file);
      return new Response(Bun.file(join(root, base, "404.html")), { status: 404 });
    },
  });
  return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: () => server.stop(true) };
}
