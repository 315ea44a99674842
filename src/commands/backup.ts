import { type Command, dataOption, type Option } from "./command.ts";

/** Loaded when it is used: a server starts sooner without it. */
const load = () => import("./backup-work.ts");

const details =
  "REPO is a folder, or s3://BUCKET/PREFIX?endpoint=URL with the keys in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.";
const from: Record<string, Option> = { from: { value: "REPO", required: true, summary: "where the backups are" } };
const snapshot: Option = { value: "ID", summary: "this backup" };

const createCommand: Command = {
  name: "backup create",
  summary: "back up the whole site, even while it is in use; only new files are copied",
  details: `${details} With BACKUP_PASSPHRASE or BACKUP_RECIPIENT, a new REPO is encrypted.`,
  options: { to: { value: "REPO", required: true, summary: "where to store it" }, ...dataOption },
  run: async (call) => (await load()).create(call),
};

const listCommand: Command = {
  name: "backup list",
  summary: "list the backups, oldest first",
  details,
  options: { ...from, json: { summary: "as JSON" }, ...dataOption },
  run: async (call) => (await load()).list(call),
};

const verifyCommand: Command = {
  name: "backup verify",
  summary: "read the backups and compare every byte with what was stored",
  details,
  options: {
    ...from,
    snapshot: { ...snapshot, summary: "only this backup" },
    sample: { summary: "read only a tenth of the files, chosen at random" },
    ...dataOption,
  },
  run: async (call) => (await load()).verify(call),
};

const pruneCommand: Command = {
  name: "backup prune",
  summary: "remove old backups: the newest of each day, week and month is kept",
  details,
  options: {
    ...from,
    days: { value: "N", summary: "of how many days (7)" },
    weeks: { value: "N", summary: "of how many weeks (4)" },
    months: { value: "N", summary: "of how many months (12)" },
    "dry-run": { summary: "only say what would be removed" },
    ...dataOption,
  },
  run: async (call) => (await load()).prune(call),
};

const restoreCommand: Command = {
  name: "backup restore",
  summary: "make a site of a backup, in an empty directory or in empty engines",
  details: `${details} With DATABASE_URL and STORAGE_URL, the site is restored there.`,
  options: {
    ...from,
    snapshot: { ...snapshot, summary: "this backup, instead of the newest" },
    ...dataOption,
  },
  run: async (call) => (await load()).restore(call),
};

export const backupCommands: Command[] = [createCommand, listCommand, verifyCommand, pruneCommand, restoreCommand];
