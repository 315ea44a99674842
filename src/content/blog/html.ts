import type { Database, Queries, Reader } from "../../platform/database/database.ts";
import { list, sql, type Sql } from "../../platform/database/sql.ts";
import { nextTurn } from "../../platform/event-loop.ts";
import { plainHTML } from "../../platform/markdown/plain-html.ts";
import type { Rendered } from "../../platform/markdown/rendered.ts";
import type { Renderer } from "../../platform/markdown/renderer.ts";
import type { Viewer } from "../../platform/http/route.ts";
import { addEmbeds, removeEmbeds } from "./embedded-in.ts";
import { fillEmbeds } from "./embeds.ts";
import { currentRenderer } from "./made.ts";
import type { Post, PostWithHTML } from "./post.ts";

const renderedAtOnce = 20;
const markedAtOnce = 500;

/** What was made of a text, before embedded records are filled in. Null if there was no time: it is made later then. */
export type RenderedHTML = Rendered | null;

/** For a new post, which has no HTML: then what was read of other posts stays. */
export const addHTML = (tx: Queries, postID: number, rendered: RenderedHTML): void =>
  writeHTML(tx, postID, rendered, sql``);

function writeHTML(tx: Queries, postID: number, rendered: RenderedHTML, onConflict: Sql): void {
  const row = rendered ? toRow(rendered) : notMade;
  tx.later(sql`
    INSERT INTO post_html (post_id, renderer, minutes, excerpt, headings, html, feed, page)
    VALUES (${postID}, ${row.renderer}, ${row.minutes}, ${row.excerpt}, ${row.headings}, ${row.html}, ${row.feed}, ${row.page})
    ${onConflict}`);
  addEmbeds(tx, postID, row.html ?? "");
}

const notMade = { renderer: null, minutes: null, excerpt: null, headings: null, html: null, feed: null, page: null };

function toRow({ html, minutes, excerpt, headings, feed, page }: Rendered) {
  // Most texts are the same for feeds and pages: see `made.ts`.
  const unlessSame = (text: string | null) => (text === html ? "" : text);
  return {
    renderer: currentRenderer,
    minutes,
    excerpt,
    headings: JSON.stringify(headings),
    html,
    feed: unlessSame(feed),
    page: unlessSame(page),
  };
}

/** The same for a post that has HTML. */
export function replaceHTML(tx: Queries, postID: number, html: RenderedHTML): void {
  removeEmbeds(tx, postID);
  writeHTML(
    tx,
    postID,
    html,
    sql`
    ON CONFLICT (post_id) DO UPDATE SET renderer = excluded.renderer, minutes = excluded.minutes, excerpt = excluded.excerpt,
      headings = excluded.headings, html = excluded.html, feed = excluded.feed, page = excluded.page`,
  );
}

/** The post with its HTML for the viewer. */
export async function withHTML(db: Reader, viewer: Viewer, post: Post, html: string | null): Promise<PostWithHTML> {
  return { ...post, html: await fillEmbeds(db, viewer, html ?? plainHTML(post.content)) };
}

/** Renders posts whose HTML has to be made again. */
export async function renderWaiting(db: Database, renderer: Renderer, stopping: AbortSignal): Promise<void> {
  for (let last = 0; ;) {
    const waiting = sql`
      SELECT posts.id, posts.owner_id, posts.content FROM post_html JOIN posts ON posts.id = post_html.post_id
      WHERE post_html.renderer IS NULL AND post_html.post_id > ${last} ORDER BY post_html.post_id LIMIT ${renderedAtOnce}`;
    const posts = stopping.aborted ? [] : await db.all<{ id: number; owner_id: number; content: string }>(waiting);
    if (posts.length === 0) return;
    for (const { id, owner_id: ownerID, content } of posts) {
      last = id;
      const rendered = stopping.aborted ? null : await renderer.render(content, ownerID);
      // Its owner has too many texts at the moment: it waits for the next time, and those of others do not.
      if (rendered === null) continue;
      await db.transaction(async (tx) => {
        // A change at the same time writes the HTML of its own content.
        const isSame = sql`SELECT id FROM posts WHERE id = ${id} AND content = ${content} ${tx.forUpdate}`;
        if (await tx.get(isSame)) replaceHTML(tx, id, rendered);
      });
    }
  }
}

/** Has posts rendered that have no HTML, or that of an earlier version. */
export async function markMissingHTML(db: Database, stopping: AbortSignal): Promise<void> {
  const outdated = sql`SELECT post_id FROM post_html WHERE renderer < ${currentRenderer} LIMIT ${markedAtOnce}`;
  const mark = sql`UPDATE post_html SET renderer = NULL WHERE post_id IN (${outdated})`;
  while (!stopping.aborted && (await db.transaction((tx) => tx.run(mark))) > 0) await nextTurn();
  for (let last = 0; !stopping.aborted;) {
    await nextTurn();
    const rows = await db.all<{ id: number }>(
      sql`SELECT id FROM posts WHERE id > ${last} ORDER BY id LIMIT ${markedAtOnce}`,
    );
    const ids = rows.map(({ id }) => id);
    if (ids.length === 0) return;
    last = ids.at(-1) as number;
    const missing = sql`
      SELECT id FROM posts WHERE id IN (${list(ids)}) AND id NOT IN (SELECT post_id FROM post_html WHERE post_id IN (${list(ids)}))`;
    if (!(await db.get(missing))) continue;
    await db.transaction((tx) =>
      tx.run(sql`INSERT INTO post_html (post_id) ${missing} ON CONFLICT (post_id) DO NOTHING`),
    );
  }
}

/** Has all posts rendered again. Returns how many. */
export async function markAllHTML(db: Database): Promise<number> {
  return db.transaction((tx) => tx.run(sql`UPDATE post_html SET renderer = NULL`));
}
