// Measures the structure of the server's code: `npm run structure`, or `npm run structure -- DIRECTORY` for another checkout.
// ARCHITECTURE.md says how the folders are arranged.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

const src = join(resolve(process.argv[2] ?? "."), "src");
const files = [...new Bun.Glob("**/*.{ts,tsx}").scanSync(src)].filter((name) => !/\.test\.tsx?$/.test(name));
// The studio is a program of its own, wherever it lies.
const server = files.filter((name) => !name.startsWith("studio/browser/"));
const texts = new Map(server.map((name) => [name, readFileSync(join(src, name), "utf8")]));
const lines = (text: string) => text.split("\n").length - 1;
const isLoose = (name: string) => !name.includes("/");
const roomOf = (name: string) => (name.endsWith("/module.ts") ? "modules.ts" : (name.split("/")[0] ?? name));

const rows: [string, number][] = [
  ["entries of src/ (rooms)", readdirSync(src).length],
  ["of these, files", server.filter(isLoose).length],
  ["imports between rooms, longest chain (floors)", countFloors()],
  ["folders that are listed beside each other", Math.max(...countSubfolders())],
  ['comments that say "must be called"', count(/must be called/gi)],
  [
    "casts (`as` a type, without `as const`)",
    count(/(?<=[\w)\]}"'`]) as (?!const\b)(?=[A-Za-z{[(])(?![^"]*" *from)/g, code),
  ],
  ["of these, `as unknown as`", count(/as unknown as/g, code)],
  ["source files", server.length],
  ["lines", [...texts.values()].reduce((sum, text) => sum + lines(text), 0)],
  [
    "functions of more than 60 lines",
    [...texts.values()].flatMap(functionLengths).filter((length) => length > 60).length,
  ],
  ["files of more than 200 lines", [...texts.values()].filter((text) => lines(text) > 200).length],
];
for (const [name, value] of rows) console.log(`${String(value).padStart(8)}  ${name}`);

function count(pattern: RegExp, of: (text: string) => string = (text) => text): number {
  return [...texts.values()].reduce((sum, text) => sum + (of(text).match(pattern)?.length ?? 0), 0);
}

/** Without comments, imports and SQL. */
function code(text: string): string {
  return text
    .replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "")
    .replace(/^(import|export) [^;]*? from "[^"]*";$/gm, "")
    .replace(/`[^`]*`/g, "``");
}

/** The rooms one above the other: the most imports from room to room that follow one another without a circle. */
function countFloors(): number {
  const below = new Map<string, Set<string>>();
  for (const [name, text] of texts) {
    const own = below.get(roomOf(name)) ?? new Set<string>();
    below.set(roomOf(name), own);
    for (const [, path = ""] of text.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)) {
      const target = roomOf(relative(src, join(src, dirname(name), path)));
      if (target !== roomOf(name) && !target.startsWith("..")) own.add(target);
    }
  }
  const heights = new Map<string, number>();
  const heightOf = (room: string, above: string[]): number => {
    const known = heights.get(room);
    if (known !== undefined) return known;
    const others = [...(below.get(room) ?? [])].filter((other) => !above.includes(other) && other !== room);
    const height = 1 + Math.max(0, ...others.map((other) => heightOf(other, [...above, room])));
    heights.set(room, height);
    return height;
  };
  return Math.max(...[...below.keys()].map((room) => heightOf(room, [])));
}

function countSubfolders(): number[] {
  const folders = readdirSync(src, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const inside = folders.map(
    ({ name }) => readdirSync(join(src, name), { withFileTypes: true }).filter((entry) => entry.isDirectory()).length,
  );
  return [folders.length, ...inside];
}

/** The code is formatted: a function ends with the first line of its own indentation that closes a brace. */
function functionLengths(text: string): number[] {
  const all = text.split("\n");
  return all.flatMap((line, start) => {
    const indentation =
      /^( *)(?:export )?(?:async )?(?:function\b.*|(?:const )?\w+(?::|[ ]=) .*=>.*|\w+\(.*\).*)\{$/.exec(line)?.[1];
    if (indentation === undefined || /^ *(if|for|while|switch|catch|return|test|describe)\b/.test(line)) return [];
    const end = all.findIndex((other, index) => index > start && other.startsWith(`${indentation}}`));
    return end < 0 ? [] : [end - start + 1];
  });
}
