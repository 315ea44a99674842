// Runs on the embedded engines only: it is about the temporary files of tests.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../kit/root.ts";
import { newDirectory, useScratch } from "../kit/scratch.ts";

/** What there was when the hooks of the first story ran. */
const seen: boolean[] = [];
let path = "";
let skipped = "";

describe("a directory for temporary files", () => {
  const scratch = useScratch();
  path = scratch;
  beforeAll(() => writeFileSync(join(scratch, "one"), "1"));
  afterAll(() => seen.push(existsSync(join(scratch, "one"))));

  test("is there before the hooks, and has others in it", () => {
    expect(existsSync(join(scratch, "one"))).toBe(true);
    expect(newDirectory(scratch)).toStartWith(`${scratch}/`);
    expect(newDirectory(scratch)).not.toBe(newDirectory(scratch));
  });
});

describe.skip("stories that do not run", () => {
  skipped = useScratch();
  test("need no directory", () => {});
});

test("it is removed after the hooks that were added later, and not created where nothing runs", () => {
  expect(seen).toEqual([true]);
  expect([path, skipped].map(existsSync)).toEqual([false, false]);
});

test("tests write nowhere else", () => {
  const files = [...new Bun.Glob("{src,convert,studio,client,tests}/**/*.test.{ts,tsx}").scanSync(root)];
  expect(files.length).toBeGreaterThan(300);
  const found = files.filter((name) => /\bmkdtemp(Sync)?\(/.test(readFileSync(join(root, name), "utf8")));
  expect(found).toEqual([]);
});
