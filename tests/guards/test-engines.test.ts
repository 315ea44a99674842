// Runs on the embedded engines only: it reads the sources.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../kit/root.ts";
import { listTestFiles, marker } from "../run/files.ts";

const files = listTestFiles();
const at = (path: string) => files.find((file) => file.path === path);

test("a test file that does not run everywhere says why, in its first lines", () => {
  const markedWrongly: string[] = [];
  for (const { path } of files) {
    let isFirst = true;
    for (const line of readFileSync(join(root, path), "utf8").split("\n")) {
      isFirst &&= marker.test(line);
      if (/^\/\/ runs (on|only)/i.test(line) && !isFirst) markedWrongly.push(`${path}: ${line}`);
    }
  }
  expect(markedWrongly).toEqual([]);
});

test("what CONTRIBUTING.md says of the time of npm test is what was measured, and little enough for two cores", () => {
  const { files: measured } = JSON.parse(readFileSync(join(root, "tests/timings.json"), "utf8")) as {
    files: Record<string, number>;
  };
  const short = files.filter(({ isLong }) => !isLong).map(({ path }) => path);
  // A new file is measured with the next whole run.
  expect(short.filter((path) => measured[path] === undefined).length).toBeLessThan(short.length / 20);
  const seconds = short.reduce((sum, path) => sum + (measured[path] ?? 0), 0) / 1000;
  const document = readFileSync(join(root, "CONTRIBUTING.md"), "utf8").replaceAll(/\s+/g, " ");
  const said = Number(/Its files take (\d+) s of processor time/.exec(document)?.[1]);
  expect(Math.abs(said / seconds - 1)).toBeLessThan(0.1);
  expect(said).toBeLessThanOrEqual(500);
});

test("on other engines, the tests run that use a server and give no reason against it", () => {
  expect(at("src/content/albums/albums.test.ts")).toMatchObject({ isLong: false, onServers: "always" });
  expect(at("src/web/site/menu.test.ts")).toMatchObject({ onServers: "long" });
  for (const path of ["tests/program/cli.test.ts", "tests/studio/shell.test.ts", "tests/guards/test-engines.test.ts"])
    expect(at(path)).toMatchObject({ onServers: "never" });
});
