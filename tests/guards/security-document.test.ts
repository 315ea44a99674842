import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { root } from "../kit/root.ts";

const read = (path: string) => readFileSync(root + path, "utf8");

/** How many requirements of levels 1 and 2 each section of ASVS 5.0.0 has. They are numbered from 1 on. */
const sections = `1.1:2 1.2:9 1.3:11 1.4:3 1.5:2 2.1:3 2.2:3 2.3:4 2.4:1 3.2:2 3.3:4 3.4:6 3.5:5 3.7:2 4.1:3 4.2:1 4.3:2 4.4:4
  5.1:1 5.2:3 5.3:2 5.4:3 6.1:3 6.2:12 6.3:4 6.4:4 6.5:5 6.6:3 6.8:4 7.1:3 7.2:4 7.3:2 7.4:5 7.5:2 7.6:2 8.1:2 8.2:3 8.3:1 8.4:1
  9.1:3 9.2:4 10.1:2 10.2:2 10.3:4 10.4:11 10.5:5 10.6:2 10.7:3 11.1:2 11.2:3 11.3:3 11.4:4 11.5:1 11.6:1 12.1:3 12.2:2 12.3:4
  13.1:1 13.2:5 13.3:2 13.4:5 14.1:2 14.2:4 14.3:3 15.1:3 15.2:3 15.3:7 16.1:1 16.2:5 16.3:4 16.4:3 16.5:3 17.1:1 17.2:4 17.3:2`;

const required = sections.split(/\s+/).flatMap((item) => {
  const [section = "", count] = item.split(":");
  return expandNumbers(`${section}.1–${count}`);
});

const page = read("docs/reference/asvs.md");
const [introduction = "", met = "", unmet = "", others = ""] = page.split(/^## .*\n/m);

describe("docs/reference/asvs.md", () => {
  const shown = listRows(met).map(({ numbers, cells: [, tests = ""] }) => ({ numbers, tests: listTests(tests) }));

  test("has every requirement once, and no others", () => {
    expect(required).toHaveLength(253);
    const numbers = listRows(page).flatMap((row) => expandNumbers(row.numbers));
    expect(numbers.toSorted()).toEqual(required.toSorted());
  });

  test("has a test for each requirement that is met, in its chapter", () => {
    expect(shown.length).toBeGreaterThan(50);
    expect(shown.filter(({ tests }) => tests.length === 0)).toEqual([]);
    for (const [, chapter = "", table = ""] of met.matchAll(/^### V(\d+):.*\n([^#]*)/gm))
      expect(listRows(table).filter(({ numbers }) => !numbers.startsWith(`${chapter}.`))).toEqual([]);
  });

  test.each(shown.flatMap(({ tests }) => tests))("names a test that exists: $file: $name", ({ file, name }) => {
    expect(existsSync(root + file)).toBe(true);
    const quoted = ['"', "`"].map((quote) => quote + name + quote);
    expect(quoted.some((text) => new RegExp(`\\(\\s*${RegExp.escape(text)}`).test(read(file)))).toBe(true);
  });

  test("says how many requirements are met, are not met, and do not apply", () => {
    expectCounts(introduction);
  });
});

describe("docs/operate/security.md", () => {
  const document = read("docs/operate/security.md");

  test("says how many requirements are met, are not met, and do not apply", () => {
    expectCounts(document);
  });

  test("lists every file that opens connections to other servers", () => {
    const opens =
      /\bnew (?:RedisClient|SQL|SMTPConnection)\(|\bfetch\((?!request[,:])|from "node:(?:https|tls)"|\bBun\.(?:connect|udpSocket)\b/;
    const isOfServer = (path: string) => !/\.test\.ts$|\/browser\//.test(path);
    const files = [...new Bun.Glob("src/**/*.{ts,tsx}").scanSync(root)]
      .filter((path) => isOfServer(path) && opens.test(read(path)))
      .toSorted();
    const [, list = ""] = document.split("## Connections that the server opens");
    const listed = [...list.matchAll(/`(src\/[^`]+)`/g)].map(([, path = ""]) => path);
    expect([...new Set(listed)].toSorted()).toEqual(files);
  });
});

type Row = { numbers: string; cells: string[] };

/** The rows of all tables in the text, without the lines that name the columns. */
function listRows(text: string): Row[] {
  return [...text.matchAll(/^\| (\d.*) \|$/gm)].map(([, row = ""]) => {
    const [numbers = "", ...cells] = row.split(" | ").map((cell) => cell.trim());
    return { numbers, cells };
  });
}

function listTests(cell: string): { file: string; name: string }[] {
  const tests = cell.matchAll(/`([^`]+)`: "(.*?)"(?=; `|$)/g);
  return [...tests].map(([, file = "", name = ""]) => ({ file, name: name.replaceAll(/\\(.)/g, "$1") }));
}

/** `6.2.2–3, 6.2.5` are three requirements. */
function expandNumbers(numbers: string): string[] {
  return numbers.split(", ").flatMap((item) => {
    const [, section = "", first = "", last = first] = /^(\d+\.\d+)\.(\d+)(?:–(\d+))?$/.exec(item) ?? [];
    const count = Number(last) - Number(first) + 1;
    return Array.from({ length: count }, (_, index) => `${section}.${Number(first) + index}`);
  });
}

function expectCounts(text: string): void {
  const [isMet, isNot, doNot] = [met, unmet, others].map(
    (part) => listRows(part).flatMap(({ numbers }) => expandNumbers(numbers)).length,
  );
  const prose = text.replaceAll(/\s+/g, " ");
  expect(prose).toContain(`${isMet} are met`);
  expect(prose).toContain(`${isNot} are not met`);
  expect(prose).toContain(`${doNot} do not apply`);
}
