import type { Visibility } from "../../../src/core/records/visibility.ts";
import { type Remote, RemoteError } from "../../../src/platform/outgoing/remote.ts";
import { fold } from "../../../src/platform/text.ts";
import type { AlbumItem, FileItem, Item, PhotoDetails } from "../../../src/features/imports/item.ts";
import type { SourceWish } from "../kind.ts";
import { type Asset, createImmichClient, type ImmichClient, type Malformed } from "./immich-client.ts";
import { endOf, readFile, type ServerKind } from "./server.ts";
import { acceptableTags } from "../../../src/features/imports/acceptable.ts";
import { toLine, toText } from "../../../src/features/imports/texts.ts";

type Wish = Pick<SourceWish, "hasPeople" | "visibility">;
type Refused = Extract<Item, { kind: "refused" | "note" }>;

/** What Immich knows of its pictures beside themselves. */
type Index = {
  albumsOf: Map<string, string[]>;
  coverOf: Map<string, string[]>;
  tagsOf: Map<string, string[]>;
  /** Pictures that lie below another one in a stack. */
  stacked: Set<string>;
  /** The moving parts of photos. */
  hidden: Map<string, Asset>;
};

/** The library of one person in Immich, through its API. */
export const immichKind = (remote: Remote): ServerKind => ({
  kind: "immich",
  title: "Immich",
  alwaysHasPhotos: true,
  check: () => createImmichClient(remote).findUserID(),
  open: (name, wish) => ({ kind: "immich", name, items: () => listItems(remote, wish) }),
});

async function* listItems(remote: Remote, wish: Wish): AsyncGenerator<Item> {
  const immich = createImmichClient(remote);
  const userID = await immich.findUserID();
  const index: Index = {
    albumsOf: new Map(),
    coverOf: new Map(),
    tagsOf: new Map(),
    stacked: new Set(),
    hidden: new Map(),
  };
  yield* allowed("albums", "album.read", () => listAlbums(immich, index, wish, userID));
  yield* allowed("tags", "tag.read", () => findTags(immich, index));
  yield* allowed("stacks", "stack.read", () => findStacks(immich, index));
  yield* allowed("shared links", "sharedLink.read", () => listLinks(immich));
  const malformed: Malformed[] = [];
  const lost = (one: Malformed) => malformed.push(one);
  for await (const asset of immich.assets({ visibility: "hidden", withExif: true }, lost))
    index.hidden.set(asset.id, asset);
  const found: Asset[] = [];
  let others = 0;
  for (const visibility of ["timeline", "archive"] as const) {
    const query = { visibility, withExif: true, ...(wish.hasPeople && { withPeople: true }) };
    for await (const asset of immich.assets(query, lost)) {
      if (userID !== null && asset.ownerId && asset.ownerId !== userID) others++;
      else found.push({ ...asset, isArchived: visibility === "archive" });
    }
  }
  for (const { name, field } of malformed)
    yield refused(name, `What Immich says of it has not the form that it documents, in "${field}".`);
  const pathOf = choosePaths([...found, ...index.hidden.values()]);
  for (const asset of found) yield* itemsOf(asset, { remote, index, wish, pathOf });
  for (const asset of index.hidden.values())
    yield refused(pathOf(asset).join("/"), "It is the moving part of a photo that is not there.");
  if (others > 0)
    yield noted(
      "pictures of others",
      `${others} that ${others === 1 ? "belongs to somebody else is" : "belong to somebody else are"} left out.`,
    );
  const trashed = await immich.countTrashed();
  if (trashed) yield noted("trash", `${trashed} pictures and videos in the trash of Immich are left out.`);
}

const refused = (key: string, reason: string): Refused => ({ kind: "refused", key, reason });
const noted = (key: string, reason: string): Refused => ({ kind: "note", key, reason });

/** A key may have been made for some things only. */
async function* allowed(what: string, permission: string, work: () => AsyncGenerator<Item>): AsyncGenerator<Item> {
  try {
    yield* work();
  } catch (error) {
    if (!(error instanceof RemoteError) || error.status !== 403) throw error;
    yield refused(what, `The key has no permission ${permission}.`);
  }
}

/** Collects what is malformed in a list, for one line at its end. */
function createLosses() {
  let count = 0;
  return {
    add: (more: number) => void (count += more),
    *lines(what: string): Generator<Refused> {
      if (count === 0) return;
      yield refused(what, `${count} of them ${count === 1 ? "has" : "have"} not the form that Immich documents.`);
    },
  };
}

async function* listAlbums(
  immich: ImmichClient,
  { albumsOf, coverOf }: Index,
  { visibility }: Wish,
  userID: string | null,
): AsyncGenerator<AlbumItem | Refused> {
  const losses = createLosses();
  for (const { id, albumName, description, albumThumbnailAssetId, order, ...album } of await immich.albums(
    losses.add,
  )) {
    const ownerID = album.ownerId ?? album.albumUsers?.[0]?.user.id ?? null;
    const name = toLine(albumName) || "Untitled";
    if (userID !== null && ownerID !== null && ownerID !== userID) {
      yield noted(`album ${name}`, "It belongs to somebody else.");
      continue;
    }
    const photoOrder = order === "asc" ? "oldestFirst" : "newestFirst";
    yield {
      kind: "album",
      key: id,
      name,
      description: toText(description),
      parent: null,
      visibility,
      photoOrder,
    };
    for (const one of ["timeline", "archive"] as const)
      for await (const asset of immich.assets({ visibility: one, albumIds: [id] })) add(albumsOf, asset.id, id);
    if (albumThumbnailAssetId) add(coverOf, albumThumbnailAssetId, id);
  }
  yield* losses.lines("albums");
}

/** Lists of pictures have no tags, so each tag is asked for its pictures. Those of a tag within it are among them. */
async function* findTags(immich: ImmichClient, { tagsOf }: Index): AsyncGenerator<Refused> {
  const losses = createLosses();
  for (const { id, value } of await immich.tags(losses.add))
    for (const visibility of ["timeline", "archive"] as const)
      for await (const asset of immich.assets({ visibility, tagIds: [id] })) add(tagsOf, asset.id, value);
  yield* losses.lines("tags");
}

async function* findStacks(immich: ImmichClient, { stacked }: Index): AsyncGenerator<Refused> {
  const losses = createLosses();
  for (const { primaryAssetId, assets } of await immich.stacks(losses.add))
    for (const { id } of assets) if (id !== primaryAssetId) stacked.add(id);
  yield* losses.lines("stacks");
}

async function* listLinks(immich: ImmichClient): AsyncGenerator<Refused> {
  const losses = createLosses();
  for (const { description, slug, album } of await immich.sharedLinks(losses.add)) {
    const name = toLine(album?.albumName || description || slug || "some pictures", 200);
    yield noted(`shared link of ${name}`, "It is not taken: share it here again.");
  }
  yield* losses.lines("shared links");
}

function add(map: Map<string, string[]>, key: string, value: string): void {
  const values = map.get(key);
  if (values) values.push(value);
  else map.set(key, [value]);
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

type Context = { remote: Remote; index: Index; wish: Wish; pathOf: (asset: Asset) => string[] };

function* itemsOf(asset: Asset, context: Context): Generator<Item> {
  const { index, wish, pathOf } = context;
  const name = pathOf(asset).join("/");
  const visibility = asset.isArchived ? "private" : wish.visibility;
  const video = index.hidden.get(asset.livePhotoVideoId ?? "");
  if (asset.isTrashed) return yield noted(name, "It is in the trash of Immich.");
  if (asset.isOffline) return yield refused(name, "Immich does not find its file.");
  const isPhoto = !index.stacked.has(asset.id);
  yield {
    ...toFile(asset, context, visibility),
    photo: isPhoto ? toDetails(asset, context, visibility) : null,
    albums: isPhoto ? (index.albumsOf.get(asset.id) ?? []) : [],
    coverOf: index.coverOf.get(asset.id) ?? [],
  };
  if (!video) return;
  index.hidden.delete(video.id);
  yield toFile(video, context, visibility);
}

function toFile(asset: Asset, { remote, pathOf }: Context, visibility: Visibility): FileItem {
  const { id, libraryId, checksum, fileModifiedAt, exifInfo } = asset;
  const size = exifInfo?.fileSizeInByte ?? 0;
  // Of a library outside Immich, the checksum is that of the path.
  const isOfBytes = !libraryId;
  const expected = isOfBytes ? ({ algorithm: "sha1", digest: checksum, encoding: "base64" } as const) : null;
  return {
    kind: "file",
    key: id,
    name: pathOf(asset).join("/"),
    path: pathOf(asset),
    size,
    modifiedAt: fileModifiedAt ? Date.parse(fileModifiedAt) || null : null,
    version: isOfBytes ? `sha1 ${checksum}` : `${size} ${fileModifiedAt}`,
    open: () => openOriginal(readFile(remote, `/api/assets/${id}/original`, null, expected)),
    visibility,
    photo: null,
    albums: [],
  };
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

function toDetails(asset: Asset, { index, wish }: Context, visibility: Visibility): PhotoDetails {
  const { exifInfo: exif, localDateTime, people } = asset;
  const clock = Date.parse(localDateTime ?? "");
  const tags = leavesOf(index.tagsOf.get(asset.id) ?? []);
  const names = wish.hasPeople ? (people ?? []).flatMap(({ name, isHidden }) => (isHidden ? [] : name)) : [];
  const [latitude, longitude] = [exif?.latitude ?? 0, exif?.longitude ?? 0];
  const isPlace = (latitude !== 0 || longitude !== 0) && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  const name = toLine([exif?.city, exif?.country].filter(Boolean).join(", ")) || null;
  return {
    description: toText(exif?.description ?? ""),
    tags: acceptableTags([...tags, ...names]),
    isFavourite: asset.isFavorite,
    visibility,
    ...(Number.isFinite(clock) && { clockTaken: clock }),
    ...(isPlace && { place: { latitude, longitude, name } }),
  };
}

/** A picture in `a/b` is found in `a` as well. */
const leavesOf = (tags: string[]) => tags.filter((tag) => !tags.some((other) => other.startsWith(`${tag}/`)));
