import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../src/", import.meta.url));
const files = [...new Bun.Glob("**/*.{ts,tsx}").scanSync(root)].filter((name) => !name.endsWith(".test.ts"));
const texts = new Map(files.map((name) => [name, readFileSync(join(root, name), "utf8")]));
const imports = new Map([...texts].map(([name, text]) => [name, importsOf(name, text)]));
const room = (name: string) => (name.includes("/") ? name.slice(0, name.indexOf("/")) : "");

/** `from file: what it should not do`, for every pair of importing and imported file that the rule forbids. */
function breaches(isForbidden: (from: string, to: string) => boolean): string[] {
  return [...imports].flatMap(([from, targets]) =>
    targets.filter((to) => isForbidden(from, to)).map((to) => `${from} imports ${to}`),
  );
}

const mentions = (pattern: RegExp, allowed: (name: string) => boolean) =>
  [...texts].filter(([name, text]) => !allowed(name) && pattern.test(withoutComments(text))).map(([name]) => name);

describe("the floor plan", () => {
  test("the files were found", () => {
    expect(files.length).toBeGreaterThan(50);
    expect(imports.get("server.ts")).toContain("photos/routes.ts");
  });

  test("the platform knows nothing of the rooms", () => {
    const isShared = (name: string) => room(name) === "platform" || name === "errors.ts" || name === "version.ts";
    expect(breaches((from, to) => room(from) === "platform" && !isShared(to))).toEqual([]);
  });

  test("only server.ts mounts routes", () => {
    expect(breaches((from, to) => to.endsWith("/routes.ts") && from !== "server.ts")).toEqual([]);
  });

  test("only config.ts reads the environment", () => {
    expect(mentions(/process\.env|Bun\.env|import\.meta\.env/, (name) => name === "config.ts")).toEqual([]);
  });

  test("the runtime's own API stays in the platform and main.ts", () => {
    expect(mentions(/\bBun\.|["']bun:/, (name) => room(name) === "platform" || name === "main.ts")).toEqual([]);
  });

  test("there are no circles", () => {
    expect(circles()).toEqual([]);
  });

  test("only the owner of a table writes to it", () => {
    const owners: Record<string, string> = {
      users: "users",
      sessions: "users",
      familiar_addresses: "users",
      files: "files",
      uploads: "uploads",
      upload_parts: "uploads",
      reservations: "storage",
      file_versions: "versions",
      images: "images",
      photos: "photos",
      imports: "imports",
      import_directories: "imports",
      import_files: "imports",
      posts: "blog",
      comments: "comments",
      albums: "albums",
      album_photos: "albums",
      trash: "trash",
      documents: "platform",
      documents_index: "platform",
      documents_waiting: "platform",
      list_counts: "platform",
      settings: "platform",
      leases: "platform",
      sqlite_sequence: "platform",
      migrations: "platform",
      programs: "platform",
    };
    const found = [...texts].flatMap(([name, text]) =>
      [...text.matchAll(/\b(?:INSERT INTO|DELETE FROM|UPDATE)\s+([a-z_]+)/g)]
        .filter(([, table = ""]) => owners[table] !== room(name))
        .map(([statement]) => `${name}: ${statement}`),
    );
    expect(found).toEqual([]);
  });

  test("no file is longer than 350 lines", () => {
    expect([...texts].filter(([, text]) => text.split("\n").length > 350).map(([name]) => name)).toEqual([]);
  });
});

function importsOf(name: string, text: string): string[] {
  const paths = [...text.matchAll(/(?:from|import)\s*\(?\s*["'](\.[^"']+)["']/g)].map((match) => match[1] as string);
  return paths.map((path) => relative(root, join(root, dirname(name), path)));
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
}

function circles(): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (name: string, way: string[]) => {
    if (way.includes(name)) return void found.push([...way.slice(way.indexOf(name)), name].join(" → "));
    if (done.has(name)) return;
    for (const next of imports.get(name) ?? []) visit(next, [...way, name]);
    done.add(name);
  };
  for (const name of files) visit(name, []);
  return found;
}
