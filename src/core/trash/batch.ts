import { z } from "zod";
import { batchResultOf, changeEach } from "../records/batch.ts";
import { missing } from "../../platform/errors.ts";
import type { Reader } from "../../platform/database/database.ts";
import { sql, type Sql } from "../../platform/database/sql.ts";
import type { Caller } from "../../platform/http/route.ts";
import { id } from "../../platform/http/validate.ts";
import { findEntriesOf } from "./store.ts";
import { type Entry, mayKnow } from "./trash.ts";

/** `kinds` are the names of the kinds that can be in the trash. */
export const trashBatchSchemaOf = (kinds: string[]) =>
  z
    .object({
      records: z
        .array(z.object({ kind: z.enum(kinds), id: id() }))
        .min(1)
        .max(1000)
        .refine((all) => new Set(all.map(keyOf)).size === all.length, { error: "must list each record only once" })
        .meta({
          description: "Deleted records, by what they are and their own id.",
          example: [{ kind: kinds[0], id: 1 }],
        }),
    })
    .meta({ id: "TrashBatch" });

export const trashBatchResultOf = (kinds: string[]) =>
  batchResultOf({ kind: z.enum(kinds) }).meta({
    id: "TrashBatchResult",
    description: "One result for each record, in the order of the request.",
  });

type Deleted = { kind: string; id: number };
type TrashBatch = { records: Deleted[]; keptDays: number; lock?: Sql };

const keyOf = ({ kind, id }: Deleted) => `${kind} ${id}`;

/**
 * Handles the entries of the records one after the other, and reports those that are refused. What was deleted last comes
 * first: a directory or a post can contain something that was deleted before it.
 */
export async function handleEntries(
  db: Reader,
  caller: Caller,
  { records, keptDays, lock = sql`` }: TrashBatch,
  handle: (entry: Entry) => Promise<void>,
) {
  const entries = await findEntriesOf(db, records, keptDays, lock);
  const byKey = new Map(entries.map((entry) => [keyOf({ kind: entry.kind, id: entry.recordID }), entry]));
  const entryOf = (index: number) => byKey.get(keyOf(records[index] as Deleted));
  const places = [...records.keys()];
  const newestFirst = places.toSorted((one, other) => (entryOf(other)?.id ?? 0) - (entryOf(one)?.id ?? 0));
  const change = async (index: number) => {
    const entry = entryOf(index);
    if (!entry || !mayKnow(caller, entry)) throw missing(`${keyOf(records[index] as Deleted)} in the trash`);
    await handle(entry);
  };
  const { changed, results } = await changeEach(places, change, newestFirst);
  return { changed, results: results.map((result) => ({ ...result, ...(records[result.id] as Deleted) })) };
}
