import { recordActivity } from "../../core/activity/record.ts";
import { restoreImage } from "../../core/images/store.ts";
import type { RecordKind } from "../../core/records/record-kind.ts";
import type { Restorable, Row } from "../../core/records/restorable.ts";
import type { FindUses } from "../../core/records/use.ts";
import { seesEverything } from "../../core/records/visibility.ts";
import { BackupError } from "../../platform/backups/place.ts";
import { type Blobs, storeWhole } from "../../platform/blobs/blobs.ts";
import { insertRows } from "../../platform/database/copy-rows.ts";
import type { Database, Queries, Reader } from "../../platform/database/database.ts";
import { readLastID } from "../../platform/database/sequences.ts";
import { raw, sql } from "../../platform/database/sql.ts";
import { blobColumnsOf, type Table } from "../../platform/database/tables.ts";
import { Problem } from "../../platform/errors.ts";
import { indexRecord } from "../../platform/search/documents.ts";
import { shorten } from "../../platform/text.ts";

type Backup = {
  db: Reader;
  openBlob(sha256: string): Promise<AsyncIterable<Uint8Array> | null>;
};

/** The site to which records are restored, even while servers use it. Until this is done, no blob may be removed. */
type RestoredSite = {
  db: Database;
  blobs: Pick<Blobs, "has" | "receive">;
  kinds: RecordKind[];
  tables: Table[];
  findUses: FindUses[];
  /** Who asks for it; null for the command line. */
  actorID: number | null;
  /** Who gets what belonged to somebody who has no account any more. */
  heirID(): Promise<number>;
};

/**
 * What has become of a record. `id` is that in the backup, and `newID` that in the site. One that is `present`, or in the
 * trash, was there before: at most, bytes that were missing are.
 */
export type Outcome = {
  kind: string;
  id: number;
  name: string;
  state: "restored" | "present" | "trashed" | "failed";
  newID: number | null;
  reason: string | null;
};

type Kind = RecordKind & { restorable: Restorable };
type Same = { id: number; isTrashed: boolean };
type Written = { id: number; isNew: boolean };
/** What comes along with another record is no change of its own in the activity. */
type Why = "wanted" | "needed" | "along";

/**
 * Restores one record, with what it needs and what belongs to it. Each is written in a transaction of its own, after
 * those that it refers to: if this is interrupted, it can be run again. The first outcome is that of the record itself.
 */
export async function restoreRecord(
  backup: Backup,
  site: RestoredSite,
  wanted: { kind: string; id: number },
): Promise<Outcome[]> {
  const done = new Map<string, Promise<Outcome>>();
  /** To which others belong that come along. */
  const complete: { kind: Kind; id: number }[] = [];
  const bytes = createBytes(backup, site);
  const first = await bring(kindOf(wanted.kind), wanted.id, "wanted");
  if (first.state === "failed") throw new BackupError(first.reason ?? "");
  for (const { kind, id } of complete) await bringAlong(kind, id);
  return [first, ...(await Promise.all(done.values())).filter((outcome) => outcome !== first)];

  function kindOf(name: string): Kind {
    const kind = site.kinds.find((one) => one.name === name);
    if (!kind?.restorable) throw new BackupError(`Records of the kind ${name} cannot be restored.`);
    return { ...kind, restorable: kind.restorable };
  }

  /** Each record once, whatever refers to it. */
  function bring(kind: Kind, id: number, why: Why): Promise<Outcome> {
    const key = `${kind.name} ${id}`;
    const outcome = done.get(key) ?? bringNew(kind, id, why);
    done.set(key, outcome);
    return outcome;
  }

  async function bringNew(kind: Kind, id: number, why: Why): Promise<Outcome> {
    const row = await backup.db.get<Row>(sql`SELECT * FROM ${raw(kind.table)} WHERE id = ${id}`);
    const name = shorten(String(row?.[kind.restorable.name] ?? ""));
    const outcome = { kind: kind.name, id, name, newID: null, reason: null };
    try {
      if (!row) throw new BackupError(`The backup does not contain ${kind.name} ${id}.`);
      const same = await findSame(site.db, kind.table, row);
      if (same?.isTrashed) return { ...outcome, state: "trashed", newID: same.id };
      const members = await bringMembers(kind, id);
      const written = same ? { id: same.id, isNew: false } : await write(kind, row, why);
      const { id: newID, isNew } = written;
      if (!isNew) await bytes.bringMissing(kind.table, newID);
      // Those that somebody has taken out of it stay out.
      const added = members.filter(({ state }) => isNew || state === "restored").flatMap((one) => one.newID ?? []);
      if (added.length > 0) await site.db.transaction(async (tx) => kind.restorable.members?.add(tx, newID, added));
      if (why !== "needed") complete.push({ kind, id });
      return { ...outcome, state: isNew ? "restored" : "present", newID };
    } catch (error) {
      if (!(error instanceof BackupError) && !(error instanceof Problem)) throw error;
      return { ...outcome, state: "failed", reason: error.message };
    }
  }

  async function bringMembers({ restorable: { members } }: Kind, id: number): Promise<Outcome[]> {
    if (!members) return [];
    const outcomes: Outcome[] = [];
    for (const one of await members.list(backup.db, id))
      outcomes.push(await bring(kindOf(members.kind), one, "needed"));
    return outcomes;
  }

  /** Records that refer to this one, and belong to it. */
  async function bringAlong({ name }: Kind, id: number): Promise<void> {
    for (const { name: other, restorable } of site.kinds) {
      for (const [column, { kind, comesAlong }] of Object.entries(restorable?.references ?? {})) {
        if (kind !== name || !comesAlong) continue;
        const { table } = kindOf(other);
        const rows = await backup.db.all<{ id: number }>(sql`
          SELECT id FROM ${raw(table)} WHERE ${raw(column)} = ${id} AND trash_id IS NULL ORDER BY id`);
        for (const row of rows) await bring(kindOf(other), row.id, "along");
      }
    }
  }

  async function write(kind: Kind, was: Row, why: Why): Promise<Written> {
    const { restorable, table, name } = kind;
    const references = await findReferences(kind, was);
    const row: Row = { ...was, ...references, owner_id: await findOwner(kind, was), trash_id: null };
    const equal = await restorable.findEqual?.(site.db, row);
    if (equal) return { id: equal, isNew: false };
    const blobs = await bytes.bring(table, row);
    const last = await readLastID(site.db, table);
    return site.db.transaction(async (tx) => {
      await tx.lock("restore from a backup");
      const same = await findSame(tx, table, was);
      if (same) return { id: same.id, isNew: false };
      const { id: oldID, ...fitting } = (await restorable.fit?.(tx, row, { row: was, backup: backup.db })) ?? row;
      const isSameID = Number(oldID) <= last && (await isFree(tx, kind, Number(oldID)));
      const written = await tx.get<Row & { id: number }>(sql`
        ${insertRows({ name: table }, [isSameID ? { id: oldID ?? null, ...fitting } : fitting])} RETURNING *`);
      const { id } = written as { id: number };
      await tx.changed(name, [{ id, before: null, after: written as Row }]);
      await restorable.complete?.(tx, id, fitting, { row: was, backup: backup.db });
      for (const sha256 of blobs) await restoreImage(tx, backup.db, sha256);
      await announce(tx, kind, id, why);
      return { id, isNew: true };
    });
  }

  async function announce(tx: Queries, kind: Kind, id: number, why: Why): Promise<void> {
    const texts = (await kind.readTexts(tx, [id])).get(id);
    if (!texts) throw new Error(`The ${kind.name} ${id} was restored, and cannot be found.`);
    const { ownerID, isPrivate, title } = texts;
    await indexRecord(tx, kind.name, { id, ownerID, visibility: isPrivate ? "private" : "public" }, texts);
    if (why !== "along") recordActivity(tx, site.actorID, "restored", { kind: kind.name, id, ownerID, name: title });
  }

  /** What the columns that refer to other records are in the site. */
  async function findReferences({ restorable }: Kind, was: Row): Promise<Row> {
    const row: Row = {};
    for (const [column, { kind, isNeeded, none }] of Object.entries(restorable.references ?? {})) {
      const id = was[column] ?? null;
      if (id === null || id === none) continue;
      row[column] = isNeeded ? await bringNeeded(kindOf(kind), Number(id)) : await findThere(kindOf(kind), Number(id));
    }
    return row;
  }

  async function bringNeeded(kind: Kind, id: number): Promise<number> {
    const { state, newID, name, reason } = await bring(kind, id, "needed");
    if (state === "trashed")
      throw new BackupError(`It needs ${kind.name} ${newID} ("${name}"), which is in the trash: restore that first.`);
    if (newID === null) throw new BackupError(reason ?? "");
    return newID;
  }

  /** The record if it is in the site by now, or else null. */
  async function findThere(kind: Kind, id: number): Promise<number | null> {
    const brought = await done.get(`${kind.name} ${id}`);
    if (brought) return brought.state === "trashed" ? null : brought.newID;
    const was = await backup.db.get<Row>(sql`SELECT id, created_at FROM ${raw(kind.table)} WHERE id = ${id}`);
    const same = was && (await findSame(site.db, kind.table, was));
    return same && !same.isTrashed ? same.id : null;
  }

  async function findOwner({ restorable, name }: Kind, { id, owner_id: ownerID = null }: Row): Promise<number> {
    const was = await backup.db.get<Row>(sql`SELECT created_at FROM users WHERE id = ${ownerID}`);
    const created = was?.["created_at"] ?? null;
    if (await site.db.get(sql`SELECT id FROM users WHERE id = ${ownerID} AND created_at = ${created}`))
      return Number(ownerID);
    if (restorable.isPersonal) throw new BackupError(`The owner of ${name} ${id} has no account any more.`);
    return site.heirID();
  }

  /** Whether no record has the id, and no share link leads to it: such a link must not show it again. */
  async function isFree(tx: Queries, { table, shared = {} }: Kind, id: number): Promise<boolean> {
    if (await tx.get(sql`SELECT id FROM ${raw(table)} WHERE id = ${id}`)) return false;
    for (const kind of Object.keys(shared)) {
      for (const findUses of site.findUses) {
        const uses = await findUses(tx, seesEverything, { kind, ids: [id] }, maxUses);
        if (uses.some((use) => use.as === "link")) return false;
      }
    }
    return true;
  }
}

const maxUses = 10;

/** The same record: another one can have its id, if the site was restored to an earlier state. */
async function findSame(db: Reader, table: string, { id = 0, created_at = 0 }: Row): Promise<Same | null> {
  const row = await db.get<{ id: number; trash_id: number | null }>(sql`
    SELECT id, trash_id FROM ${raw(table)} WHERE id = ${id} AND created_at = ${created_at}`);
  return row && { id: row.id, isTrashed: row.trash_id !== null };
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
      const stored = await backup.openBlob(sha256);
      if (!stored || !(await storeWhole(blobs, sha256, stored)))
        throw new BackupError(`Its bytes are ${stored ? "damaged" : "missing"} in the backup (${sha256}).`);
    }
    return names;
  }

  /** The same for a record of the site, as it is now. */
  async function bringMissing(table: string, id: number): Promise<void> {
    const row = await db.get<Row>(sql`SELECT * FROM ${raw(table)} WHERE id = ${id}`);
    if (row) await bring(table, row);
  }
}
