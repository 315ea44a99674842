import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Attack, attacksOn, findBuilt, findLiterals } from "../kit/patterns.ts";
import { isLong } from "../kit/long.ts";

const src = fileURLToPath(new URL("../../src", import.meta.url));
const files = [...new Bun.Glob("**/*.ts").scanSync({ cwd: src })]
  .filter((file) => !file.endsWith(".test.ts"))
  .toSorted();

/** Patterns in these files are never applied to a part of a request. */
const exempt = new Set([
  // Configuration, and responses of the configured blob store.
  "config.ts",
  "platform/blobs/s3-calls.ts",
  "platform/blobs/s3-xml.ts",
  // Migrations.
  "platform/database/migrate.ts",
]);

/** Texts before and after an attack: after it, something that keeps an anchor from matching. */
const surroundings = ["", "\0", "x", "\n", "!"];
const endings = isLong ? surroundings : ["\0"];
/** Where a match begins matters only to a pattern that looks there. */
const startsFor = ({ source }: RegExp) => (isLong ? surroundings : /[\^b]|\?</.test(source) ? ["", "\0"] : [""]);
const [few, many] = [1000, 10_000];
/** In milliseconds. A smaller cost is noise. */
const floor = 2;
/** The maximum cost of one long text, compared with ten short ones of the same total length. */
const maxGrowth = 3;

describe("no pattern takes more than linear time in the length of its text", () => {
  for (const file of files.filter((each) => !exempt.has(each))) {
    const source = readFileSync(`${src}/${file}`, "utf8");
    const literals = findLiterals(source);
    const isBuilding = /\bRegExp\(/.test(source);
    if (literals.length === 0 && !isBuilding) continue;
    test(file, async () => {
      const built = isBuilding ? await findBuilt(`${src}/${file}`) : [];
      // A pattern that is built later cannot be tested here: build it when the module is loaded.
      if (isBuilding) expect(built).not.toEqual([]);
      expect([...literals, ...built].flatMap((pattern) => findSlow(pattern) ?? [])).toEqual([]);
    });
  }
});

test.each([
  [/\/+$/, true],
  [/^\/+|\/+$/g, true],
  [/(a+)+$/, true],
  [/^(\w+\s?)*$/, true],
  [/^[\w.]+@(\w+\.)+com$/, false],
  [/\d*[0-5]*x/, true],
  [/,\s*\d+\s*$/, false],
  [/\s*,\s*$/, true],
  [/^\s*(\S+)\s*$/, false],
  [/"[^"]*"/g, false],
  [/<[^>]*>/g, true],
  [/^[a-z]+(-[a-z]+)*$/, false],
  [/\b(gzip|br)\s*;\s*q=0(\.0*)?\s*(,|$)/gi, false],
])("%p is slow: %p", (pattern, isSlow) => expect(findSlow(pattern) !== null).toBe(isSlow));

test("every literal is found, and nothing else", () => {
  const source =
    'const a = 1 / 2 / x; const b = `/${y / 2}/ ${`/${/c\\/d/g.test(z)}`}`; return /[/]"/u; // /no/\nf(q) / 2';
  expect(findLiterals(`function f() { ${source} }`).map(String)).toEqual(["/c\\/d/g", '/[/]"/u']);
});

/** The first text for which the pattern takes more than linear time, or null. */
function findSlow(pattern: RegExp): string | null {
  for (const { prefix, pump } of attacksOn(pattern)) {
    for (const before of startsFor(pattern)) {
      for (const after of endings) {
        const attack = { prefix: before + prefix, pump, ending: after };
        if (isSlow(pattern, attack)) return `${pattern} on ${JSON.stringify(attack)}`;
      }
    }
  }
  return null;
}

/** By processor time, which other work on the machine does not change. */
function isSlow(pattern: RegExp, { prefix, pump, ending }: Attack & { ending: string }): boolean {
  const cost = (count: number, times = 1) => {
    const text = prefix + pump.repeat(count) + ending;
    const before = process.cpuUsage();
    for (let time = 0; time < times; time++) text.replace(pattern, "");
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  // Small steps at first, so that an exponential pattern is found before it would take forever. Of a longer text, only the growth says
  // whether the pattern is slow or the machine.
  for (let count = 8; count < many; count = Math.ceil(count * (count < 50 ? 1.25 : 4))) {
    const spent = cost(count);
    if (spent > 500 || (count < few && spent > 50 && least(() => cost(count)) > 50)) return true;
  }
  if (cost(many) < floor) return false;
  const growth = () =>
    least(() => cost(many)) /
    Math.max(
      floor / maxGrowth,
      least(() => cost(few, many / few)),
    );
  // A busy machine can slow down the long text alone, but not each time, and not by far.
  for (let turn = 0; turn < 4; turn++) {
    const times = growth();
    if (times <= maxGrowth) return false;
    if (times > 2 * maxGrowth) return true;
  }
  return true;
}

/** The minimum of several measurements, because other work on the machine can only make them longer. */
const least = (measure: () => number) => Math.min(...Array.from({ length: 3 }, measure));
