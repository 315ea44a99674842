import type { Row } from "../../core/records/restorable.ts";
import { BackupError } from "../../platform/backups/place.ts";
import { raw, sql } from "../../platform/database/sql.ts";
import { Problem } from "../../platform/errors.ts";
import { createCounting } from "./count-restored.ts";
import {
  type Added,
  type Backup,
  findSame,
  type Kind,
  nameOf,
  type Outcome,
  type RestoredSite,
  type Why,
  type Work,
} from "./restoring.ts";
import { createWriting } from "./write-restored.ts";

type Wanted = { kind: string; id: number };

/**
 * Restores one record, with what it needs and what belongs to it. Each is written in a transaction of its own, after
 * those that it refers to: if this is interrupted, it can be run again. The first outcome is that of the record itself.
 */
export async function restoreRecord(backup: Backup, site: RestoredSite, wanted: Wanted): Promise<Outcome[]> {
  if (site.quotaBytes !== null) {
    // Nothing is half done if there is not enough space for all of it.
    const counting = createCounting(backup, site);
    await bringAll(backup, site, wanted, counting.work);
    await counting.checkQuotas();
  }
  const { work, lost } = createWriting(backup, site);
  return [...(await bringAll(backup, site, wanted, work)), ...lost];
}

async function bringAll(backup: Backup, site: RestoredSite, wanted: Wanted, work: Work): Promise<Outcome[]> {
  const done = new Map<string, Promise<Outcome>>();
  /** To which others belong that come along. */
  const complete: { kind: Kind; id: number }[] = [];
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
    const outcome = { kind: kind.name, id, name: nameOf(kind, row), newID: null, reason: null };
    try {
      if (!row) throw new BackupError(`The backup does not contain ${kind.name} ${id}.`);
      const same = await findSame(site.db, kind.table, row);
      if (same?.isTrashed) return { ...outcome, state: "trashed", newID: same.id };
      const members = await bringMembers(kind, id);
      // To one that exists, members have gone back by themselves; those that somebody has taken out of it stay out.
      const memberIDs = members.flatMap((one) => one.newID ?? []);
      const added = same ? { id: same.id, isNew: false } : await add(kind, row, why, memberIDs);
      const { id: newID, isNew } = added;
      if (!isNew) await work.mend(kind, newID);
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
        if (!comesAlong || (typeof kind === "string" && kind !== name)) continue;
        const { table } = kindOf(other);
        const ofKind = typeof kind === "string" ? sql`` : sql`${raw(kind.column)} = ${name} AND`;
        const rows = await backup.db.all<{ id: number }>(sql`
          SELECT id FROM ${raw(table)} WHERE ${ofKind} ${raw(column)} = ${id} AND trash_id IS NULL ORDER BY id`);
        for (const row of rows) await bring(kindOf(other), row.id, "along");
      }
    }
  }

  async function add(kind: Kind, was: Row, why: Why, memberIDs: number[]): Promise<Added> {
    const references = await findReferences(kind, was);
    const row: Row = { ...was, ...references, owner_id: await findOwner(kind, was), trash_id: null };
    const equal = await kind.restorable.findEqual?.(site.db, row);
    return equal ? { id: equal, isNew: false } : work.add({ kind, row, was, why, memberIDs });
  }

  /** What the columns that refer to other records are in the site. */
  async function findReferences({ restorable }: Kind, was: Row): Promise<Row> {
    const row: Row = {};
    for (const [column, reference] of Object.entries(restorable.references)) {
      const id = was[column] ?? null;
      if (id === null || id === reference.none) continue;
      const kind = kindOf(typeof reference.kind === "string" ? reference.kind : String(was[reference.kind.column]));
      row[column] = reference.isNeeded ? await bringNeeded(kind, Number(id)) : await findThere(kind, Number(id));
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
}
