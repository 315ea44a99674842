import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { version } from "../../src/platform/version.ts";
import { root } from "../kit/root.ts";

const read = (path: string) => readFileSync(join(root, path), "utf8");
const list = (directory: string) =>
  readdirSync(join(root, directory))
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(directory, name));

/** By who reads them. */
const folders = ["start", "use", "operate", "build", "reference"].map((name) => join("docs", name));
const indexes = folders.map((folder) => join(folder, "README.md"));
const guides = [...list("."), ...list("docs"), ...folders.flatMap(list), "bench/README.md", "client/README.md"];
const index = "docs/decisions/README.md";
const records = list("docs/decisions").filter((path) => path !== index);
const notebook = list("bench/notebook");
const documents = [
  ...guides,
  "tests/README.md",
  "tests/corpus/README.md",
  index,
  ...records,
  ...notebook,
  ...list(".github"),
  ...list(".github/ISSUE_TEMPLATE"),
];
const readme = read("README.md");

describe("the documents", () => {
  test.each(documents)("%s has only links that lead somewhere", (path) => {
    const broken = linksOf(read(path)).filter((link) => !leadsSomewhere(path, link));
    expect(broken).toEqual([]);
  });

  test("are all linked from the README, or from the index of a folder, which the README links", () => {
    const fromReadme = targetsOf("README.md");
    expect(indexes.filter((path) => !fromReadme.includes(path))).toEqual([]);
    const linked = new Set(["README.md", ...indexes].flatMap(targetsOf));
    const wanted = [...guides.filter((path) => path !== "README.md"), "docs/decisions", "LICENSE", ".env.example"];
    expect(wanted.filter((path) => !linked.has(path))).toEqual([]);
  });

  test.each(folders)("in %s are all in its index", (folder) => {
    const linked = targetsOf(join(folder, "README.md"));
    expect(list(folder).filter((path) => !linked.includes(path) && basename(path) !== "README.md")).toEqual([]);
  });
});

/** One page. What was measured belongs in the notebook. */
const maxRecordWords = 350;

describe("a decision record", () => {
  test.each(records)("%s is one page with a question, a decision and its price", (path) => {
    const record = read(path);
    expect(record.split(/\s+/).filter(Boolean).length).toBeLessThanOrEqual(maxRecordWords);
    const parts = [...record.matchAll(/^\*\*(Question|Decision|Price)\b/gm)].map(([, part = ""]) => part);
    expect([...new Set(parts)]).toEqual(["Question", "Decision", "Price"]);
  });

  test("is named once in the index", () => {
    const named = linksOf(read(index)).filter((link) => /^\d{4}-/.test(link));
    expect(named.toSorted()).toEqual(records.map((path) => basename(path)).toSorted());
  });

  test("that is named anywhere exists", () => {
    const numbers = new Set(records.map((path) => basename(path).slice(0, 4)));
    const files = new Bun.Glob(
      "{src,convert,studio,client,bench,tests,docs,bin,deploy}/**/*.{ts,tsx,js,css,sql,md,yml}",
    );
    const sources = [...files.scanSync(root)].filter((path) => !path.includes("node_modules"));
    expect(sources.length).toBeGreaterThan(1000);
    const missing = [...new Set([...sources, ...guides])].flatMap((path) =>
      [...read(path).matchAll(/\b(?:decisions? \[?|decisions\/|notebook\/)(\d{4})\b/g)]
        .filter(([, number = ""]) => !numbers.has(number))
        .map(([text]) => `${path}: ${text}`),
    );
    expect(missing).toEqual([]);
  });

  test.each(notebook)("%s is the notebook of a record, and each links to the other", (path) => {
    const record = join("docs/decisions", basename(path));
    expect(linksOf(read(path))).toContain(relative(dirname(path), record));
    expect(linksOf(read(record))).toContain(relative(dirname(record), path));
  });
});

describe("the glossary of STYLE.md", () => {
  const texts = ["src/web/site/texts", "studio"].flatMap((directory) =>
    readdirSync(join(root, directory), { recursive: true, encoding: "utf8" })
      .map((name) => join(directory, name))
      .filter((path) => directory === "src/web/site/texts" || path.endsWith("/texts.ts")),
  );
  // They name the words that are not used, or what was written before.
  const others = new Set(["STYLE.md", "CHANGELOG.md"]);
  const written = [...documents.filter((path) => !others.has(path)), ...texts, "build/client/api.ts"];
  const unused = [
    { word: /\bfilms?\b/gi, use: "video" },
    {
      word: /\b(end|ends|ended) (a|the|this|all|one of your) (share )?(links?|sessions?|tokens?|invitations?)\b/gi,
      use: "revoke",
    },
    { word: /\b(link|token|invitation) (has |was )?ended\b/gi, use: "revoked, or expired" },
  ];

  test.each(unused)("has $use instead of $word in documents, in texts on screen and in the API", ({ word }) => {
    expect(texts.length).toBeGreaterThan(20);
    const found = written.flatMap((path) => (read(path).match(word) ?? []).map((match) => `${path}: ${match}`));
    expect(found).toEqual([]);
  });
});

test("the README names the version", () => {
  expect(readme).toContain(`version ${version}`);
});

describe("the variables that the server reads", () => {
  const config = read("src/config.ts");
  const variables = new Set([...config.matchAll(/\(env, "([A-Z_]+)"/g)].map(([, name = ""]) => name));
  const secrets = new Set([...config.matchAll(/(?:secret|token)\(env, "([A-Z_]+)"/g)].map(([, name = ""]) => name));
  const page = read("docs/reference/configuration.md");
  const rows = [...page.matchAll(/^\| `([A-Z_]+)` +\|/gm)].map(([, name = ""]) => name);

  test("each have a row in the reference, and there are no others", () => {
    expect(variables.size).toBeGreaterThan(25);
    expect(rows.toSorted()).toEqual([...variables].toSorted());
  });

  test("are named in the reference where they can be files", () => {
    const [, sentence = ""] = /\n\n(`[^\n]*(?:\n[^\n]+)*?) can also be\s+read from a file/.exec(page) ?? [];
    const named = [...sentence.matchAll(/`([A-Z_]+)`/g)].map(([, name = ""]) => name);
    expect(named.toSorted()).toEqual([...secrets].toSorted());
  });

  test("include those in .env.example", () => {
    const named = [...read(".env.example").matchAll(/^# ([A-Z_]+)=/gm)].map(([, name = ""]) => name);
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !variables.has(name))).toEqual([]);
  });
});

/** Links to files of the repository, and images. */
function linksOf(document: string): string[] {
  const prose = document.replaceAll(/^```[^]*?^```/gm, "");
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
  return links.filter((link) => !/^https?:/.test(link));
}

/** The files of the repository to which a document links. */
function targetsOf(path: string): string[] {
  const links = linksOf(read(path)).map((link) => link.split("#")[0] ?? "");
  return links.filter(Boolean).map((link) => join(dirname(path), link));
}

function leadsSomewhere(from: string, link: string): boolean {
  const [path = "", anchor] = link.split("#");
  const target = path ? relative(root, join(root, dirname(from), path)) : from;
  if (!existsSync(join(root, target))) return false;
  return anchor === undefined || anchorsOf(read(target)).includes(anchor);
}

/** As GitHub derives them from headings. */
function anchorsOf(document: string): string[] {
  return [...document.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
}
