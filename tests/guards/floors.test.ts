import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { root } from "../kit/root.ts";

const sources = [...new Bun.Glob("{src,convert,studio}/**/*.{ts,tsx,css}").scanSync(root)].filter(
  (name) => !/\.test\.tsx?$/.test(name),
);
const imports = sources.flatMap((from) => importsOf(from).map((to) => ({ from, to })));

/** From below: each floor imports only from itself and from those before it. */
const floors = ["platform", "core", "content", "features", "web"];
/** The resources, in their order. */
const resources = ["files", "photos", "albums", "blog", "comments"];

/** A file of `src/` by its floor and the folder in it. What a folder contributes (`module.ts`) is imported by the door alone. */
function placeOf(path: string): { floor: number; folder: string } {
  const [, floor = "", folder = ""] = path.split("/");
  const isDoor = !floors.includes(floor) || /^src\/\w+\/[\w-]+\/module\.ts$/.test(path);
  return { floor: isDoor ? floors.length : floors.indexOf(floor), folder };
}

const breaches = (isForbidden: (from: string, to: string) => boolean) =>
  imports.filter(({ from, to }) => isForbidden(from, to)).map(({ from, to }) => `${from} imports ${to}`);

const isServer = (path: string) => path.startsWith("src/");
const isOn = (floor: string) => (path: string) => placeOf(path).floor === floors.indexOf(floor);

describe("the floors", () => {
  test("are the folders of src, above which are at most twelve files and the commands", () => {
    const entries = readdirSync(join(root, "src"), { withFileTypes: true });
    const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    expect(folders.toSorted()).toEqual([...floors, "commands"].toSorted());
    expect(entries.length - folders.length).toBeLessThanOrEqual(12);
    expect(imports.length).toBeGreaterThan(2000);
  });

  test("a file imports only from its own floor and those below", () => {
    const isAbove = (from: string, to: string) =>
      isServer(from) && isServer(to) && placeOf(to).floor > placeOf(from).floor;
    expect(breaches(isAbove)).toEqual([]);
  });

  test("a feature imports no feature", () => {
    const isFeature = isOn("features");
    const isOther = (from: string, to: string) => placeOf(from).folder !== placeOf(to).folder;
    expect(breaches((from, to) => isFeature(from) && isFeature(to) && isOther(from, to))).toEqual([]);
  });

  test("a resource imports only from those before it", () => {
    const isResource = isOn("content");
    const order = (path: string) => resources.indexOf(placeOf(path).folder);
    expect(sources.filter((path) => isResource(path) && order(path) < 0)).toEqual([]);
    expect(breaches((from, to) => isResource(from) && isResource(to) && order(to) > order(from))).toEqual([]);
  });

  test("what reads sources has no database, no server and no configuration, and runs in a process of its own", () => {
    const isOfSite = (to: string) =>
      isServer(to) &&
      (placeOf(to).floor === floors.length ||
        /\/(store|routes)\.ts$|^src\/platform\/(database|http|jobs|blobs)\/|^src\/web\//.test(to));
    expect(breaches((from, to) => from.startsWith("convert/") && isOfSite(to))).toEqual([]);
    const isRead = (from: string, to: string) => to.startsWith("convert/") && !from.startsWith("convert/");
    const isOfLines = (from: string, to: string) =>
      to.startsWith("convert/format/") && /^src\/(features\/imports\/|commands\/import-)/.test(from);
    expect(breaches((from, to) => isRead(from, to) && !isOfLines(from, to))).toEqual([
      "src/executable.ts imports convert/main.ts",
    ]);
  });

  test("the format of lines and messages, which the server shares with the converter, reads nothing", () => {
    const isFormat = (path: string) => path.startsWith("convert/format/");
    const isReader = (to: string) => to.startsWith("convert/") || to.startsWith("src/platform/archives/");
    expect(breaches((from, to) => isFormat(from) && !isFormat(to) && isReader(to))).toEqual([]);
    // Only schemas, types, constants and an error.
    const withFunctions = sources.filter(
      (path) => isFormat(path) && /\bfunction\b|^export const \w+ = \(/m.test(readFileSync(join(root, path), "utf8")),
    );
    expect(withFunctions).toEqual([]);
  });

  test("what the server loads parses no foreign format but WebDAV's XML and the newsletter's CSV", () => {
    const isParser = (path: string) =>
      /^src\/platform\/archives\/(zip|tar|open-trees|sqlite-copy)\.ts$|\/from-html\.ts$/.test(path) ||
      /["'](saxes|csv-parse|yauzl)["']|\bBun\.(YAML|TOML|XML|CSV)\b/.test(readFileSync(join(root, path), "utf8"));
    const ofServer = reachedFrom("src/server.ts");
    expect(ofServer.size).toBeGreaterThan(500);
    expect([...ofServer].filter(isParser).toSorted()).toEqual([
      "src/features/dav/xml-reader.ts",
      "src/features/newsletter/csv.ts",
    ]);
  });

  test("the studio imports the client and the design, and nothing else of the server", () => {
    const isAllowed = (to: string) => /^(studio|client\/src|src\/web\/design)\//.test(to);
    expect(breaches((from, to) => from.startsWith("studio/") && !isAllowed(to))).toEqual([]);
    expect(breaches((from, to) => isServer(from) && to.startsWith("studio/"))).toEqual([]);
  });
});

function importsOf(name: string): string[] {
  const text = readFileSync(join(root, name), "utf8");
  const paths = Array.from(text.matchAll(/(?:from|import)\s*\(?\s*["'](\.[^"']+)["']/g), ([, path = ""]) => path);
  return paths.map((path) => relative(root, join(root, dirname(name), path)));
}

/** The files that one loads, at once or later, without those of which it knows only the types. */
function reachedFrom(first: string): Set<string> {
  const reached = new Set([first]);
  for (const name of reached) {
    const text = readFileSync(join(root, name), "utf8").replace(/^(import|export) type [^;]*;/gm, "");
    for (const [, path = ""] of text.matchAll(/(?:from|import)\s*\(?\s*["'](\.[^"']+)["']/g))
      if (/\.tsx?$/.test(path)) reached.add(relative(root, join(root, dirname(name), path)));
  }
  return reached;
}
