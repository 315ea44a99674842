import { Check, CornerDownRight, EyeOff, Reply, Trash2 } from "lucide-react";
import type { QueuedComment } from "../../client/src/index.ts";
import { formatAgo, formatTime } from "../lib/format.ts";
import { words } from "../lib/words.ts";
import { Button } from "../ui/button.tsx";
import { classes } from "../ui/classes.ts";
import { targetOf } from "./comment-target.ts";
import { removeComments, setStatus } from "./moderate.ts";
import { ReplyForm } from "./reply-form.tsx";
import { commentTexts as t } from "./texts.ts";

type Props = {
  comment: QueuedComment;
  isSelected: boolean;
  onSelect: (isRange: boolean) => void;
  isReplying: boolean;
  onReply: (isReplying: boolean) => void;
};

export function CommentRow({ comment, isSelected, onSelect, isReplying, onReply }: Props) {
  const { id, content, createdAt, parentID, status, source } = comment;
  const name = source?.author ?? comment.author.username;
  const target = targetOf(comment);
  return (
    <article
      id={`comment-${id}`}
      tabIndex={-1}
      aria-label={name}
      className={classes(
        "flex gap-3 px-3 py-4 -outline-offset-2 focus:outline-2 focus:outline-accent sm:px-4",
        isSelected && "bg-tint",
      )}
    >
      <input
        type="checkbox"
        aria-label={t.selectOne(name)}
        checked={isSelected}
        onClick={(event) => onSelect(event.shiftKey)}
        onChange={() => {}}
        className="mt-0.5 size-5 shrink-0 accent-accent pointer-coarse:size-6"
      />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2 text-sm text-soft">
          <strong className="text-base text-ink" dir="auto">
            {name}
          </strong>
          {source && (
            <a
              href={source.url}
              target="_blank"
              rel="nofollow noopener noreferrer"
              className="break-all text-accent underline-offset-2 hover:underline"
              dir="auto"
            >
              {t.mentions[source.kind](new URL(source.url).host)}
            </a>
          )}
          <span>
            {t.on}{" "}
            <a
              href={`${target.href}#comment-${id}`}
              target="_blank"
              rel="noopener"
              className="text-accent underline-offset-2 hover:underline"
              dir="auto"
            >
              {target.name}
            </a>
          </span>
          <time dateTime={createdAt} title={formatTime(createdAt)}>
            {formatAgo(createdAt)}
          </time>
          {parentID !== null && (
            <span className="inline-flex items-center gap-1">
              <CornerDownRight aria-hidden="true" className="size-3.5" />
              {t.isReply}
            </span>
          )}
        </p>
        <p className="my-2 break-words whitespace-pre-wrap" dir="auto">
          {content}
        </p>
        {isReplying ? (
          <ReplyForm comment={comment} onClose={() => onReply(false)} />
        ) : (
          // The icons have no space on a phone: all actions stay in one line.
          <div className="-ml-2 flex flex-wrap gap-1 max-sm:[&_svg]:hidden">
            {status !== "visible" && (
              <Button variant="quiet" icon={<Check />} onClick={() => void setStatus([comment], "visible")}>
                {words.approve}
              </Button>
            )}
            {status !== "hidden" && (
              <Button variant="quiet" icon={<EyeOff />} onClick={() => void setStatus([comment], "hidden")}>
                {t.hide}
              </Button>
            )}
            <Button variant="quiet" icon={<Reply />} onClick={() => onReply(true)}>
              {t.reply}
            </Button>
            <Button variant="quiet" icon={<Trash2 />} onClick={() => void removeComments([comment])}>
              {words.delete}
            </Button>
          </div>
        )}
      </div>
      {target.picture !== null && (
        <img
          src={target.picture}
          alt=""
          loading="lazy"
          className="size-14 shrink-0 rounded-control object-cover sm:size-20"
        />
      )}
    </article>
  );
}
