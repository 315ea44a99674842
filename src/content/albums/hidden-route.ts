import type { Database } from "../../platform/database/database.ts";
import { isOwnerOrAdmin, type Route, route } from "../../platform/http/route.ts";
import { findPrivateIn, hiddenSchema, toHidden } from "./hidden.ts";
import { getAlbumHead } from "./store.ts";

export const hiddenPhotosRoute = (db: Database): Route =>
  route({
    method: "GET",
    path: "/api/v1/albums/:id/hidden",
    name: "listHiddenPhotos",
    tag: "Albums",
    summary: "List the photos of an album that guests do not see",
    details: "A private photo stays private in a public album. For the owner of the album and admins.",
    role: "author",
    find: ({ id }, caller) => getAlbumHead(db, caller, id),
    may: isOwnerOrAdmin,
    response: hiddenSchema,
    handle: async ({ record: { id }, caller }) =>
      toHidden({ photos: (await findPrivateIn(db, caller, [id])).get(id) ?? [] }),
  });
