import { queryOptions } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Photo, PhotoMemory, Post } from "../../client/src/index.ts";
import { listKeptPosts } from "../blog/kept-posts.ts";
import { api } from "../lib/api.ts";
import { readOrKept } from "../lib/connection.ts";
import { formatAgo } from "../lib/format.ts";
import { words } from "../lib/words.ts";
import { OnThisDay, today } from "./on-this-day.tsx";
import { list, Part } from "./part.tsx";
import { PhotoRow } from "./photo-row.tsx";
import { RecentComments } from "./recent-comments.tsx";
import { homeTexts as t } from "./texts.ts";

type Recent = { photos: Photo[]; posts: Post[]; day: string; memories: PhotoMemory[] };

/** Loaded again after every change, as what needs attention is. */
export const recentQuery = queryOptions({
  queryKey: ["attention", "recent"],
  queryFn: ({ signal }) => readOrKept((options) => readRecent({ signal, ...options }), findKept),
  refetchOnReconnect: "always",
});

async function readRecent(options: object): Promise<Recent> {
  const day = today();
  const [photos, posts, memories] = await Promise.all([
    api.listPhotos({ owner: "me", cursor: "", pageSize: 8 }, options),
    api.listPosts({ owner: "me", cursor: "", pageSize: 5 }, options),
    api.readOnThisDay({ day }, options),
  ]);
  return { photos: photos.items, posts: posts.items, day, memories };
}

function findKept(): Recent | null {
  const posts = listKeptPosts().slice(0, 5);
  return posts.length > 0 ? { photos: [], posts, day: today(), memories: [] } : null;
}

export const RecentWork = ({ photos, posts, day, memories }: Recent) => (
  <>
    <OnThisDay memories={memories} day={day} />
    {photos.length > 0 && (
      <Part title={t.lastPhotos} all={<Link to="/photos">{words.allPhotos}</Link>}>
        <PhotoRow photos={photos} />
      </Part>
    )}
    <div className="grid gap-8 md:grid-cols-[repeat(auto-fit,minmax(20rem,1fr))]">
      {posts.length > 0 && (
        <Part title={t.lastPosts} all={<Link to="/blog">{words.allPosts}</Link>}>
          <ul className={list}>
            {posts.map((post) => (
              <li key={post.id}>
                <Link to="/blog/$id" params={{ id: String(post.id) }} className="block px-4 py-2.5 hover:bg-tint">
                  <span className="block truncate font-medium" dir="auto">
                    {post.title}
                  </span>
                  <span className="block text-sm text-soft">{stateOf(post)}</span>
                </Link>
              </li>
            ))}
          </ul>
        </Part>
      )}
      <RecentComments />
    </div>
  </>
);

function stateOf({ publishedAt, updatedAt, visibility }: Post): string {
  if (publishedAt === null) return t.draftOf(formatAgo(updatedAt));
  if (Date.parse(publishedAt) > Date.now()) return t.scheduledFor(formatAgo(publishedAt));
  return visibility === "private" ? t.privateSince(formatAgo(publishedAt)) : t.publishedAt(formatAgo(publishedAt));
}
