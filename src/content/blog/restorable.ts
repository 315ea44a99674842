import type { BackedUp, Restorable, Row } from "../../core/records/restorable.ts";
import type { Queries, Reader } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import { addHTML } from "./html.ts";
import { isReservedSlug } from "./reserved-slugs.ts";
import { chooseSlug, reserveSlug } from "./slugs.ts";

/** A post brings its revisions, and the slugs that are still free. */
export const restorablePosts: Restorable = {
  fit,
  complete,
};

async function fit(tx: Queries, row: Row): Promise<Row> {
  const slug = row["slug"] as string | null;
  const isPage = row["is_page"] === 1;
  const isKept = slug === null || !((isPage && isReservedSlug(slug)) || (await isTaken(tx, slug)));
  // Otherwise it would be published now, which nobody has asked for.
  const isOverdue = row["status"] === "scheduled" && Number(row["published_at"]) <= Date.now();
  return {
    ...row,
    slug: isKept ? slug : await chooseSlug(tx, String(row["title"]), isPage ? "page" : "post"),
    ...(isOverdue ? { status: "draft", published_at: null, is_private: 1 } : {}),
  };
}

async function complete(tx: Queries, id: number, { slug }: Row, { row, backup }: BackedUp): Promise<void> {
  const before = await backup.all<{ slug: string }>(sql`SELECT slug FROM post_slugs WHERE post_id = ${row["id"] ?? 0}`);
  for (const one of new Set([slug, ...before.map((other) => other.slug)])) {
    if (typeof one === "string" && !(await isTaken(tx, one))) reserveSlug(tx, id, one);
  }
  // The server renders it.
  addHTML(tx, id, null);
}

const isTaken = async (db: Reader, slug: string): Promise<boolean> =>
  (await db.get(sql`SELECT post_id FROM post_slugs WHERE slug = ${slug}`)) !== null;
