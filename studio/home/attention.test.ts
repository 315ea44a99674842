import { expect, test } from "bun:test";
import type { Attention } from "../../client/src/index.ts";
import { listMatters } from "./attention.ts";

const nothing: Attention = {
  copiedPasskeys: 0,
  waitingComments: 0,
  waitingUploads: 0,
  unreadablePictures: { count: 0, fileIDs: [] },
  storage: { bytes: 0, quota: null },
  disk: null,
  duplicateGroups: 0,
  drafts: 0,
  scheduledPosts: 0,
  unfinishedImports: 0,
  lastBackupAt: new Date().toISOString(),
  backupError: null,
  deletionsHeld: false,
  recoveryCodesLeft: null,
  largeLogBytes: null,
  samples: null,
};

const namesFor = (found: Partial<Attention>, isAdmin = true) =>
  listMatters({ ...nothing, ...found }, { isAdmin, isNew: false }).map(({ name }) => name);

test("admins hear of a backup that is missing, old or has failed, of a clock that may be wrong, and of a large log", () => {
  expect(namesFor({})).toEqual([]);
  expect(namesFor({ lastBackupAt: null })).toEqual(["lastBackupAt"]);
  expect(namesFor({ lastBackupAt: "2020-01-01T00:00:00.000Z" })).toEqual(["lastBackupAt"]);
  expect(namesFor({ deletionsHeld: true })).toEqual(["deletionsHeld"]);
  expect(namesFor({ largeLogBytes: 80_000_000 })).toEqual(["largeLogBytes"]);
  expect(namesFor({ lastBackupAt: null, deletionsHeld: true, largeLogBytes: 80_000_000 }, false)).toEqual([]);
  const [failed] = listMatters({ ...nothing, backupError: "The disk is full." }, { isAdmin: true, isNew: false });
  expect(failed).toMatchObject({ name: "lastBackupAt", hint: "The disk is full." });
});
