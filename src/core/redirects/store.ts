import type { Database, Queries, Reader } from "../../platform/database/database.ts";
import { type KeysetRequest, listByKey } from "../../platform/database/keyset.ts";
import { removeRows } from "../../platform/database/remove-rows.ts";
import { joined, joinedBy, list, raw, sql } from "../../platform/database/sql.ts";
import { toAddress, withoutQuery } from "./address.ts";

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

export async function getRedirect(db: Reader, id: number): Promise<StoredRedirect | null> {
  const row = await db.get<Row>(sql`SELECT ${columns} FROM redirects WHERE id = ${id}`);
  return row && toRedirect(row);
}

/** Newest first. */
export const listRedirects = <Item>(
  db: Reader,
  request: KeysetRequest,
  present: (redirects: StoredRedirect[]) => Promise<Map<number, Item>>,
) =>
  listByKey(db, request, {
    table: "redirects",
    where: [sql`1 = 1`],
    atOnce: 100,
    async find(ids) {
      const rows = await db.all<Row>(sql`SELECT ${columns} FROM redirects WHERE id IN (${list(ids)})`);
      return present(rows.map(toRedirect));
    },
  });

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
  const recordID = "recordID" in target ? target.recordID : null;
  const path = "target" in target ? target.target : null;
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

export async function removeRedirect(tx: Queries, id: number): Promise<boolean> {
  return (await tx.run(sql`DELETE FROM redirects WHERE id = ${id}`)) > 0;
}

/** Those that an import has added. */
export async function removeRedirectsOf(tx: Queries, importID: number): Promise<void> {
  await tx.run(sql`DELETE FROM redirects WHERE import_id = ${importID}`);
}

function toRedirect({ id, address, kind, record_id, target, import_id, created_at }: Row): StoredRedirect {
  const common = { id, address, importID: import_id, createdAt: created_at };
  if (kind === "tag" || kind === "path") return { ...common, kind, target: target ?? "/" };
  return { ...common, kind, recordID: record_id ?? 0 };
}
