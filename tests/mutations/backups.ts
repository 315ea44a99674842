import type { Mutation } from "./mutation.ts";

const test = "tests/keeping/believable-backups.test.ts";
const kept = "tests/keeping/kept-backups.test.ts";

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
  {
    breaks: "a damaged file of the site is linked into a backup as if it were whole",
    file: "src/features/backups/create.ts",
    from: "    if ((await measureFile(path))?.sha256 !== sha256) return false;\n",
    to: "",
    test: kept,
    title: "has no damaged file of the site, which is named as lost",
  },
  {
    breaks: "the links and folders of a backup are not flushed",
    file: "src/platform/backups/folder.ts",
    from: "for (const directory of foldersOf(root)) await syncDirectory(directory);",
    to: "await syncDirectory(root);",
    test: kept,
    title: "survives a power cut, with all folders and links",
  },
  {
    breaks: "the names of the folders above a new place of backups are not flushed",
    file: "src/platform/backups/folder.ts",
    from: "await makeDirectory(root);",
    to: "mkdirSync(root, { recursive: true, mode: 0o700 });",
    test: kept,
    title: "survives a power cut, with all folders and links",
  },
  {
    breaks: "pruning may remove the newest backup",
    file: "src/platform/backups/prune.ts",
    from: "new Set(newestFirst.slice(0, 1))",
    to: "new Set<string>()",
    test: kept,
    title: "keeps the newest backup whatever is to be kept, and leaves no empty folder",
  },
  {
    breaks: "pruning removes the manifest of a backup last",
    file: "src/platform/backups/snapshot.ts",
    from: "for (const id of ids) await place.remove(`${folder(id)}${names.manifest}${sealing.suffix}`);",
    to: "for (const id of ids)\n    for (const name of [names.database, names.files, names.manifest])\n      await place.remove(`${folder(id)}${name}${sealing.suffix}`);",
    test: kept,
    title: "that is interrupted after any step leaves whole backups",
  },
];
