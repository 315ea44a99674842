import { createVariants } from "../../core/images/variants.ts";
import { findersOf, type Module } from "../../module.ts";
import { albumsTable, albumTables } from "./tables.ts";
import { sql } from "../../platform/database/sql.ts";
import { createOriginals } from "../photos/originals.ts";
import { recordKind } from "../../core/records/record-kind.ts";
import { trashableList } from "../../core/trash/store.ts";
import { albumSchema, albumTexts } from "./album.ts";
import { restorableAlbums } from "./restorable.ts";
import { albumRoutes } from "./routes.ts";
import { photoBlocks } from "./blocks.ts";
import { purgeAlbum } from "./purge.ts";
import { datedPhotos, datePositions, orderedAlbums } from "./date-order.ts";
import { filledSmartAlbums, smartAlbums, smartPhotos } from "./smart-albums.ts";
import { photoCounts, seenPhotos } from "./seen-by.ts";
import { sharedAlbum } from "./share-reach.ts";
import { findAlbums } from "./store.ts";
import { uploadPhotoRoute } from "./upload-photo.ts";
import { findAlbumUses } from "./uses.ts";

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
      counted: { field: "albums", live: sql`SELECT id, owner_id FROM albums WHERE trash_id IS NULL` },
    }),
  ],
  maintained: [filledSmartAlbums, datePositions, photoCounts, photoBlocks],
  findUses: findAlbumUses,
  derived: [seenPhotos, smartPhotos, datedPhotos, smartAlbums, orderedAlbums],
  open: ({ db, blobs, decoder, images, intake, modules, trash }) => ({
    routes: [
      ...albumRoutes(db, { blobs, images, variants: createVariants(blobs, decoder) }, trash),
      uploadPhotoRoute({ db, intake, images, originals: createOriginals(findersOf(modules)) }),
    ],
  }),
};
