import { copies } from "../blog/copies.ts";
import { newOf } from "../blog/page-texts.ts";
import { countReplies } from "../comments/kept-replies.ts";
import { keptInTab, ownAccount } from "../lib/account.ts";
import { listDrafts } from "../photos/details/drafts.ts";
import { listKept } from "../uploads/kept.ts";
import { countShared } from "../uploads/shared-files.ts";
import { uploadList } from "../uploads/tab-queue.ts";
import { isOver } from "../uploads/upload.ts";
import { signOutTexts as t } from "./sign-out-texts.ts";

/** Something that only this browser has, and the screen where it can be saved. */
export type Unsaved = { key: string; label: string; to: string; search?: Record<string, string> };

/** What the account would lose by signing out. */
export async function listUnsaved(): Promise<Unsaved[]> {
  const [photos, replies, uploads] = [listDrafts(), countReplies(), await countUploads()];
  const shared = await countShared();
  return [
    ...copies.list().map(({ key, postID, draft }) => ({
      key,
      label: t.unsaved.post(draft.title.trim()),
      to: `/blog/${postID ?? "new"}`,
      search: postID === null ? newOf(draft.kind) : {},
    })),
    ...(photos.length > 0
      ? [
          {
            key: "photos",
            label: t.unsaved.photos(photos.length),
            to: photos.length === 1 ? `/photos/${photos[0]}` : "/photos",
          },
        ]
      : []),
    ...(replies > 0 ? [{ key: "replies", label: t.unsaved.replies(replies), to: "/comments" }] : []),
    ...(keptInTab.list("settings:").length > 0
      ? [{ key: "settings", label: t.unsaved.settings, to: "/settings" }]
      : []),
    ...(shared > 0 ? [{ key: "shared", label: t.unsaved.uploads(shared), to: "/photos" }] : []),
    ...(uploads > 0 ? [{ key: "uploads", label: t.unsaved.uploads(uploads), to: "" }] : []),
  ];
}

/** Those of this tab, and those that the browser keeps for other tabs. */
async function countUploads(): Promise<number> {
  const own = uploadList.all().filter((upload) => !isOver(upload));
  const kept = (await listKept()).filter((upload) => upload.userID === ownAccount() && !isOver(upload));
  return new Set([...own, ...kept].map(({ id }) => id)).size;
}
