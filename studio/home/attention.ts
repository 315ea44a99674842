import { queryOptions } from "@tanstack/react-query";
import type { Attention } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { formatAgo, formatBytes, formatPart } from "../lib/format.ts";
import { homeTexts as t } from "./texts.ts";

export const attentionQuery = queryOptions({
  queryKey: ["attention"],
  queryFn: ({ signal }) => api.readAttention({}, { signal }),
});

/** Something that waits, and the section where it is dealt with. */
export type Matter = {
  name: keyof Attention;
  text: string;
  hint?: string;
  to?: string;
  search?: Record<string, string>;
};

const dayMs = 24 * 3_600_000;
const oldBackupMs = 30 * dayMs;
const nearlyFull = 0.9;

/** The most urgent first. A site that has no content yet needs no backup. */
export function listMatters(found: Attention, { isAdmin, isNew }: { isAdmin: boolean; isNew: boolean }): Matter[] {
  const { waitingComments, waitingUploads, unreadablePictures, storage, drafts, scheduledPosts } = found;
  const matters: (Matter | false)[] = [
    found.disk !== null && {
      name: "disk",
      text: t.disk[found.disk.trouble],
      hint: hasNoSpace(found.disk) ? t.makeSpace(formatBytes(found.disk.freeBytes)) : t.diskHint,
      ...(hasNoSpace(found.disk) && { to: "/trash" }),
    },
    found.copiedPasskeys > 0 && { name: "copiedPasskeys", text: t.copiedPasskeys, to: "/account" },
    waitingComments > 0 && { name: "waitingComments", text: t.waitingComments(waitingComments), to: "/comments" },
    waitingUploads > 0 && {
      name: "waitingUploads",
      text: t.waitingUploads(waitingUploads),
      to: "/shares",
      search: { tab: "waiting", ...(isAdmin && { owner: "all" }) },
    },
    storage.quota !== null &&
      storage.bytes >= storage.quota * nearlyFull && {
        name: "storage",
        text: t.nearlyFull(formatPart(storage.bytes / storage.quota)),
        hint: t.usedOf(formatBytes(storage.bytes), formatBytes(storage.quota)),
        to: "/storage",
      },
    unreadablePictures.count > 0 && { name: "unreadablePictures", text: t.unreadable(unreadablePictures.count) },
    found.recoveryCodesLeft !== null && {
      name: "recoveryCodesLeft",
      text: t.recoveryCodes(found.recoveryCodesLeft),
      to: "/account",
    },
    found.duplicateGroups > 0 && {
      name: "duplicateGroups",
      text: t.duplicates(found.duplicateGroups),
      to: "/photos/duplicates",
    },
    isAdmin && !isNew && checkBackup(found),
    isAdmin && found.deletionsHeld && { name: "deletionsHeld", text: t.deletionsHeld, hint: t.clockHint },
    isAdmin &&
      found.largeLogBytes !== null && {
        name: "largeLogBytes",
        text: t.largeLog(formatBytes(found.largeLogBytes)),
        hint: t.largeLogHint,
      },
    found.unfinishedImports > 0 && {
      name: "unfinishedImports",
      text: t.imports(found.unfinishedImports),
      hint: t.importsHint,
      to: "/move-in",
    },
    scheduledPosts > 0 && {
      name: "scheduledPosts",
      text: t.scheduled(scheduledPosts),
      to: "/blog",
      search: { tab: "scheduled" },
    },
    drafts > 0 && { name: "drafts", text: t.drafts(drafts), to: "/blog", search: { tab: "draft" } },
  ];
  return matters.filter((matter) => matter !== false);
}

const hasNoSpace = ({ trouble }: { trouble: string }) => trouble === "low" || trouble === "full";

function checkBackup({ lastBackupAt, backupError }: Attention): Matter | false {
  const matter = { name: "lastBackupAt", to: "/backups" } as const;
  if (backupError !== null) return { ...matter, text: t.backupFailed, hint: backupError };
  if (lastBackupAt === null) return { ...matter, text: t.noBackup, hint: t.backupHint };
  const isOld = Date.now() - Date.parse(lastBackupAt) > oldBackupMs;
  return isOld && { ...matter, text: t.oldBackup(formatAgo(lastBackupAt)), hint: t.backupHint };
}
