import { z } from "zod";
import { recordActivity } from "../../core/activity/record.ts";
import type { Images } from "../../core/images/read.ts";
import { visibilitySchema, withoutLimit } from "../../core/records/visibility.ts";
import type { NewIncoming } from "../../core/storage/incoming.ts";
import type { Database, Queries, Reader } from "../../platform/database/database.ts";
import { sql, unindexed } from "../../platform/database/sql.ts";
import { invalid, Problem } from "../../platform/errors.ts";
import { type Exchange, noteProgress } from "../../platform/http/exchange.ts";
import { readUploadForm } from "../../platform/http/multipart.ts";
import { type Caller, isOwnerOrAdmin, type Route, route } from "../../platform/http/route.ts";
import { validate } from "../../platform/http/validate.ts";
import { detectContentType } from "../files/content-type.ts";
import { ensureDirectory } from "../files/directories.ts";
import type { Intake } from "../files/intake.ts";
import { checkName } from "../files/names.ts";
import { createPhoto } from "../photos/create.ts";
import type { Originals } from "../photos/originals.ts";
import { newPhotoSchema, photoSchema, titleFrom } from "../photos/photo.ts";
import { getPhoto } from "../photos/store.ts";
import { attachPhoto } from "./album-photos.ts";
import { checkOrdinary } from "./filter.ts";
import { getAlbumHead } from "./store.ts";

const fieldsSchema = z.object({
  visibility: visibilitySchema.optional().meta({ description: "Who can see the photo and its file." }),
});

const formSchema = fieldsSchema
  .extend({
    file: z.string().meta({ format: "binary", description: "The picture or video. Its filename becomes the title." }),
  })
  .meta({ id: "AlbumUpload" });

type Album = Awaited<ReturnType<typeof getAlbumHead>>;
type Deps = { db: Database; intake: Intake; images: Images; originals: Originals };

/** A picture from a phone or a script, in one request: its file, the photo of it, and its place in the album. */
export const uploadPhotoRoute = (deps: Deps): Route =>
  route({
    method: "POST",
    path: "/api/v1/albums/:id/uploads",
    name: "uploadAlbumPhoto",
    openTo: ["album"],
    tag: "Albums",
    summary: "Upload a picture or a video into an album",
    details:
      "Stores the file in `/photos/` and the year in which it was taken, creates a photo of it and appends that to the album. If a photo of yours in the album has these bytes, that is returned, and nothing is stored.",
    role: "author",
    scope: "photos:write",
    find: ({ id }, caller) => getAlbumHead(deps.db, caller, id),
    may: isOwnerOrAdmin,
    form: formSchema,
    noIdempotency: "upload",
    status: 201,
    location: "/api/v1/photos/{id}",
    response: photoSchema,
    statuses: { 503: "The server is still reading this picture: try again" },
    async handle({ record, exchange, caller }) {
      checkOrdinary(record);
      return getPhoto(deps.db, caller, await upload(deps, exchange, caller, record));
    },
  });

async function upload(deps: Deps, exchange: Exchange, limited: Caller, album: Album): Promise<number> {
  const { db, intake } = deps;
  // Where the file goes is not for the caller to choose.
  const caller = withoutLimit(limited);
  const fields: Record<string, string> = {};
  await using received = await readUploadForm<NewIncoming & { name: string }>(exchange, intake.maxUploadBytes, {
    fileField: "file",
    async field(name, value) {
      fields[name] = value;
    },
    async file(filename, stream, unread) {
      const target = { path: [], name: checkName(filename, "file"), onConflict: "rename" as const };
      const source = { stream, atMost: (size: number) => size + unread(), moved: () => noteProgress(exchange) };
      return { ...(await intake.receive(source, { caller, target })), name: target.name };
    },
    drop: async (file) => file[Symbol.asyncDispose](),
  });
  if (!received) throw invalid(`"file" is required: send the picture as a form field of that name.`, "file");
  const { visibility } = validate(fieldsSchema, fields);
  const known = await findKnown(db, caller.id, album.id, received.sha256);
  return known ?? (await store(deps, caller, { album, received, visibility }));
}

type Sent = { album: Album; received: NewIncoming & { name: string }; visibility: "public" | "private" | undefined };

async function store(deps: Deps, caller: Caller, { album, received, visibility }: Sent): Promise<number> {
  const { db, intake, images, originals } = deps;
  const { name, sha256, head } = received;
  const target = { path: [] as string[], name, onConflict: "rename" as const, visibility };
  let size = { width: 0, height: 0 };
  const readPicture = async () => {
    const image = await images.read({ sha256, contentType: detectContentType(head, name), name });
    if (!image?.width || !image.height)
      throw invalid(`"${name}" cannot be shown as a photo. ${image?.failure ?? ""}`.trim(), "file");
    size = { width: image.width, height: image.height };
    target.path = await findDirectory(db, caller, new Date(image.takenAt ?? Date.now()).getUTCFullYear());
  };
  const incoming = {
    ...received,
    store: <Result>(write: (tx: Queries) => Promise<Result>) => received.store(write, readPicture),
  };
  return intake.storeWith(incoming, { caller, target }, async (tx, place) => {
    const { id: fileID } = await place();
    const details = validate(newPhotoSchema, { title: titleFrom(name), fileID, visibility });
    const photo = await createPhoto(tx, originals, caller, { ...details, ...size, isUntitled: true });
    const checkFound = await attachPhoto(tx, caller, album.id, photo.id);
    await checkFound();
    recordActivity(tx, caller.id, "changed", { ...album, kind: "album" });
    return photo.id;
  });
}

/** A photo of theirs in the album that shows these bytes: a program may send a picture again. */
async function findKnown(db: Reader, ownerID: number, albumID: number, sha256: string): Promise<number | null> {
  const row = await db.get<{ id: number | null }>(sql`
    SELECT min(photos.id) AS id FROM files
    JOIN photos ON photos.file_id = files.id AND photos.trash_id IS NULL
    JOIN album_photos ON album_photos.photo_id = photos.id AND ${unindexed("album_photos.album_id")} = ${albumID}
    WHERE files.sha256 = ${sha256} AND ${unindexed("photos.owner_id")} = ${ownerID}`);
  return row?.id ?? null;
}

/** Where the studio puts photos. Whoever may not add to that puts them into the root. */
async function findDirectory(db: Database, caller: Caller, year: number): Promise<string[]> {
  const path = ["photos", String(year)];
  try {
    await db.transaction((tx) => ensureDirectory(tx, caller, path, "public"));
    return path;
  } catch (error) {
    if (error instanceof Problem && error.status < 500) return [];
    throw error;
  }
}
