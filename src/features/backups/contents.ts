import { z } from "zod";
import type { RecordKind } from "../../core/records/record-kind.ts";
import type { Reader } from "../../platform/database/database.ts";
import { inChunks, list, raw, sql } from "../../platform/database/sql.ts";
import { fold } from "../../platform/text.ts";

/** A record in a backup, and what has become of it in the site. */
const backedUpRecordSchema = z
  .object({
    kind: z.string().meta({ description: "`photo`, `album`, `post`, `file` or `directory`.", example: "photo" }),
    id: z.int().meta({ example: 17 }),
    name: z.string().meta({ description: "Its title or name in the backup.", example: "Harbour at dusk" }),
    createdAt: z.iso.datetime().meta({ example: "2026-06-12T18:00:00.000Z" }),
    state: z
      .enum(["deleted", "trashed", "present"])
      .meta({ description: "Whether the site still has it: only what is `deleted` is restored.", example: "deleted" }),
  })
  .meta({ id: "BackedUpRecord" });

export const contentsSchema = z
  .object({
    backup: z.string().meta({ description: "The id of the backup.", example: "20261117T030000000Z-0f793b25" }),
    total: z.int().meta({ description: "How many records were found.", example: 1 }),
    records: z
      .array(backedUpRecordSchema)
      .meta({ description: "Those that are deleted first, then those in the trash; the newest of each first." }),
  })
  .meta({ id: "BackupContents" });

export type Contents = z.output<typeof contentsSchema>;
type BackedUpRecord = Contents["records"][number];

export type Wanted = { search: string; kind: string | null; limit: number };

const ranks = { deleted: 0, trashed: 1, present: 2 };

/** The records of a backup whose names contain a text. Reads all names: not for the process of a server. */
export async function listContents(
  backup: Reader,
  site: Reader,
  kinds: RecordKind[],
  { search, kind: wanted, limit }: Wanted,
): Promise<{ total: number; records: BackedUpRecord[] }> {
  const found: BackedUpRecord[] = [];
  for (const { table, restorable } of kinds) {
    for (const [kind, where] of Object.entries(restorable?.words ?? {})) {
      if (wanted !== null && kind !== wanted) continue;
      const rows = await backup.all<{ id: number; name: string; created_at: number }>(sql`
        SELECT id, ${raw(restorable?.name ?? "")} AS name, created_at FROM ${raw(table)} WHERE ${where}`);
      const named = rows.filter(({ name }) => fold(name).includes(fold(search)));
      const stateOf = await readStates(site, table, named);
      for (const row of named) {
        const { id, name, created_at } = row;
        found.push({ kind, id, name, createdAt: new Date(created_at).toISOString(), state: stateOf(row) });
      }
    }
  }
  const records = found.toSorted(
    (one, other) =>
      ranks[one.state] - ranks[other.state] || other.createdAt.localeCompare(one.createdAt) || other.id - one.id,
  );
  return { total: records.length, records: records.slice(0, limit) };
}

type Made = { id: number; created_at: number };

async function readStates(site: Reader, table: string, rows: Made[]): Promise<(row: Made) => BackedUpRecord["state"]> {
  const ids = rows.map(({ id }) => id);
  const there = await inChunks(ids, (some) =>
    site.all<Made & { trash_id: number | null }>(
      sql`SELECT id, created_at, trash_id FROM ${raw(table)} WHERE id IN (${list(some)})`,
    ),
  );
  const byID = new Map(there.map((row) => [row.id, row]));
  return ({ id, created_at }) => {
    const same = byID.get(id);
    if (same?.created_at !== created_at) return "deleted";
    return same.trash_id === null ? "present" : "trashed";
  };
}
