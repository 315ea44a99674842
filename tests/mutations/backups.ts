import type { Mutation } from "./mutation.ts";

const test = "tests/keeping/believable-backups.test.ts";

/** What a backup promises. */
export const backups: Mutation[] = [
  {
    breaks: "an encrypted backup is made, in the clear, where it is stored",
    file: "src/platform/backups/folder.ts",
    from: "workDirectory: work.path,",
    to: "workDirectory: drafts ?? work.path,",
    test,
    title: "never has anything readable where it is stored, not even while it is made",
  },
];
