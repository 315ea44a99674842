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
  {
    breaks: "encrypted backups go on although nobody can read them",
    file: "src/platform/backups/repository.ts",
    from: "  await refuseLostKeys(place, header);\n",
    to: "",
    test: "tests/keeping/backup-keys.test.ts",
    title: "nothing is added to encrypted backups that nobody could read, until their key is put back from its copy",
  },
  {
    breaks: "a changed byte of a manifest is not noticed",
    file: "src/platform/backups/snapshot.ts",
    from: "manifest.id === id && isHashRight(text)",
    to: "manifest.id === id",
    test: "tests/keeping/backup-bytes.test.ts",
    title: "a bit that is flipped in any byte of any file of a backup that is %s is noticed",
    row: "readable",
  },
  {
    breaks: "a failure of the network sets a file of a backup aside",
    file: "src/platform/backups/verify.ts",
    from: 'return "not readable";',
    to: 'return "damaged";',
    test,
    title: "is one whose bytes have arrived: a failure to read it is no damage, and nothing is set aside",
  },
  {
    breaks: "a bucket that stores half of a file is believed",
    file: "src/platform/backups/bucket.ts",
    from: 'if (Number(headers.get("content-length")) === made.size) break;',
    to: "if (headers) break;",
    test: "tests/keeping/backups-on-s3.test.ts",
    title: "a bucket that stores half of a file is noticed at once",
  },
];
