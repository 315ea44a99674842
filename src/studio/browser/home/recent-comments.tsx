import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { api } from "../lib/api.ts";
import { formatAgo } from "../lib/format.ts";
import { useIsAdmin } from "../lib/me.ts";
import { list, Part } from "./part.tsx";
import { homeTexts as t } from "./texts.ts";

/** The last comments on the site, for admins. What others see of the activity are only their own comments. */
export function RecentComments() {
  const isAdmin = useIsAdmin();
  const { data = [] } = useQuery({
    queryKey: ["comments", "recent"],
    async queryFn({ signal }) {
      const { items } = await api.listActivity({ kind: "comment", cursor: "", pageSize: 20 }, { signal });
      return items.filter(({ action, name }) => action === "created" && name).slice(0, 5);
    },
    enabled: isAdmin,
  });
  if (data.length === 0) return null;
  return (
    <Part title={t.lastComments} all={<Link to="/comments">{t.allComments}</Link>}>
      <ul className={list}>
        {data.map(({ id, name, actor, createdAt }) => (
          <li key={id}>
            <Link to="/comments" className="block px-4 py-2.5 hover:bg-tint">
              <span className="block truncate" dir="auto">
                {name}
              </span>
              <span className="block text-sm text-soft">
                {[actor?.username, formatAgo(createdAt)].filter(Boolean).join(" · ")}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Part>
  );
}
