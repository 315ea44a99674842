import type { SourceOptions } from "../../format/job.ts";
import { type Remote, RemoteError } from "../../../src/platform/outgoing/remote.ts";
import { fold } from "../../../src/platform/text.ts";
import {
  addTo,
  type FileItem,
  type Item,
  note,
  type PhotoDetails,
  placeOf,
  publicIf,
  refuse,
  type ReportItem,
  toFile,
} from "../items.ts";
import { readTime } from "../texts.ts";
import { type Asset, createImmichClient, type ImmichClient } from "./immich-client.ts";
import { endOf, readFile, type ServerKind } from "./server.ts";

/** What Immich knows of its pictures beside themselves. */
const createIndex = () => ({
  albumsOf: new Map<string, string[]>(),
  coverOf: new Map<string, string[]>(),
  tagsOf: new Map<string, string[]>(),
  /** Pictures that lie below another one in a stack. */
  stacked: new Set<string>(),
  /** The moving parts of photos. */
  hidden: new Map<string, Asset>(),
});
type Index = ReturnType<typeof createIndex>;

/** The library of one person in Immich, through its API. */
export const immichKind = (remote: Remote): ServerKind => ({
  kind: "immich",
  title: "Immich",
  alwaysHasPhotos: true,
  check: () => createImmichClient(remote).findUserID(),
  list: (options) => listItems(remote, options),
});

async function* listItems(remote: Remote, { hasPeople }: SourceOptions): AsyncGenerator<Item> {
  const immich = createImmichClient(remote);
  const userID = await immich.findUserID();
  const index = createIndex();
  yield* allowed("albums", "album.read", () => listAlbums(immich, index, userID));
  yield* allowed("tags", "tag.read", () => findTags(immich, index));
  yield* allowed("stacks", "stack.read", () => findStacks(immich, index));
  yield* allowed("shared links", "sharedLink.read", () => listLinks(immich));
  for (const [what, count] of immich.lost.entries())
    yield refuse(what, `${count} of them ${count === 1 ? "has" : "have"} not the form that Immich documents.`);
  const malformed: ReportItem[] = [];
  const lose = (name: string, field: string) =>
    malformed.push(refuse(name, `What Immich says of it has not the form that it documents, in "${field}".`));
  for await (const asset of immich.assets({ visibility: "hidden", withExif: true }, lose))
    index.hidden.set(asset.id, asset);
  const found: Asset[] = [];
  let others = 0;
  for (const visibility of ["timeline", "archive"] as const) {
    const query = { visibility, withExif: true, ...(hasPeople && { withPeople: true }) };
    for await (const asset of immich.assets(query, lose)) {
      if (userID !== null && asset.ownerId && asset.ownerId !== userID) others++;
      else found.push({ ...asset, isArchived: visibility === "archive" });
    }
  }
  yield* malformed;
  const pathOf = choosePaths([...found, ...index.hidden.values()]);
  for (const asset of found) yield* itemsOf(asset, { remote, index, hasPeople, pathOf });
  for (const asset of index.hidden.values())
    yield refuse(pathOf(asset).join("/"), "It is the moving part of a photo that is not there.");
  if (others > 0)
    yield note(
      "pictures of others",
      `${others} that ${others === 1 ? "belongs to somebody else is" : "belong to somebody else are"} left out.`,
    );
  const trashed = await immich.countTrashed();
  if (trashed) yield note("trash", `${trashed} pictures and videos in the trash of Immich are left out.`);
}

/** A key may have been made for some things only. */
async function* allowed(
  what: string,
  permission: string,
  work: () => AsyncGenerator<Item> | Promise<void>,
): AsyncGenerator<Item> {
  try {
    yield* (await work()) ?? [];
  } catch (error) {
    if (!(error instanceof RemoteError) || error.status !== 403) throw error;
    yield refuse(what, `The key has no permission ${permission}.`);
  }
}

async function* listAlbums(
  immich: ImmichClient,
  { albumsOf, coverOf }: Index,
  userID: string | null,
): AsyncGenerator<Item> {
  for (const { id, description, albumThumbnailAssetId: cover, order, ...album } of await immich.albums()) {
    const ownerID = album.ownerId ?? album.albumUsers?.[0]?.user.id ?? null;
    const name = album.albumName.trim() || "Untitled";
    if (userID !== null && ownerID !== null && ownerID !== userID) {
      yield note(`album ${name}`, "It belongs to somebody else.");
      continue;
    }
    const photoOrder = order === "asc" ? "oldestFirst" : "newestFirst";
    yield { kind: "album", key: id, name, description, visibility: publicIf(true), photoOrder };
    for (const one of ["timeline", "archive"] as const)
      for await (const asset of immich.assets({ visibility: one, albumIds: [id] })) addTo(albumsOf, asset.id, id);
    if (cover) addTo(coverOf, cover, id);
  }
}

/** Lists of pictures have no tags, so each tag is asked for its pictures. Those of a tag within it are among them. */
async function findTags(immich: ImmichClient, { tagsOf }: Index): Promise<void> {
  for (const { id, value } of await immich.tags())
    for (const visibility of ["timeline", "archive"] as const)
      for await (const asset of immich.assets({ visibility, tagIds: [id] })) addTo(tagsOf, asset.id, value);
}

async function findStacks(immich: ImmichClient, { stacked }: Index): Promise<void> {
  for (const { primaryAssetId, assets } of await immich.stacks())
    for (const { id } of assets) if (id !== primaryAssetId) stacked.add(id);
}

async function* listLinks(immich: ImmichClient): AsyncGenerator<ReportItem> {
  for (const { description, slug, album } of await immich.sharedLinks()) {
    const name = (album?.albumName || description || slug || "some pictures").slice(0, 200);
    yield note(`shared link of ${name}`, "It is not taken: share it here again.");
  }
}

const ageOf = ({ createdAt, id }: Asset) => `${createdAt} ${id}`;

/** Year, month and name. Of several with the same, the one that came to Immich first has it alone, now and later. */
function choosePaths(assets: Asset[]): (asset: Asset) => string[] {
  const plain = (asset: Asset) => {
    const [year = "", month = ""] = /^(\d{4})-(\d\d)/.exec(asset.localDateTime ?? "")?.slice(1) ?? [];
    return [...(year ? [year, month] : ["Undated"]), asset.originalFileName];
  };
  const first = new Map<string, Asset>();
  for (const asset of assets) {
    const key = fold(plain(asset).join("/"));
    const other = first.get(key);
    if (!other || ageOf(asset) < ageOf(other)) first.set(key, asset);
  }
  return (asset) => {
    const path = plain(asset);
    if (first.get(fold(path.join("/")))?.id === asset.id) return path;
    const name = path.pop() ?? "";
    const dot = name.lastIndexOf(".");
    const stem = dot > 0 ? name.slice(0, dot) : name;
    return [...path, `${stem} ${asset.id.slice(0, 8)}${name.slice(stem.length)}`];
  };
}

type Context = { remote: Remote; index: Index; hasPeople: boolean; pathOf: (asset: Asset) => string[] };

function* itemsOf(asset: Asset, context: Context): Generator<Item> {
  const { index, pathOf } = context;
  const name = pathOf(asset).join("/");
  const isPublic = !asset.isArchived;
  const video = index.hidden.get(asset.livePhotoVideoId ?? "");
  if (asset.isTrashed) return yield note(name, "It is in the trash of Immich.");
  if (asset.isOffline) return yield refuse(name, "Immich does not find its file.");
  const isPhoto = !index.stacked.has(asset.id);
  yield {
    ...toItem(asset, context, { isPublic, photo: isPhoto ? toDetails(asset, context) : null }),
    albums: isPhoto ? (index.albumsOf.get(asset.id) ?? []) : [],
    coverOf: index.coverOf.get(asset.id) ?? [],
  };
  if (!video) return;
  index.hidden.delete(video.id);
  yield toItem(video, context, { isPublic });
}

type Shown = { isPublic: boolean; photo?: PhotoDetails | null };

function toItem(asset: Asset, { remote, pathOf }: Context, shown: Shown): FileItem {
  const { id, libraryId, checksum, fileModifiedAt, exifInfo } = asset;
  const [path, size] = [pathOf(asset), exifInfo?.fileSizeInByte ?? 0];
  // Of a library outside Immich, the checksum is that of the path.
  const isOfBytes = !libraryId;
  const expected = isOfBytes ? ({ algorithm: "sha1", digest: checksum, encoding: "base64" } as const) : null;
  const open = () => openOriginal(readFile(remote, `/api/assets/${id}/original`, null, expected));
  const version = isOfBytes ? `sha1 ${checksum}` : `${size} ${fileModifiedAt}`;
  const modifiedAt = readTime(fileModifiedAt);
  return toFile({ path, size, modifiedAt, open }, { key: id, name: path.join("/"), path, version, ...shown });
}

/** A key that may not download one may download none. */
async function* openOriginal(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes;
  } catch (error) {
    const { cause } = error as Error;
    if (!(cause instanceof RemoteError) || cause.status !== 403) throw error;
    throw endOf(new RemoteError("The key has no permission asset.download.", cause.status));
  }
}

function toDetails(asset: Asset, { index, hasPeople }: Context): PhotoDetails {
  const { exifInfo: exif, people } = asset;
  const clock = readTime(asset.localDateTime);
  const tags = leavesOf(index.tagsOf.get(asset.id) ?? []);
  const names = hasPeople ? (people ?? []).flatMap(({ name, isHidden }) => (isHidden ? [] : name)) : [];
  return {
    description: exif?.description ?? "",
    tags: [...tags, ...names],
    isFavourite: asset.isFavorite,
    ...(clock !== null && { clockTaken: clock }),
    ...placeOf(exif?.latitude, exif?.longitude, [exif?.city, exif?.country].filter(Boolean).join(", ")),
  };
}

/** A picture in `a/b` is found in `a` as well. */
const leavesOf = (tags: string[]) => tags.filter((tag) => !tags.some((other) => other.startsWith(`${tag}/`)));
