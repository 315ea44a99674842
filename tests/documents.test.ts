import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { version } from "../src/version.ts";

const root = fileURLToPath(new URL("../", import.meta.url));
const read = (path: string) => readFileSync(join(root, path), "utf8");
const list = (directory: string) =>
  readdirSync(join(root, directory))
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(directory, name));

const guides = [...list("."), ...list("docs"), "bench/README.md", "client/README.md"];
const documents = [...guides, ...list("docs/decisions"), ...list(".github"), ...list(".github/ISSUE_TEMPLATE")];
const readme = read("README.md");

describe("the documents", () => {
  test.each(documents)("%s has only links that lead somewhere", (path) => {
    const broken = linksOf(read(path)).filter((link) => !leadsSomewhere(path, link));
    expect(broken).toEqual([]);
  });

  test("are all linked from the README", () => {
    const linked = new Set(linksOf(readme).map((link) => link.split("#")[0]));
    const wanted = [...guides.filter((path) => path !== "README.md"), "docs/decisions", "LICENSE", ".env.example"];
    expect(wanted.filter((path) => !linked.has(path))).toEqual([]);
  });
});

test("the README names the version", () => {
  expect(readme).toContain(`version ${version}`);
});

describe("the variables that the server reads", () => {
  const config = read("src/config.ts");
  const variables = new Set([...config.matchAll(/\(env, "([A-Z_]+)"/g)].map(([, name = ""]) => name));
  const secrets = new Set([...config.matchAll(/(?:secret|token)\(env, "([A-Z_]+)"/g)].map(([, name = ""]) => name));
  const rows = [...readme.matchAll(/^\| `([A-Z_]+)` +\|/gm)].map(([, name = ""]) => name);

  test("each have a row in the README, and there are no others", () => {
    expect(variables.size).toBeGreaterThan(25);
    expect(rows.toSorted()).toEqual([...variables].toSorted());
  });

  test("are named in the README where they can be files", () => {
    const [, sentence = ""] = /\n\n(`[^\n]*(?:\n[^\n]+)*?) can also be\s+read from a file/.exec(readme) ?? [];
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
