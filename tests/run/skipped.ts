import { existsSync, readFileSync } from "node:fs";
import { serverNames } from "../kit/optional.ts";

const skippedCase = /<testcase name="([^"]+)" classname="([^"]*)" time="[^"]*" file="([^"]+)"[^>]*>\s*<skipped/g;

/**
 * What was skipped, and why, in one line; null if nothing was. `servers` are the reports of the tests that ran on PostgreSQL, S3 and
 * Redis, or how many files would have run there.
 */
export function describeSkipped(embedded: readonly string[], servers: readonly string[] | number): string | null {
  const hasServers = typeof servers !== "number";
  /** The tests that were skipped, by what they need; those that have not said what are under "". */
  const skipped = new Map<string, Set<string>>();
  const note = (report: string, isSecond: boolean) => {
    for (const [, name = "", outer = "", file = ""] of readFileSync(report, "utf8").matchAll(skippedCase)) {
      const need = /\[needs ([^\]]+)\]/.exec(`${outer} ${name}`)?.[1]?.replaceAll("&apos;", "'") ?? "";
      // Hooks have no name. What the second run skips without saying why has run in the first.
      if (name === "(unnamed)" || (need === serverNames && hasServers) || (need === "" && isSecond)) continue;
      skipped.set(need, (skipped.get(need) ?? new Set()).add(`${file}: ${outer}: ${name}`));
    }
  };
  for (const report of embedded) if (existsSync(report)) note(report, false);
  if (hasServers) for (const report of servers) if (existsSync(report)) note(report, true);

  const counts = [...skipped].filter(([need]) => need !== "").map(([need, { size }]) => ({ need, size }));
  const [first, ...rest] = counts.toSorted((one, other) => other.size - one.size);
  const parts = rest.map(({ need, size }) => `${size} ${need}`);
  if (first) parts.unshift(`${first.size} ${first.size === 1 ? "test that needs" : "tests that need"} ${first.need}`);
  if (!hasServers && servers > 0) parts.push(`those of ${servers} files that also run on ${serverNames}`);
  const others = skipped.get("")?.size;
  if (others) parts.push(`${others} of npm run test:long, or of other engines and systems`);
  const command = 'On Debian, as root: eval "$(bin/test-servers start)" && npm test; bin/test-servers stop';
  return parts.length > 0 ? `Skipped: ${parts.join(", ")}.${first || !hasServers ? ` ${command}` : ""}` : null;
}
