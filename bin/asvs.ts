// docs/reference/asvs.md, which `npm run reference` writes from tests/guards/asvs.json.
import asvs from "../tests/guards/asvs.json";
import { markdownTable } from "./markdown-table.ts";

/** The page, as it is before the formatter aligns the columns of its tables. */
export function renderRequirements(): string {
  const [met, unmet, others] = countRequirements();
  const chapters = Object.entries(asvs.chapters).flatMap(([chapter, title]) => [
    `### V${chapter}: ${title}\n`,
    markdownTable(
      ["requirement", "what Vitrine does", "tests"],
      asvs.met
        .filter(({ numbers }) => numbers.startsWith(`${chapter}.`))
        .map(({ numbers, how, tests }) => [numbers, how, tests.map(quoteTest).join("; ")]),
    ),
    "",
  ]);
  const unmetRows = asvs.unmet.map(({ numbers, missing }) => [numbers, missing]);
  const otherRows = asvs.notApplicable.map(({ numbers, why }) => [numbers, why]);
  return [
    "# OWASP ASVS\n",
    "<!-- Written by `npm run reference` from tests/guards/asvs.json: do not edit. -->\n",
    "This page compares Vitrine with the [OWASP Application Security Verification Standard](https://github.com/OWASP/ASVS) 5.0.0, levels 1 and 2, in our own words and with the numbers of the standard. " +
      `Of ${met + unmet + others} requirements, ${met} are met, and a test shows it; ${unmet} are not met, in part, or not shown by a test; ${others} do not apply. ` +
      "[security.md](../operate/security.md) has a summary.\n",
    "## Met\n",
    ...chapters,
    "## Not met, or not shown by a test\n",
    markdownTable(["requirement", "what is missing"], unmetRows),
    "",
    "## Not applicable\n",
    markdownTable(["requirement", "why"], otherRows),
  ]
    .join("\n")
    .trimEnd()
    .concat("\n");
}

/** How many requirements are met, are not met, and do not apply. */
export function countRequirements(): [met: number, unmet: number, others: number] {
  const count = (rows: { numbers: string }[]) => rows.flatMap(({ numbers }) => expandNumbers(numbers)).length;
  return [count(asvs.met), count(asvs.unmet), count(asvs.notApplicable)];
}

/** `6.2.2–3, 6.2.5` are three requirements. */
export function expandNumbers(numbers: string): string[] {
  return numbers.split(", ").flatMap((item) => {
    const [, section = "", first = "", last = first] = /^(\d+\.\d+)\.(\d+)(?:–(\d+))?$/.exec(item) ?? [];
    return Array.from(
      { length: Number(last) - Number(first) + 1 },
      (_, index) => `${section}.${Number(first) + index}`,
    );
  });
}

function quoteTest(test: string): string {
  const [file = "", name = ""] = test.split(/: (.*)/);
  return `\`${file}\`: "${name.replaceAll("_", String.raw`\_`).replaceAll("*", String.raw`\*`)}"`;
}
