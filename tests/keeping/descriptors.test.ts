// Runs on the embedded engines only: descriptors are those of the program.
import { expect } from "bun:test";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { client, uncached } from "../kit/client.ts";
import { strace, withStrace } from "../kit/faults/failing-flushes.ts";
import { findProgram, needs } from "../kit/optional.ts";
import { person } from "../kit/people.ts";
import { finish, readUntil, spawnVitrine, startVitrine } from "../kit/process.ts";
import { root } from "../kit/root.ts";
import { useScratch } from "../kit/scratch.ts";
import { until } from "../kit/until.ts";

const prlimit = process.platform === "linux" ? findProgram("prlimit") : null;
const dataDir = useScratch();

/** From now on, the process can have this many files open. */
function limit(pid: number, files: number): void {
  const run = Bun.spawnSync([String(prlimit), "--pid", String(pid), `--nofile=${files}:`]);
  expect(run.success).toBe(true);
}

/** From now on, the process can open no more files. */
function limitToOpen(pid: number): void {
  let lowest = 0;
  while (existsSync(`/proc/${pid}/fd/${lowest}`)) lowest++;
  limit(pid, lowest);
}

needs("prlimit", prlimit !== null).test(
  "a server with no file descriptors left says so, and works again when it has some",
  async () => {
    await using server = await startVitrine({ DATA_DIR: dataDir });
    const owner = await person(server, "owner");
    const { body: file } = await owner.upload("a.txt", "text");
    const write = (content: string) => owner.post("/api/v1/blog", { title: "Post", content });
    const list = () => client(server).get("/api/v1/blog", uncached);
    expect([(await write("a")).status, (await list()).status]).toEqual([201, 200]);
    // The connection of these requests stays open.
    limitToOpen(server.process.pid);
    const preview = () => owner.post("/api/v1/blog/preview", { content: "<b>a</b>" });
    const own = [() => owner.get("/"), () => owner.get(`/api/v1/files/${file.id}/content`), preview];
    for (const send of own) {
      const { status, body, headers } = await send();
      expect([status, body.code, headers.get("retry-after")]).toEqual([503, "busy", "5"]);
    }
    const base = await owner.upload("b.txt", "more");
    expect([base.status, base.body.code, base.headers.get("retry-after")]).toEqual([500, "busy", "5"]);
    expect(base.body.error).toContain("too many files");
    // What opens nothing goes on, also posts that are rendered later.
    const [post, read] = [await write("<b>a</b>"), await list()];
    expect([post.status, read.status, read.body.length]).toEqual([201, 200, 2]);

    limit(server.process.pid, 1000);
    for (const send of own) await until(send, ({ status }) => status === 200);
    expect((await owner.upload("b.txt", "more")).status).toBe(201);
  },
);

needs("prlimit", prlimit !== null).test("a module that is first needed without descriptors is loaded later", () => {
  const folder = join(dataDir, "modules");
  mkdirSync(folder);
  const names = Array.from({ length: 40 }, (_, index) => `./part-${index}.ts`);
  for (const name of names) writeFileSync(join(folder, name), "export {};");
  writeFileSync(join(folder, "whole.ts"), names.map((name) => `import "${name}";`).join(""));
  const source = `
    import { closeSync, openSync } from "node:fs";
    import { late } from ${JSON.stringify(join(root, "src/platform/once.ts"))};
    Bun.spawnSync([${JSON.stringify(prlimit)}, "--pid", String(process.pid), "--nofile=128:"]);
    const opened = [];
    try {
      for (;;) opened.push(openSync("/dev/null", "r"));
    } catch {}
    closeSync(opened.pop());
    const load = late(() => import("./whole.ts"));
    const outcome = (loading) => loading.then(() => "loaded", ({ message }) => message);
    console.log(await outcome(load()));
    for (const descriptor of opened) closeSync(descriptor);
    console.log(await outcome(load()));`;
  writeFileSync(join(folder, "main.ts"), source);
  const { stdout, stderr } = Bun.spawnSync([process.execPath, join(folder, "main.ts")]);
  const busy = "The server has too many files and connections open; try again in a moment.";
  expect([stdout.toString(), stderr.toString()]).toEqual([`${busy}\nloaded\n`, ""]);
});

needs("prlimit", prlimit !== null).test(
  "a server that cannot accept a connection notices it, paces itself and serves the others",
  async () => {
    await using server = await startVitrine({ DATA_DIR: dataDir });
    const { pid } = server.process;
    const guest = client(server);
    expect((await guest.get("/livez")).status).toBe(200);
    limitToOpen(pid);
    // More than the descriptors that are free again when the start has ended.
    const port = Number(new URL(server.url).port);
    const waiting = Array.from({ length: 30 }, () => connect(port, "127.0.0.1"));
    await readUntil(server.process.stderr, "too many files");
    for (let sent = 0; sent < 20; sent++) expect((await guest.get("/livez")).status).toBe(200);
    // Those that waited are accepted.
    limit(pid, 1000);
    expect((await client(server).get("/api/v1/blog", uncached)).status).toBe(200);
    for (const socket of waiting) socket.destroy();
  },
);

withStrace.test("a file system without locks is not taken for another server", async () => {
  const before = [String(strace), "-f", "-o", "/dev/null", "-e", "trace=fcntl", "-e", "inject=fcntl:error=ENOLCK"];
  const { code, stderr } = await finish(
    spawnVitrine(["serve"], { DATA_DIR: join(dataDir, "share"), PORT: "0" }, { before }),
  );
  expect([code, stderr]).toEqual([1, expect.stringContaining("locks no files (ENOLCK)")]);
});
