import type { SqliteCopy } from "../../src/platform/archives/sqlite-copy.ts";
import { addTo, placeOf } from "./items.ts";
import { readTime } from "./texts.ts";

type Row = Record<string, unknown>;
export type Lychee = Awaited<ReturnType<typeof readLychee>>;
export type LycheeAlbum = Lychee["albums"][number];
export type LycheePhoto = Lychee["photos"][number];

/** Columns have had different names over the years: the first that is there counts. */
const pick = (row: Row, ...names: string[]) => names.map((name) => row[name]).find((value) => value !== undefined);
export const textOf = (value: unknown) => (typeof value === "string" || typeof value === "number" ? String(value) : "");
const isTrue = (value: unknown) => value === 1 || value === "1" || value === true;
const numberOf = (value: unknown) => (value == null ? null : Number(value));

export async function readLychee(db: SqliteCopy) {
  const settings = await mapRows(db, "configs", (row) => [textOf(row["key"]), textOf(row["value"])]);
  const usual = sortingOf(settings.get("sorting_photos_col"), settings.get("sorting_photos_order"));
  const open = await mapRows(db, "access_permissions", (row) => [textOf(row["base_album_id"]), true], isOpen);
  const bases = await mapRows(db, "base_albums", (row) => [textOf(row["id"]), row]);
  const albums = await Array.fromAsync(db.rowsOf("albums"), (row) => {
    const id = textOf(row["id"]);
    const base = bases.get(id) ?? {};
    const column = textOf(base["sorting_col"]);
    const isOldPublic =
      isTrue(base["is_public"]) && !isTrue(pick(base, "requires_link", "is_link_required")) && !base["password"];
    return {
      id,
      title: textOf(base["title"]),
      description: textOf(base["description"]),
      parentID: textOf(row["parent_id"]),
      coverID: textOf(row["cover_id"]),
      sorting: column ? sortingOf(column, textOf(base["sorting_order"])) : usual,
      isPublic: open.has(id) || isOldPublic,
      /** Its place among all albums. */
      left: Number(row["_lft"] ?? 0),
    };
  });
  const tagAlbums = await Array.fromAsync(db.rowsOf("tag_albums"));
  return { albums, photos: await readPhotos(db), tagAlbumCount: tagAlbums.length };
}

const sortingOf = (column = "created_at", order = "ASC") => ({
  column: column.replace(/_strict$/, ""),
  isDescending: order.toUpperCase() === "DESC",
});

/** Whether everyone sees an album, without a link or a password. */
const isOpen = (row: Row) =>
  row["user_id"] == null && row["user_group_id"] == null && !isTrue(row["is_link_required"]) && !row["password"];

async function readPhotos(db: SqliteCopy) {
  const names = await mapRows(db, "tags", (row) => [textOf(row["id"]), textOf(row["name"])]);
  const tags = await listsOf(db, "photos_tags", (row) => names.get(textOf(row["tag_id"])) ?? "");
  const albums = await listsOf(db, "photo_album", (row) => textOf(row["album_id"]));
  const paths = await listsOf(db, "size_variants", (row) => textOf(row["short_path"]));
  return Array.fromAsync(db.rowsOf("photos"), (row) => {
    const id = textOf(row["id"]);
    /** The numbers of the kinds have changed, the names of their folders have not. */
    const findVariant = (folder: RegExp) => paths.get(id)?.find((path) => folder.test(path)) ?? "";
    return {
      id,
      title: textOf(row["title"]),
      description: textOf(row["description"]),
      takenAt: readTime(textOf(row["taken_at"])),
      zone: textOf(row["taken_at_orig_tz"]),
      ...placeOf(numberOf(row["latitude"]), numberOf(row["longitude"]), textOf(row["location"])),
      tags: tags.get(id) ?? textOf(row["tags"]).split(","),
      isHighlighted: isTrue(pick(row, "is_highlighted", "is_starred")),
      albumIDs: albums.get(id) ?? [textOf(row["album_id"])].filter(Boolean),
      /** Below `uploads`. */
      original: findVariant(/^(original|big|import)\//),
      raw: findVariant(/^raw\//),
      live: textOf(row["live_photo_short_path"]),
      row,
    };
  });
}

async function mapRows<Value>(
  db: SqliteCopy,
  table: string,
  toEntry: (row: Row) => [string, Value],
  isTaken: (row: Row) => boolean = () => true,
): Promise<Map<string, Value>> {
  const entries = new Map<string, Value>();
  for await (const row of db.rowsOf(table)) if (isTaken(row)) entries.set(...toEntry(row));
  return entries;
}

/** Values by the ids of the photos to which they belong. */
async function listsOf(db: SqliteCopy, table: string, toValue: (row: Row) => string): Promise<Map<string, string[]>> {
  const lists = new Map<string, string[]>();
  for await (const row of db.rowsOf(table)) addTo(lists, textOf(row["photo_id"]), toValue(row));
  return lists;
}
