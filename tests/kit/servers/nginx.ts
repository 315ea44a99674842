import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findProgram } from "../optional.ts";
import { until } from "../until.ts";

export const nginx = process.env.TEST_NGINX ?? findProgram("nginx");

/** nginx with these settings for HTTP, which make it listen on the port. Resolves when it serves the path. */
export async function startNginx(settings: string, port: number, path: string) {
  const home = mkdtempSync(join(tmpdir(), "vitrine-nginx-"));
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${home}/${name};`,
  );
  writeFileSync(
    join(home, "nginx.conf"),
    `daemon off; pid ${home}/pid; error_log ${home}/error.log;
    ${process.getuid?.() === 0 ? "user root;" : ""}
    events {}
    http { access_log off; ${paths.join(" ")} ${settings} }`,
  );
  const words = [nginx ?? "nginx", "-e", `${home}/error.log`, "-p", home, "-c", join(home, "nginx.conf")];
  const child = Bun.spawn(words, { stdio: ["ignore", "inherit", "inherit"] });
  const url = `http://127.0.0.1:${port}`;
  const close = async () => {
    child.kill("SIGTERM");
    await child.exited;
    rmSync(home, { recursive: true, force: true });
  };
  try {
    await until(async () => {
      if (child.exitCode !== null) throw new Error("nginx did not start.");
      return (await fetch(url + path).catch(() => null))?.ok;
    });
  } catch (error) {
    await close();
    throw error;
  }
  return { url, [Symbol.asyncDispose]: close };
}
