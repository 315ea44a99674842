import { existsSync, readFileSync } from "node:fs";

/** What a report in the format of JUnit says: how many tests passed, and which failed. */
export type Result = {
  passed: number;
  failed: { path: string; name: string }[];
  /** The full names of the tests that passed. */
  names: string[];
};

const testcase = /<testcase name="([^"]*)" classname="([^"]*)"[^>]*? file="([^"]*)"[^>]*?(\/>|>[^]*?<\/testcase>)/g;

export function readResult(report: string): Result {
  const result: Result = { passed: 0, failed: [], names: [] };
  if (!existsSync(report)) return result;
  for (const [, name = "", outer = "", path = "", body = ""] of readFileSync(report, "utf8").matchAll(testcase)) {
    // The report has the innermost one first.
    const groups = outer ? readable(outer).split(" > ").toReversed() : [];
    if (/<(failure|error)/.test(body)) result.failed.push({ path, name: [...groups, readable(name)].join(" > ") });
    else if (!body.includes("<skipped")) {
      result.passed++;
      result.names.push([...groups, readable(name)].join(" "));
    }
  }
  return result;
}

const readable = (text: string) =>
  text
    .replaceAll("&quot;", '"')
    .replaceAll("&apos;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
