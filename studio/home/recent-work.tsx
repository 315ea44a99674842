import { queryOptions } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Photo, Post } from "../../client/src/index.ts";
import { listKeptPosts } from "../blog/kept-posts.ts";
import { api } from "../lib/api.ts";
import { readOrKept } from "../lib/connection.ts";
import { formatAgo } from "../lib/format.ts";
import { Thumb } from "../pickers/thumb.tsx";
import { list, Part } from "./part.tsx";
import { RecentComments } from "./recent-comments.tsx";
import { homeTexts as t } from "./texts.ts";

type Recent = { photos: Photo[]; posts: Post[] };

/** Loaded again after every change, as what needs attention is. */
export const recentQuery = queryOptions({
  queryKey: ["attention", "recent"],
  queryFn: ({ signal }) => readOrKept((options) => readRecent({ signal, ...options }), findKept),
  refetchOnReconnect: "always",
});

async function readRecent(options: object): Promise<Recent> {
  const [photos, posts] = await Promise.all([
    api.listPhotos({ owner: "me", cursor: "", pageSize: 8 }, options),
    api.listPosts({ owner: "me", cursor: "", pageSize: 5 }, options),
  ]);
  return { photos: photos.items, posts: posts.items };
}

function findKept(): Recent | null {
  const posts = listKeptPosts().slice(0, 5);
  return posts.length > 0 ? { photos: [], posts } : null;
}

export const RecentWork = ({ photos, posts }: Recent) => (
  <>
    {photos.length > 0 && (
      <Part title={t.lastPhotos} all={<Link to="/photos">{t.allPhotos}</Link>}>
        <ul className="grid grid-cols-4 gap-1 overflow-hidden rounded-card md:grid-cols-8">
          {photos.map((photo) => (
            <li key={photo.id}>
              <Link
                to="/photos/$id"
                params={{ id: String(photo.id) }}
                aria-label={photo.title}
                title={photo.title}
                className="block hover:opacity-85 focus-visible:outline-offset-[-2px]"
              >
                <Thumb photo={photo} width={160} />
              </Link>
            </li>
          ))}
        </ul>
      </Part>
    )}
    <div className="grid gap-8 md:grid-cols-[repeat(auto-fit,minmax(20rem,1fr))]">
      {posts.length > 0 && (
        <Part title={t.lastPosts} all={<Link to="/blog">{t.allPosts}</Link>}>
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
