// Runs only with TEST_LONG: it loads the whole program in a process of its own.
// Runs on the embedded engines only: what is loaded, and what pages refer to, hardly depends on the engines.
import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fillSite } from "../budget/content.ts";
import { client } from "../kit/client.ts";
import { root } from "../kit/root.ts";
import { useServer } from "../kit/use-server.ts";

/*
 * What is loaded, counted instead of timed: the same on every machine. The numbers are in `budget/weight.txt`. A smaller number
 * passes; after one that may grow, `npm run budget` writes them again, and the difference is part of the review.
 */

const isWriting = process.env.WRITE_BUDGET === "true";
const file = join(root, "tests/budget/weight.txt");
const titles = {
  loaded:
    "Modules of the program that are evaluated, and KB of their text: by a server that listens, and by the first request of each kind after those above it.",
  pages: "KB of styles and of script that a page refers to, not compressed.",
};
type Table = Map<string, number[]>;

const server = useServer();
const owner = server.person("owner", "admin");

test("the server, and the first request of each kind, load no more than before", async () => {
  const child = Bun.spawn([process.execPath, "--no-orphans", join(root, "tests/budget/loaded.ts")], {
    env: { ...process.env, TEST_OBSERVED: "" },
    stdout: "pipe",
    stderr: "inherit",
  });
  const lines = JSON.parse(await new Response(child.stdout).text()) as [string, number, number][];
  compare("loaded", new Map(lines.map(([name, modules, bytes]) => [name, [modules, Math.ceil(bytes / 10_000) * 10]])));
});

test("pages refer to no more styles and script than before", async () => {
  const { photo, slug, album } = await fillSite(owner);
  const guest = client(server);
  const sizes = new Map<string, number>();
  const sizeOf = async (path: string) => {
    const response = await fetch(server.url + path, { headers: { "Accept-Encoding": "identity" } });
    const size = sizes.get(path) ?? (await response.bytes()).length;
    sizes.set(path, size);
    return size;
  };
  const sum = async (html: string, pattern: RegExp) => {
    const paths = new Set(Array.from(html.matchAll(pattern), ([, path = ""]) => path));
    const all = await Promise.all([...paths].map(sizeOf));
    return Math.ceil(all.reduce((total, size) => total + size, 0) / 100) / 10;
  };
  const pages = {
    "/": "/",
    "/blog": "/blog",
    "/blog/:slug": `/blog/${slug}`,
    "/photos": "/photos",
    "/photos/:id": `/photos/${photo}`,
    "/albums": "/albums",
    "/albums/:id": `/albums/${album}-north`,
    "/browse/a/b": "/browse/a/b",
    "/people/owner": "/people/owner",
    "/tags/sea": "/tags/sea",
    "/search": "/search?q=photo",
    "/signin": "/signin",
    "/docs": "/docs",
  };
  const measured: Table = new Map();
  for (const [name, path] of Object.entries(pages)) {
    const { status, body } = await guest.get(path);
    expect([path, status]).toEqual([path, 200]);
    measured.set(name, [
      await sum(body, /<link rel="stylesheet" href="([^"]+)"/g),
      await sum(body, /<script [^>]*src="([^"]+)"/g),
    ]);
  }
  compare("pages", measured);
});

function compare(kind: keyof typeof titles, measured: Table): void {
  if (isWriting) return write(kind, measured);
  const expected = read(kind);
  expect([...measured.keys()]).toEqual([...expected.keys()]);
  const more = [...measured].filter(([name, numbers]) =>
    numbers.some((one, index) => one > (expected.get(name)?.[index] ?? 0)),
  );
  expect(more, "If this is intended, run: npm run budget").toEqual([]);
}

function read(kind: keyof typeof titles): Table {
  const text = readFileSync(file, "utf8").split(`${titles[kind]}\n\n`)[1]?.split("\n\n")[0] ?? "";
  return new Map(
    text
      .split("\n")
      .filter(Boolean)
      .map((line) => {
        const [name = "", ...numbers] = line.split(/\s{2,}/);
        return [name, numbers.map(Number)];
      }),
  );
}

function write(kind: keyof typeof titles, measured: Table): void {
  const print = (table: Table) =>
    [...table]
      .map(([name, numbers]) => name.padEnd(26) + numbers.map((one) => `  ${String(one).padStart(6)}`).join(""))
      .join("\n");
  const tables = { loaded: read("loaded"), pages: read("pages"), [kind]: measured };
  writeFileSync(file, `${titles.loaded}\n\n${print(tables.loaded)}\n\n${titles.pages}\n\n${print(tables.pages)}\n`);
}
