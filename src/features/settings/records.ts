import type { MenuEntry } from "../../core/settings/menu.ts";
import type { Settings, SettingsChanges } from "../../core/settings/settings.ts";
import type { Reader } from "../../platform/database/database.ts";
import { list, sql } from "../../platform/database/sql.ts";
import { invalid } from "../../platform/errors.ts";

/** Throws if the changes name a record that cannot be used. */
export async function checkRecords(db: Reader, changed: SettingsChanges): Promise<void> {
  const { iconFileID, menu = [] } = changed;
  if (iconFileID && !(await isFile(db, iconFileID))) {
    throw invalid(`"iconFileID" is invalid: there is no file ${iconFileID}.`, "iconFileID");
  }
  const photos = await findPhotoIDs(db, changed);
  for (const name of photoSettings) {
    const id = changed[name];
    if (id && !photos.has(id)) throw invalid(`"${name}" is invalid: there is no photo ${id}.`, name);
  }
  const pages = await findPages(db, menu);
  const index = menu.findIndex(({ pageID }) => pageID !== null && !pages.has(pageID));
  const id = menu[index]?.pageID;
  if (id) throw invalid(`"menu.${index}.pageID" is invalid: there is no page ${id}.`, `menu.${index}.pageID`);
}

/** The settings without pages that were permanently deleted, and without an icon and photos that were deleted. */
export async function withoutLostRecords<Some extends Settings>(db: Reader, settings: Some): Promise<Some> {
  const { menu, iconFileID, logoPhotoID, coverPhotoID } = settings;
  const pages = await findPages(db, menu);
  const photos = await findPhotoIDs(db, settings);
  const kept = (id: number | null) => (id !== null && photos.has(id) ? id : null);
  return {
    ...settings,
    menu: menu.filter(({ pageID }) => pageID === null || pages.has(pageID)),
    iconFileID: iconFileID !== null && (await isFile(db, iconFileID)) ? iconFileID : null,
    logoPhotoID: kept(logoPhotoID),
    coverPhotoID: kept(coverPhotoID),
  };
}

/** Those pages of a menu that exist, if only in the trash: they may come back. */
async function findPages(db: Reader, menu: readonly MenuEntry[]): Promise<Set<number>> {
  const ids = menu.flatMap(({ pageID }) => pageID ?? []);
  if (ids.length === 0) return new Set();
  const rows = await db.all<{ id: number }>(sql`SELECT id FROM posts WHERE id IN (${list(ids)}) AND is_page = 1`);
  return new Set(rows.map(({ id }) => id));
}

const photoSettings = ["logoPhotoID", "coverPhotoID"] as const;

/** Those photos of the settings that exist and are not in the trash. */
async function findPhotoIDs(
  db: Reader,
  settings: Pick<SettingsChanges, (typeof photoSettings)[number]>,
): Promise<Set<number>> {
  const ids = photoSettings.flatMap((name) => settings[name] ?? []);
  if (ids.length === 0) return new Set();
  const rows = await db.all<{ id: number }>(sql`SELECT id FROM photos WHERE id IN (${list(ids)}) AND trash_id IS NULL`);
  return new Set(rows.map(({ id }) => id));
}

async function isFile(db: Reader, id: number): Promise<boolean> {
  return (
    (await db.get(sql`SELECT id FROM files WHERE id = ${id} AND trash_id IS NULL AND sha256 IS NOT NULL`)) !== null
  );
}
