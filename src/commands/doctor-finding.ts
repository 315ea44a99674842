/** `error`: data is damaged, lost or open to others. `warning`: that may come, or something does not work as it should. */
type Severity = "error" | "warning";

/** What `--fix` can derive again. */
export type Fix = "counts" | "search" | "posts";

export type Finding = {
  severity: Severity;
  /** The table, file or variable that it is about. */
  where: string;
  what: string;
  /** What to do about it. */
  repair: string;
  fix?: Fix;
};

export const error = (where: string, what: string, repair: string, fix?: Fix): Finding => ({
  severity: "error",
  where,
  what,
  repair,
  ...(fix && { fix }),
});

export const warning = (where: string, what: string, repair: string): Finding => ({
  severity: "warning",
  where,
  what,
  repair,
});

export const count = (number: number, what: string) => `${number} ${number === 1 ? what : `${what}s`}`;

/** A row for each finding, with what to do about it below. */
export function printFindings(findings: Finding[]): string[] {
  const width = Math.max(0, ...findings.map(({ where }) => where.length));
  return findings.flatMap(({ severity, where, what, repair }) => [
    `${severity.padEnd(9)}${where.padEnd(width + 2)}${what}`,
    `${" ".repeat(width + 11)}${repair}`,
  ]);
}
