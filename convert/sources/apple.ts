import type { Visibility } from "../../src/core/records/visibility.ts";
import { isUnusable, type Tree, type TreeFile } from "../../src/platform/archives/tree.ts";
import { fold } from "../../src/platform/text.ts";
import type { Item, PhotoDetails } from "../../src/features/imports/item.ts";
import { type AppleRow, readAlbumTable, readPhotoTable } from "./apple-tables.ts";
import { toLine } from "../../src/features/imports/texts.ts";
import type { SourceKind } from "./kind.ts";
import { findParts, isMoving, isStill, stemOf } from "./parts.ts";
import { readHead, readText } from "./read-text.ts";
import { createUniquePaths } from "./unique-paths.ts";

const maxTableBytes = 2 ** 23;
const isPhotoTable = (name: string) => /^photo details.*\.csv$/i.test(name);

type Media = { file: TreeFile; name: string };
/** The pictures of one folder of one archive, with the tables beside them: these know no others. */
type Folder = { media: Media[]; rows: Map<string, AppleRow> };
type AlbumTable = { name: string; part: number; names: string[] };
type Export = {
  folders: Map<string, Folder>;
  albums: AlbumTable[];
  refused: Map<string, string>;
  /** How many files lie in folders that are left out. */
  leftOut: Map<string, { count: number; toLine: (files: string) => string }>;
};

/** The copy of a library that Apple makes at privacy.apple.com, in several archives. */
export const appleKind: SourceKind = {
  kind: "apple",
  title: "iCloud Photos",
  alwaysHasPhotos: true,
  isTelling: (path) => isPhotoTable(path.at(-1) ?? ""),
  async recognise(files) {
    for (const file of files.filter(({ path }) => isPhotoTable(path.at(-1) ?? "")).slice(0, 50))
      if (file.size === 0 || (await readHead(file, 200)).includes("imgName")) return true;
    return false;
  },
  open(tree, name, { visibility }) {
    return { kind: "apple", name, items: () => listItems(tree, visibility) };
  },
};

async function* listItems(tree: Tree, visibility: Visibility): AsyncGenerator<Item> {
  const found: Export = { folders: new Map(), albums: [], refused: new Map(), leftOut: new Map() };
  for await (const entry of tree.list()) {
    if (isUnusable(entry)) found.refused.set(entry.path, entry.reason);
    else if ("open" in entry) await addEntry(found, entry);
  }
  const places = placeInAlbums(found);
  reportMissing(found);
  for (const [key, reason] of found.refused) yield { kind: "refused", key, reason };
  for (const [key, { count, toLine: toReason }] of found.leftOut)
    yield { kind: "note", key, reason: toReason(`${count} ${count === 1 ? "file" : "files"}`) };
  for (const name of new Set(found.albums.map((album) => album.name)))
    yield { kind: "album", key: name, name: toLine(name), description: "", parent: null, visibility };
  const [toUniquePath, toUniqueKey] = [createUniquePaths(), createUniquePaths()];
  for (const { media, rows } of found.folders.values()) {
    const parts = findPartsOf(media, rows);
    for (const one of media) {
      const { path, size, modifiedAt, open } = one.file;
      const key = toUniqueKey(path).join("/");
      const row = rows.get(fold(one.name));
      const positions = places.get(one) ?? {};
      if (row?.isDeleted) yield { kind: "note", key, reason: "It was deleted in iCloud Photos." };
      else
        yield {
          kind: "file",
          key,
          path: toUniquePath(withoutTop(path)),
          size,
          modifiedAt,
          open,
          visibility: row?.isHidden ? "private" : visibility,
          photo: parts.has(one.name) ? null : toDetails(row, visibility),
          albums: Object.keys(positions),
          positions,
        };
    }
  }
}

async function addEntry({ folders, albums, refused, leftOut }: Export, file: TreeFile): Promise<void> {
  const [name, part] = [file.path.at(-1) ?? "", file.part ?? 0];
  const above = file.path.slice(0, -1);
  const below = (folder: RegExp) => above.findIndex((one) => folder.test(one));
  const reasons: [at: number, toLine: (files: string) => string][] = [
    [below(/^recently deleted$/i), (files) => `${files} deleted in iCloud Photos: not taken.`],
    [below(/^memories$/i), (files) => `${files} of memories: not taken, because Apple puts them together anew.`],
  ];
  const [at, toReason] = reasons.find(([index]) => index >= 0) ?? [];
  if (at !== undefined && toReason) {
    const top = above.slice(0, at + 1).join("/");
    return void leftOut.set(top, { count: (leftOut.get(top)?.count ?? 0) + 1, toLine: toReason });
  }
  if (/\.zip$/i.test(name))
    return void refused.set(
      file.path.join("/"),
      "It is an archive in the archive: unpack it, and import it by itself.",
    );
  const key = `${part}/${above.join("/")}`;
  const folder: Folder = folders.get(key) ?? { media: [], rows: new Map() };
  folders.set(key, folder);
  try {
    if (isPhotoTable(name))
      for (const [image, row] of readPhotoTable(await readText(file, maxTableBytes))) folder.rows.set(image, row);
    else if (/\.csv$/i.test(name) && below(/^albums$/i) >= 0)
      albums.push({ name: stemOf(name), part, names: readAlbumTable(await readText(file, maxTableBytes)) });
    else folder.media.push({ file, name });
  } catch (error) {
    refused.set(file.path.join("/"), `It cannot be read: ${(error as Error).message}`);
  }
}

/** Pictures that Apple describes, in a part of the copy that is not here. */
function reportMissing({ folders, refused }: Export): void {
  const all = [...folders.values()];
  const here = new Set(all.flatMap(({ media }) => media.map(({ name }) => fold(name))));
  const listed = new Map(all.flatMap(({ rows }) => [...rows]));
  const missing = [...listed].filter(([name, { isDeleted }]) => !isDeleted && !here.has(name)).length;
  const are = missing === 1 ? "is" : "are";
  if (missing > 0)
    refused.set(
      "Photo Details.csv",
      `${missing} of the pictures in it ${are} not here: give all parts of the copy to one command.`,
    );
}

/** Where each picture is in its albums. An album lists names, which may occur in several archives. */
function placeInAlbums({ folders, albums, refused }: Export): Map<Media, Record<string, number>> {
  const byName = Map.groupBy(
    [...folders.values()].flatMap(({ media }) => media),
    ({ name }) => fold(name),
  );
  const places = new Map<Media, Record<string, number>>();
  const next = new Map<string, number>();
  for (const album of albums) {
    let unclear = 0;
    for (const name of album.names) {
      const all = byName.get(fold(name)) ?? [];
      const near = all.filter(({ file }) => (file.part ?? 0) === album.part);
      const [one, ...others] = near.length > 0 ? near : all;
      if (!one || others.length > 0) {
        unclear++;
        continue;
      }
      const position = next.get(album.name) ?? 0;
      next.set(album.name, position + 1);
      const place = places.get(one) ?? {};
      place[album.name] ??= position;
      places.set(one, place);
    }
    if (unclear > 0)
      refused.set(
        `Albums/${album.name}.csv`,
        `${unclear} of its pictures are missing, or share their names with others.`,
      );
  }
  return places;
}

/** After IMG_9999, names begin again, and the video of IMG_1.HEIC may be IMG_1-1.MOV. Apple describes no such video. */
function findPartsOf(media: Media[], rows: Map<string, AppleRow>): Set<string> {
  const names = media.map(({ name }) => name);
  const parts = new Set(findParts(names).keys());
  const stills = new Set(names.filter(isStill).map((name) => fold(stemOf(name))));
  for (const name of names) {
    const stem = /^(.+)-\d$/.exec(stemOf(name))?.[1];
    if (rows.size > 0 && isMoving(name) && !rows.has(fold(name)) && stem && stills.has(fold(stem))) parts.add(name);
  }
  return parts;
}

function toDetails(row: AppleRow | undefined, visibility: Visibility): PhotoDetails {
  if (!row) return { visibility };
  return {
    isFavourite: row.isFavourite,
    visibility: row.isHidden ? "private" : visibility,
    // Apple knows no seconds.
    ...(row.takenAt !== null && { momentTaken: row.takenAt, isTimeRough: true }),
  };
}

/** The folders of the archive itself say nothing. */
function withoutTop(path: string[]): string[] {
  const top = path.findIndex((name) => /^photos$/i.test(name));
  return top >= 0 && top < path.length - 1 ? path.slice(top + 1) : path;
}
