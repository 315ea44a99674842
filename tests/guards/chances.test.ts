// Runs on the embedded engines only: it reads the sources.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../kit/root.ts";

/*
 * What makes a test red on a busy machine: a pause in which something should have happened, and an expectation of how long
 * something took. Use `until` of tests/kit/until.ts, count, or inject the clock.
 */

/** Expectations after a pause, by their first line. They are about what must not happen meanwhile, or hold without the pause. */
const exceptions: Record<string, string> = {
  'src/content/files/move.test.ts: expect((await owner.post(`/api/v1/files/${file.id}/move`, { path: "/after" })).status).toBe(200);':
    "The head of a request should have been read. Nothing shows that it was; without it, all expectations hold.",
  "src/features/uploads/uploads.test.ts: expect(await read(path)).toMatchObject({ offset: 0 });":
    "The bytes of an open part do not count.",
  "src/features/uploads/uploads.test.ts: expect((await ask(owner, path)).offset).toBe(0);":
    "The bytes of a part with a checksum do not count.",
  'src/features/versions/versions.test.ts: expect([await record(file), await read(file), await contents(file)]).toEqual([file, "new", ["old"]]);':
    "Content that was not received completely does not replace a file.",
  "src/features/webhooks/webhooks.test.ts: expect(statements).toBeLessThan(2);":
    "A server without webhooks asks nothing.",
  "src/platform/blobs/blobs.test.ts: expect(await isThere()).toBe(true);": "A blob that is kept is not removed.",
  "src/platform/blobs/s3.test.ts: expect(await blobs.has(received.sha256)).toBe(true);":
    "A caller waits for a sweep; and pauses of random length, before which and after which a blob exists.",
  "src/platform/blobs/s3.test.ts: expect(await count()).toBe(2);": "Uploads become old by the clock of another server.",
  "src/platform/database/writer.test.ts: expect(said).toEqual([]);": "Nothing is logged before the fifth commit.",
  "src/platform/images/decoder.test.ts: expect(await measured).toMatchObject(small);":
    "A process that is suspended for longer than its limit is not ended.",
  'src/platform/limits/rate-limit.test.ts: expect(lines()).toEqual(["warn: Redis is unavailable"]);':
    "Further attempts to connect are not logged.",
  "src/web/site/setup.test.ts: expect(await countAll(server)).toEqual({ photos: 0, posts: 0, albums: 0, files: 0 });":
    "Samples that were removed are not created.",
  "studio/uploads/queue.test.ts: expect([forms.names.length, page.list.isPaused()]).toEqual([sent, true]);":
    "Nothing is sent during a pause of the queue.",
  'tests/api/slow-clients.test.ts: expect((await owner.get("/api/v1/blog?owner=me")).body.map(({ title }: any) => title)).not.toContain("gone");':
    "A request that was broken off creates nothing.",
  'tests/client/calls.test.ts: expect(await waiting).toMatchObject({ type: "change", action: "changed", recordID: id });':
    "The network stays interrupted for a moment.",
  "tests/scale/failover.test.ts: expect(await countConnections()).toBeLessThanOrEqual(2);":
    "A commit that takes seconds does not open more connections.",
  'tests/studio/shared-browser.test.ts: expect(await shownText(page)).not.toContain("Secret");':
    "Nothing of another person appears.",
  'tests/studio/shared-browser.test.ts: expect(await page.getByRole("textbox", { name: "Title" }).inputValue()).toBe("");':
    "No draft appears that was discarded.",
};

/** Expectations of a difference of clocks that no busy machine changes. */
const timedExceptions: Record<string, string> = {
  "src/core/users/session.test.ts: expect([...new Set(await daysLeft())].toSorted((one, other) => one - other)).toEqual([1, 30]);":
    "It is rounded to days.",
};

/** Loops that pause in another way than `until`. */
const otherLoops: Record<string, string> = {
  "tests/keeping/faults.test.ts: for (let seen = 0; !over.signal.aborted; await Bun.sleep(pause)) {":
    "It cuts connections until the writers are done.",
  "tests/keeping/imports-killed.test.ts: while (child.exitCode === null && read() < goal) await Bun.sleep(2);":
    "The program is killed in the middle of its work.",
  "tests/keeping/newsletter-killed.test.ts: while (mailbox.mails.length < goal) await Bun.sleep(1);":
    "The program is killed in the middle of its work.",
  "tests/run/left-behind.ts: for (let turn = 0; turn < 100 && listProcesses(session, mark).length > 0; turn++) await Bun.sleep(100);":
    "What is left after ten seconds is reported.",
};

const clock = String.raw`(?:performance\.now|Date\.now|Bun\.nanoseconds)\(\)`;
/** A time in the past, such as `Date.now() - 30 * day`, is none. */
const difference = new RegExp(String.raw`${clock}(?: \/ [\d_]+)?\)? - (?!\d|day\b|hour\b)|- ${clock}`);
const pause = /^(?:if \(.*\) )?await (?:(?:Bun\.sleep|\w+\.waitForTimeout|setTimeout)\(|new Promise.*\bsetTimeout\()/;

/** The first lines of expectations that come within two lines after a pause in the same block. */
function findPaused(text: string): string[] {
  const lines = text.split("\n").map((line) => line.trim());
  const isCode = (line: string) => line !== "" && !/^(\/\/|\*|\/\*)/.test(line);
  return lines.flatMap((line, index) => {
    if (!pause.test(line)) return [];
    const next = lines
      .slice(index + 1)
      .filter(isCode)
      .slice(0, 2);
    const end = next.findIndex((one) => one.startsWith("}"));
    return next.slice(0, end < 0 ? 2 : end).find((one) => /\bexpect\(/.test(one)) ?? [];
  });
}

/** The expectations of a difference of clocks, or of a variable that has one. */
function findTimed(text: string): string[] {
  const assigned = text.matchAll(/\b(?:const|let) (\w+) = ([^;]*);/g);
  const names = [...assigned].filter(([, , value = ""]) => difference.test(value)).map(([, name]) => name);
  const isTimed = (one: string) => difference.test(one) || names.some((name) => new RegExp(`\\b${name}\\b`).test(one));
  return [...text.matchAll(/^\s*(?:return )?expect\([^;]*;/gm)].map(([found]) => found.trim()).filter(isTimed);
}

const files = [...new Bun.Glob("{src,convert,studio,client,tests}/**/*.{ts,tsx}").scanSync(root)].filter((name) =>
  /^tests\/|\.test\.tsx?$/.test(name),
);

function findIn(find: (text: string) => string[]): string[] {
  const found = files.flatMap((name) =>
    find(readFileSync(join(root, name), "utf8")).map((line) => `${name}: ${line.split("\n")[0]}`),
  );
  return [...new Set(found)].filter((line) => !line.startsWith("tests/guards/chances.test.ts: ")).toSorted();
}

test("no test expects that something has happened during a pause", () => {
  expect(files.length).toBeGreaterThan(400);
  expect(findIn(findPaused)).toEqual(Object.keys(exceptions).toSorted());
});

test("tests wait with one helper, which has an end and shows the last value", () => {
  const findLoops = (text: string) =>
    [...text.matchAll(/^\s*((?:while|for) \(.*Bun\.sleep\(.*)$/gm)].map(([, line = ""]) => line);
  expect(findLoops("  while (!isDone()) await Bun.sleep(5);")).toHaveLength(1);
  expect(findIn(findLoops)).toEqual(Object.keys(otherLoops).toSorted());
});

test("no test expects how long something takes", () => {
  expect(findIn(findTimed)).toEqual(Object.keys(timedExceptions));
});

test("no test has a limit of its own: those of the runner are for the slowest machine", () => {
  const findLimits = (text: string) =>
    [
      ...text.matchAll(
        /^ *\},? [\d_]{5,}\);$|^ *[\d_]{5,},\n *\);$|^ *(?:before|after)(?:All|Each)\(.*[\d_]{5,}\);$/gm,
      ),
    ].map(([limit]) => limit);
  expect(findLimits("}, 60_000);\n  60_000,\n);\nbeforeAll(() => start(), 60_000);")).toHaveLength(3);
  expect(findIn(findLimits)).toEqual([]);
});

test("a pause before an expectation is found, and a difference of clocks in one", () => {
  const paused = "expect(await read()).toBe(1);";
  for (const line of [
    "await Bun.sleep(5);",
    "await page.waitForTimeout(5);",
    "await new Promise((ok) => setTimeout(ok, 5));",
  ]) {
    expect(findPaused(`  ${line}\n  ${paused}`)).toEqual([paused]);
    expect(findPaused(`  ${line}\n\n  // Now it is there.\n  const found = await find();\n  ${paused}`)).toEqual([
      paused,
    ]);
    expect(findPaused(`  while (!isDone()) {\n    ${line}\n  }\n  ${paused}`)).toEqual([]);
  }
  const timed = [
    "expect(performance.now() - started).toBeLessThan(9);",
    "expect(Math.abs(time - Date.now() / 1000)).toBeLessThan(9);",
  ];
  for (const line of timed) expect(findTimed(`  ${line}`)).toEqual([line]);
  expect(findTimed("const ms = Date.now() - began;\nexpect(count).toBe(1);\nexpect(ms).toBe(9);")).toEqual([
    "expect(ms).toBe(9);",
  ]);
  expect(findTimed("const now = Date.now();\nexpect(now).toBe(9);")).toEqual([]);
});
