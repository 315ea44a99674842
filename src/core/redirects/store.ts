import { missing } from "../../platform/errors.ts";
import type { Database, Queries, Reader } from "../../platform/database/database.ts";
import { type KeysetRequest, listByKey } from "../../platform/database/keyset.ts";
import { removeRows } from "../../platform/database/remove-rows.ts";
import { joined, joinedBy, list, raw, type Sql, sql } from "../../platform/database/sql.ts";
import { toAddress, toSearched, withoutQuery } from "./address.ts";

/** Where an old address leads: to a record, to the page of a tag, or to another path. */
export type Target =
  { kind: "post" | "photo" | "album" | "file"; recordID: number } | { kind: "tag" | "path"; target: string };

export type StoredRedirect = { id: number; address: string; importID: number | null; createdAt: number } & Target;

type Row = {
  id: number;
  address: string;
  kind: Target["kind"];
  record_id: number | null;
  target: string | null;
  import_id: number | null;
  created_at: number;
};

const columns = sql`id, address, kind, record_id, target, import_id, created_at`;

/** Where the address leads; an address with a query that is not known leads where it leads without. */
export async function findRedirect(db: Reader, url: string): Promise<StoredRedirect | null> {
  const address = toAddress(url);
  if (address === null) return null;
  const rows = await db.all<Row>(sql`
    SELECT ${columns} FROM redirects WHERE address IN (${list([address, withoutQuery(address)])})
    ORDER BY length(address) DESC`);
  return rows[0] ? toRedirect(rows[0]) : null;
}

/** `lock` is `tx.forUpdate` if it is going to be changed. */
export async function getRedirect(db: Reader, id: number, lock: Sql = sql``): Promise<StoredRedirect> {
  const row = await db.get<Row>(sql`SELECT ${columns} FROM redirects WHERE id = ${id} ${lock}`);
  if (!row) throw missing(`redirect ${id}`);
  return toRedirect(row);
}

/** Newest first; with `q`, only those whose address contains it. */
export const listRedirects = <Item>(
  db: Reader,
  q: string | undefined,
  request: KeysetRequest,
  present: (redirects: StoredRedirect[]) => Promise<Map<number, Item>>,
) =>
  listByKey(db, request, {
    table: "redirects",
    where: [q === undefined ? sql`1 = 1` : hasInAddress(toSearched(q))],
    atOnce: 100,
    async find(ids) {
      const rows = await db.all<Row>(sql`SELECT ${columns} FROM redirects WHERE id IN (${list(ids)})`);
      return present(rows.map(toRedirect));
    },
  });

/** SQLite ignores the case of Latin letters only, so letters as they are in the address are always found. */
function hasInAddress(part: string): Sql {
  const like = (text: string) => sql`${`%${text.replace(/[\\%_]/g, "\\$&")}%`} ESCAPE '\\'`;
  return sql`(address LIKE ${like(part)} OR lower(address) LIKE ${like(part.toLowerCase())})`;
}

/** The addresses that have a redirect, those after `after`. */
export const listRedirectAddresses = (db: Reader, after: string, limit: number) =>
  db.all<{ address: string }>(
    sql`SELECT address FROM redirects WHERE address > ${after} ORDER BY address LIMIT ${limit}`,
  );

/** Those that are addresses and lead nowhere yet. Returns the ids of what was added. */
export async function addRedirects(
  tx: Queries,
  urls: string[],
  target: Target,
  importID: number | null = null,
): Promise<number[]> {
  const addresses = [...new Set(urls.flatMap((url) => toAddress(url) ?? []))].slice(0, 50);
  if (addresses.length === 0) return [];
  const now = Date.now();
  const { recordID, path } = toColumns(target);
  const rows = addresses.map((address) => sql`(${address}, ${target.kind}, ${recordID}, ${path}, ${importID}, ${now})`);
  const added = await tx.all<{ id: number }>(sql`
    INSERT INTO redirects (address, kind, record_id, target, import_id, created_at) VALUES ${joined(rows)}
    ON CONFLICT (address) DO NOTHING RETURNING id`);
  return added.map(({ id }) => id);
}

/** Those that lead to records of a user. */
export function removeRedirectsTo(db: Database, ownerID: number): Promise<number> {
  const leadsTo = Object.entries({ post: "posts", photo: "photos", album: "albums", file: "files" }).map(
    ([kind, table]) =>
      sql`(kind = ${kind} AND record_id IN (SELECT id FROM ${raw(table)} WHERE owner_id = ${ownerID}))`,
  );
  return removeRows(db, "redirects", sql`(${joinedBy(" OR ", leadsTo)})`);
}

/** It belongs to no import any more: undoing one leaves it. */
export async function updateRedirect(tx: Queries, id: number, address: string, target: Target): Promise<void> {
  const { recordID, path } = toColumns(target);
  await tx.run(sql`
    UPDATE redirects SET address = ${address}, kind = ${target.kind}, record_id = ${recordID}, target = ${path},
      import_id = NULL
    WHERE id = ${id}`);
}

/** Returns those that there were. */
export const removeRedirects = (tx: Queries, ids: number[]) =>
  tx.all<{ id: number; address: string }>(sql`DELETE FROM redirects WHERE id IN (${list(ids)}) RETURNING id, address`);

/** Those that an import has added. */
export async function removeRedirectsOf(tx: Queries, importID: number): Promise<void> {
  await tx.run(sql`DELETE FROM redirects WHERE import_id = ${importID}`);
}

const toColumns = (target: Target) => ({
  recordID: "recordID" in target ? target.recordID : null,
  path: "target" in target ? target.target : null,
});

function toRedirect({ id, address, kind, record_id, target, import_id, created_at }: Row): StoredRedirect {
  const common = { id, address, importID: import_id, createdAt: created_at };
  if (kind === "tag" || kind === "path") return { ...common, kind, target: target ?? "/" };
  return { ...common, kind, recordID: record_id ?? 0 };
}
