import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { countRequirements, expandNumbers } from "../../bin/asvs.ts";
import { root } from "../kit/root.ts";
import asvs from "./asvs.json";

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

describe("tests/guards/asvs.json", () => {
  test("has every requirement once, and no others", () => {
    expect(required).toHaveLength(253);
    const rows = [...asvs.met, ...asvs.unmet, ...asvs.notApplicable];
    expect(rows.flatMap(({ numbers }) => expandNumbers(numbers)).toSorted()).toEqual(required.toSorted());
  });

  test("has a chapter and a test for each requirement that is met", () => {
    const chapters = Object.keys(asvs.chapters);
    expect(asvs.met.length).toBeGreaterThan(50);
    expect(asvs.met.filter(({ numbers }) => !chapters.includes(numbers.split(".")[0] ?? ""))).toEqual([]);
    expect(asvs.met.filter(({ tests }) => tests.length === 0)).toEqual([]);
  });

  test.each(asvs.met.flatMap(({ tests }) => tests))("names a test that exists: %s", (named) => {
    const [file = "", name = ""] = named.split(/: (.*)/);
    expect(existsSync(root + file)).toBe(true);
    const quoted = ['"', "`"].map((quote) => quote + name + quote);
    expect(quoted.some((text) => new RegExp(`\\(\\s*${RegExp.escape(text)}`).test(read(file)))).toBe(true);
  });
});

describe("docs/operate/security.md", () => {
  const document = read("docs/operate/security.md");

  test("says how many requirements are met, are not met, and do not apply", () => {
    const [met, unmet, others] = countRequirements();
    const prose = document.replaceAll(/\s+/g, " ");
    expect(prose).toContain(`${met} are met`);
    expect(prose).toContain(`${unmet} are not met`);
    expect(prose).toContain(`${others} do not apply`);
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
