import { lazy, Suspense, useState } from "react";
import type { PostWithHTML, RevisionSummary } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { formatAgo, formatTime } from "../lib/format.ts";
import { useListed } from "../lib/listed.ts";
import { words } from "../lib/words.ts";
import { MoreButton } from "../ui/more-button.tsx";
import { Loading, Result } from "../ui/screen.tsx";
import { paneTexts as t } from "./texts.ts";
import type { Writing } from "./writing.ts";

const RevisionDialog = lazy(() => import("./revision-dialog.tsx"));

/** The saved states of the text, newest first. */
export function RevisionsPane({ writing, post }: { writing: Writing; post: PostWithHTML | null }) {
  const [open, setOpen] = useState<RevisionSummary | null>(null);
  const query = useListed(
    ["posts", post?.id, "revisions"],
    (cursor, signal) => api.listRevisions({ id: post?.id ?? 0, cursor, pageSize: 50 }, { signal }),
    { isEnabled: post !== null },
  );
  if (!post) return <p className="p-6 text-soft">{t.noRevisions}</p>;
  return (
    <div className="h-full overflow-y-auto">
      <div className="mx-auto max-w-xl p-5">
        <p className="mb-4 text-soft">{t.revisionsHint}</p>
        <Result of={query}>
          {(revisions) => (
            <ol className="divide-y divide-line rounded-card border border-line bg-surface">
              {revisions.map((revision, index) => (
                <li key={revision.number}>
                  <button
                    type="button"
                    onClick={() => setOpen(revision)}
                    className="flex min-h-11 w-full items-baseline gap-3 px-4 py-2 text-left hover:bg-tint"
                  >
                    <span className="w-24 shrink-0 font-medium">{t.revision(revision.number)}</span>
                    <span className="min-w-0 flex-1 truncate text-soft" dir="auto">
                      {revision.title}
                    </span>
                    <time
                      dateTime={revision.createdAt}
                      title={formatTime(revision.createdAt)}
                      className="text-sm text-soft"
                    >
                      {index === 0 ? t.current : formatAgo(revision.createdAt)}
                    </time>
                  </button>
                </li>
              ))}
            </ol>
          )}
        </Result>
        <MoreButton of={query} label={words.showMore} className="mt-3" />
      </div>
      {open && (
        <Suspense fallback={<Loading />}>
          <RevisionDialog post={post} revision={open} writing={writing} onClose={() => setOpen(null)} />
        </Suspense>
      )}
    </div>
  );
}
