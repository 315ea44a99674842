import type { StandIn } from "../../platform/database/tables.ts";

/** Keeps deleted records in the trash, as if they had been deleted now. */
export const standInForEntry: StandIn = (id, known, child) => {
  if (!child?.kind) return null;
  const { row } = child;
  return {
    id,
    kind: known.kind ?? child.kind,
    record_id: known.record_id ?? row.id ?? null,
    owner_id: row.owner_id ?? null,
    deleted_at: known.deleted_at ?? Date.now(),
    name: row.name ?? row.title ?? "",
  };
};
