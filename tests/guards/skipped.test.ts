// Runs on the embedded engines only: what is skipped is counted in the same way for all.
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { serverNames } from "../kit/optional.ts";
import { useScratch } from "../kit/scratch.ts";
import { describeSkipped } from "../run/skipped.ts";

const scratch = useScratch();

const story = `
import { beforeAll, describe, test } from "bun:test";
import { needs } from "${join(import.meta.dir, "../kit/optional.ts")}";
needs("a browser", false).describe("a page", () => {
  beforeAll(() => { throw new Error("This is not run."); });
  test("is read & liked", () => {});
  describe("on a phone", () => test.each([1, 2])("is as wide as %d", () => {}));
});
needs("a browser", true).describe("a page", () => test("is there", () => {}));
needs("PostgreSQL's programs", false).test("a dump is restored", () => {});
needs("${serverNames}", process.env.TEST_ENGINE === "scaled").test("two copies", () => {});
test.skip("takes an hour", () => {});
`;

async function runStory(report: string, env: Record<string, string> = {}): Promise<void> {
  const options = ["--reporter=junit", `--reporter-outfile=${join(scratch, report)}`];
  const child = Bun.spawn([process.execPath, "test", ...options, join(scratch, "story.test.ts")], {
    cwd: scratch,
    env: { ...process.env, ...env },
    stdout: "ignore",
    stderr: "ignore",
  });
  expect(await child.exited).toBe(0);
}

const embedded = [join(scratch, "tests.xml")];

test("a run ends with one line: how many tests were skipped for want of what, and the command that runs them", async () => {
  writeFileSync(join(scratch, "story.test.ts"), story);
  await runStory("tests.xml");
  const command = 'On Debian, as root: eval "$(bin/test-servers start)" && npm test; bin/test-servers stop';
  const skipped = `Skipped: 3 tests that need a browser, 1 PostgreSQL's programs`;
  const others = "1 of npm run test:long, or of other engines and systems";
  expect(describeSkipped(embedded, 143)).toBe(
    `${skipped}, 1 ${serverNames}, those of 143 files that also run on ${serverNames}, ${others}. ${command}`,
  );
  expect(describeSkipped(embedded, 0)).toBe(`${skipped}, 1 ${serverNames}, ${others}. ${command}`);
  // What was skipped in both runs is counted once.
  await runStory("servers.xml", { TEST_ENGINE: "scaled" });
  expect(describeSkipped(embedded, [join(scratch, "servers.xml")])).toBe(`${skipped}, ${others}. ${command}`);
});
