import { SQL } from "bun";
import type { Database } from "../../src/platform/database/database.ts";
import { schemaOf } from "../../src/module.ts";
import { modules } from "../../src/modules.ts";
import type { Records } from "./site.ts";

/** Ids of the copies begin here. */
const base = 1000;
const id = `${base} + n`;
/** Every tenth record. */
const isPrivate = "CASE WHEN n % 10 = 0 THEN 1 ELSE 0 END";
const hash = "lpad(to_hex(n), 64, '0')";

type Copies = {
  table: string;
  /** The row that is copied. */
  where: string;
  count: number;
  /** What is different in the copies: `n` counts them, the rest is as in `row`. */
  values: Record<string, string>;
};

/**
 * Copies the records of a small site on PostgreSQL so often that there are `photos` photos, as many files in one directory and
 * comments in one thread, all photos in one album, and a tenth of the others, with what follows from them.
 */
export async function growSite(url: string, db: Database, records: Records, photos: number): Promise<void> {
  const copies = copiesOf(records, photos);
  const connection = new SQL(url, { max: 1 });
  // Indexes, foreign keys and triggers for each row would take most of the time.
  await connection.unsafe("SET session_replication_role = replica; SET synchronous_commit = off");
  const indexes: { name: string; definition: string }[] = await connection.unsafe(`
    SELECT indexname AS name, indexdef AS definition FROM pg_indexes
    WHERE tablename IN (${copies.map(({ table }) => `'${table}'`).join()})
      AND indexdef NOT LIKE 'CREATE UNIQUE%'`);
  for (const { name } of indexes) await connection.unsafe(`DROP INDEX ${name}`);
  // Jobs of the server see all of it or nothing: they would add what is still missing.
  await connection.unsafe("BEGIN");
  for (const one of copies) await connection.unsafe(await copy(connection, one));
  await connection.unsafe("COMMIT");
  for (const statement of followUps) await connection.unsafe(statement);
  for (const { definition } of indexes) await connection.unsafe(definition);
  for (const table of new Set(copies.flatMap(({ table, values }) => (values.id ? [table] : []))))
    await connection.unsafe(`SELECT setval(pg_get_serial_sequence('${table}', 'id'), (SELECT max(id) FROM ${table}))`);
  await connection.unsafe("VACUUM ANALYZE");
  await connection.close();
  for (const { name, rebuild } of schemaOf(modules).maintained) if (!copied.has(name)) await rebuild(db);
}

const followUps = [
  "DELETE FROM album_counts",
  `INSERT INTO album_counts (album_id, seen_by, photos)
   SELECT album_id, seen_by, count(*) FROM album_photos GROUP BY album_id, seen_by`,
  "DELETE FROM album_blocks",
  `INSERT INTO album_blocks (album_id, size, block, seen_by, photos)
   SELECT album_id, bits, position >> bits, seen_by, count(*) FROM album_photos CROSS JOIN (VALUES (28), (34)) AS sizes (bits)
   GROUP BY 1, 2, 3, 4`,
];

/** What is copied with the rows: to correct it takes a transaction for each of them. */
const copied = new Set([
  "photos in lists",
  "tags of posts",
  "photos that are hidden in albums",
  "photos in albums",
  "photos in blocks of albums",
]);

async function copy(connection: SQL, { table, where, count, values }: Copies): Promise<string> {
  const columns: { name: string }[] = await connection.unsafe(`
    SELECT column_name AS name FROM information_schema.columns
    WHERE table_schema = 'public' AND table_name = '${table}' ORDER BY ordinal_position`);
  const names = columns.map(({ name }) => `"${name}"`);
  const selected = columns.map(({ name }) => values[name] ?? `row."${name}"`);
  return `
    INSERT INTO ${table} (${names.join()})
    SELECT ${selected.join()} FROM ${table} AS row CROSS JOIN generate_series(1, ${count}) AS n WHERE ${where} ORDER BY n`;
}

function copiesOf(
  { user, photo, file, album, post, hash: sha256, trashed, ...records }: Records,
  photos: number,
): Copies[] {
  const some = Math.ceil(photos / 10);
  /** Ids of the comments on the photo follow those of the comments on the post. */
  const onPhoto = 2 * base + photos;
  const seenBy = `CASE WHEN n % 10 = 0 THEN ${user} ELSE 0 END`;
  const takenAt = "row.taken_at - n * 3600000::bigint";
  const document = (kind: string, record: number, count: number, title: string, recordID = id): Copies => ({
    table: "documents",
    where: `kind = '${kind}' AND record_id = ${record}`,
    count,
    values: {
      id: "nextval(pg_get_serial_sequence('documents', 'id'))",
      record_id: recordID,
      title_words: title,
      unread: "NULL",
    },
  });
  return [
    // First, because the server indexes records that have no document.
    document("photo", photo, photos, "' photo ' || n || ' '"),
    document("file", file, photos, "' picture ' || n || ' '"),
    document("album", album, some, "' album ' || n || ' '"),
    document("post", post, some, "' post ' || n || ' '"),
    document("comment", records.comment, photos, "' '"),
    document("comment", records.comment, photos, "' '", `${onPhoto} + n`),
    {
      table: "users",
      where: `id = ${user}`,
      count: some,
      values: { id, username: "'person' || n", username_key: "'person' || n", username_skeleton: "'person' || n" },
    },
    {
      table: "files",
      where: `id = ${file}`,
      count: photos,
      values: {
        id,
        name: "'picture ' || n",
        name_key: "'picture ' || n",
        order_key: "'1picture ' || lpad(n::text, 9, '0')",
        sha256: hash,
        content_type: "'image/png'",
        is_private: isPrivate,
      },
    },
    { table: "images", where: `sha256 = '${sha256}'`, count: photos, values: { sha256: hash } },
    {
      table: "photos",
      where: `id = ${photo}`,
      count: photos,
      values: {
        id,
        file_id: id,
        title: "'Photo ' || n",
        is_private: isPrivate,
        taken_at: takenAt,
        sized_sha256: hash,
        compared_at: "row.created_at",
      },
    },
    {
      table: "photo_lists",
      where: `photo_id = ${photo}`,
      count: photos,
      values: { photo_id: id, seen_by: seenBy, taken_at: takenAt },
    },
    {
      table: "photo_places",
      where: `photo_id = ${photo}`,
      count: photos,
      values: { photo_id: id, code: "row.code + n * 1000::bigint" },
    },
    {
      table: "album_photos",
      where: `album_id = ${album} AND photo_id = ${photo}`,
      count: photos,
      values: { photo_id: id, position: "row.position + n * 1048576::bigint", seen_by: seenBy },
    },
    {
      table: "albums",
      where: `id = ${album}`,
      count: some,
      values: {
        id,
        name: "'Album ' || n",
        cover_photo_id: id,
        parent_id: `CASE WHEN n % 2 = 0 THEN ${album} END`,
        position: "n",
        is_private: isPrivate,
      },
    },
    {
      table: "album_photos",
      where: `album_id = ${album} AND photo_id = ${photo}`,
      count: some,
      values: { album_id: id, photo_id: id, seen_by: seenBy },
    },
    {
      table: "posts",
      where: `id = ${post}`,
      count: some,
      values: {
        id,
        slug: "'post-' || n",
        title: "'Post ' || n",
        cover_id: id,
        published_at: "row.published_at - n * 60000::bigint",
        is_private: isPrivate,
      },
    },
    { table: "post_slugs", where: `post_id = ${post}`, count: some, values: { post_id: id, slug: "'post-' || n" } },
    { table: "post_html", where: `post_id = ${post}`, count: some, values: { post_id: id } },
    {
      table: "post_tags",
      where: `post_id = ${post}`,
      count: some,
      values: { post_id: id, is_private: isPrivate, published_at: "row.published_at - n * 60000::bigint" },
    },
    {
      table: "comments",
      where: `id = ${records.comment}`,
      count: photos,
      values: { id, content: "'Comment ' || n", status: "CASE WHEN n % 50 = 0 THEN 'waiting' ELSE 'visible' END" },
    },
    {
      table: "comments",
      where: `id = ${records.comment}`,
      count: photos,
      values: { id: `${onPhoto} + n`, target_kind: "'photo'", target_id: `${photo}` },
    },
    {
      table: "activity",
      where: `id = ${records.activity}`,
      count: photos,
      values: { id: `${base * 100} + n`, created_at: "row.created_at - n" },
    },
    {
      table: "trash",
      where: `record_id = ${trashed} AND kind = 'photo'`,
      count: some,
      values: { id, record_id: `${base + photos} + n` },
    },
    {
      table: "photos",
      where: `id = ${trashed}`,
      count: some,
      values: { id: `${base + photos} + n`, trash_id: id },
    },
    { table: "file_versions", where: `file_id = ${file}`, count: some, values: { id } },
    { table: "shares", where: `record_id = ${album}`, count: some, values: { id, token_hash: "'token' || n" } },
    { table: "redirects", where: "address = '/old/0'", count: some, values: { id, address: "'/older/' || n" } },
  ];
}
