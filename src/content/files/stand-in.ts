import type { StandIn } from "../../platform/database/tables.ts";
import { nameKey, orderKey } from "./names.ts";

/** A private file with the bytes of the lost one, or a private directory for what was in it. */
export const standInForFile: StandIn = (id, known, child) => {
  const { sha256 = null, size = null } = known;
  const isDirectory = child?.row.parent_id === id;
  const ownerID = known.owner_id ?? child?.row.owner_id ?? null;
  if (ownerID === null || (!isDirectory && (sha256 === null || size === null))) return null;
  // The index has a folded name. The order key keeps the original letters out of it, too.
  const name = String(known.name_key ?? `rescued-${id}`);
  const now = Date.now();
  return {
    id,
    parent_id: known.parent_id ?? 0,
    owner_id: ownerID,
    trash_id: known.trash_id ?? null,
    size: isDirectory ? 0 : size,
    created_at: now,
    updated_at: now,
    sha256: isDirectory ? null : sha256,
    content_type: isDirectory ? null : "application/octet-stream",
    name,
    name_key: nameKey(name),
    order_key: orderKey(name, isDirectory),
    is_private: 1,
  };
};
