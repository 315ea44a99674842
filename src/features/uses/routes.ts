import { getFile } from "../../content/files/store.ts";
import type { Database } from "../../platform/database/database.ts";
import { isOwnerOrAdmin, type Route, route } from "../../platform/http/route.ts";
import type { FindUses } from "../../core/records/use.ts";
import { fileUsesSchema, listUses } from "./uses.ts";

export function useRoutes(db: Database, finders: FindUses[]): Route[] {
  return [
    route({
      method: "GET",
      path: "/api/v1/files/:id/uses",
      name: "listFileUses",
      tag: "Files",
      summary: "List where a file is used",
      details:
        "Photos of it, posts and albums with these photos, posts that embed the file, and share links to any of them or to a directory that contains it. For the owner and admins. At most 100 uses of each kind are listed.",
      role: "reader",
      find: ({ id }, caller) => getFile(db, caller, id),
      may: isOwnerOrAdmin,
      response: fileUsesSchema,
      handle: ({ record, caller }) => listUses(db, caller, record.id, finders),
    }),
  ];
}
