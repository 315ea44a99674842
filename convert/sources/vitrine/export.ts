import type { Tree } from "../../../src/platform/archives/tree.ts";
import {
  type ExportedRecord,
  findExport,
  indexName,
  isExportIndex,
  type ReadExport,
} from "../../../src/platform/archives/vitrine-export.ts";
import { invalid } from "../../../src/platform/errors.ts";
import { addTo, type Item, note, refuse } from "../items.ts";
import type { SourceKind } from "../kind.ts";
import { listExportedFiles } from "./export-files.ts";
import { listExportedPosts, readOldAddresses } from "./export-posts.ts";
import { createRecordReader, type RecordReader, toSiteAlbum, toSitePhoto } from "./exported.ts";
import { createPlaces, listAlbums, type Places, placePhotos, refusePhoto, rememberPhoto } from "./to-photos.ts";

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
    return `Vitrine: export of site ${(siteID?.slice(0, 8) ?? owner ?? "").slice(0, 100)}`;
  },
  async *list(tree): AsyncGenerator<Item> {
    const site = await open(tree);
    const records = createRecordReader(site);
    const places = createPlaces();
    const albums = new Set<string>();
    for (const album of listAlbums(await readAlbums(records, places))) {
      albums.add(album.key);
      yield album;
    }
    const photos = new Map<number, ReturnType<typeof toSitePhoto>>();
    const shown = new Map<number, { fileID: number; altText: string }>();
    for await (const record of records.read("photos")) {
      const photo = toSitePhoto(record);
      const { id, fileID, altText } = photo;
      if (fileID !== null) shown.set(id, { fileID, altText });
      yield* rememberPhoto(photo, photos);
    }
    const addresses = await readOldAddresses(records);
    yield* listExportedFiles({ site, records, photos, places, addresses: addresses.files });
    for (const photo of photos.values()) yield refusePhoto(photo, "Its file is in the trash, or not in the export.");
    yield* listExportedPosts({ records, url: "", shown, addresses: addresses.posts, albums });
    yield* addresses.others;
    if (addresses.left > 0)
      yield refuse("redirects to photos and albums", `${addresses.left} redirects are not taken: add them again.`);
    yield* listRest(site);
    for (const [file, count] of records.unreadable)
      yield refuse(`data/${file}.jsonl`, `${count} of its records cannot be read.`);
  },
};

async function open(tree: Tree): Promise<ReadExport> {
  const site = await findExport(tree);
  if (!site) throw invalid("The export cannot be found any more.");
  return site;
}

/** The albums as they were ordered: a new one comes first at the top level, and last in another one. */
async function readAlbums(records: RecordReader, places: Places) {
  const albums = await Array.fromAsync(records.read("albums"), toSiteAlbum);
  const entries = new Map<number, { photoID: number; position: number }[]>();
  for await (const entry of records.read("album-photos")) addTo(entries, entry.albumID, entry);
  for (const album of albums) {
    if (album.filter) continue;
    const inOrder = (entries.get(album.id) ?? []).toSorted((one, other) => one.position - other.position);
    const ids = inOrder.map(({ photoID }) => photoID);
    placePhotos(places, album, ids);
  }
  const sorted = albums.toSorted((one, other) => one.position - other.position);
  const isTop = ({ parentID }: (typeof albums)[number]) => parentID === null;
  return [...sorted.filter(isTop).toReversed(), ...sorted.filter((album) => !isTop(album))];
}

type Kind = { file: string; what: string; why?: string; isOne?: (record: ExportedRecord) => boolean };

/** What has no place in another site, or only one that nobody but its people can give it. */
const kinds: Kind[] = [
  { file: "hearts", what: "hearts", why: "they belong to those who have given them there" },
  { file: "shares", what: "share links", why: "their addresses are those of that site. Share again here" },
  { file: "guest-pictures", what: "pictures of guests that wait for approval" },
  { file: "versions", what: "earlier contents of files" },
  { file: "revisions", what: "earlier texts of posts" },
  { file: "photos", what: "posters of videos", isOne: ({ posterSha256 }) => posterSha256 != null },
  {
    file: "profiles",
    what: "portraits",
    why: "people choose them here",
    isOne: ({ portraitID }) => portraitID != null,
  },
  { file: "duplicates", what: "decisions about duplicates", isOne: ({ dismissedAt }) => dismissedAt != null },
  { file: "approved-commenters", what: "people whose comments are shown at once", why: "approve them here" },
  { file: "trash", what: "entries of the trash" },
  { file: "settings", what: "settings, the menu among them", why: "this site has its own" },
  { file: "webhooks", what: "webhooks" },
  { file: "activity", what: "entries of the activity" },
];

/** A line for each of these kinds of which an export has something. */
async function* listRest(site: ReadExport): AsyncGenerator<Item> {
  for (const { file, what, why, isOne = () => true } of kinds) {
    let count = 0;
    for await (const record of site.read(file)) if (isOne(record)) count++;
    if (count > 0) yield note(what, `${count} not taken${why ? `: ${why}` : ""}.`);
  }
}
