import { recordActivity } from "../../core/activity/record.ts";
import { restoreImage } from "../../core/images/store.ts";
import type { RecordKind } from "../../core/records/record-kind.ts";
import type { Row } from "../../core/records/restorable.ts";
import { seesEverything } from "../../core/records/visibility.ts";
import { checkQuota, type Quota, readUsage } from "../../core/storage/quota.ts";
import { BackupError } from "../../platform/backups/place.ts";
import { insertRows } from "../../platform/database/copy-rows.ts";
import type { Queries, Reader } from "../../platform/database/database.ts";
import { readLastID } from "../../platform/database/sequences.ts";
import { raw, sql } from "../../platform/database/sql.ts";
import { blobColumnsOf } from "../../platform/database/tables.ts";
import { indexRecord } from "../../platform/search/documents.ts";
import {
  type Added,
  type Backup,
  findSame,
  type Kind,
  nameOf,
  type NewRecord,
  type Outcome,
  type PartRow,
  readParts,
  type RestoredSite,
  type Why,
  type Work,
} from "./restoring.ts";

const maxUses = 1000;

/** Each record is written in a transaction of its own, with all that belongs to it. */
export function createWriting(backup: Backup, site: RestoredSite): { work: Work; lost: Outcome[] } {
  const bytes = createBytes(backup, site);
  /** Parts of restored records that could not be restored. */
  const lost: Outcome[] = [];
  return { work: { add, mend: ({ table }, id) => bytes.bringMissing(table, id) }, lost };

  async function add(record: NewRecord): Promise<Added> {
    const { kind, row, was, why, memberIDs } = record;
    const { restorable, table, name } = kind;
    const { db } = backup;
    const blobs = await bytes.bring(table, row);
    const parts = await bringParts(record);
    const last = await readLastID(site.db, table);
    return site.db.transaction(async (tx) => {
      await tx.lock("restore from a backup");
      const same = await findSame(tx, table, was);
      if (same) return { id: same.id, isNew: false };
      const storedBefore = await readStored(tx, row);
      const backedUp = { row: was, backup: db, hasNewLink: (ids: number[]) => hasNewLink(tx, kind, ids) };
      const { id: oldID, ...fitting } = (await restorable.fit?.(tx, row, backedUp)) ?? row;
      const isSameID = Number(oldID) <= last && (await isFree(tx, kind, Number(oldID)));
      const written = await tx.get<Row & { id: number }>(sql`
        ${insertRows({ name: table }, [isSameID ? { id: oldID ?? null, ...fitting } : fitting])} RETURNING *`);
      const { id } = written as { id: number };
      await tx.changed(name, [{ id, before: null, after: written as Row }]);
      for (const part of parts) tx.later(insertPart(part, written as Row));
      if (memberIDs.length > 0) await restorable.members?.add(tx, id, memberIDs);
      await restorable.complete?.(tx, id, fitting, backedUp);
      for (const sha256 of blobs) await restoreImage(tx, db, sha256);
      await putBack(tx, record, written as Row);
      await announce(tx, kind, id, why);
      if ((await readStored(tx, row)) > storedBefore) await checkQuota(tx, quotaOf(row));
      return { id, isNew: true };
    });
  }

  function quotaOf(row: Row): Quota {
    return { ownerID: Number(row["owner_id"]), quotaBytes: site.quotaBytes };
  }

  /** What the owner of the row has stored, if there is a quota. */
  async function readStored(tx: Queries, row: Row): Promise<number> {
    return site.quotaBytes === null ? 0 : ((await readUsage(tx, quotaOf(row).ownerID))?.stored ?? 0);
  }

  /** Those whose bytes the site has then. */
  async function bringParts(record: NewRecord): Promise<PartRow[]> {
    const brought: PartRow[] = [];
    for (const part of await readParts(backup, site.tables, record)) {
      const { table, row, word } = part;
      try {
        await bytes.bring(table, row);
        brought.push(part);
      } catch (error) {
        if (!(error instanceof BackupError)) throw error;
        const name = nameOf(record.kind, record.was);
        lost.push({ kind: word, id: Number(row["id"]), name, state: "failed", newID: null, reason: error.message });
      }
    }
    return brought;
  }

  /** To where it was a member. A private record is not put where a new share link would show it. */
  async function putBack(tx: Queries, { kind: { name }, was }: NewRecord, written: Row): Promise<void> {
    for (const kind of site.kinds) {
      const { members } = kind.restorable ?? {};
      if (members?.kind !== name) continue;
      for (const place of await members.listPlaces(backup.db, Number(was["id"]))) {
        const before = await backup.db.get<Row>(
          sql`SELECT id, created_at FROM ${raw(kind.table)} WHERE id = ${place.id}`,
        );
        const same = before && (await findSame(tx, kind.table, before));
        if (!same || same.isTrashed) continue;
        const isShown = await hasNewLink(tx, kind, await members.listAbove(tx, same.id));
        if (isShown && written["is_private"] !== 0) continue;
        await members.putBack(tx, { ...place, id: same.id }, Number(written["id"]));
        const texts = (await kind.readTexts(tx, [same.id])).get(same.id);
        if (texts)
          recordActivity(tx, site.actorID, "changed", { ...texts, kind: kind.name, id: same.id, name: texts.title });
      }
    }
  }

  async function announce(tx: Queries, kind: Kind, id: number, why: Why): Promise<void> {
    const texts = (await kind.readTexts(tx, [id])).get(id);
    if (!texts) throw new Error(`The ${kind.name} ${id} was restored, and cannot be found.`);
    const { ownerID, isPrivate, title } = texts;
    await indexRecord(tx, kind.name, { id, ownerID, visibility: isPrivate ? "private" : "public" }, texts);
    if (why !== "along") recordActivity(tx, site.actorID, "restored", { kind: kind.name, id, ownerID, name: title });
  }

  /** Whether no record has the id, and no share link leads to it: such a link must not show it again. */
  async function isFree(tx: Queries, kind: Kind, id: number): Promise<boolean> {
    if (await tx.get(sql`SELECT id FROM ${raw(kind.table)} WHERE id = ${id}`)) return false;
    return (await findLinks(tx, kind, [id])).size === 0;
  }

  async function hasNewLink(tx: Queries, kind: RecordKind, ids: number[]): Promise<boolean> {
    const links = await findLinks(tx, kind, ids);
    return links.size > 0 && !links.isSubsetOf(await findLinks(backup.db, kind, ids));
  }

  /** The share links to these records. */
  async function findLinks(db: Reader, { shared = {} }: RecordKind, ids: number[]): Promise<Set<number | null>> {
    const links = new Set<number | null>();
    if (ids.length === 0) return links;
    for (const kind of Object.keys(shared)) {
      for (const findUses of site.findUses) {
        const uses = await findUses(db, seesEverything, { kind, ids }, maxUses);
        for (const use of uses) if (use.as === "link") links.add(use.id);
      }
    }
    return links;
  }
}

/** With an id of its own, it gets a new one. */
function insertPart({ table, column, row: { id: _, ...row } }: PartRow, { id = 0, owner_id: ownerID = 0 }: Row) {
  const owner = "owner_id" in row ? { owner_id: ownerID } : {};
  return insertRows({ name: table }, [{ ...row, ...owner, [column]: id }]);
}

/** Bytes are compared with their hash before they count. */
function createBytes(backup: Backup, { db, blobs, tables }: RestoredSite) {
  return { bring, bringMissing };

  /** Returns the blobs of a row, which the site has then. */
  async function bring(table: string, row: Row): Promise<string[]> {
    const names = blobColumnsOf(tables)
      .filter((blob) => blob.table === table)
      .flatMap(({ column }) => row[column] ?? [])
      .map(String);
    for (const sha256 of names) {
      if (await blobs.has(sha256)) continue;
      const state = await backup.storeBlob(sha256, blobs);
      if (state !== "whole") throw new BackupError(`Its bytes are ${state} in the backup (${sha256}).`);
    }
    return names;
  }

  /** The same for a record of the site, as it is now. */
  async function bringMissing(table: string, id: number): Promise<void> {
    const row = await db.get<Row>(sql`SELECT * FROM ${raw(table)} WHERE id = ${id}`);
    if (row) await bring(table, row);
  }
}
