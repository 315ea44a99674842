import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findProgram } from "../optional.ts";
import { until } from "../until.ts";

type Served = { url: string } & AsyncDisposable;

const nginx = process.env.TEST_NGINX ?? findProgram("nginx");

/**
 * Serves a static copy on this port: with nginx and the file that the copy has for it, or, without nginx, with as little as
 * hosts have that read `_redirects`. With a base, the copy lies in that folder of the root.
 */
export const serveCopy = (root: string, port: number, base = ""): Promise<Served> =>
  nginx ? startNginx(nginx, root, port, base) : startPlain(root, port, base);

async function startNginx(program: string, root: string, port: number, base: string): Promise<Served> {
  const home = mkdtempSync(join(tmpdir(), "nginx-"));
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${home}/${name};`,
  );
  writeFileSync(
    join(home, "nginx.conf"),
    `daemon off; pid ${home}/pid; error_log ${home}/error.log;
    ${process.getuid?.() === 0 ? "user root;" : ""}
    events {}
    http {
      access_log off; ${paths.join(" ")}
      server { listen 127.0.0.1:${port}; root ${root}; include ${root}${base}/nginx.conf; }
    }`,
  );
  const child = Bun.spawn([program, "-e", `${home}/error.log`, "-p", home, "-c", join(home, "nginx.conf")], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  const url = `http://127.0.0.1:${port}`;
  await until(async () => {
    if (child.exitCode !== null) throw new Error("nginx did not start.");
    return (await fetch(`${url}${base}/`).catch(() => null))?.ok;
  });
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await child.exited;
      rmSync(home, { recursive: true, force: true });
    },
  };
}

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
