import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { root } from "../kit/root.ts";

const document = readFileSync(`${root}docs/operate/security.md`, "utf8");

/** How many requirements of levels 1 and 2 each section of ASVS 5.0.0 has. They are numbered from 1 on. */
const sections = `1.1:2 1.2:9 1.3:11 1.4:3 1.5:2 2.1:3 2.2:3 2.3:4 2.4:1 3.2:2 3.3:4 3.4:6 3.5:5 3.7:2 4.1:3 4.2:1 4.3:2 4.4:4
  5.1:1 5.2:3 5.3:2 5.4:3 6.1:3 6.2:12 6.3:4 6.4:4 6.5:5 6.6:3 6.8:4 7.1:3 7.2:4 7.3:2 7.4:5 7.5:2 7.6:2 8.1:2 8.2:3 8.3:1 8.4:1
  9.1:3 9.2:4 10.1:2 10.2:2 10.3:4 10.4:11 10.5:5 10.6:2 10.7:3 11.1:2 11.2:3 11.3:3 11.4:4 11.5:1 11.6:1 12.1:3 12.2:2 12.3:4
  13.1:1 13.2:5 13.3:2 13.4:5 14.1:2 14.2:4 14.3:3 15.1:3 15.2:3 15.3:7 16.1:1 16.2:5 16.3:4 16.4:3 16.5:3 17.1:1 17.2:4 17.3:2`;

/** `6.2.2–3` stands for both. */
function expand(numbers: string): string[] {
  return numbers.split(", ").flatMap((item) => {
    const [, section = "", first = "", last = first] = /^(\d+\.\d+)\.(\d+)(?:–(\d+))?$/.exec(item) ?? [];
    return numbersOf(section, Number(first), Number(last));
  });
}

const numbersOf = (section: string, first: number, last: number): string[] =>
  Array.from({ length: last - first + 1 }, (_, index) => `${section}.${first + index}`);

const required = sections.split(/\s+/).flatMap((item) => {
  const [section = "", count] = item.split(":");
  return numbersOf(section, 1, Number(count));
});
const rows = [...document.matchAll(/^\| (\d[\d., –]*\d) +\| (.*) \|$/gm)].map(([, numbers = "", cells = ""]) => ({
  numbers,
  cells,
}));
const named = [...document.matchAll(/`([\w./-]+\.test\.ts)`: "([^"]+)"/g)].map(([, file = "", name = ""]) => ({
  file,
  name: name.replaceAll(String.raw`\_`, "_"),
}));

describe("docs/operate/security.md", () => {
  test("has every requirement once, and no others", () => {
    expect(required).toHaveLength(253);
    expect(rows.flatMap(({ numbers }) => expand(numbers)).toSorted()).toEqual(required.toSorted());
  });

  test("says how many are met, not met, and not applicable", () => {
    const [met = "", unmet = "", others = ""] = document.split(/^## .*$/m).slice(1);
    const count = (part: string) =>
      [...part.matchAll(/^\| (\d[\d., –]*\d) +\|/gm)].flatMap(([, numbers = ""]) => expand(numbers)).length;
    const prose = document.replaceAll(/\s+/g, " ");
    expect(prose).toContain(`${count(met)} are met`);
    expect(prose).toContain(`${count(unmet)} are not met`);
    expect(prose).toContain(`${count(others)} do not apply`);
  });

  test("names a test for each requirement that is met", () => {
    const [, met = ""] = document.split(/^## .*$/m);
    const claims = met.split("\n").filter((line) => /^\| \d/.test(line));
    expect(claims.length).toBeGreaterThan(50);
    expect(claims.filter((line) => !/`[\w./-]+\.test\.ts`: "[^"]+" +\|$/.test(line))).toEqual([]);
  });

  test("lists every file that opens connections to other servers", () => {
    const opens =
      /\bnew (?:RedisClient|SQL|SMTPConnection)\(|\bfetch\((?!request[,:])|from "node:(?:https|tls)"|\bBun\.(?:connect|udpSocket)\b/;
    const isOfServer = (path: string) => !/\.test\.ts$|\/browser\//.test(path);
    const files = [...new Bun.Glob("src/**/*.{ts,tsx}").scanSync(root)]
      .filter((path) => isOfServer(path) && opens.test(readFileSync(root + path, "utf8")))
      .toSorted();
    const [, list = ""] = document.split("## Connections that the server opens");
    const listed = [...list.matchAll(/`(src\/[^`]+)`/g)].map(([, path = ""]) => path);
    expect([...new Set(listed)].toSorted()).toEqual(files);
  });

  test.each(named)("names a test that exists: $file: $name", ({ file, name }) => {
    expect(existsSync(root + file)).toBe(true);
    const source = readFileSync(root + file, "utf8");
    const quoted = ['"', "`"].map((quote) => quote + name + quote);
    expect(quoted.some((text) => new RegExp(`\\(\\s*${RegExp.escape(text)}`).test(source))).toBe(true);
  });
});
