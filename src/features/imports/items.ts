import type { Queries, Reader } from "../../platform/database/database.ts";
import { inChunks, joined, list, sql } from "../../platform/database/sql.ts";
import { type KeysetRequest, listByKey } from "../../platform/database/keyset.ts";
import { hashOfText } from "../../platform/hash.ts";
import type { Caller } from "../../platform/http/route.ts";
import type { ImportItem, ItemOutcome } from "./import.ts";
import type { Item } from "./lines.ts";
import { Cancelled, changeUnfinished, lockUnfinished } from "./store.ts";
import { storedKey, toReport } from "./texts.ts";
import { toLine } from "../../platform/text.ts";

type ItemKind = Item["kind"];
export type Known = { importID: number; recordID: number | null; fingerprint: string; outcome: ItemOutcome };

/**
 * Who imports what. `importID` is null for a dry run of the command line, which writes nothing. The items of a dry run have no
 * source: they are not known again.
 */
export type Import = { owner: Caller; importID: number | null; source: string | null };

/** What became of these items of the source in earlier imports, by their keys: in the newest of them. */
export async function findKnown(db: Reader, of: Import, kind: ItemKind, keys: string[]): Promise<Map<string, Known>> {
  const { owner, source } = of;
  const stored = new Map(keys.map((key) => [storedKey(key), key]));
  const rows = await inChunks([...stored.keys()], (some) =>
    db.all<Known & { key: string }>(sql`
      SELECT import_id AS "importID", item_key AS key, record_id AS "recordID", fingerprint, outcome FROM import_items
      WHERE owner_id = ${owner.id} AND source = ${source} AND kind = ${kind} AND item_key IN (${list(some)})
        AND outcome NOT IN ('refused', 'noted')
      ORDER BY import_id`),
  );
  return new Map(rows.map(({ key, ...known }) => [stored.get(key) ?? key, known]));
}

/** The records that items of the source have become, by their keys. */
export async function findRecordIDs(...asked: Parameters<typeof findKnown>): Promise<Map<string, number>> {
  const known = await findKnown(...asked);
  return new Map([...known].flatMap(([key, { recordID }]) => (recordID === null ? [] : [[key, recordID] as const])));
}

/** What became of an item. `state` tells later whether the record was changed here. */
export type Outcome = {
  outcome?: ItemOutcome;
  reason?: string | null | undefined;
  recordID?: number | null | undefined;
  state?: string;
};

/** The same, as it is stored. */
export type ItemResult = Record<"key" | "name" | "fingerprint", string> &
  Pick<ImportItem, "outcome" | "reason"> & { kind: ItemKind; recordID: number | null };

/** Writes items in a transaction, or says in a dry run what would become of them. */
export type WriteResults = (tx: Queries | null) => Promise<ItemResult[]>;

export function resultOf(item: Item, said: Outcome): ItemResult {
  const { outcome = "refused", reason = null, recordID = null, state = "" } = said;
  const { kind, key } = item;
  return { kind, key, name: nameOf(item), outcome, reason, recordID, fingerprint: `${fingerprintOf(item)} ${state}` };
}

function nameOf(item: Item): string {
  if (item.kind === "album") return item.name;
  if (item.kind === "post") return toLine(item.title) || item.key;
  if (item.kind === "comment") return toLine(item.content, 80);
  if (item.kind === "file") return item.name ?? item.key;
  return item.kind === "person" ? item.username : item.key;
}

/** Changes when the source has something else under the same key; that of a post, with what an update would write. */
export function fingerprintOf(item: Item): string {
  if (item.kind === "file") return item.version ?? `${item.size} ${item.modifiedAt ?? "-"}`;
  if (item.kind !== "post") return "";
  const { title, content, excerpt, tags, cover, commentsOpen, visibility, createdAt, publishedAt } = item;
  // A source that knows no date says the present one, each time another.
  const published = createdAt === null && publishedAt !== null ? "published" : publishedAt;
  const parts = [title, content, excerpt, tags, cover, commentsOpen, visibility === "private", published];
  return hashOfText(JSON.stringify(parts)).slice(0, 32);
}

/** An item that was refused, and can be imported now, has the new outcome. */
export async function addItems(tx: Queries, { owner, importID, source }: Import, items: ItemResult[]): Promise<void> {
  if (importID === null) return;
  if (!(await lockUnfinished(tx, importID))) throw new Cancelled();
  await changeUnfinished(tx, importID, {});
  for (let start = 0; start < items.length; start += 100) {
    const rows = items.slice(start, start + 100).map(
      ({ kind, key, name, outcome, reason, recordID, fingerprint }) =>
        sql`(${importID}, ${kind}, ${storedKey(key)}, ${toReport(name)}, ${outcome}, ${reason && toReport(reason)}, ${recordID === null ? null : kind}, ${recordID},
          ${fingerprint}, ${owner.id}, ${source})`,
    );
    await tx.run(sql`
      INSERT INTO import_items (import_id, kind, item_key, name, outcome, reason, record_kind, record_id, fingerprint,
        owner_id, source)
      VALUES ${joined(rows)}
      ON CONFLICT (import_id, kind, item_key) DO UPDATE SET name = excluded.name, outcome = excluded.outcome,
        reason = excluded.reason, record_kind = excluded.record_kind, record_id = excluded.record_id,
        fingerprint = excluded.fingerprint`);
  }
}

type ItemRow = Omit<ImportItem, "record"> & { recordKind: string | null; recordID: number | null };

/** Oldest first. As in the counts, only directories that were refused. */
export function listItems(
  db: Reader,
  importID: number,
  { outcome, kind, ...request }: KeysetRequest & { outcome?: ItemOutcome | undefined; kind?: ItemKind | undefined },
) {
  // The keys of others who have written are those of the source.
  const isOfKind = sql`kind = ${kind ?? ""} AND (kind <> 'person' OR substr(item_key, 1, 10) <> 'commenter ')`;
  const isCounted = sql`(kind <> 'directory' OR outcome = 'refused')`;
  return listByKey(db, request, {
    table: "import_items",
    where: [
      sql`import_id = ${importID}`,
      isCounted,
      ...(kind ? [isOfKind] : []),
      ...(outcome ? [sql`outcome = ${outcome}`] : []),
    ],
    atOnce: 100,
    async find(ids) {
      const rows = await db.all<ItemRow>(sql`
        SELECT id, kind, name, outcome, reason, record_kind AS "recordKind", record_id AS "recordID"
        FROM import_items WHERE id IN (${list(ids)})`);
      return new Map(rows.map((row) => [row.id, toItem(row)]));
    },
  });
}

const toItem = ({ recordKind: kind, recordID, ...row }: ItemRow): ImportItem => ({
  ...row,
  record: kind === null || recordID === null ? null : { kind, id: recordID },
});
