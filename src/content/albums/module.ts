import { createVariants } from "../../core/images/variants.ts";
import { findersOf, type Module } from "../../module.ts";
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
  tables: [
    {
      name: "albums",
      key: ["id"],
      json: ["filter"],
      // An album whose parent was deleted is one without a parent.
      tree: {
        parent: "parent_id",
        isRoot:
          "child.parent_id IS NULL OR NOT EXISTS (SELECT 1 FROM albums AS parent WHERE parent.id = child.parent_id)",
      },
    },
    { name: "album_photos", key: ["album_id", "photo_id"] },
    { name: "album_counts", key: ["album_id", "seen_by"] },
    // Counted by the triggers of the other database.
    { name: "album_blocks", key: ["album_id", "size", "block", "seen_by"], isTemporary: true },
  ],
  kinds: [
    recordKind({
      name: "album",
      table: "albums",
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
