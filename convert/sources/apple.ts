import { parse } from "csv-parse/sync";
import type { TreeFile } from "../../src/platform/archives/tree.ts";
import { fold } from "../../src/platform/text.ts";
import { createUniquePaths, findParts, isMoving, isStill, readText, stemOf, tryHead } from "./files.ts";
import { addTo, createCounts, type Item, keyOf, listFiles, nameOf, note, publicIf, refuse, toFile } from "./items.ts";
import type { SourceKind } from "./kind.ts";
import { readTime } from "./texts.ts";

const maxTableBytes = 2 ** 23;
const isPhotoTable = (name: string) => /^photo details.*\.csv$/i.test(name);

/** The copy of a library that Apple makes at privacy.apple.com, in several archives. */
export const appleKind: SourceKind = {
  kind: "apple",
  title: "iCloud Photos",
  alwaysHasPhotos: true,
  isTelling: (path) => isPhotoTable(path.at(-1) ?? ""),
  async recognise(files) {
    for (const file of files.filter((one) => isPhotoTable(nameOf(one))).slice(0, 50))
      if (file.size === 0 || (await tryHead(file, 200)).includes("imgName")) return true;
    return false;
  },
  async *list(tree): AsyncGenerator<Item> {
    const { files, lines } = await listFiles(tree);
    const found = await readTables(files);
    const places = placeInAlbums(found);
    reportMissing(found);
    yield* lines;
    for (const [key, reason] of found.refused) yield refuse(key, reason);
    for (const [folder, count] of found.leftOut.entries())
      yield note(folder, describeLeftOut(folder, `${count} ${count === 1 ? "file" : "files"}`));
    for (const name of new Set(found.albums.map((album) => album.name)))
      yield { kind: "album", key: name, name, visibility: publicIf(true) };
    const [toUniquePath, toUniqueKey] = [createUniquePaths(), createUniquePaths()];
    for (const { media, rows } of found.folders.values()) {
      const parts = findPartsOf(media, rows);
      for (const file of media) {
        const key = toUniqueKey(file.path).join("/");
        const row = rows.get(fold(nameOf(file)));
        const positions = places.get(file) ?? {};
        if (row?.isDeleted) yield note(key, "It was deleted in iCloud Photos.");
        else
          yield toFile(file, {
            key,
            path: toUniquePath(withoutTop(file.path)),
            isPublic: !row?.isHidden,
            photo: parts.has(nameOf(file)) ? null : toDetails(row),
            positions,
          });
      }
    }
  },
};

type Folders = Map<string, { media: TreeFile[]; rows: Map<string, AppleRow> }>;
type Export = Awaited<ReturnType<typeof readTables>>;

const leftOutFolders = /^(recently deleted|memories)$/i;
const describeLeftOut = (folder: string, files: string) =>
  /memories$/i.test(folder)
    ? `${files} of memories: not taken, because Apple puts them together anew.`
    : `${files} deleted in iCloud Photos: not taken.`;

async function readTables(files: TreeFile[]) {
  /** The pictures of one folder of one archive, with the tables beside them: these know no others. */
  const folders: Folders = new Map();
  const albums: { name: string; part: number; names: string[] }[] = [];
  const refused = new Map<string, string>();
  const leftOut = createCounts();
  for (const file of files) {
    const { path, part = 0 } = file;
    const above = path.slice(0, -1);
    const left = above.findIndex((name) => leftOutFolders.test(name));
    if (left >= 0) leftOut.add(path.slice(0, left + 1).join("/"));
    else if (/\.zip$/i.test(nameOf(file)))
      refused.set(keyOf(file), "It is an archive in the archive: unpack it, and import it by itself.");
    else
      try {
        const key = `${part}/${above.join("/")}`;
        const folder = folders.get(key) ?? { media: [], rows: new Map<string, AppleRow>() };
        folders.set(key, folder);
        const isAlbum = /\.csv$/i.test(nameOf(file)) && above.some((name) => /^albums$/i.test(name));
        if (isPhotoTable(nameOf(file))) readPhotoTable(await readText(file, maxTableBytes), folder.rows);
        else if (!isAlbum) folder.media.push(file);
        else albums.push({ name: stemOf(nameOf(file)), part, names: readAlbum(await readText(file, maxTableBytes)) });
      } catch (error) {
        refused.set(keyOf(file), `It cannot be read: ${(error as Error).message}`);
      }
  }
  return { folders, albums, refused, leftOut };
}

const options = {
  bom: true,
  skip_empty_lines: true,
  relax_column_count: true,
  relax_quotes: true,
  trim: true,
} as const;

/** What Apple knows of a picture. */
type AppleRow = ReturnType<typeof toRow>;

const toRow = (record: Record<string, string>) => ({
  isFavourite: isYes(record["favorite"]),
  isHidden: isYes(record["hidden"]),
  isDeleted: isYes(record["deleted"]),
  takenAt: readTime(record["originalCreationDate"]?.slice(0, 80)),
});
const isYes = (value = "") => value.toLowerCase() === "yes";

/** Adds the rows of `Photo Details.csv` by the name of the picture. Of pictures with the same name, what holds for all. */
function readPhotoTable(text: string, rows: Map<string, AppleRow>): void {
  for (const record of parse<Record<string, string>>(text, { ...options, columns: true })) {
    const key = fold(record["imgName"] ?? "");
    const [row, other] = [toRow(record), rows.get(key)];
    if (key === "") continue;
    rows.set(key, {
      isFavourite: row.isFavourite && (other?.isFavourite ?? true),
      isHidden: row.isHidden || (other?.isHidden ?? false),
      isDeleted: row.isDeleted && (other?.isDeleted ?? true),
      takenAt: !other || row.takenAt === other.takenAt ? row.takenAt : null,
    });
  }
}

/** The names in the first column of the table of an album. */
const readAlbum = (text: string): string[] =>
  parse(text, { ...options, columns: false })
    .slice(1)
    .flatMap(([name]) => name || []);

/** Pictures that Apple describes, in a part of the copy that is not here. */
function reportMissing({ folders, refused }: Export): void {
  const all = [...folders.values()];
  const here = new Set(all.flatMap(({ media }) => media.map((file) => fold(nameOf(file)))));
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
function placeInAlbums({ folders, albums, refused }: Export): Map<TreeFile, Record<string, number>> {
  const byName = new Map<string, TreeFile[]>();
  for (const { media } of folders.values()) for (const file of media) addTo(byName, fold(nameOf(file)), file);
  const places = new Map<TreeFile, Record<string, number>>();
  const next = createCounts();
  for (const { name: album, part, names } of albums) {
    let unclear = 0;
    for (const name of names) {
      const all = byName.get(fold(name)) ?? [];
      const near = all.filter((file) => (file.part ?? 0) === part);
      const [one, ...others] = near.length > 0 ? near : all;
      if (!one || others.length > 0) unclear++;
      else places.set(one, { [album]: next.add(album) - 1, ...places.get(one) });
    }
    if (unclear > 0)
      refused.set(`Albums/${album}.csv`, `${unclear} of its pictures are missing, or share their names with others.`);
  }
  return places;
}

/** After IMG_9999, names begin again, and the video of IMG_1.HEIC may be IMG_1-1.MOV. Apple describes no such video. */
function findPartsOf(media: TreeFile[], rows: Map<string, AppleRow>): Set<string> {
  const names = media.map(nameOf);
  const parts = new Set(findParts(names).keys());
  const stills = new Set(names.filter(isStill).map((name) => fold(stemOf(name))));
  for (const name of names) {
    const stem = /^(.+)-\d$/.exec(stemOf(name))?.[1];
    if (rows.size > 0 && isMoving(name) && !rows.has(fold(name)) && stem && stills.has(fold(stem))) parts.add(name);
  }
  return parts;
}

const toDetails = (row: AppleRow | undefined) =>
  row
    ? {
        isFavourite: row.isFavourite,
        // Apple knows no seconds.
        ...(row.takenAt !== null && { momentTaken: row.takenAt, isTimeRough: true }),
      }
    : {};

/** The folders of the archive itself say nothing. */
function withoutTop(path: string[]): string[] {
  const top = path.findIndex((name) => /^photos$/i.test(name));
  return top >= 0 && top < path.length - 1 ? path.slice(top + 1) : path;
}
