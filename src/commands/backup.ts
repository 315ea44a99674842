import type { Module } from "../module.ts";
import { type Command, dataOption, type Option } from "./command.ts";

/** Loaded when it is used: a server starts sooner without it. */
const load = () => import("./backup-work.ts");
const loadOne = () => import("./backup-one.ts");

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
    repair: { summary: "set damaged files aside, so that the next backup stores them again" },
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

const newest: Option = { ...snapshot, summary: "this backup, instead of the newest" };

const keptSummary = "a directory where the database of the backup is kept for the next time";

const contentsCommand = (modules: readonly Module[]): Command => ({
  name: "backup contents",
  summary: "list the records in a backup, those that are deleted in the site first",
  details,
  options: {
    ...from,
    snapshot: newest,
    search: { value: "TEXT", summary: "only those whose title or name contains this" },
    kind: { value: "KIND", summary: "only photo, album, post, file or directory" },
    limit: { value: "N", summary: "at most this many (50)" },
    json: { summary: "as JSON" },
    kept: { value: "DIR", summary: keptSummary },
    ...dataOption,
  },
  run: async (call) => (await loadOne()).contents(call, modules),
});

const restoreCommand = (modules: readonly Module[]): Command => ({
  name: "backup restore",
  summary: "make a site of a backup, in an empty directory or in empty engines, or restore one record",
  details: `${details} With DATABASE_URL and STORAGE_URL, the site is restored there. With --only, one record that was permanently deleted is restored to the site, even while it is in use.`,
  options: {
    ...from,
    snapshot: newest,
    only: {
      value: "WHAT",
      summary: "photo:ID, album:ID, post:ID, file:ID or directory:ID, or a path that begins with /",
    },
    as: { value: "NAME", summary: "with --only: the admin who restores it, and gets what belongs to nobody any more" },
    json: { summary: "with --only: what was done, as JSON" },
    kept: { value: "DIR", summary: `with --only: ${keptSummary}` },
    ...dataOption,
  },
  run: async (call) =>
    call.options.only === undefined ? (await load()).restore(call) : (await loadOne()).restoreOne(call, modules),
});

export const backupCommands = (modules: readonly Module[]): Command[] => [
  createCommand,
  listCommand,
  contentsCommand(modules),
  verifyCommand,
  pruneCommand,
  restoreCommand(modules),
];
