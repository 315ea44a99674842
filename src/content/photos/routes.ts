import { z } from "zod";
import { forbidden, missing } from "../../platform/errors.ts";
import { type Width, widths } from "../../core/images/image.ts";
import type { Images } from "../../core/images/read.ts";
import type { Variants } from "../../core/images/variants.ts";
import type { Database } from "../../platform/database/database.ts";
import { alwaysSortedBy, sortedBy } from "../../platform/http/cursor.ts";
import { offsetOf } from "../../platform/http/pages.ts";
import { isOwnerOrAdmin, type Route, route } from "../../platform/http/route.ts";
import { ownerStatuses } from "../../core/users/owner.ts";
import type { Trash } from "../../core/trash/trash.ts";
import { updatePhotos } from "./change.ts";
import { completePhoto, createPhoto, readSubject } from "./create.ts";
import { listPhotosByKey, readTimeline, readTimelineByKey } from "./list-photos.ts";
import { byTakenAt, photoQuery, photoSorts } from "./lists/filters.ts";
import { mapQuery } from "./lists/map.ts";
import { monthSchema } from "./lists/months.ts";
import { areaSchema, readMap, toWanted } from "./map-areas.ts";
import { describeOriginals, type Original, type Originals } from "./originals.ts";
import { deletedPhotoSchema, newPhotoSchema, type Photo, photoChangesSchema, photoSchema } from "./photo.ts";
import { prepareEdits } from "./prepare-edits.ts";
import { versionOf } from "./rows.ts";
import { getPhoto, getPhotoHead, getStoredPhoto, listPhotos, lockPhoto } from "./store.ts";
import { trashPhotos } from "./trash.ts";

const tag = "Photos";

type Deps = {
  db: Database;
  images: Images;
  variants: Variants;
  trash: Trash;
  originals: Originals;
};

const { query: cursorQuery, choose } = alwaysSortedBy(byTakenAt, "desc");
const timelineCursor = { query: cursorQuery.pick({ cursor: true }), choose };

export function photoRoutes({ db, images, variants, trash, originals }: Deps): Route[] {
  return [
    route({
      method: "POST",
      path: "/api/v1/photos",
      name: "createPhoto",
      base: true,
      tag,
      summary: "Create a photo from an uploaded file",
      role: "author",
      scope: "photos:write",
      body: newPhotoSchema,
      status: 201,
      response: photoSchema,
      async handle({ body, caller, transaction }) {
        const complete = await completePhoto({ db, images }, caller, body);
        return transaction((tx) => createPhoto(tx, originals, caller, complete));
      },
    }),

    route({
      method: "GET",
      path: "/api/v1/photos",
      name: "listPhotos",
      base: true,
      tag,
      summary: "List photos, newest first",
      personal: true,
      paged: true,
      details:
        "Filters can be combined. Photos without `takenAt` come last when sorted by it. A page of combined filters may have fewer photos than `pageSize`, or none, and still have a next one.",
      cursor: sortedBy(photoSorts, "desc"),
      query: photoQuery,
      statuses: ownerStatuses,
      response: z.array(photoSchema),
      handle: ({ page, cursor, query, viewer }) =>
        cursor ? listPhotosByKey(db, viewer, query, cursor) : listPhotos(db, viewer, offsetOf(page)),
    }),

    route({
      method: "GET",
      path: "/api/v1/photos/timeline",
      name: "readTimeline",
      tag,
      summary: "Count photos by the month in which they were taken",
      details:
        "Newest month first, in UTC. Has the same filters as the list of photos. Photos without `takenAt` are in no month. If the last month of a page by cursor goes on in the next one, add both counts.",
      personal: true,
      cursor: timelineCursor,
      query: photoQuery,
      statuses: ownerStatuses,
      response: z.array(monthSchema),
      handle: ({ cursor, query, viewer }) =>
        cursor ? readTimelineByKey(db, viewer, query, cursor.after) : readTimeline(db, viewer, query),
    }),

    route({
      method: "GET",
      path: "/api/v1/photos/map",
      name: "readPhotoMap",
      tag,
      summary: "Count photos by the area in which they were taken",
      details:
        "The areas are cells of a grid that is finer the nearer the map is; those with most photos come first. Only photos whose place everyone may see count, or with `owner=me` all of your own. `GET /api/v1/photos?bbox=` lists the photos of an area.",
      personal: true,
      query: mapQuery,
      statuses: { 401: ownerStatuses[401] },
      response: z.array(areaSchema),
      handle: ({ query, viewer }) => readMap(db, viewer, toWanted(query)),
    }),

    route({
      method: "GET",
      path: "/api/v1/photos/:id",
      name: "readPhoto",
      openTo: ["album"],
      base: true,
      tag,
      summary: "Read a photo",
      details: "The location is visible only to the owner unless `showLocation` is true.",
      personal: true,
      granted: true,
      response: photoSchema,
      handle: ({ params, viewer }) => getPhoto(db, viewer, params.id),
    }),

    route({
      method: "GET",
      path: "/api/v1/photos/:id/image",
      name: "readPhotoImage",
      openTo: ["album"],
      tag,
      summary: "Read the picture of a photo",
      details:
        "The picture is upright, in sRGB and at most as wide as requested; it is never enlarged. The format is AVIF, WebP or JPEG, whichever has the highest weight in `Accept`; a wildcard means JPEG. For animations, only the first frame is returned; for a video, its poster.",
      limit: "media",
      personal: true,
      granted: true,
      query: z.object({
        w: z
          .enum(widths.map(String) as [string, ...string[]])
          .default("1280")
          .meta({ description: "The width in pixels.", example: "640" }),
        v: z
          .string()
          .optional()
          .meta({ description: "The value from `variants`; the response can then be cached for a day." }),
        unedited: z.enum(["true", "false"]).default("false").meta({
          description: "`true` returns the picture as it is in the file, to those who may change the photo.",
          example: "false",
        }),
      }),
      response: { contentTypes: ["image/jpeg", "image/webp", "image/avif"], description: "The picture" },
      statuses: {
        304: "Not modified",
        403: "You may not see the picture without its edits",
        503: "The server is busy with other pictures: try again",
      },
      async handle({ params, query, viewer, exchange }) {
        const { row, shown: file, poster, edited } = await getStoredPhoto(db, viewer, params.id);
        const isUnedited = query.unedited === "true";
        if (isUnedited && !isOwnerOrAdmin(viewer, { ownerID: row.photo_owner_id }))
          throw forbidden("Only those who may change this photo can see it without its edits.");
        const edits = isUnedited ? null : (edited?.edits ?? null);
        const image = poster ? await images.readPicture(poster.sha256) : file && (await images.read(file));
        if (!image)
          throw missing(
            `picture of photo ${params.id}: its file is ${file ? "neither an image nor a video" : "in the trash"}`,
          );
        const accept = exchange.request.headers.get("accept");
        const version = versionOf(row, image, edits);
        const picture = variants.find(image, Number(query.w) as Width, { accept, version, known: query.v, edits });
        // The picture of a public photo is the same for everyone.
        return { ...picture, isPublic: row.photo_is_private === 0 && !isUnedited };
      },
    }),

    route({
      method: "PUT",
      path: "/api/v1/photos/:id",
      name: "changePhoto",
      base: true,
      tag,
      summary: "Change a photo",
      details:
        "Omitted fields keep their values. `visibility` applies to the photo's file as well, and `file` in the response shows the result: see `original`.",
      role: "author",
      scope: "photos:write",
      find: ({ id }, caller) => getPhotoHead(db, caller, id),
      may: isOwnerOrAdmin,
      current: (tx, caller, { id }) => lockPhoto(tx, caller, id),
      body: photoChangesSchema,
      response: photoSchema,
      async handle({ record, body, caller, transaction }) {
        if (body.fileID !== undefined) {
          await readSubject({ db, images }, caller, body.fileID);
        }
        const { id } = record;
        const edits = await prepareEdits({ db, images, variants }, caller, id, body);
        const saved = await transaction(async (tx) => {
          const update = { photo: await lockPhoto(tx, caller, id), changed: body, edits: edits?.after };
          const { photos, hasChangedOriginals } = await updatePhotos(tx, originals, caller, [update]);
          return hasChangedOriginals ? getPhoto(tx, caller, id) : (photos[0] as Photo);
        });
        await edits?.forgetBefore();
        return saved;
      },
    }),

    route({
      method: "DELETE",
      path: "/api/v1/photos/:id",
      name: "deletePhoto",
      base: true,
      tag,
      summary: "Move a photo to the trash",
      details:
        "The photo is removed from its albums and from posts that use it as their cover. Its file is kept, unless the request says `withFile=true`.",
      role: "author",
      scope: "photos:write",
      find: ({ id }, caller) => getPhotoHead(db, caller, id),
      may: isOwnerOrAdmin,
      current: (tx, caller, { id }) => lockPhoto(tx, caller, id),
      query: z.object({ withFile }),
      response: deletedPhotoSchema,
      handle: ({ record: { id, name }, query, caller, transaction }) =>
        transaction(async (tx) => {
          const isWithFile = query.withFile === "true";
          await trashPhotos(tx, { trash, originals }, [id], { deletedByID: caller.id, withFile: isWithFile });
          if (!isWithFile) return { message: `"${name}" was moved to the trash.` };
          const file = (await describeOriginals(tx, [id])).get(id) ?? null;
          return { message: describeDeletion(name, file), file };
        }),
    }),
  ];
}

const withFile = z.enum(["true", "false"]).default("false").meta({
  description:
    "`true` moves the photo's file to the trash as well, as a part of the same entry, which restores both. A file that something else of its owner uses (another photo, a post, the icon of the site) or that belongs to another user is kept.",
  example: "true",
});

function describeDeletion(name: string, file: Original | null): string {
  if (file === "trashed") return `"${name}" and its file were moved to the trash.`;
  return `"${name}" was moved to the trash.${file === null ? "" : " Its file was kept, because something else uses it."}`;
}
