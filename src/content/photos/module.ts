import { late } from "../../platform/once.ts";
import { createVariants } from "../../core/images/variants.ts";
import { findersOf, type Module } from "../../module.ts";
import { photosTable, photoTables } from "./tables.ts";
import { recordKind } from "../../core/records/record-kind.ts";
import { trashableList } from "../../core/trash/store.ts";
import { compareAgain, comparedFiles, comparedPhotos, createComparison } from "./compare.ts";
import { duplicateGroups } from "./duplicates.ts";
import { listedPhotos, photoLists, photosOfFiles, updatePhotosShowing } from "./lists/facts.ts";
import { areaCounts } from "./lists/areas.ts";
import { photosWithoutAlbum } from "./lists/entries.ts";
import { monthCounts } from "./lists/months.ts";
import { photoPlaces, placesOfFiles } from "./lists/places.ts";
import { createOriginals } from "./originals.ts";
import { photoSchema, photoTexts } from "./photo.ts";
import { recordPrepared } from "./prepared.ts";
import { sharedPhoto } from "./share-reach.ts";
import { findPhotos } from "./store.ts";
import { findTrashedPictures } from "./trashed-picture.ts";
import { findPhotoUses } from "./uses.ts";

const loadRoutes = late(() =>
  Promise.all([
    import("./routes.ts"),
    import("./trashed-picture.ts"),
    import("./on-this-day.ts"),
    import("./duplicate-routes.ts"),
    import("./poster.ts"),
    import("./motion.ts"),
    import("./zip-route.ts"),
  ]),
);

const minute = 60_000;

export const photosModule: Module = {
  tags: { Photos: "Uploaded pictures with a title, a description and a size in pixels." },
  tables: photoTables,
  kinds: [
    recordKind({
      name: "photo",
      table: photosTable,
      schema: photoSchema,
      find: findPhotos,
      texts: photoTexts,
      hasOwnText: true,
      trash: { ...trashableList("photos"), along: "file", pictures: findTrashedPictures },
      image: ({ variants }) => variants[0]?.url ?? null,
      shared: { photo: sharedPhoto },
      counted: { field: "photos" },
    }),
  ],
  maintained: [listedPhotos, monthCounts, areaCounts],
  findUses: findPhotoUses,
  derived: [photoLists, photosOfFiles, photosWithoutAlbum, photoPlaces, placesOfFiles, comparedPhotos, comparedFiles],
  reactions: {
    async imageRead(tx, sha256, wasWaiting) {
      await updatePhotosShowing(tx, sha256);
      if (wasWaiting) await recordPrepared(tx, sha256);
      await compareAgain(tx, sha256);
    },
  },
  notices: { duplicateGroups },
  open: ({ db, blobs, decoder, images, trash, modules, config: { quotaBytes, trashDays }, stopping }) => {
    const comparison = createComparison(db, stopping);
    const variants = createVariants(blobs, decoder);
    return {
      lateRoutes: {
        names: [
          "POST /api/v1/photos",
          "GET /api/v1/photos",
          "GET /api/v1/photos/timeline",
          "GET /api/v1/photos/map",
          "GET /api/v1/photos/:id",
          "GET /api/v1/photos/:id/image",
          "PUT /api/v1/photos/:id",
          "DELETE /api/v1/photos/:id",
          "GET /api/v1/trash/:id/image",
          "GET /api/v1/photos/on-this-day",
          "GET /api/v1/photos/duplicates",
          "POST /api/v1/photos/duplicates",
          "PUT /api/v1/photos/:id/poster",
          "DELETE /api/v1/photos/:id/poster",
          "GET /api/v1/photos/:id/motion",
          "GET /api/v1/photos/zip",
        ],
        base: [
          "POST /api/v1/photos",
          "GET /api/v1/photos",
          "GET /api/v1/photos/:id",
          "PUT /api/v1/photos/:id",
          "DELETE /api/v1/photos/:id",
        ],
        async load() {
          const [
            { photoRoutes },
            { trashedPictureRoute },
            { onThisDayRoute },
            { duplicateRoutes },
            { posterRoutes },
            { motionRoute },
            { zipRoute },
          ] = await loadRoutes();
          return [
            ...photoRoutes({
              db,
              images,
              variants,
              trash,
              originals: createOriginals(findersOf(modules)),
            }),
            trashedPictureRoute({ db, images, variants, keptDays: trashDays }),
            onThisDayRoute(db),
            ...duplicateRoutes(db, comparison),
            ...posterRoutes({ db, blobs, images, quotaBytes }),
            motionRoute(db, blobs, images),
            zipRoute({ db, blobs, images, variants }),
          ];
        },
      },
      jobs: [{ name: "duplicates", everyMs: 10 * minute, run: comparison.compareAll }],
    };
  },
};
