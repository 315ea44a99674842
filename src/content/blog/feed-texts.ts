import type { Reader } from "../../platform/database/database.ts";
import { list, sql } from "../../platform/database/sql.ts";
import { fillFeedHTML, longestInFeed, toFeedHTML } from "../../platform/markdown/feed-html.ts";
import { fillEmbeds, type Filling, listEmbeds } from "./embeds.ts";
import { joinMade, made, madeHTML } from "./made.ts";
import type { PostSummary } from "./summaries.ts";

/** Limits for all posts in a feed together: further posts are only summarized. */
const maxCharacters = 2 ** 19;
const maxEmbeds = 100;

/** `addressOf` returns the address of the page of a post. */
type Site = Required<Filling> & { addressOf(post: PostSummary): string };

/**
 * The HTML of posts as guests see it, with absolute URLs, by their ids. Those that are too long, and those after too many others,
 * have none.
 */
export async function findFeedTexts(db: Reader, posts: PostSummary[], site: Site): Promise<Map<number, string>> {
  if (posts.length === 0) return new Map();
  const rows = await db.all<{ id: number; feed: string | null; html: string | null }>(sql`
    SELECT posts.id, ${made.feed} AS feed,
      CASE WHEN ${made.minutes} IS NULL AND octet_length(${madeHTML}) <= ${longestInFeed} THEN ${madeHTML} END AS html
    FROM posts ${joinMade} WHERE posts.id IN (${list(posts.map(({ id }) => id))})`);
  const stored = new Map(rows.map(({ id, feed, html }) => [id, feed ?? (html === null ? null : toFeedHTML(html))]));
  const chosen: [PostSummary, string][] = [];
  let [characters, embeds] = [0, 0];
  for (const post of posts) {
    const text = stored.get(post.id) ?? null;
    if (text === null) continue;
    const embedded = listEmbeds(text).length;
    if (characters + text.length > maxCharacters || embeds + embedded > maxEmbeds) continue;
    characters += text.length;
    embeds += embedded;
    chosen.push([post, fillFeedHTML(text, site.origin, site.addressOf(post))]);
  }
  // The embedded records of all posts are read together.
  const texts = await fillEmbeds(db, null, chosen.map(([, text]) => text).join(separator), site);
  const filled = texts.split(separator);
  return new Map(chosen.map(([{ id }], index) => [id, filled[index] ?? ""]));
}

/** No stored text contains it. */
const separator = "\0";
