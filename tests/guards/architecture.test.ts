import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { OpenAPI } from "../../src/platform/http/openapi.ts";
import { client } from "../kit/client.ts";
import { startServer } from "../kit/server.ts";
import { moduleOf, ownersOfTables, readDeclarations, writersOfAnyTable } from "../kit/table-owners.ts";

const root = fileURLToPath(new URL("../../src/", import.meta.url));
const files = [...new Bun.Glob("**/*.{ts,tsx}").scanSync(root)].filter((name) => !name.endsWith(".test.ts"));
const texts = new Map(files.map((name) => [name, readFileSync(join(root, name), "utf8")]));
const imports = new Map([...texts].map(([name, text]) => [name, importsOf(name, text)]));

const declarations = await readDeclarations();

/** `from file: what it should not do`, for every pair of importing and imported file that the rule forbids. */
function breaches(isForbidden: (from: string, to: string) => boolean): string[] {
  return [...imports].flatMap(([from, targets]) =>
    targets.filter((to) => isForbidden(from, to)).map((to) => `${from} imports ${to}`),
  );
}

/** Routes of pages, which are loaded when one is requested. */
const routesOfPages = new Set([
  "src/server.ts imports src/web/api-page/routes.ts",
  "src/web/site/pages.ts imports src/web/site/for-programs/program-routes.ts",
]);

const mentions = (pattern: RegExp, allowed: (name: string) => boolean) =>
  [...texts].filter(([name, text]) => !allowed(name) && pattern.test(withoutComments(text))).map(([name]) => name);

describe("the architecture", () => {
  test("the files were found", () => {
    expect(files.length).toBeGreaterThan(50);
    expect(imports.get("modules.ts")).toContain("content/photos/module.ts");
  });

  test("the platform names no module: no table, tag, operation, path, parameter or header of one", async () => {
    await using server = await startServer();
    const { body } = await client(server).get<OpenAPI>("/openapi.json");
    const names = namesOfModules(body);
    for (const name of ["/signin", "/api/v1", "blogPostID", "Upload-Offset", "listAlbums", "reservations"]) {
      expect([...names.keys()]).toContain(name);
    }
    const found = [...texts].flatMap(([file, text]) =>
      moduleOf(file) === "platform"
        ? [...names].filter(([, pattern]) => pattern.test(withoutComments(text))).map(([name]) => `${file}: ${name}`)
        : [],
    );
    expect(found).toEqual([]);
  });

  test("is shown in ARCHITECTURE.md with the folders and files that exist", () => {
    const shown = shownTree(readFileSync(join(root, "../ARCHITECTURE.md"), "utf8"));
    const folders = shown.filter((path) => path.endsWith("/"));
    expect(shown.length).toBeGreaterThan(70);
    expect(shown.filter((path) => !existsSync(join(root, "..", path)))).toEqual([]);
    // Folders of which one folder is shown are shown with all of them.
    for (const parent of ["", ...folders].filter((path) => folders.some((one) => parentOf(one) === path))) {
      expect(folders.filter((path) => parentOf(path) === parent).toSorted()).toEqual(foldersIn(parent));
    }
    for (const floor of ["src", "src/web", "src/features", "src/content", "src/core", "src/platform"]) {
      expect(folders.filter((path) => parentOf(path) === `${floor}/`)).not.toEqual([]);
    }
  });

  test("only modules.ts imports the declaration of a module", () => {
    expect(breaches((from, to) => to.endsWith("/module.ts") && from !== "modules.ts")).toEqual([]);
  });

  test("the routes of a folder are imported by its declaration, or by other routes beside them", () => {
    const isRoutes = (name: string) => /[/-]routes\.ts$/.test(name);
    const isAllowed = (from: string, to: string) =>
      (dirname(from) === dirname(to) && (from.endsWith("/module.ts") || isRoutes(from))) ||
      routesOfPages.has(`src/${from} imports src/${to}`);
    expect(files.filter(isRoutes).length).toBeGreaterThan(25);
    expect(breaches((from, to) => isRoutes(to) && !isAllowed(from, to))).toEqual([]);
  });

  test("only config.ts reads the environment", () => {
    expect(mentions(/process\.env|Bun\.env|import\.meta\.env/, (name) => name === "config.ts")).toEqual([]);
  });

  test("only the platform and main.ts use the runtime's own API", () => {
    expect(mentions(/\bBun\.|["']bun:/, (name) => moduleOf(name) === "platform" || name === "main.ts")).toEqual([]);
  });

  test("no files import each other in a cycle", () => {
    expect(cycles(imports)).toEqual([]);
  });

  test("no folders import each other in a cycle", () => {
    expect(cycles(folderImports())).toEqual([]);
  });

  test("only the owner of a table writes to it", async () => {
    const owners = await ownersOfTables();
    const found = [...texts].flatMap(([name, text]) =>
      writesIn(text)
        .filter(({ table }) => table !== null && owners.get(table) !== moduleOf(name))
        .map(({ statement }) => `${name}: ${statement}`),
    );
    expect(found).toEqual([]);
  });

  test("statements of the platform and the core name no table of a floor above", async () => {
    const above = [...(await ownersOfTables())].filter(([, owner]) => !/^(platform|core)/.test(owner));
    const named = new RegExp(
      String.raw`\b(?:FROM|JOIN|INTO|UPDATE)\s+(${above.map(([table]) => table).join("|")})\b`,
      "g",
    );
    const found = [...texts].flatMap(([file, text]) =>
      /^(platform|core)\//.test(file)
        ? Array.from(withoutComments(text).matchAll(named), ([, table]) => `${file}: ${table}`)
        : [],
    );
    expect(above.length).toBeGreaterThan(30);
    expect([...new Set(found)]).toEqual([]);
  });

  test("only the named files write to a table whose name is a parameter", () => {
    const found = [...texts].filter(([, text]) => writesIn(text).some(({ table }) => table === null));
    expect(found.map(([name]) => `src/${name}`).toSorted()).toEqual(Object.keys(writersOfAnyTable).toSorted());
  });

  test("files are flushed by a call whose error counts, not by an option that ignores it", () => {
    expect(mentions(/\bflush["']?\s*:\s*true|\{\s*flush\s*[,}]|\bBun\.write\(/, () => false)).toEqual([]);
  });

  test("only SQLite opens a database and the index of its log: to close them would take its locks", () => {
    // What a file imports to open, read or copy files.
    const opens =
      /import \{[^}]*\b(open|openSync|readFile|readFileSync|copyFile|copyFileSync|cp|cpSync|createReadStream)\b[^}]*\} from "node:fs|\bBun\.file\b/;
    const inDatabase = mentions(opens, (name) => !name.startsWith("platform/database/"));
    expect(inDatabase.toSorted()).toEqual([
      // The log, in which nothing is locked.
      "platform/database/lost-frames.ts",
      // The texts of migrations.
      "platform/database/migrate.ts",
      // A damaged database, which SQLite does not open.
      "platform/database/salvage-pages.ts",
      // Copies, and a database that nobody has open.
      "platform/database/upgrade-snapshots.ts",
      // The log again: it is flushed.
      "platform/database/wal.ts",
    ]);
    const opened =
      /(openSync|[rR]eadFile(Sync)?|copyFile(Sync)?|\bcp(Sync)?|createReadStream|Bun\.file|\bopen)\([^;]*(vitrine\.db|-shm)/;
    expect(mentions(opened, () => false)).toEqual([]);
    expect(mentions(/-shm/, () => false).toSorted()).toEqual([
      "commands/rescue-work.ts",
      "engines.ts",
      "features/exports/restore.ts",
      "platform/backups/kept-databases.ts",
      // A log that was left behind is named.
      "platform/database-directory.ts",
      // By its number only.
      "platform/locked-files.ts",
    ]);
  });

  test("garbage is collected only where it is said why", () => {
    expect(mentions(/\bBun\.gc\b/, (name) => name === "platform/collect-garbage.ts")).toEqual([]);
  });

  test("no text is run as code, and no shell is started but by the file that says how", () => {
    expect(mentions(/\beval\(|\bFunction\(|node:vm/, () => false)).toEqual([]);
    const shells = mentions(/child_process|\bBun\.\$|["'`/](?:ba)?sh["'`]/, () => false);
    expect(shells).toEqual(["platform/images/video-frame.ts"]);
  });

  test("values are compared together with their types", () => {
    // `== null` means undefined, too; the scripts for Redis are in Lua.
    expect(mentions(/(?<![=!<>])[=!]=(?!=)(?! null)/, (name) => name === "platform/limits/redis.ts")).toEqual([]);
  });

  test("hashes are SHA-256, but for checksums of uploads and of other programs, the names of scripts, and codes of apps", () => {
    expect(mentions(/\b(md5|sha-?1)\b/i, () => false).toSorted()).toEqual([
      "features/dav/checksum.ts",
      "features/uploads/protocol.ts",
      "features/uploads/routes.ts",
      "platform/auth/totp.ts",
      "platform/hash.ts",
      "platform/limits/redis.ts",
    ]);
  });

  test("the tests look for programs that not every machine has only in tests/kit/optional.ts, and only its helper says what is skipped", () => {
    const names = [...new Bun.Glob("{src,convert,tests}/**/*.ts").scanSync(join(root, ".."))].filter(
      (name) =>
        /^tests\/|\.test\.ts$/.test(name) && name !== "tests/kit/optional.ts" && name !== "tests/kit/skipped.ts",
    );
    const otherWays = /\bBun\.which\(|["'`]\/usr\/(?:local\/)?(?:s?bin|lib)\b|console\.\w+\(["'`](?:Skipped|Not tried)/;
    const read = (name: string) => withoutComments(readFileSync(join(root, "..", name), "utf8"));
    expect(names.length).toBeGreaterThan(300);
    expect(names.filter((name) => otherWays.test(read(name)))).toEqual([]);
  });

  test("no file is longer than 350 lines", () => {
    expect([...texts].filter(([, text]) => text.split("\n").length > 350).map(([name]) => name)).toEqual([]);
  });
});

/** The paths of the tree in a document, from the directory of the project; those of folders end with a slash. */
function shownTree(document: string): string[] {
  const [, tree = ""] = /^```\n([^]*?)^```/m.exec(document) ?? [];
  const parents: string[] = [];
  return Array.from(tree.matchAll(/^( *)(\S+)/gm), ([, indent = "", name = ""]) => {
    parents.length = indent.length / 2;
    parents.push(name);
    return parents.join("");
  });
}

const parentOf = (folder: string): string => folder.replace(/[^/]+\/$/, "");

/** Without those that git ignores, and hidden ones. */
function foldersIn(path: string): string[] {
  const patterns = readFileSync(join(root, "../.gitignore"), "utf8").split("\n");
  const ignored = new Set(patterns.map((pattern) => pattern.replace(/^\//, "")));
  return readdirSync(join(root, "..", path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${name}/`)
    .filter((name) => !name.startsWith(".") && !ignored.has(name))
    .map((name) => path + name)
    .toSorted();
}

/** The writes in this text; `table` is null if its name is not written there but filled in. */
function writesIn(text: string): { statement: string; table: string | null }[] {
  const verb = String.raw`INSERT(?:\s+OR\s+\w+)?\s+INTO|REPLACE\s+INTO|DELETE\s+FROM|(?<!\b(?:DO|FOR|KEY)\s+)UPDATE`;
  const statements = text.matchAll(new RegExp(String.raw`\b(?:${verb})\s+(?:"?([a-z_]+)|\$\{|["'\x60]\s*\+)`, "g"));
  const removals = text.matchAll(/\bremoveRows\(\w+,\s*(?:"([a-z_]+)")?/g);
  return [...statements, ...removals].map(([statement, table = null]) => ({ statement, table }));
}

function importsOf(name: string, text: string): string[] {
  const paths = [...text.matchAll(/(?:from|import)\s*\(?\s*["'](\.[^"']+)["']/g)].map((match) => match[1] as string);
  return paths.map((path) => relative(root, join(root, dirname(name), path)));
}

/** The names that modules declare, each with a pattern that finds it in code where the word alone may mean another thing. */
function namesOfModules({ paths, tags }: OpenAPI): Map<string, RegExp> {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const parameters = operations.flatMap((operation) => operation.parameters as { name: string; in: string }[]);
  const own = new Set(["id", "recordID", "path", "page", "pageSize", "If-Match", "Idempotency-Key"]);
  const quoted = (name: string) => new RegExp(`["'\`]${name}["'\`]`);
  const word = (name: string) => new RegExp(`(?<![\\w-])${name}(?![\\w-])`);
  const tables = declarations.flatMap(([, module]) => module.tables ?? []);
  return new Map([
    ["trash_id", word("trash_id")] as const,
    ...tables.map(({ name }) => [name, new RegExp(`\\b(FROM|JOIN|INTO|UPDATE|TABLE) ${name}\\b`)] as const),
    ...(tags as { name: string }[]).map(({ name }) => [name, quoted(name)] as const),
    ...operations.map(({ operationId }) => [operationId, quoted(operationId)] as const),
    ...Object.keys(paths).flatMap((path) => parentsOf(path).map((parent) => [parent, word(parent)] as const)),
    ...parameters
      .filter(({ name }) => !own.has(name) && /[A-Z]/.test(name))
      .map(({ name }) => [name, word(name)] as const),
  ]);
}

/** The path up to each of its steps, as far as it has no parameters: `/api`, `/api/v1`, `/api/v1/albums`. */
function parentsOf(path: string): string[] {
  const steps = path
    .replace(/\/\{.*/, "")
    .split("/")
    .slice(1)
    .filter(Boolean);
  return steps.map((_, index) => `/${steps.slice(0, index + 1).join("/")}`);
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
}

/** The imports between the entries of each directory, which are folders and single files. */
/** The declarations of modules are left out: they belong to `modules.ts`, which alone imports them. */
function folderImports(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [file, targets] of imports) {
    if (file.endsWith("/module.ts")) continue;
    for (const target of targets) {
      const [from, to] = [file.split("/"), target.split("/")];
      const common = from.findIndex((step, index) => step !== to[index]);
      const entry = (steps: string[]) => steps.slice(0, common + 1).join("/");
      found.set(entry(from), [...(found.get(entry(from)) ?? []), entry(to)]);
    }
  }
  return found;
}

function cycles(graph: Map<string, string[]>): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (name: string, way: string[]) => {
    if (way.includes(name)) return void found.push([...way.slice(way.indexOf(name)), name].join(" → "));
    if (done.has(name)) return;
    for (const next of graph.get(name) ?? []) visit(next, [...way, name]);
    done.add(name);
  };
  for (const name of graph.keys()) visit(name, []);
  return [...new Set(found)];
}
