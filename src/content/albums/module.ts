import { late } from "../../platform/once.ts";
import { createVariants } from "../../core/images/variants.ts";
import { findersOf, type Module } from "../../module.ts";
import { albumsTable, albumTables } from "./tables.ts";
import { createOriginals } from "../photos/originals.ts";
import { recordKind } from "../../core/records/record-kind.ts";
import { trashableList } from "../../core/trash/store.ts";
import { albumSchema, albumTexts } from "./album.ts";
import { restorableAlbums } from "./restorable.ts";
import { purgeAlbum } from "./purge.ts";
import { datedPhotos, datePositions, orderedAlbums } from "./date-order.ts";
import { filledSmartAlbums, smartAlbums, smartPhotos } from "./smart-albums.ts";
import { seenPhotos, whoSeesPhotos } from "./seen-by.ts";
import { sharedAlbum } from "./share-reach.ts";
import { findAlbums } from "./store.ts";
import { findAlbumUses } from "./uses.ts";

const loadRoutes = late(() => Promise.all([import("./routes.ts"), import("./upload-photo.ts")]));

export const albumsModule: Module = {
  tags: { Albums: "Ordered collections of photos." },
  tables: albumTables,
  kinds: [
    recordKind({
      name: "album",
      table: albumsTable,
      schema: albumSchema,
      find: findAlbums,
      texts: albumTexts,
      image: ({ cover }) => cover?.variants[0]?.url ?? null,
      trash: { ...trashableList("albums"), purge: purgeAlbum },
      shared: { album: sharedAlbum },
      restorable: restorableAlbums,
      counted: { field: "albums" },
    }),
  ],
  maintained: [filledSmartAlbums, datePositions, whoSeesPhotos],
  findUses: findAlbumUses,
  derived: [seenPhotos, smartPhotos, datedPhotos, smartAlbums, orderedAlbums],
  open: ({ db, blobs, decoder, images, intake, modules, trash }) => ({
    lateRoutes: {
      names: [
        "POST /api/v1/albums",
        "GET /api/v1/albums",
        "GET /api/v1/albums/matches",
        "GET /api/v1/albums/:id",
        "GET /api/v1/albums/:id/photos",
        "GET /api/v1/albums/:id/albums",
        "GET /api/v1/albums/:id/zip",
        "PUT /api/v1/albums/:id",
        "DELETE /api/v1/albums/:id",
        "POST /api/v1/albums/:id/photos",
        "PUT /api/v1/albums/:id/photos",
        "POST /api/v1/albums/:id/photos/move",
        "GET /api/v1/albums/:id/hidden",
        "POST /api/v1/albums/:id/move",
        "DELETE /api/v1/albums/:id/photos/:photoID",
        "POST /api/v1/albums/:id/uploads",
      ],
      base: [
        "POST /api/v1/albums",
        "GET /api/v1/albums",
        "GET /api/v1/albums/:id",
        "PUT /api/v1/albums/:id",
        "DELETE /api/v1/albums/:id",
        "POST /api/v1/albums/:id/photos",
        "DELETE /api/v1/albums/:id/photos/:photoID",
      ],
      async load() {
        const [{ albumRoutes }, { uploadPhotoRoute }] = await loadRoutes();
        return [
          ...albumRoutes(db, { blobs, images, variants: createVariants(blobs, decoder) }, trash),
          uploadPhotoRoute({ db, intake, images, originals: createOriginals(findersOf(modules)) }),
        ];
      },
    },
  }),
};
