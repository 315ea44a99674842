import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { targetOf } from "../comments/comment-target.ts";
import { api } from "../lib/api.ts";
import { formatAgo } from "../lib/format.ts";
import { list, Part } from "./part.tsx";
import { homeTexts as t } from "./texts.ts";

/** Those on what is one's own; for admins, all. */
export function RecentComments() {
  const { data } = useQuery({
    queryKey: ["comments", "recent"],
    queryFn: ({ signal }) => api.listCommentQueue({ status: "visible", cursor: "", pageSize: 5 }, { signal }),
  });
  if (!data?.items.length) return null;
  return (
    <Part
      title={t.lastComments}
      all={
        <Link to="/comments" search={{ tab: "visible" }}>
          {t.allComments}
        </Link>
      }
    >
      <ul className={list}>
        {data.items.map((comment) => (
          <li key={comment.id}>
            <Link to="/comments" search={{ select: String(comment.id) }} className="block px-4 py-2.5 hover:bg-tint">
              <span className="block truncate" dir="auto">
                {comment.content}
              </span>
              <span className="block truncate text-sm text-soft">
                {[comment.author.username, targetOf(comment).name, formatAgo(comment.createdAt)].join(" · ")}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Part>
  );
}
