import type { Database, Queries, Reader } from "../platform/database/database.ts";
import { inChunks, list, sql } from "../platform/database/sql.ts";
import { nextTurn } from "../platform/event-loop.ts";
import { plainHTML, type Renderer } from "../platform/markdown/renderer.ts";
import type { Viewer } from "../platform/http/route.ts";
import { addEmbeds, removeEmbeds } from "./embedded-in.ts";
import { fillEmbeds } from "./embeds.ts";
import type { Post, PostWithHTML } from "./post.ts";

/** The version of the renderer. HTML of an earlier one is made again. */
export const currentRenderer = 2;
const renderedAtOnce = 20;
const markedAtOnce = 500;

/** For a SELECT of posts: the stored HTML, or null. */
export const selectHTML = sql`(SELECT post_html.html FROM post_html WHERE post_html.post_id = posts.id)`;

/** HTML as it was rendered, before embedded records are filled in. Null if there was no time: it is made later then. */
export type RenderedHTML = string | null;

/** For a new post. Must be called in the transaction that writes the content. */
export function addHTML(tx: Queries, postID: number, html: RenderedHTML): void {
  tx.later(sql`
    INSERT INTO post_html (post_id, renderer, html)
    VALUES (${postID}, ${html === null ? null : currentRenderer}, ${html})
    ON CONFLICT (post_id) DO UPDATE SET renderer = excluded.renderer, html = excluded.html`);
  addEmbeds(tx, postID, html ?? "");
}

/** The same for a post that has HTML. */
export function replaceHTML(tx: Queries, postID: number, html: RenderedHTML): void {
  removeEmbeds(tx, postID);
  addHTML(tx, postID, html);
}

/** The post with its HTML for the viewer. */
export async function withHTML(db: Reader, viewer: Viewer, post: Post, html: RenderedHTML): Promise<PostWithHTML> {
  return { ...post, html: await fillEmbeds(db, viewer, html ?? plainHTML(post.content)) };
}

/** No stored text contains it. */
const separator = "\0";

/** The HTML of posts that the viewer may see, for the viewer. */
export async function findHTML(db: Reader, viewer: Viewer, posts: readonly Post[]): Promise<Map<number, string>> {
  const rows = await inChunks([...posts], (some) =>
    db.all<{ post_id: number; html: RenderedHTML }>(
      sql`SELECT post_id, html FROM post_html WHERE post_id IN (${list(some.map(({ id }) => id))})`,
    ),
  );
  const stored = new Map(rows.map(({ post_id, html }) => [post_id, html]));
  const texts = posts.map(({ id, content }) => stored.get(id) ?? plainHTML(content));
  // The embedded records of all posts are read together.
  const filled = (await fillEmbeds(db, viewer, texts.join(separator))).split(separator);
  return new Map(posts.map(({ id }, index) => [id, filled[index] ?? ""]));
}

/** Renders posts whose HTML has to be made again. */
export async function renderWaiting(db: Database, renderer: Renderer, stopping: AbortSignal): Promise<void> {
  const waiting = sql`
    SELECT posts.id, posts.content FROM post_html JOIN posts ON posts.id = post_html.post_id
    WHERE post_html.renderer IS NULL LIMIT ${renderedAtOnce}`;
  for (;;) {
    const posts = stopping.aborted ? [] : await db.all<{ id: number; content: string }>(waiting);
    if (posts.length === 0) return;
    for (const { id, content } of posts) {
      const html = await renderer.render(content);
      if (html === null) return;
      await db.transaction(async (tx) => {
        // A change at the same time writes the HTML of its own content.
        const isSame = sql`SELECT id FROM posts WHERE id = ${id} AND content = ${content} ${tx.forUpdate}`;
        if (await tx.get(isSame)) replaceHTML(tx, id, html);
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
