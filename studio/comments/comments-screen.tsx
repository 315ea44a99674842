import { useSearch } from "@tanstack/react-router";
import { Check, EyeOff, MessageSquare, Trash2, X } from "lucide-react";
import { useState } from "react";
import type { QueuedComment } from "../../client/src/index.ts";
import { useSelection } from "../lib/selection.ts";
import { useShortcuts } from "../lib/shortcuts.ts";
import { words } from "../lib/words.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { MoreButton } from "../ui/more-button.tsx";
import { Empty, Result, Screen } from "../ui/screen.tsx";
import { TabLinks } from "../ui/tab-links.tsx";
import { type Status, statuses, useComment, useComments } from "./comment-list.ts";
import { CommentRow } from "./comment-row.tsx";
import { removeComments, setStatus } from "./moderate.ts";
import { commentTexts as t } from "./texts.ts";

export function CommentsScreen() {
  const search = useSearch({ strict: false });
  const status = statuses.find((name) => name === search.tab) ?? "waiting";
  const waiting = useComments("waiting");
  const count = waiting.data ? `${waiting.data.length}${waiting.hasNextPage ? "+" : ""}` : "";
  const found = useComment(search.select ? Number(search.select) : null);
  return (
    <Screen title={t.comments}>
      <div className="mb-3">
        <TabLinks label={t.comments} to="/comments" names={statuses} current={status}>
          {(name) => (
            <>
              {t.tabs[name]}
              {name === "waiting" && count && count !== "0" && (
                <span className="rounded-full bg-accent px-2 text-sm text-on-accent">{count}</span>
              )}
            </>
          )}
        </TabLinks>
      </div>
      {found.data && (
        <section className="mb-6">
          <h2 className="mb-2 text-sm text-soft">{t.found}</h2>
          <Comments comments={[found.data]} status={found.data.status} />
        </section>
      )}
      <Queue key={status} status={status} />
    </Screen>
  );
}

function Queue({ status }: { status: Status }) {
  const query = useComments(status);
  return (
    <Result of={query}>
      {(comments) => (
        <>
          {comments.length === 0 && !query.hasNextPage ? (
            <Empty icon={<MessageSquare />} title={t.empty[status]}>
              {status === "waiting" && t.emptyHint}
            </Empty>
          ) : (
            <Comments comments={comments} status={status} hasKeys />
          )}
          <MoreButton of={query} className="mt-4" />
        </>
      )}
    </Result>
  );
}

type Props = { comments: QueuedComment[]; status: Status; hasKeys?: boolean };

function Comments({ comments, status, hasKeys = false }: Props) {
  const selection = useSelection<number>(() => comments.map(({ id }) => id));
  const [replying, setReplying] = useState<number | null>(null);
  const selected = comments.filter(({ id }) => selection.has(id));
  const act = (work: (some: QueuedComment[]) => Promise<void>) => {
    const current = focused();
    const chosen = selected.length > 0 ? selected : current ? [current] : [];
    if (chosen.length === 0) return;
    selection.clear();
    // The next one that stays in the list gets the focus.
    const at = current ? comments.indexOf(current) : -1;
    const staying = (comment: QueuedComment) => !chosen.includes(comment);
    const next = comments.slice(at + 1).find(staying) ?? comments.slice(0, Math.max(0, at)).findLast(staying);
    if (current && next) focus(next.id);
    void work(chosen);
  };
  useShortcuts(
    hasKeys
      ? [
          { keys: "j", label: t.next, run: () => move(1) },
          { keys: "k", label: t.previous, run: () => move(-1) },
          { keys: "x", label: t.select, run: () => focused() && selection.toggle(focused()?.id ?? 0) },
          { keys: "a", label: words.approve, run: () => act((some) => setStatus(some, "visible")) },
          { keys: "h", label: t.hide, run: () => act((some) => setStatus(some, "hidden")) },
          { keys: "r", label: t.reply, run: () => setReplying(focused()?.id ?? null) },
          { keys: "#", label: words.delete, run: () => act(removeComments) },
        ]
      : [],
  );

  return (
    <>
      {selected.length > 0 && (
        <div className="sticky top-16 z-10 mb-2 flex flex-wrap items-center gap-2 rounded-card border border-line bg-surface px-3 py-1.5 shadow-float">
          <IconButton label={words.clearSelection} onClick={selection.clear}>
            <X />
          </IconButton>
          <span className="flex-1">{words.selected(selected.length)}</span>
          {selected.length < comments.length && (
            <Button variant="quiet" onClick={() => selection.add(comments.map(({ id }) => id))}>
              {words.selectAll}
            </Button>
          )}
          {status !== "visible" && (
            <Button icon={<Check />} onClick={() => act((some) => setStatus(some, "visible"))}>
              {words.approve}
            </Button>
          )}
          {status !== "hidden" && (
            <Button icon={<EyeOff />} onClick={() => act((some) => setStatus(some, "hidden"))}>
              {t.hide}
            </Button>
          )}
          <Button icon={<Trash2 />} onClick={() => act(removeComments)}>
            {words.delete}
          </Button>
        </div>
      )}
      <ul className="divide-y divide-line overflow-hidden rounded-card border border-line bg-surface">
        {comments.map((comment) => (
          <li key={comment.id}>
            <CommentRow
              comment={comment}
              isSelected={selection.has(comment.id)}
              onSelect={(isRange) => selection.toggle(comment.id, isRange)}
              isReplying={replying === comment.id}
              onReply={(isReplying) => {
                setReplying(isReplying ? comment.id : null);
                if (!isReplying) requestAnimationFrame(() => focus(comment.id));
              }}
            />
          </li>
        ))}
      </ul>
    </>
  );

  /** The comment that has the focus, or something in it. */
  function focused(): QueuedComment | undefined {
    const element = document.activeElement?.closest("article");
    return comments.find(({ id }) => element?.id === `comment-${id}`);
  }

  function move(by: number): void {
    const at = comments.findIndex(({ id }) => id === focused()?.id);
    const next = comments[Math.max(0, Math.min(comments.length - 1, at + by))];
    if (next) focus(next.id);
  }
}

function focus(id: number): void {
  const element = document.getElementById(`comment-${id}`);
  element?.focus();
  element?.scrollIntoView({ block: "nearest" });
}
