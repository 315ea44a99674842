import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";

const marker = /^\/\/ Runs on (the embedded engines only|other engines only with TEST_LONG): [a-z].+\.$/;

test("a test file that does not run on all engines says why, in its first line", () => {
  const markedWrongly: string[] = [];
  for (const path of new Bun.Glob("{src,tests}/**/*.test.ts").scanSync()) {
    for (const [index, line] of readFileSync(path, "utf8").split("\n").entries()) {
      if (/^\/\/ runs on/i.test(line) && !(index === 0 && marker.test(line))) markedWrongly.push(`${path}: ${line}`);
    }
  }
  expect(markedWrongly).toEqual([]);
});

test("on other engines, the tests run that use a server and give no reason against it", () => {
  const list = (long: string) =>
    Bun.spawnSync(["bin/list-server-tests"], { env: { ...process.env, TEST_LONG: long } })
      .stdout.toString()
      .trim()
      .split("\n");
  const [short, long] = [list(""), list("true")];
  expect(short).toContain("src/content/albums/albums.test.ts");
  expect(short).not.toContain("src/web/site/menu.test.ts");
  expect(long).toContain("src/web/site/menu.test.ts");
  for (const path of ["tests/program/cli.test.ts", "tests/studio/shell.test.ts", "tests/guards/test-engines.test.ts"])
    expect(long).not.toContain(path);
  expect(short.filter((path) => !long.includes(path))).toEqual([]);
});
