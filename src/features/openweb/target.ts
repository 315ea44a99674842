import { getPostBySlug } from "../../content/blog/store.ts";
import { type TargetID, type TargetKind, targets } from "../../content/comments/target.ts";
import { isListed } from "../../core/trash/trash.ts";
import type { Reader } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import { Problem } from "../../platform/errors.ts";

const sections: Record<string, TargetKind> = { blog: "post", photos: "photo", albums: "album" };

/** What a page of this site shows, if guests see it and it takes comments; null for everything else. */
export async function findTarget(db: Reader, { pathname }: URL): Promise<TargetID | null> {
  const [, section = "", part = ""] = /^\/([a-z]+)\/([^/]+)$/.exec(pathname) ?? [];
  const kind = sections[section];
  const id = kind === "post" ? await findPostID(db, part) : Number(/^([1-9]\d{0,14})(?:-|$)/.exec(part)?.[1] ?? 0);
  if (!kind || id === 0) return null;
  const { table, isOpen } = targets[kind];
  const isTaken = await db.get(sql`SELECT id FROM ${table} WHERE id = ${id} AND ${isListed} AND ${isOpen}`);
  return isTaken ? { kind, id } : null;
}

/** 0 if there is none. */
async function findPostID(db: Reader, part: string): Promise<number> {
  try {
    const post = await getPostBySlug(db, null, decodeURIComponent(part));
    return post.kind === "post" ? post.id : 0;
  } catch (error) {
    if (error instanceof Problem || error instanceof URIError) return 0;
    throw error;
  }
}
