import { list, sql } from "../../platform/database/sql.ts";
import type { FindUses } from "../../core/records/use.ts";

/** The settings that name a record, by its kind, and what it is to the site. */
const settingsOf: Record<string, Record<string, string>> = {
  file: { iconFileID: "icon" },
  photo: { logoPhotoID: "logo", coverPhotoID: "cover" },
};

/** The icon of the site is a file; its logo and its cover are photos. */
export const findSettingUses: FindUses = async (db, _viewer, { kind, ids }) => {
  const names = settingsOf[kind];
  if (!names) return [];
  const rows = await db.all<{ name: string; value: string }>(sql`
    SELECT name, value FROM site_settings WHERE name IN (${list(Object.keys(names))}) ORDER BY name`);
  return rows.flatMap(({ name, value }) =>
    ids
      .filter((id) => String(id) === value)
      .map((usedID) => ({ kind: "settings", id: null, name: "", as: names[name] ?? "", usedID })),
  );
};
