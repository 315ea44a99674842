// Runs on the embedded engines only: it stores nothing.
import { expect, test } from "bun:test";
import { linkSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newDirectory, useScratch } from "../../../tests/kit/scratch.ts";
import { openNamedFiles } from "../../platform/archives/folder.ts";
import { type Item, parseHead, sourceOfLines } from "./lines.ts";

const scratch = useScratch();
const first = { kind: "source", version: 1, program: "bookmarks" };
const end = '{"kind":"end"}';

type Site = { folder: string; dataDir: string };

/** The items of these lines, of which the files lie in `folder`. */
async function read(lines: (object | string)[], { folder, dataDir }: Site = { folder: scratch, dataDir: "/none" }) {
  const [head = "", ...rest] = [first, ...lines].map((line) =>
    typeof line === "string" ? line : JSON.stringify(line),
  );
  const source = sourceOfLines({
    visibility: "public",
    head: parseHead(head),
    lines: (async function* () {
      yield* rest;
    })(),
    async *open() {
      yield new Uint8Array();
    },
    openNamed: openNamedFiles([folder], [dataDir]),
  });
  return { source, items: await Array.fromAsync(source.items()) };
}

const fileLine = (...path: string[]) => ({ kind: "file", key: path.join("/"), path: ["a"], bytes: { path } });

test("only files in the folder of the source are opened, without following links, and nothing of this site", async () => {
  const folder = newDirectory(scratch);
  const dataDir = join(folder, "data");
  for (const path of [dataDir, join(folder, "below")]) mkdirSync(path);
  for (const path of ["a.txt", "below/b.txt", "data/jwt-secret", "data/vitrine.db"])
    writeFileSync(join(folder, path), path);
  symlinkSync(join(folder, "a.txt"), join(folder, "link"));
  symlinkSync(join(folder, "below"), join(folder, "linked"));
  linkSync(join(dataDir, "vitrine.db"), join(folder, "copy"));
  const paths = [
    ["below", "b.txt"],
    ["data", "jwt-secret"],
    ["below", "..", "data", "jwt-secret"],
    ["below/b.txt"],
    [".."],
    ["a.txt\0"],
    ["none"],
    ["below"],
    ["link"],
    ["copy"],
  ];
  const { items } = await read([...paths.map((path) => fileLine(...path)), end], { folder, dataDir });
  expect(items[0]).toMatchObject({ kind: "file", size: 11, visibility: "private", photo: null });
  expect(items.slice(1).map((item) => (item.kind === "refused" ? item.reason : item))).toEqual([
    "It is in the data directory of this site.",
    "Its path is not one in the source.",
    "Its path is not one in the source.",
    "Its path is not one in the source.",
    "Its path is not one in the source.",
    "It is not in the source.",
    "It is not a file.",
    "It is a symbolic link.",
    "It is the database of this site.",
  ]);
  const [linked] = (await read([fileLine("linked", "b.txt"), end], { folder, dataDir })).items;
  expect(await failureOf(linked)).toContain("Something else has taken its place");
});

const failureOf = (item: Item | undefined) =>
  item?.kind === "file"
    ? Array.fromAsync(item.open()).then(
        () => "",
        (error: Error) => error.message,
      )
    : item;

test("what takes the place of a file after it was looked at is not read, and nothing is waited for", async () => {
  const folder = newDirectory(scratch);
  const dataDir = join(folder, "data");
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, "jwt-secret"), "x");
  const names = ["link", "pipe", "grown", "none"];
  for (const name of names) writeFileSync(join(folder, name), "x");
  const { items } = await read([...names.map((name) => fileLine(name)), end], { folder, dataDir });
  for (const name of names) rmSync(join(folder, name));
  symlinkSync(join(dataDir, "jwt-secret"), join(folder, "link"));
  Bun.spawnSync(["mkfifo", join(folder, "pipe")]);
  writeFileSync(join(folder, "grown"), "x".repeat(1000));
  expect(await failureOf(items[0])).toMatch(/ELOOP|Something else has taken its place/);
  expect(await failureOf(items[1])).toBeTruthy();
  expect(await failureOf(items[2])).toContain("It changed while it was read.");
  expect(await failureOf(items[3])).toContain("ENOENT");
  const again = await read([fileLine("pipe"), end], { folder, dataDir });
  expect(again.items).toMatchObject([{ kind: "refused", reason: "It is not a file." }]);
});

test.skipIf(process.platform !== "linux")("of devices and of the system's own files, nothing is read", async () => {
  const device = await read([fileLine("zero"), end], { folder: "/dev", dataDir: "/none" });
  expect(device.items).toMatchObject([{ kind: "refused", reason: "It is not a file." }]);
  const [own] = (await read([fileLine("self", "environ"), end], { folder: "/proc", dataDir: "/none" })).items;
  expect(await failureOf(own)).toContain("Something else has taken its place");
});

test("a line that is no item is refused, and names what is wrong; the next ones are read", async () => {
  const { items, source } = await read([
    { kind: "post", key: "1", title: 7, content: "" },
    { kind: "spaceship", key: "2" },
    { kind: "file", path: [], bytes: { path: ["a"] } },
    { kind: "total", items: 3, bytes: 5 },
    { kind: "note", key: "4", reason: "Left out.", more: "unknown" },
    end,
    "what follows the end is not read",
  ]);
  expect(items).toEqual([
    { kind: "refused", key: "1", reason: expect.stringContaining('"title": ') },
    { kind: "refused", key: "2", reason: expect.stringContaining('"kind": ') },
    { kind: "refused", key: "line 4", reason: expect.stringContaining('"key": ') },
    { kind: "note", key: "4", reason: "Left out." },
  ]);
  expect(source.totals).toMatchObject({ items: 3, bytes: 5 });
});

test("what is no source ends in a sentence", async () => {
  const why = (lines: (object | string)[]) =>
    read(lines).then(
      () => "",
      (error: Error) => error.message,
    );
  expect(await why(["{"])).toBe("Line 2 of the source is not a JSON object.");
  expect(await why([])).toContain("ended without its last line");
  expect(await why([{ kind: "failed", reason: "The disk is gone." }])).toBe("The disk is gone.");
  expect(() => parseHead('{"kind":"source","version":2,"program":"x"}')).toThrow('"version": must be 1');
  expect(() => parseHead("<html>")).toThrow("Line 1 of the source is not a JSON object.");
});
