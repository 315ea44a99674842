import { describe, expect, test } from "bun:test";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "../../tests/kit/process.ts";
import { useScratch } from "../../tests/kit/scratch.ts";
import { createLog, type RequestEntry } from "./log.ts";
import { until } from "../../tests/kit/until.ts";
import { isLong } from "../../tests/kit/long.ts";

const scratch = useScratch();
const source = fileURLToPath(new URL("log.ts", import.meta.url));
const main = fileURLToPath(new URL("../main.ts", import.meta.url));

describe("a line of a request", () => {
  const entry: RequestEntry = {
    requestID: "3f2a9c01-1k",
    method: "GET",
    path: "/api/v1/photos",
    status: 200,
    ms: 0.125,
    address: "::1",
    userID: undefined,
  };
  const odd = ['"', "\\", "\n", "\u0000", "\u007F", "\u2028", "ä", "😀", "\uD800", "</a>", ""];

  test.each([
    entry,
    { ...entry, userID: 7 },
    { ...entry, traceID: "0af7651916cd43dd8448eb211c80319c" },
    ...odd.map((text) => ({ ...entry, path: `/${text}`, requestID: text, address: text })),
  ])("is the same JSON as any other line: %p", (given) => {
    let written = "";
    const write = (text: string) => ((written += text), true);
    const log = createLog("info", { pretty: false, output: { write, close() {} } });
    log.request(given);
    log.info("request", given);
    log.flush();
    const [fast, usual] = written.trimEnd().split("\n");
    const withoutTime = (line = "") => line.replace(/^\{"time":"[^"]{24}"/, "");
    expect(withoutTime(fast)).toBe(withoutTime(usual));
    expect(JSON.parse(fast ?? "").path).toBe(JSON.parse(usual ?? "").path);
  });
});

test("a line begins with the time in UTC, wherever the server is", async () => {
  const script = `
    const { createLog } = await import(${JSON.stringify(source)});
    createLog("info", { pretty: false }).info(String(Date.now()));`;
  const env = { TZ: "Asia/Kathmandu" };
  const child = Bun.spawn([process.execPath, "--eval", script], { env, stderr: "pipe" });
  const { time, message } = JSON.parse(await new Response(child.stderr).text());
  expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(Date.parse(time) - Number(message)).toBeWithin(0, 60_000);
});

describe("the buffered lines", () => {
  test.each([
    ["process.exit(3)", 3],
    ["throw new Error('broken')", 1],
    ["await Promise.reject(new Error('broken'))", 1],
    ["setTimeout(() => { throw new Error('broken') })", 1],
  ])("are written, in their order, when the process ends by %s", async (end, code) => {
    const script = `
      const { createLog } = await import(${JSON.stringify(source)});
      const log = createLog("info", { pretty: false });
      for (let number = 0; number < 100; number++) log.info("line", { number });
      ${end};`;
    const child = Bun.spawn([process.execPath, "--eval", script], { stderr: "pipe" });
    const lines = (await new Response(child.stderr).text()).split("\n").filter((line) => line.startsWith("{"));
    expect(lines.map((line) => JSON.parse(line).number)).toEqual(Array.from({ length: 100 }, (_, number) => number));
    expect(await child.exited).toBe(code);
  });
});

test.if(isLong && process.platform === "linux")(
  "a server whose log is not read keeps serving, and says later how many lines are missing",
  async () => {
    const pipe = join(scratch, "pipe");
    Bun.spawnSync(["mkfifo", pipe]);
    const kept = openSync(pipe, "r+");
    const port = await freePort();
    const server = Bun.spawn([process.execPath, "--no-orphans", main, "serve"], {
      env: {
        DATA_DIR: join(scratch, "data"),
        PORT: String(port),
        DRAIN_SECONDS: "0",
        PAGE_RATE_LIMIT_BURST: "1000000",
      },
      stdout: "pipe",
      stderr: kept,
    });
    await server.stdout.getReader().read();
    const path = `/livez/${"x".repeat(4000)}`;
    const ask = () => fetch(`http://127.0.0.1:${port}${path}`).then(({ status }) => status);
    const requests = 2000;
    for (let sent = 0; sent < requests; sent += 50) {
      expect(await Promise.all(Array.from({ length: 50 }, ask))).toEqual(Array(50).fill(404));
    }

    const reader = Bun.spawn(["cat", pipe], { stdout: "pipe" });
    let read = "";
    const text = (async () => {
      for await (const part of reader.stdout.pipeThrough(new TextDecoderStream())) read += part;
      return read;
    })();
    // With the next line after there is room again.
    let more = 0;
    await until(async () => {
      more++;
      await ask();
      return read.includes('"lines":');
    });
    server.kill("SIGTERM");
    expect(await server.exited).toBe(0);
    closeSync(kept);
    const lines = (await text).trimEnd().split("\n");
    const entries = lines.map((line) => JSON.parse(line));
    const written = entries.filter(({ message }) => message === "request");
    const missing = entries.find(({ lines: count }) => count !== undefined).lines as number;
    expect(missing).toBeGreaterThan(0);
    expect(written.length + missing).toBe(requests + more);
    const times = written.map(({ time }) => time as string);
    expect(times).toEqual(times.toSorted());
    expect(entries.at(-1).message).toBe("stopped");
  },
);
