import { createVariants } from "../images/variants.ts";
import { type Module, reactionsOf } from "../module.ts";
import { sql } from "../platform/database/sql.ts";
import { recordKind } from "../record-kind.ts";
import { trashableList } from "../trash/store.ts";
import { photoSchema, photoTexts } from "./photo.ts";
import { photoRoutes } from "./routes.ts";
import { findPhotos, indexPhotosShowing } from "./store.ts";

export const photosModule: Module = {
  tags: { Photos: "Uploaded pictures with a title, a description and a size in pixels." },
  tables: [{ name: "photos", key: ["id"], otherHashes: ["sized_sha256"] }],
  kinds: [
    recordKind({
      name: "photo",
      table: "photos",
      schema: photoSchema,
      find: findPhotos,
      texts: photoTexts,
      hasOwnText: true,
      trash: trashableList("photos"),
      counted: { field: "photos", live: sql`SELECT owner_id FROM photos WHERE trash_id IS NULL` },
    }),
  ],
  reactions: { imageRead: indexPhotosShowing },
  open: ({ db, blobs, decoder, images, trash, modules }) => ({
    routes: photoRoutes({
      db,
      images,
      variants: createVariants(blobs, decoder),
      trash,
      async visibilityChanged(tx, id) {
        for (const { visibilityChanged } of reactionsOf(modules)) await visibilityChanged?.photo?.(tx, id);
      },
    }),
  }),
};
