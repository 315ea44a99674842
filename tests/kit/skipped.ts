/**
 * Says in one line what `npm test` has skipped, and why: `node bin/bun tests/kit/skipped.ts <directory of the reports>`. The report of the
 * tests is `tests.xml`, that of those on PostgreSQL, S3 and Redis `servers.xml`. With a number of files, these would have run on them.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { serverNames } from "./optional.ts";

const [directory = "", files] = process.argv.slice(2);
const reports = ["tests.xml", "servers.xml"].map((name) => join(directory, name)).filter((path) => existsSync(path));
const hasServers = reports.length === 2;
const skippedCase = /<testcase name="([^"]+)" classname="([^"]*)" time="[^"]*" file="([^"]+)"[^>]*>\s*<skipped/g;

/** The tests that were skipped, by what they need; those that have not said what are under "". */
const skipped = new Map<string, Set<string>>();
for (const [index, report] of reports.entries()) {
  for (const [, name = "", outer = "", file = ""] of readFileSync(report, "utf8").matchAll(skippedCase)) {
    const need = /\[needs ([^\]]+)\]/.exec(`${outer} ${name}`)?.[1]?.replaceAll("&apos;", "'") ?? "";
    // Hooks have no name. What the second run skips without saying why has run in the first.
    if (name === "(unnamed)" || (need === serverNames && hasServers) || (need === "" && index === 1)) continue;
    skipped.set(need, (skipped.get(need) ?? new Set()).add(`${file}: ${outer}: ${name}`));
  }
}

const counts = [...skipped].filter(([need]) => need !== "").map(([need, { size }]) => ({ need, size }));
const [first, ...rest] = counts.toSorted((one, other) => other.size - one.size);
const parts = rest.map(({ need, size }) => `${size} ${need}`);
if (first) parts.unshift(`${first.size} ${first.size === 1 ? "test that needs" : "tests that need"} ${first.need}`);
if (files && !hasServers) parts.push(`those of ${Number(files)} files that also run on ${serverNames}`);
const others = skipped.get("")?.size;
if (others) parts.push(`${others} of npm run test:long, or of other engines and systems`);
const command = 'On Debian, as root: eval "$(bin/test-servers start)" && npm test; bin/test-servers stop';
if (parts.length > 0) console.log(`Skipped: ${parts.join(", ")}.${first || !hasServers ? ` ${command}` : ""}`);
