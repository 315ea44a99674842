import { recordActivity } from "../../core/activity/record.ts";
import type { Database } from "../../platform/database/database.ts";
import { messageSchema } from "../../platform/http/message.ts";
import { isOwnerOrAdmin, type Route, route } from "../../platform/http/route.ts";
import { albumPlaceSchema, moveAlbum } from "./move-album.ts";
import { getAlbumHead } from "./store.ts";

export const moveAlbumRoute = (db: Database): Route =>
  route({
    method: "POST",
    path: "/api/v1/albums/:id/move",
    name: "moveAlbum",
    tag: "Albums",
    summary: "Move an album before or after another one beside it",
    details: "The site and `sort=position` show albums in this order.",
    role: "author",
    scope: "photos:write",
    find: ({ id }, caller) => getAlbumHead(db, caller, id),
    may: isOwnerOrAdmin,
    body: albumPlaceSchema,
    response: messageSchema,
    statuses: { 404: "There is no such album" },
    handle: ({ record, body, caller, transaction }) =>
      transaction(async (tx) => {
        await moveAlbum(tx, caller, record.id, body);
        recordActivity(tx, caller.id, "changed", { ...record, kind: "album" });
        return { message: `"${record.name}" was moved.` };
      }),
  });
