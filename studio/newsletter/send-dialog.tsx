import { useMutation, useQuery } from "@tanstack/react-query";
import type { PostWithHTML } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { explain } from "../lib/explain.ts";
import { showToast } from "../lib/toasts.ts";
import { words } from "../lib/words.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Result } from "../ui/screen.tsx";
import { issueQuery, newsletterQuery, reloadNewsletter } from "./query.ts";
import { describeIssue } from "./sent-posts.tsx";
import { newsletterTexts as t } from "./texts.ts";

/** Sends a post to the subscribers, or says how far that has come. */
export function SendDialog({ post, onClose }: { post: PostWithHTML; onClose: () => void }) {
  const issue = useQuery(issueQuery(post.id));
  const newsletter = useQuery(newsletterQuery);
  const subscribers = newsletter.data?.confirmed ?? 0;
  const state = issue.data?.state;
  const change = useMutation({
    mutationFn: () =>
      state === "none" ? api.sendNewsletterPost({ id: post.id }) : api.stopNewsletterPost({ id: post.id }),
    onSuccess: (changed) => {
      showToast({
        text: changed.state === "waiting" ? t.scheduled : changed.state === "sending" ? t.sending : t.stopped,
      });
      onClose();
    },
    // It is shown in the dialog.
    onError: () => {},
    onSettled: reloadNewsletter,
  });
  const isPrivate = post.visibility === "private";
  const canSend = state === "none" && !isPrivate && subscribers > 0;
  const canStop = state === "waiting" || state === "sending";
  const isDraft = post.publishedAt === null || Date.parse(post.publishedAt) > Date.now();
  return (
    <Dialog
      title={t.sendTitle}
      onClose={onClose}
      onSubmit={() => (canSend || canStop ? change.mutate() : onClose())}
      actions={
        <>
          <Button onClick={onClose}>{canSend || canStop ? words.cancel : words.close}</Button>
          {canSend && (
            <Button type="submit" variant="main" isBusy={change.isPending}>
              {words.send}
            </Button>
          )}
          {canStop && (
            <Button type="submit" variant="danger" isBusy={change.isPending}>
              {state === "waiting" ? t.doNotSend : t.stop}
            </Button>
          )}
        </>
      }
    >
      <Result of={issue}>
        {(found) => (
          <div className="grid gap-2">
            <p className="text-lg font-semibold wrap-anywhere" dir="auto">
              {post.title}
            </p>
            {found.state === "none" ? (
              <>
                <p>{isPrivate ? t.isPrivate : subscribers === 0 ? t.noSubscribers : t.sendLabel(subscribers)}</p>
                {canSend && <p className="text-soft">{isDraft ? `${t.isDraft} ${t.sendHint}` : t.sendHint}</p>}
              </>
            ) : (
              <p>{describeIssue(found)}</p>
            )}
            {found.state === "sending" && <p className="text-soft">{t.stopHint}</p>}
            {change.error && (
              <p role="alert" className="text-danger">
                {explain(change.error)}
              </p>
            )}
          </div>
        )}
      </Result>
    </Dialog>
  );
}
