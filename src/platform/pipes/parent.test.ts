// Runs on the embedded engines only: it uses none.
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { newDirectory, useScratch } from "../../../tests/kit/scratch.ts";
import { startPipe } from "./parent.ts";

const scratch = useScratch();
const limits = { memoryBytes: 2 ** 29, processorMs: 30_000 };
const lineLimits = { maxLineBytes: 2 ** 16, maxValues: 100, maxEscapes: 100 };

/** Runs a program that may do with its output what it likes. `say` writes a line, and waits until there is place for more. */
function start(program: string, more: Partial<Parameters<typeof startPipe>[1]> = {}) {
  const workDirectory = newDirectory(scratch);
  const path = join(workDirectory, "program.mjs");
  writeFileSync(
    path,
    `const write = (bytes) => process.stdout.write(bytes) || new Promise((resolve) => process.stdout.once("drain", resolve));
    const say = (line) => write(JSON.stringify(line) + "\\n");
    const sendBytes = (stream, size) => write(Buffer.concat([Buffer.from(JSON.stringify({ length: size, kind: "bytes", stream }) + "\\n"), Buffer.alloc(size)]));
    ${program}`,
  );
  return startPipe([process.execPath, path], { job: {}, workDirectory, limits, lineLimits, ...more });
}

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => "",
    (error: Error) => error.message,
  );

/** Why the reading of all its lines, and of the bytes that it offers first, ends. */
async function why(program: string, more: Parameters<typeof start>[1] = {}): Promise<string> {
  const started = start(`await say({ kind: "first" }); ${program}`, more);
  return failureOf(
    (async () => {
      await using pipe = await started;
      const file = pipe.open(1)[Symbol.asyncIterator]();
      await file.next();
      // Nobody reads on in the file while the lines are read.
      for await (const _ of pipe.lines);
    })(),
  );
}

test("a program that sends more than it may, or asks for too much, is ended with a sentence", async () => {
  const forever = (work: string) => `await sendBytes(1, 10); for (;;) await ${work};`;
  expect(await why(forever("write('x'.repeat(2 ** 16))"))).toContain("A line is longer than 65536 bytes.");
  expect(await why(forever("say(Array.from({ length: 200 }, () => 0))"))).toContain("more than 100 values");
  expect(await why(forever("write(Buffer.from([0xff, 10]))"))).toContain("not valid UTF-8");
  expect(await why(forever("sendBytes(1, 2 ** 20)"))).toContain("It sends more than it was asked for.");
  expect(await why(forever("sendBytes(1, 2 ** 23)"))).toContain("8388608 bytes follow a line.");
});

test("lines that nobody has asked for are not kept", async () => {
  await using pipe = await start(`await say({}); for (;;) await say({ more: "x".repeat(60_000) });`);
  // The bytes of a file never come, so that nobody reads lines.
  expect(await failureOf(Array.fromAsync(pipe.open(1)))).toContain("It sends more than it was asked for.");
});

test("what it asks for is only what it may have, and it is told why not", async () => {
  const bytes = Buffer.from("an archive");
  const file = {
    name: "a.zip",
    size: bytes.length,
    async *read(from: number, to: number) {
      yield bytes.subarray(from, to);
    },
  };
  const ask = (part: object) => `await say({ kind: "part", stream: 1, ...${JSON.stringify(part)} });`;
  const parts = [
    { file: 0, start: 3, end: 10 },
    { file: 0, start: 3, end: 11 },
    { file: 0, start: -1, end: 4 },
    { file: 1, start: 0, end: 1 },
  ];
  const program = `
    let answer = "";
    process.stdin.on("data", async (chunk) => {
      answer += chunk;
      if (answer.split('"kind":"part"').length === ${parts.length + 1}) { await say({ answer }); process.exit(0); }
    });
    ${parts.map(ask).join("\n")}`;
  await using pipe = await start(program, { files: [file] });
  const { answer } = JSON.parse(pipe.first ?? "") as { answer: string };
  expect(answer.match(/archive/g)).toHaveLength(4);
  expect(answer.match(/There is no such part of an archive/g)).toHaveLength(3);
  const flood = `await say({}); for (;;) ${ask({ file: 0, start: 0, end: 1 })}`;
  const slow = {
    ...file,
    read: () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }) }),
  };
  await using asking = await start(flood, { files: [slow] });
  expect(await failureOf(Array.fromAsync(asking.lines))).toContain("It asks for too much at once.");
});

test("it may write errors without end, end without a word, or work for ever: each is a sentence, or nothing", async () => {
  const noise = `process.stderr.write("x".repeat(2 ** 24)); await say({ done: true }); process.exit(0);`;
  await using loud = await start(noise);
  expect(loud.first).toBe('{"done":true}');
  await using silent = await start("process.exit(0);");
  expect(silent.first).toBeNull();
  expect(await failureOf(start("process.exit(1);"))).toContain("has crashed, or was killed");
  const short = { ...limits, processorMs: 300 };
  expect(await failureOf(start("for (;;);", { limits: short }))).toContain("more than 0.3 seconds of processor time");
  const stop = new AbortController();
  const waiting = failureOf(start("setInterval(() => {}, 1000);", { signal: stop.signal }));
  stop.abort(new Error("It was cancelled."));
  expect(await waiting).toBe("It was cancelled.");
});
