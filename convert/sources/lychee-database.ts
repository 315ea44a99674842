import type { SqliteCopy } from "../../src/platform/archives/sqlite-copy.ts";
import { parseMoment } from "../../src/platform/images/dates.ts";

type Row = Record<string, unknown>;
type Sorting = { column: string; isDescending: boolean };
export type LycheeAlbum = {
  id: string;
  title: string;
  description: string;
  parentID: string | null;
  coverID: string | null;
  sorting: Sorting;
  isPublic: boolean;
  /** Its place among all albums. */
  left: number;
};
export type LycheePhoto = {
  id: string;
  title: string;
  description: string;
  takenAt: number | null;
  zone: string | null;
  place: { latitude: number; longitude: number; name: string | null } | null;
  tags: string[];
  isHighlighted: boolean;
  albumIDs: string[];
  /** Below `uploads`. */
  original: string | null;
  raw: string | null;
  live: string | null;
  row: Row;
};
export type Lychee = { albums: LycheeAlbum[]; photos: LycheePhoto[]; tagAlbumCount: number };

/** Columns have had different names over the years: the first that is there counts. */
const pick = (row: Row, ...names: string[]) => names.map((name) => row[name]).find((value) => value !== undefined);
export const textOf = (value: unknown) => (typeof value === "string" || typeof value === "number" ? String(value) : "");
const idOf = (value: unknown) => textOf(value) || null;
const isTrue = (value: unknown) => value === 1 || value === "1" || value === true;

export async function readLychee(db: SqliteCopy): Promise<Lychee> {
  const settings = new Map(
    await Array.fromAsync(db.rowsOf("configs"), (row) => [textOf(row["key"]), textOf(row["value"])]),
  );
  const usual = sortingOf(settings.get("sorting_photos_col"), settings.get("sorting_photos_order"));
  const open = await findPublic(db);
  const bases = new Map(await Array.fromAsync(db.rowsOf("base_albums"), (row) => [textOf(row["id"]), row]));
  const albums = await Array.fromAsync(db.rowsOf("albums"), (row): LycheeAlbum => {
    const id = textOf(row["id"]);
    const base = bases.get(id) ?? {};
    const column = textOf(base["sorting_col"]);
    return {
      id,
      title: textOf(base["title"]),
      description: textOf(base["description"]),
      parentID: idOf(row["parent_id"]),
      coverID: idOf(row["cover_id"]),
      sorting: column ? sortingOf(column, textOf(base["sorting_order"])) : usual,
      isPublic: open.has(id) || isOldPublic(base),
      left: Number(row["_lft"] ?? 0),
    };
  });
  const tagAlbums = await Array.fromAsync(db.rowsOf("tag_albums"));
  return { albums, photos: await readPhotos(db), tagAlbumCount: tagAlbums.length };
}

const sortingOf = (column = "created_at", order = "ASC"): Sorting => ({
  column: column.replace(/_strict$/, ""),
  isDescending: order.toUpperCase() === "DESC",
});

/** Albums that everybody sees without a link or a password. */
async function findPublic(db: SqliteCopy): Promise<Set<string>> {
  const open = new Set<string>();
  for await (const row of db.rowsOf("access_permissions"))
    if (row["user_id"] == null && row["user_group_id"] == null && !isTrue(row["is_link_required"]) && !row["password"])
      open.add(textOf(row["base_album_id"]));
  return open;
}

const isOldPublic = (base: Row) =>
  isTrue(base["is_public"]) && !isTrue(pick(base, "requires_link", "is_link_required")) && !base["password"];

async function readPhotos(db: SqliteCopy): Promise<LycheePhoto[]> {
  const names = new Map(await Array.fromAsync(db.rowsOf("tags"), (row) => [textOf(row["id"]), textOf(row["name"])]));
  const tags = await groupRows(db, "photos_tags", "photo_id", (row) => names.get(textOf(row["tag_id"])) ?? "");
  const pivots = await groupRows(db, "photo_album", "photo_id", (row) => textOf(row["album_id"]));
  const paths = await groupRows(db, "size_variants", "photo_id", (row) => textOf(row["short_path"]));
  return Array.fromAsync(db.rowsOf("photos"), (row) => {
    const id = textOf(row["id"]);
    const [latitude, longitude] = [row["latitude"], row["longitude"]].map((one) => (one == null ? NaN : Number(one)));
    const hasPlace = Number.isFinite(latitude) && Number.isFinite(longitude);
    const live = textOf(row["live_photo_short_path"]);
    return {
      id,
      title: textOf(row["title"]),
      description: textOf(row["description"]),
      takenAt: parseMoment(textOf(row["taken_at"])),
      zone: idOf(row["taken_at_orig_tz"]),
      place: hasPlace ? { latitude: latitude ?? 0, longitude: longitude ?? 0, name: idOf(row["location"]) } : null,
      tags: tags.get(id) ?? textOf(row["tags"]).split(","),
      isHighlighted: isTrue(pick(row, "is_highlighted", "is_starred")),
      albumIDs: pivots.get(id) ?? [row["album_id"]].flatMap((one) => idOf(one) ?? []),
      original: findVariant(paths.get(id) ?? [], /^(original|big|import)\//),
      raw: findVariant(paths.get(id) ?? [], /^raw\//),
      live: live || null,
      row,
    };
  });
}

/** The numbers of the kinds have changed, the names of their folders have not. */
const findVariant = (paths: string[], folder: RegExp) => paths.find((path) => folder.test(path)) ?? null;

async function groupRows(
  db: SqliteCopy,
  table: string,
  column: string,
  toValue: (row: Row) => string,
): Promise<Map<string, string[]>> {
  const groups = new Map<string, string[]>();
  for await (const row of db.rowsOf(table)) {
    const key = textOf(row[column]);
    const group = groups.get(key);
    if (group) group.push(toValue(row));
    else groups.set(key, [toValue(row)]);
  }
  return groups;
}
