import { existsSync, readFileSync } from "node:fs";

/** What a report in the format of JUnit says: how many tests passed, and which failed. */
export type Result = { passed: number; failed: { path: string; name: string }[] };

const testcase = /<testcase name="([^"]*)" classname="([^"]*)"[^>]*? file="([^"]*)"[^>]*?(\/>|>[^]*?<\/testcase>)/g;

export function readResult(report: string): Result {
  const result: Result = { passed: 0, failed: [] };
  if (!existsSync(report)) return result;
  for (const [, name = "", outer = "", path = "", body = ""] of readFileSync(report, "utf8").matchAll(testcase)) {
    if (/<(failure|error)/.test(body))
      result.failed.push({ path, name: readable(outer ? `${outer} > ${name}` : name) });
    else if (!body.includes("<skipped")) result.passed++;
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
