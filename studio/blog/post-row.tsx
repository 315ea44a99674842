import { Link, useNavigate } from "@tanstack/react-router";
import { Copy, ExternalLink, PencilLine, Trash2 } from "lucide-react";
import type { Post } from "../../client/src/index.ts";
import { formatAgo, formatDay, formatTime } from "../lib/format.ts";
import { words } from "../lib/words.ts";
import { Thumb } from "../pickers/thumb.tsx";
import { classes } from "../ui/classes.ts";
import { ContextMenu, MoreMenu, type MenuItem } from "../ui/menu.tsx";
import { VisibilityMark, visibilityTexts } from "../ui/visibility-mark.tsx";
import { pathOf, statusOf } from "./draft.ts";
import { deletePost, duplicatePost } from "./post-changes.ts";
import { listTexts as t } from "./texts.ts";

export function PostRow({ post }: { post: Post }) {
  const navigate = useNavigate();
  const { id, title, excerpt, tags, cover, visibility } = post;
  const status = statusOf(post);
  const open = (id: number) => void navigate({ to: "/blog/$id", params: { id: String(id) } });
  const items = (): MenuItem[] => [
    { label: words.edit, icon: <PencilLine />, run: () => open(id) },
    {
      label: words.viewOnSite,
      icon: <ExternalLink />,
      run: () => window.open(encodeURI(pathOf(post)), "_blank", "noopener"),
    },
    { label: words.duplicate, icon: <Copy />, run: () => void duplicatePost(post, (copy) => open(copy.id)) },
    null,
    { label: words.delete, icon: <Trash2 />, isDanger: true, run: () => void deletePost(post) },
  ];
  return (
    <ContextMenu items={items}>
      <div className="relative flex h-24 items-center gap-4 px-3 hover:bg-tint sm:px-4">
        <div className="min-w-0 flex-1">
          <Link
            to="/blog/$id"
            params={{ id: String(id) }}
            preload="intent"
            dir="auto"
            className="block truncate font-semibold no-underline after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
          >
            {title}
          </Link>
          <p className="truncate text-sm text-soft" dir="auto">
            {excerpt}
          </p>
          <p className="mt-0.5 flex items-center gap-x-1 overflow-hidden sm:gap-x-2 text-sm whitespace-nowrap text-soft">
            <span className={classes(status === "published" ? "text-accent" : "text-notice")}>
              {t.statuses[status]}
            </span>
            <VisibilityMark
              visibility={status === "published" ? visibility : "private"}
              label={status === "published" || visibility === "private" ? undefined : visibilityTexts.untilPublished}
            />
            <Time post={post} />
            <span className="min-w-0 truncate">{tags.map((tag) => `#${tag}`).join(" ")}</span>
          </p>
        </div>
        {cover && <Thumb photo={cover} width={64} className="size-16 shrink-0 rounded-control" />}
        <MoreMenu label={words.actionsFor(title)} className="relative" items={items()} />
      </div>
    </ContextMenu>
  );
}

function Time({ post }: { post: Post }) {
  const status = statusOf(post);
  if (status === "draft" || post.publishedAt === null) {
    return <time dateTime={post.updatedAt}>{t.changedAgo(formatAgo(post.updatedAt))}</time>;
  }
  return (
    <time dateTime={post.publishedAt}>
      {status === "scheduled" ? formatTime(post.publishedAt) : formatDay(post.publishedAt)}
    </time>
  );
}
