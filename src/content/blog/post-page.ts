import { missing } from "../../platform/errors.ts";
import type { Reader } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import { type Caller, isOwnerOrAdmin, type Viewer } from "../../platform/http/route.ts";
import { type Heading, toPageHTML } from "../../platform/markdown/page-html.ts";
import type { Rendered } from "../../platform/markdown/rendered.ts";
import type { Html } from "../../platform/markup.ts";
import { plainHTML } from "../../platform/markdown/plain-html.ts";
import { findPhotos } from "../photos/store.ts";
import { type Embed, fillEmbeds, type Filling } from "./embeds.ts";
import { findHidden } from "./hidden.ts";
import { made, madeHTML } from "./made.ts";
import type { PostHead } from "./post.ts";
import { selectPosts } from "./rows.ts";
import { findIDBySlug } from "./slugs.ts";
import { findPostSummaries, type PostSummary, presentSummaries, summaryColumns, type SummaryRow } from "./summaries.ts";

/** A post for its page. `page` is its HTML, in which what depends on the language and the origin is filled in by `fillMarks`. */
export type PostPage = PostSummary & { page: string; headings: Heading[] };

/** What can be prepared for a page while others wait: until a long post is rendered, its page shows the beginning. */
const longestUnprepared = 100_000;

type PageRow = SummaryRow & { page: string | null; headings: string | null; html: string | null; text: string | null };

const pageColumns = sql`${summaryColumns}, ${made.page} AS page, ${made.headings} AS headings,
  CASE WHEN ${made.minutes} IS NULL AND octet_length(${madeHTML}) <= ${longestUnprepared} THEN ${madeHTML} END AS html,
  CASE WHEN ${made.minutes} IS NULL THEN substr(posts.content, 1, ${longestUnprepared}) END AS text`;

export async function getPostPage(db: Reader, viewer: Viewer, id: number, filling: Filling): Promise<PostPage> {
  const post = await findPostPage(db, viewer, id, filling);
  if (!post) throw missing(`blog post ${id}`);
  return post;
}

/** The post that has, or had, the slug. The id of a post that the viewer may not see stays unknown. */
export async function getPostPageBySlug(db: Reader, viewer: Viewer, slug: string, filling: Filling): Promise<PostPage> {
  const id = await findIDBySlug(db, slug.normalize("NFC"));
  const post = id === null ? null : await findPostPage(db, viewer, id, filling);
  if (!post) throw missing(`blog post with the slug "${slug}"`);
  return post;
}

/** What is shown of a record that guests do not see, or of an album of which they do not see this number of photos. */
export type Mark = (embed: Embed, photos: number | null) => Html;
/** What a page shows of a post that is being written. `id` is that of the post as it was saved. */
type WrittenPost = Pick<PostHead, "kind" | "title" | "tags" | "coverID"> & { id: number | null };

/** The page that a post will have for guests when it is saved and everyone sees it. `mark` takes the place of what they do not see. */
export async function previewPostPage(
  db: Reader,
  caller: Caller,
  { id, ...written }: WrittenPost,
  { rendered, filling, mark }: { rendered: Rendered; filling: Filling; mark: Mark },
): Promise<PostPage> {
  const saved = id === null ? null : (await findPostSummaries(db, caller, [id])).get(id);
  if (saved === undefined || (saved && !isOwnerOrAdmin(caller, saved))) throw missing(`blog post ${id}`);
  const { coverID } = written;
  const covers = coverID === null ? null : await findPhotos(db, null, [coverID]);
  const { isHidden, countIn } = await findHidden(db, caller, rendered.page, coverID);
  const markHidden = (embed: Embed) => {
    if (isHidden(embed)) return mark(embed, null);
    const photos = embed.kind === "album" ? countIn(embed.id) : 0;
    return photos > 0 ? mark(embed, photos) : null;
  };
  const now = new Date().toISOString();
  const { page, headings, minutes, excerpt } = rendered;
  return {
    ...(saved ?? { id: 0, ownerID: caller.id, slug: "preview", commentsOpen: true, createdAt: now, updatedAt: now }),
    ...written,
    cover: (coverID !== null && covers?.get(coverID)) || null,
    excerpt,
    minutes,
    visibility: "public",
    publishedAt: saved?.publishedAt && saved.publishedAt < now ? saved.publishedAt : now,
    page: await fillEmbeds(db, null, page, { ...filling, markHidden }),
    headings,
  };
}

async function findPostPage(db: Reader, viewer: Viewer, id: number, filling: Filling): Promise<PostPage | null> {
  const row = await db.get<PageRow>(selectPosts(viewer, sql`SELECT id FROM posts WHERE id = ${id}`, pageColumns));
  const [summary] = row ? await presentSummaries(db, viewer, [row]) : [];
  if (!row || !summary) return null;
  const { page, headings } =
    row.page === null
      ? toPageHTML(row.html ?? plainHTML(row.text ?? ""))
      : { page: row.page, headings: JSON.parse(row.headings ?? "[]") as Heading[] };
  return { ...summary, page: await fillEmbeds(db, viewer, page, filling), headings };
}
