import { z } from "zod";
import { missing } from "../../platform/errors.ts";
import type { Queries, Reader } from "../../platform/database/database.ts";
import { type KeysetRequest, listByKey } from "../../platform/database/keyset.ts";
import { mapSlices, readSlices } from "../../platform/database/slices.ts";
import { list, raw, sql } from "../../platform/database/sql.ts";
import { tagsSchema } from "../../core/records/tags.ts";
import type { PostChanges } from "./post.ts";

const summary = {
  number: z.int().meta({ example: 1, description: "1 for the first. The highest is the post as it is now." }),
  title: z.string().meta({ example: "A week in Lisbon" }),
  createdAt: z.iso.datetime().meta({ description: "When this revision was saved." }),
  author: z
    .object({ id: z.int(), username: z.string().meta({ example: "ada" }) })
    .nullable()
    .meta({ description: "Who saved it; null if that is not known, or if the account was removed." }),
  size: z.int().meta({ description: "The length of the content in bytes, as UTF-8.", example: 20 }),
};

export const revisionSummarySchema = z
  .object(summary)
  .meta({ id: "RevisionSummary", description: "A revision of a post, without its content." });

export const revisionSchema = z
  .object({
    ...summary,
    content: z.string().meta({ example: "We arrived by train." }),
    excerpt: z.string().nullable().meta({ description: "Null if none was sent.", example: null }),
    tags: tagsSchema,
    coverID: z.int().nullable().meta({ example: null }),
  })
  .meta({ id: "Revision", description: "A revision of a post." });

export type Revision = z.output<typeof revisionSchema>;

const revisionsAtOnce = 100;

type RevisionRow = {
  id: number;
  title: string;
  created_at: number;
  revised_by: number | null;
  username: string | null;
  size: number;
};

type WholeRevisionRow = RevisionRow & {
  content: string;
  excerpt: string | null;
  tags: string;
  cover_id: number | null;
};

/** Earlier states, and the post itself as the newest. `id` is the number. */
const revisions = `(
  SELECT number AS id, post_id, title, created_at, revised_by, content, excerpt, tags, cover_id FROM post_revisions
  UNION ALL
  SELECT revision, id, title, coalesce(revised_at, updated_at), revised_by, content, excerpt, tags, cover_id FROM posts
) AS revisions`;

const summaryColumns = sql`id, title, created_at, revised_by, octet_length(content) AS size,
  (SELECT username FROM users WHERE users.id = revised_by) AS username`;

/** Copies what the post is now to its earlier revisions. */
export function keepRevision(tx: Queries, postID: number): void {
  tx.later(sql`
    INSERT INTO post_revisions (post_id, number, created_at, revised_by, cover_id, tags, title, excerpt, content)
    SELECT id, revision, coalesce(revised_at, updated_at), revised_by, cover_id, tags, title, excerpt, content
    FROM posts WHERE id = ${postID}`);
}

/** Newest first. */
export function listRevisions(db: Reader, postID: number, request: KeysetRequest) {
  return listByKey(db, request, {
    table: revisions,
    where: [sql`post_id = ${postID}`],
    atOnce: revisionsAtOnce,
    async find(numbers) {
      const rows = await db.all<RevisionRow>(sql`
        SELECT ${summaryColumns} FROM ${raw(revisions)} WHERE post_id = ${postID} AND id IN (${list(numbers)})`);
      return new Map(rows.map((row) => [row.id, summarize(row)]));
    },
  });
}

export function readAllRevisions(db: Reader, postID: number) {
  const read = (last: RevisionRow | null, size: number) =>
    db.all<RevisionRow>(sql`
      SELECT ${summaryColumns} FROM ${raw(revisions)}
      WHERE post_id = ${postID} AND id < ${last?.id ?? Number.MAX_SAFE_INTEGER} ORDER BY id DESC LIMIT ${size}`);
  return mapSlices(readSlices(read, { size: revisionsAtOnce }), (rows) => rows.map(summarize));
}

export async function getRevision(db: Reader, postID: number, number: number): Promise<Revision> {
  const row = await db.get<WholeRevisionRow>(
    sql`SELECT ${summaryColumns}, content, excerpt, tags, cover_id FROM ${raw(revisions)} WHERE post_id = ${postID} AND id = ${number}`,
  );
  if (!row) throw missing(`revision ${number} of blog post ${postID}`);
  const { content, excerpt, tags, cover_id: coverID } = row;
  return { ...summarize(row), content, excerpt, tags: JSON.parse(tags) as string[], coverID };
}

/** What to send to restore a revision. */
export const toChanges = ({ title, content, excerpt, tags, coverID }: Revision): PostChanges => ({
  title,
  content,
  excerpt,
  tags,
  coverID,
});

const summarize = ({ id, title, created_at, revised_by, username, size }: RevisionRow) => ({
  number: id,
  title,
  createdAt: new Date(created_at).toISOString(),
  author: revised_by === null || username === null ? null : { id: revised_by, username },
  size,
});
