/** Numbers and findings of a run. What is wrong makes it fail; what is only noted is for a person to judge. */
export type Findings = {
  count(what: string): void;
  note(path: string, what: string): void;
  fail(path: string, what: string): void;
  /** How many are wrong. */
  failures(): number;
  printCounts(): void;
};

/** Findings are printed at once, so that they are known if the run is interrupted. */
export function createFindings(): Findings {
  const counts = new Map<string, number>();
  let failures = 0;
  return {
    count: (what) => void counts.set(what, (counts.get(what) ?? 0) + 1),
    note: (path, what) => console.log(`- ${path}: ${what}`),
    fail(path, what) {
      failures++;
      console.log(`! ${path}: ${what}`);
    },
    failures: () => failures,
    printCounts() {
      for (const [what, number] of [...counts].toSorted()) console.log(`${String(number).padStart(6)}  ${what}`);
    },
  };
}
