// Runs on the embedded engines only: it is about the files of a folder.
import { beforeAll, expect, test } from "bun:test";
import { mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openFolder } from "./folder.ts";
import { isUnusable, type TreeFile } from "./tree.ts";
import { useScratch } from "../../../tests/kit/scratch.ts";

const scratch = useScratch();

const length = 600_000;
const outside = join(scratch, "outside");
beforeAll(() => {
  mkdirSync(outside);
  writeFileSync(join(outside, "a.txt"), "s".repeat(length));
});

let count = 0;
/** A folder with the file `in/a.txt`. */
function createFolder(): string {
  const path = join(scratch, `${++count}`);
  mkdirSync(join(path, "in"), { recursive: true });
  writeFileSync(join(path, "in/a.txt"), "x".repeat(length));
  return path;
}

async function readAll(file: TreeFile, meanwhile: () => void = () => {}): Promise<string> {
  let text = "";
  try {
    for await (const chunk of file.open()) {
      if (text === "") meanwhile();
      text += Buffer.from(chunk).toString();
    }
    return `${text.length} ${text[0]}`;
  } catch (error) {
    return `${(error as Error).constructor.name}: ${(error as Error).message}`;
  }
}

const replaceBy = (path: string, target: string) => {
  renameSync(path, `${path}-before`);
  symlinkSync(target, path);
};

const changed = /^(Unusable|Damaged)Entry: It changed while it was read\.$/;
const cases: [name: string, spoil: (folder: string) => void, expected: RegExp][] = [
  ["is longer", (folder) => writeFileSync(join(folder, "in/a.txt"), "y".repeat(length + 1)), changed],
  ["is shorter", (folder) => truncateSync(join(folder, "in/a.txt"), 10), changed],
  ["is gone", (folder) => rmSync(join(folder, "in/a.txt")), /^UnusableEntry: ENOENT/],
  ["is a link", (folder) => replaceBy(join(folder, "in/a.txt"), join(outside, "a.txt")), /^UnusableEntry: E/],
  ["is a directory", (folder) => replaceBy(join(folder, "in/a.txt"), outside), /^UnusableEntry: E/],
  [
    "lies in a link",
    (folder) => replaceBy(join(folder, "in"), outside),
    /^UnusableEntry: Something else has taken its place/,
  ],
];

test.each(cases)("a file that %s when it is opened is not read", async (_name, spoil, expected) => {
  const folder = createFolder();
  const entries = await Array.fromAsync(openFolder(folder).list());
  spoil(folder);
  expect(await readAll(entries.at(-1) as TreeFile)).toMatch(expected);
});

test("a file that changes while it is read is not taken, and another time it is", async () => {
  const path = join(createFolder(), "in/a.txt");
  const [file] = (await Array.fromAsync(openFolder(join(path, "..")).list())) as TreeFile[];
  const rewrite = () => {
    writeFileSync(path, "y".repeat(length), { flag: "r+" });
    utimesSync(path, 1, 1);
  };
  expect(await readAll(file!, rewrite)).toMatch(changed);
  expect(await readAll(file!)).toBe(`${length} y`);
  expect(await readAll(file!, () => truncateSync(path, 300_000))).toMatch(changed);
  expect(await readAll(file!, () => rmSync(path))).toMatch(changed);
});

test("a directory that becomes a link while the folder is listed is not entered", async () => {
  const folder = createFolder();
  const found: string[] = [];
  for await (const entry of openFolder(folder).list()) {
    if ("isDirectory" in entry) replaceBy(join(folder, "in"), outside);
    found.push(isUnusable(entry) ? `${entry.path}: ${entry.reason}` : entry.path.join("/"));
  }
  expect(found).toEqual(["in", "in: Something else has taken its place while it was read."]);
});
