import { useQuery } from "@tanstack/react-query";
import type { PostWithHTML, RevisionSummary } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { formatTime } from "../lib/format.ts";
import { showToast } from "../lib/toasts.ts";
import { words } from "../lib/words.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Result } from "../ui/screen.tsx";
import Comparison from "./comparison.tsx";
import { statusOf } from "./draft.ts";
import { paneTexts as t } from "./texts.ts";
import type { Writing } from "./writing.ts";

type Props = { post: PostWithHTML; revision: RevisionSummary; writing: Writing; onClose: () => void };

/** What has changed since a revision. Restoring puts its text into the editor, which saves it as any other change. */
export default function RevisionDialog({ post, revision, writing, onClose }: Props) {
  const query = useQuery({
    queryKey: ["revision", post.id, revision.number],
    queryFn: ({ signal }) => api.readRevision({ id: post.id, number: revision.number }, { signal }),
    staleTime: Infinity,
  });
  const now = writing.draft();
  return (
    <Dialog
      title={t.compareTitle(revision.number)}
      width="wide"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.close}</Button>
          <Button variant="main" disabled={!query.data} onClick={restore}>
            {t.restore}
          </Button>
        </>
      }
    >
      <Result of={query}>
        {({ title, content }) => (
          <Comparison
            left={`${title}\n\n${content}`}
            right={`${now.title}\n\n${now.content}`}
            leftName={t.before(formatTime(revision.createdAt))}
            rightName={t.now}
          />
        )}
      </Result>
    </Dialog>
  );

  function restore(): void {
    if (!query.data) return;
    const before = writing.draft();
    const { title, content, excerpt, tags, coverID } = query.data;
    writing.change({ title, content, excerpt: excerpt ?? "", tags, coverID });
    const isDraft = statusOf(post) === "draft";
    if (isDraft) void writing.save();
    const text = isDraft ? t.restored(revision.number) : t.restoredHere(revision.number);
    showToast({ text, undo: () => writing.change(before) });
    onClose();
  }
}
