import type { Database } from "../platform/database/database.ts";
import { type Route, route } from "../platform/http/route.ts";
import { storageSchema } from "./storage.ts";
import { readStorage } from "./store.ts";

export function storageRoutes(db: Database, quotaBytes: number | null): Route[] {
  return [
    route({
      method: "GET",
      path: "/api/v1/storage",
      name: "readStorage",
      tag: "Storage",
      summary: "Read how much room your files take",
      details:
        "An admin reads it for everybody. Bytes in the trash and of versions count until they are gone for good.",
      role: "reader",
      answer: storageSchema,
      handle: ({ caller }) => readStorage(db, quotaBytes, caller.role === "admin" ? null : caller.id),
    }),
  ];
}
