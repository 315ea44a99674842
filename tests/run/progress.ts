import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "../kit/root.ts";
import type { TestFile } from "./files.ts";

const record = join(root, "build/test-long.json");

/** Which files have passed in a long run, so that one which was ended can be continued, as long as no source has changed. */
export function openProgress(isLong: boolean, isContinued: boolean) {
  const state = stateOfSources();
  const passed = new Set<string>();
  if (isLong && isContinued && existsSync(record)) {
    const before = JSON.parse(readFileSync(record, "utf8")) as { state: string; passed: string[] };
    if (before.state === state) for (const key of before.passed) passed.add(key);
    else console.log("The sources have changed since that run: it begins again.");
  }
  return {
    hasPassed: (place: string, path: string) => passed.has(`${place} ${path}`),
    record(place: string, paths: string[], failed: string[]) {
      if (!isLong) return;
      for (const path of paths) if (!failed.includes(path)) passed.add(`${place} ${path}`);
      mkdirSync(dirname(record), { recursive: true });
      writeFileSync(record, JSON.stringify({ state, passed: [...passed] }));
    },
  };
}

/** A name for the commit and for what differs from it. */
function stateOfSources(): string {
  const git = (...words: string[]) => {
    try {
      return Bun.spawnSync(["git", ...words], { cwd: root }).stdout.toString();
    } catch {
      return "";
    }
  };
  return `${git("rev-parse", "HEAD").trim()} ${Bun.hash(git("diff", "HEAD"))}`;
}

/** The files of part 2/6, by the time that they take. */
export function partOf(files: TestFile[], part: string | undefined, timings: Map<string, number>): TestFile[] {
  if (!part) return files;
  const [, number = 0, count = 0] = /^(\d+)\/(\d+)$/.exec(part)?.map(Number) ?? [];
  if (number < 1 || number > count) throw new Error("--part is written as 2/6: the second of six parts.");
  const timeOf = ({ path }: TestFile) => timings.get(path) ?? 1000;
  const parts = Array.from({ length: count }, () => ({ ms: 0, files: [] as TestFile[] }));
  for (const file of files.toSorted((a, b) => timeOf(b) - timeOf(a))) {
    const smallest = parts.reduce((one, other) => (other.ms < one.ms ? other : one));
    smallest.files.push(file);
    smallest.ms += timeOf(file);
  }
  return parts[number - 1]?.files ?? [];
}
