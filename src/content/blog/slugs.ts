import { invalid } from "../../platform/errors.ts";
import type { Queries, Reader } from "../../platform/database/database.ts";
import { noteMissing } from "../../platform/database/generations.ts";
import { list, sql } from "../../platform/database/sql.ts";
import { found } from "../../platform/database/touched-tables.ts";
import type { PostKind } from "./post.ts";
import { isReservedSlug } from "./reserved-slugs.ts";
import { slugOf } from "../../platform/slug.ts";

/** Up to this number, posts with the same title are numbered one after the other. */
const maxNumbered = 9;

/** A slug that no post has had. Two transactions may choose the same one: the second fails, and is tried again. */
export async function chooseSlug(db: Reader, title: string, kind: PostKind): Promise<string> {
  const slug = slugOf(title) || kind;
  const isFree = kind === "post" || !isReservedSlug(slug);
  // Most titles are new.
  if (isFree && !(await db.get(sql`SELECT post_id FROM post_slugs WHERE slug = ${slug}`))) return slug;
  const candidates = Array.from({ length: maxNumbered - 1 }, (_, index) => `${slug}-${index + 2}`);
  const rows = await db.all<{ slug: string }>(sql`SELECT slug FROM post_slugs WHERE slug IN (${list(candidates)})`);
  const taken = new Set(rows.map((row) => row.slug));
  return candidates.find((candidate) => !taken.has(candidate)) ?? `${slug}-${randomNumber()}`;
}

const randomNumber = () => crypto.getRandomValues(new Uint32Array(1))[0] as number;

/** Whether the slug is reserved for this post. Throws if it is reserved for another one. */
export async function isReservedFor(db: Reader, postID: number | null, slug: string): Promise<boolean> {
  const row = await db.get<{ post_id: number }>(sql`SELECT post_id FROM post_slugs WHERE slug = ${slug}`);
  if (row && row.post_id !== postID) throw invalid(`"slug" is taken by another post: choose another one.`, "slug");
  return row !== null;
}

/** It stays reserved for the post, even when the post gets another one. */
export function reserveSlug(tx: Queries, postID: number, slug: string): void {
  tx.later(sql`INSERT INTO post_slugs (slug, post_id) VALUES (${slug}, ${postID})`);
}

/** The id of the post that has, or had, this slug; null if there is none. */
export async function findIDBySlug(db: Reader, slug: string): Promise<number | null> {
  const row = await db.get<{ id: number }>(sql`SELECT post_id AS id FROM ${found("post_slugs")} WHERE slug = ${slug}`);
  if (!row) noteMissing("post_slugs");
  return row?.id ?? null;
}

/** Slugs that posts and pages had before, those after `after`: their addresses lead to the current ones. */
export const listOldSlugs = (db: Reader, after: string, limit: number) =>
  db.all<{ slug: string; isPage: number }>(sql`
    SELECT post_slugs.slug AS slug, is_page AS "isPage" FROM post_slugs JOIN posts ON posts.id = post_id
    WHERE post_slugs.slug > ${after} AND posts.slug <> post_slugs.slug AND trash_id IS NULL
    ORDER BY post_slugs.slug LIMIT ${limit}`);
