import { sql } from "../../platform/database/sql.ts";
import type { FindUses } from "../records/use.ts";

/** The icon of the site is a file. */
export const findSettingUses: FindUses = async (db, _viewer, { kind, ids }) => {
  if (kind !== "file") return [];
  const icon = await db.get<{ value: string }>(sql`SELECT value FROM site_settings WHERE name = 'iconFileID'`);
  const used = icon ? ids.filter((id) => String(id) === icon.value) : [];
  return used.map((usedID) => ({ kind: "settings", id: null, name: "", as: "icon", usedID }));
};
