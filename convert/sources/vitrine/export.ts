import type { Visibility } from "../../../src/core/records/visibility.ts";
import type { Tree } from "../../../src/platform/archives/tree.ts";
import {
  findExport,
  indexName,
  isExportIndex,
  type ReadExport,
} from "../../../src/platform/archives/vitrine-export.ts";
import { invalid } from "../../../src/platform/errors.ts";
import { toLine } from "../../../src/features/imports/texts.ts";
import type { AlbumItem, Item } from "../../../src/features/imports/item.ts";
import type { SourceKind } from "../kind.ts";
import { createRecordReader, type RecordReader, toSiteAlbum, toSitePhoto } from "./exported.ts";
import { listExportedFiles } from "./export-files.ts";
import { listExportedPosts, readOldAddresses } from "./export-posts.ts";
import { listRest } from "./export-rest.ts";
import { type Limit, limitTo, type SiteAlbum } from "./site.ts";
import {
  createPlaces,
  type Places,
  placePhotos,
  refusedPhoto,
  rememberPhoto,
  toAlbum,
  withParentsFirst,
} from "./to-photos.ts";

/** What `vitrine export` has written, as something to add to another site. */
export const exportKind: SourceKind = {
  kind: "vitrine",
  title: "Vitrine",
  alwaysHasPhotos: true,
  ownsHidden: true,
  isTelling: (path) => path.at(-1) === indexName,
  async recognise(files) {
    for (const file of files) if (await isExportIndex(file)) return true;
    return false;
  },
  async nameOf(tree, ownID) {
    const { siteID, find, owner } = await open(tree);
    if (!find("data/files.jsonl")) throw invalid("The export is not whole: there is no data/files.jsonl.");
    if (siteID !== null && siteID === ownID)
      throw invalid(
        "The export is one of this site, or of the one that this site was made of: what it has is here already. To add its files once more, import its folder files/.",
      );
    return `Vitrine: export of site ${toLine(siteID?.slice(0, 8) ?? owner ?? "", 100)}`;
  },
  open: (tree, name, wish) => ({ kind: "vitrine", name, items: () => listItems(tree, wish.visibility) }),
};

async function open(tree: Tree): Promise<ReadExport> {
  const site = await findExport(tree);
  if (!site) throw invalid("The export cannot be found any more.");
  return site;
}

async function* listItems(tree: Tree, wished: Visibility): AsyncGenerator<Item> {
  const site = await open(tree);
  const records = createRecordReader(site);
  const limit = limitTo(wished);
  const places = createPlaces();
  const albums = new Set<string>();
  for await (const album of listAlbums(records, places, limit)) {
    albums.add(album.key);
    yield album;
  }
  const photos = new Map<number, ReturnType<typeof toSitePhoto>>();
  const shown = new Map<number, { fileID: number; altText: string }>();
  for await (const record of records.read("photos")) {
    const photo = toSitePhoto(record);
    if (photo.fileID !== null) shown.set(photo.id, { fileID: photo.fileID, altText: photo.altText });
    yield* rememberPhoto(photo, photos);
  }
  const addresses = await readOldAddresses(records);
  yield* listExportedFiles({ site, records, photos, places, addresses: addresses.files, limit });
  for (const photo of photos.values()) yield refusedPhoto(photo, "Its file is in the trash, or not in the export.");
  yield* listExportedPosts({ records, url: "", shown, limit, addresses: addresses.posts, albums });
  yield* addresses.others;
  if (addresses.left > 0)
    yield refuse("redirects to photos and albums", `${addresses.left} redirects are not taken: add them again.`);
  yield* listRest(site);
  for (const [file, count] of records.unreadable)
    yield refuse(`data/${file}.jsonl`, `${count} of its records cannot be read.`);
}

const refuse = (key: string, reason: string): Item => ({ kind: "refused", key, reason });

async function* listAlbums(records: RecordReader, places: Places, limit: Limit): AsyncGenerator<AlbumItem> {
  const albums = await Array.fromAsync(records.read("albums"), toSiteAlbum);
  // A new album comes first at the top level, and last in another one.
  const isTop = ({ parentID }: SiteAlbum) => parentID === null;
  const tops = albums.filter(isTop).toSorted((one, other) => other.position - one.position);
  const inner = albums.filter((album) => !isTop(album)).toSorted((one, other) => one.position - other.position);
  const all = new Map([...tops, ...inner].map((album) => [album.id, album]));
  for (const album of withParentsFirst(all)) yield toAlbum(album, all, limit);
  const entries = new Map<number, { photoID: number; position: number }[]>();
  for await (const { albumID, ...entry } of records.read("album-photos")) {
    const others = entries.get(albumID);
    if (others) others.push(entry);
    else entries.set(albumID, [entry]);
  }
  for (const album of all.values()) {
    if (album.filter) continue;
    const inOrder = (entries.get(album.id) ?? []).toSorted((one, other) => one.position - other.position);
    placePhotos(
      places,
      album,
      inOrder.map(({ photoID }) => photoID),
    );
  }
}
