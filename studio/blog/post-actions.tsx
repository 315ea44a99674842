import { useNavigate } from "@tanstack/react-router";
import { CalendarClock, Copy, ExternalLink, Link2, Mail, Send, Trash2, Undo2 } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { PostWithHTML } from "../../client/src/index.ts";
import { sayPublished } from "../hidden/hidden.ts";
import { useCommands } from "../lib/commands.ts";
import { formatTime } from "../lib/format.ts";
import { showToast } from "../lib/toasts.ts";
import { words } from "../lib/words.ts";
import { sendPost, useSubscriberCount } from "../newsletter/send-choice.tsx";
import { newsletterTexts } from "../newsletter/texts.ts";
import { Button } from "../ui/button.tsx";
import { MoreMenu, type MenuItem } from "../ui/menu.tsx";
import { isBlank, pathOf, statusOf } from "./draft.ts";
import { listOf, writerTextsOf } from "./page-texts.ts";
import { deletePost, duplicatePost } from "./post-changes.ts";
import { publicationOf, PublishDialog } from "./publish-dialog.tsx";
import type { Saving, Snapshot, Writing } from "./writing.ts";

const SendDialog = lazy(async () => ({ default: (await import("../newsletter/send-dialog.tsx")).SendDialog }));
const ShareDialog = lazy(async () => ({ default: (await import("../shares/share-dialog.tsx")).ShareDialog }));

type Props = { writing: Writing; post: PostWithHTML | null; draft: Snapshot["draft"]; saving: Saving };

/** Publish, update, and everything else that can be done with the whole post. */
export function PostActions({ writing, post, draft, saving }: Props) {
  const navigate = useNavigate();
  const t = writerTextsOf(draft.kind);
  const [open, setOpen] = useState<"publish" | "schedule" | "share" | "send" | null>(null);
  const status = post ? statusOf(post) : "draft";
  const hasNewsletter = useSubscriberCount() !== null && draft.kind === "post";
  const isSaved = saving.kind === "saved" && post !== null;
  const items: MenuItem[] = [
    ...(status === "draft" ? [] : [{ label: t.unpublish, icon: <Undo2 />, run: () => void unpublish() }]),
    ...(status === "scheduled" ? [{ label: t.publishNow, icon: <Send />, run: () => void publishNow() }] : []),
    ...(status === "published" ? [] : [{ label: t.schedule, icon: <CalendarClock />, run: () => review("schedule") }]),
    null,
    { label: words.viewOnSite, icon: <ExternalLink />, isDisabled: !post, run: view },
    { label: t.link, icon: <Link2 />, isDisabled: !post, run: () => setOpen("share") },
    ...(hasNewsletter
      ? [{ label: newsletterTexts.menu, icon: <Mail />, isDisabled: !post, run: () => setOpen("send") }]
      : []),
    { label: words.duplicate, icon: <Copy />, isDisabled: !post, run: () => post && void duplicatePost(post, show) },
    null,
    { label: words.delete, icon: <Trash2 />, isDanger: true, isDisabled: !post, run: () => void remove() },
  ];
  useCommands(
    [
      { label: status === "draft" ? t.publish : t.update, icon: null, run: () => void publishOrUpdate() },
      ...items.flatMap((item) => (item && !item.isDisabled ? [item] : [])),
    ].map(({ label, run }) => ({ label, run, group: t.post })),
  );

  return (
    <div className="flex items-center gap-1">
      <Button
        variant="main"
        isBusy={saving.kind === "saving" && status !== "draft"}
        disabled={status !== "draft" && isSaved}
        onClick={() => void publishOrUpdate()}
      >
        {status === "draft" ? t.publish : t.update}
      </Button>
      <MoreMenu label={words.moreActions} items={items} />
      {(open === "publish" || open === "schedule") && (
        <PublishDialog
          writing={writing}
          draft={draft}
          at={post?.publishedAt ?? null}
          isLater={open === "schedule"}
          onClose={() => setOpen(null)}
          onChosen={(time, isSent) => void (time === null ? publishNow(isSent) : schedule(time, isSent))}
        />
      )}
      {open === "send" && post && (
        <Suspense>
          <SendDialog post={post} onClose={() => setOpen(null)} />
        </Suspense>
      )}
      {open === "share" && post && (
        <Suspense>
          <ShareDialog kind="post" id={post.id} title={post.title} onClose={() => setOpen(null)} />
        </Suspense>
      )}
    </div>
  );

  function canPublish(): boolean {
    const { title, content } = writing.draft();
    if (!isBlank(title) && !isBlank(content)) return true;
    showToast({ text: t.needsText, isFailure: true });
    return false;
  }

  async function publishOrUpdate(): Promise<void> {
    if (status === "draft") return review("publish");
    if (canPublish() && (await writing.save())) say({ text: t.updated });
  }

  function review(what: "publish" | "schedule"): void {
    if (canPublish()) setOpen(what);
  }

  async function publishNow(isSent = false): Promise<void> {
    setOpen(null);
    if (!canPublish()) return;
    const saved = await writing.publish(new Date().toISOString(), true);
    if (!saved) reportFailure();
    // What was sent cannot be taken back.
    else if (isSent && (await sendPost(saved.id))) showToast({ text: newsletterTexts.publishedAndSent });
    else say({ text: t.published, undo: () => void writing.publish(null) });
  }

  async function schedule(time: string, isSent: boolean): Promise<void> {
    setOpen(null);
    if (!canPublish()) return;
    const saved = await writing.publish(time);
    if (!saved) return reportFailure();
    if (isSent) await sendPost(saved.id);
    say({ text: t.scheduled(formatTime(time)), undo: () => void writing.publish(null) });
  }

  /** Of a post that everyone can see, also what they do not see in it. */
  function say(toast: Parameters<typeof sayPublished>[1]): void {
    if (writing.draft().visibility === "private") showToast(toast);
    else void sayPublished(publicationOf(writing), toast);
  }

  async function unpublish(): Promise<void> {
    const before = post?.publishedAt ?? null;
    if (await writing.publish(null)) showToast({ text: t.unpublished, undo: () => void writing.publish(before) });
    else reportFailure();
  }

  function reportFailure(): void {
    const { saving } = writing.snapshot();
    if (saving.kind !== "conflict")
      showToast({ text: saving.kind === "refused" ? t.refused(saving.message) : t.notNow, isFailure: true });
  }

  function view(): void {
    if (post) window.open(encodeURI(pathOf(post)), "_blank", "noopener");
  }

  function show(copy: PostWithHTML): void {
    void navigate({ to: "/blog/$id", params: { id: String(copy.id) } });
  }

  async function remove(): Promise<void> {
    if (post && (await deletePost(post))) void navigate({ to: "/blog", search: listOf(post.kind) });
  }
}
