import { CalendarClock, Globe, Lock, PencilLine } from "lucide-react";
import { useEffect, useState } from "react";
import type { PostWithHTML } from "../../client/src/index.ts";
import { formatTime } from "../lib/format.ts";
import { type Draft, statusOf } from "./draft.ts";
import { listTexts, paneTexts } from "./texts.ts";

type Props = { post: PostWithHTML | null; visibility: Draft["visibility"] };

/** Whether others can read it, visible all the time while writing. */
export function PostStatus({ post, visibility }: Props) {
  useEndOf(post?.publishedAt ?? null);
  const status = post ? statusOf(post) : "draft";
  const icon = { draft: <PencilLine />, scheduled: <CalendarClock />, published: <Globe /> }[status];
  const time = post?.publishedAt ? formatTime(post.publishedAt) : "";
  const isHidden = status !== "draft" && visibility === "private";
  return (
    <p
      className="flex shrink-0 items-center gap-1.5 rounded-full bg-tint px-2.5 py-1 text-sm whitespace-nowrap [&>svg]:size-3.5"
      title={status === "draft" ? paneTexts.statuses.draft : paneTexts.statuses[status](time)}
    >
      {isHidden ? <Lock aria-hidden="true" /> : icon}
      <span>{listTexts.statuses[status]}</span>
      {status === "scheduled" && <span className="hidden text-soft sm:inline">{time}</span>}
      {isHidden && <span className="sr-only">{paneTexts.onlyMe}</span>}
    </p>
  );
}

/** A scheduled post becomes a published one while it is shown. */
function useEndOf(publishedAt: string | null): void {
  const [, setPassed] = useState(0);
  useEffect(() => {
    const left = publishedAt === null ? 0 : Date.parse(publishedAt) - Date.now();
    // Longer waits than a day are none for a timer of a browser.
    if (left <= 0 || left > 86_400_000) return;
    const timer = setTimeout(() => setPassed(Date.now()), left + 50);
    return () => clearTimeout(timer);
  }, [publishedAt]);
}
