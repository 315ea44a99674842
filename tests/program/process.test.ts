// Runs on the embedded engines only: it is about the process of the server and its signals.
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { client } from "../kit/client.ts";
import { password } from "../kit/people.ts";
import { findProgram, needs } from "../kit/optional.ts";
import { readUntil, runVitrine, spawnVitrine, startVitrine } from "../kit/process.ts";
import { until } from "../kit/until.ts";
import { newDirectory, useScratch } from "../kit/scratch.ts";
import { testLong } from "../kit/long.ts";

const scratch = useScratch();
// Thousands of directories, which are slow to remove on a busy disk.

describe("the stop", () => {
  test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
    "%s lets a running upload finish, refuses new connections, and exits 0",
    async (signal) => {
      const dataDir = newDirectory(scratch);
      await using server = await startVitrine({ DATA_DIR: dataDir, DRAIN_SECONDS: "" });
      const guest = client(server);
      await guest.post("/signup", { username: "ada", password });
      const { body } = await guest.post("/signin", { username: "ada", password });
      const [before, after] = multipartAround("slow.txt");
      // Less would not be written before the upload is complete.
      const begun = Buffer.alloc(2 * 2 ** 20, "begun ");
      const refused = Promise.withResolvers<void>();
      const slow = new ReadableStream({
        async start(controller) {
          controller.enqueue(before);
          controller.enqueue(begun);
          await refused.promise;
          controller.enqueue(Buffer.from("the rest"));
          controller.enqueue(after);
          controller.close();
        },
      });
      const upload = client(server, body.token).request("POST", "/api/v1/files", {
        body: slow,
        headers: { "Content-Type": "multipart/form-data; boundary=edge" },
      });
      await until(
        () => readdirSync(join(dataDir, "incoming")),
        ({ length }) => length > 0,
      );
      server.process.kill(signal);
      await until(() =>
        fetch(`${server.url}/livez`).then(
          () => false,
          () => true,
        ),
      );
      refused.resolve();
      const { status, body: file } = await upload;
      expect(status).toBe(201);
      expect(file.size).toBe(begun.length + "the rest".length);
      expect(await server.process.exited).toBe(0);
    },
  );
});

needs("nohup on Linux", process.platform === "linux" && findProgram("nohup") !== null).test(
  "a server that nohup has started goes on when its terminal is closed",
  async () => {
    const env = { DATA_DIR: newDirectory(scratch), PORT: "0", LOG_LEVEL: "info" };
    const server = spawnVitrine(["serve"], env, { before: ["nohup"] });
    const announced = await readUntil(server.stdout, "Data is in");
    server.kill("SIGHUP");
    const url = /http:\S+/.exec(announced)?.[0] ?? "";
    expect((await client({ url }).get("/readyz")).status).toBe(200);
    server.kill("SIGTERM");
    expect(await readUntil(server.stderr)).toContain('"signal":"SIGTERM"');
    expect(await server.exited).toBe(0);
  },
);

describe("the launcher", () => {
  const launcher = fileURLToPath(new URL("../../bin/vitrine", import.meta.url));
  const launch = (words: string[], env: Record<string, string> = {}) =>
    Bun.spawn(words, {
      env: { PATH: process.env.PATH ?? "", DATA_DIR: newDirectory(scratch), PORT: "0", DRAIN_SECONDS: "0", ...env },
      cwd: tmpdir(),
      stdout: "pipe",
      stderr: "pipe",
    });
  const canReplaceItself = Bun.spawnSync(["node", "--print", "typeof process.execve"]).stdout.includes("function");

  testLong("passes signals on, and returns the exit code", async () => {
    const wrong = launch(["node", launcher, "nonsense"]);
    expect(await wrong.exited).toBe(2);
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
      const server = launch(["node", launcher, "serve"]);
      await readUntil(server.stdout, "Data is in");
      server.kill(signal);
      expect(await readUntil(server.stderr)).toContain('"stopped"');
      expect(await server.exited).toBe(0);
    }
  });

  test.if(canReplaceItself)("leaves only the server in memory", async () => {
    const server = launch(["node", launcher, "serve"]);
    await readUntil(server.stdout, "Data is in");
    const name = ["cat", `/proc/${server.pid}/comm`];
    const words = process.platform === "linux" ? name : ["ps", "-o", "comm=", "-p", String(server.pid)];
    const program = Bun.spawnSync(words).stdout.toString();
    server.kill();
    expect(basename(program.trim())).toBe("bun");
    expect(await server.exited).toBe(0);
  });

  test("lets the server finish if the shell in which npm has started it ends", async () => {
    const script = 'node "$0" serve & wait';
    const shell = launch(["sh", "-c", script, launcher], { npm_lifecycle_event: "start" });
    await readUntil(shell.stdout, "Data is in");
    shell.kill("SIGKILL");
    expect(await readUntil(shell.stderr)).toContain('"stopped"');
  });
});

describe("the data directory", () => {
  test("is accessible only to its owner, including every file", async () => {
    const dataDir = join(scratch, "made-by-the-server");
    await using server = await startVitrine({ DATA_DIR: dataDir });
    await client(server).post("/signup", { username: "ada", password });
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(dataDir)) {
      const { mode } = statSync(join(dataDir, name));
      expect([name, (mode & 0o077).toString(8)]).toEqual([name, "0"]);
    }
  });

  test("is refused to a second server in one sentence", async () => {
    const dataDir = newDirectory(scratch);
    await using _first = await startVitrine({ DATA_DIR: dataDir });
    const { code, stderr } = await runVitrine(["serve"], { DATA_DIR: dataDir, PORT: "0" });
    expect(code).toBe(1);
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect(stderr).toContain("in use");
  });

  test("can be used by the next server after a kill -9", async () => {
    const dataDir = newDirectory(scratch);
    const first = await startVitrine({ DATA_DIR: dataDir });
    first.process.kill("SIGKILL");
    await first.process.exited;
    await using second = await startVitrine({ DATA_DIR: dataDir });
    expect((await client(second).get("/readyz")).status).toBe(200);
  });

  test("is refused without any change if a newer version has written it", async () => {
    const dataDir = newDirectory(scratch);
    await (await startVitrine({ DATA_DIR: dataDir })).close();
    writeFileSync(join(dataDir, "format"), "999\n");
    const before = snapshot(dataDir);
    for (const words of [["serve"], ["user", "list"]]) {
      const { code, stderr } = await runVitrine(words, { DATA_DIR: dataDir, PORT: "0" });
      expect(code).toBe(1);
      expect(stderr).toContain("newer version");
    }
    expect(snapshot(dataDir)).toEqual(before);
  });

  test("keeps the secret that was generated at the first start", async () => {
    const dataDir = newDirectory(scratch);
    const first = await startVitrine({ DATA_DIR: dataDir });
    await client(first).post("/signup", { username: "ada", password });
    const { body } = await client(first).post("/signin", { username: "ada", password });
    await first.close();
    await using second = await startVitrine({ DATA_DIR: dataDir });
    expect((await client(second, body.token).get("/api/v1/me")).status).toBe(200);
  });
});

function multipartAround(filename: string): [Buffer, Buffer] {
  const head = `--edge\r\nContent-Disposition: form-data; name="file"; filename="${filename}"\r\n\r\n`;
  return [Buffer.from(head), Buffer.from("\r\n--edge--\r\n")];
}

function snapshot(directory: string): Record<string, string> {
  const names = readdirSync(directory, { recursive: true }).map(String).toSorted();
  const files = names.filter((name) => statSync(join(directory, name)).isFile());
  const content = (name: string) =>
    Bun.hash(readFileSync(join(directory, name))).toString(36) + statSync(join(directory, name)).mtimeMs;
  return Object.fromEntries(files.map((name) => [name, content(name)]));
}
