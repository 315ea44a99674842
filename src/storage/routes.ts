import type { Database } from "../platform/database/database.ts";
import { type Route, route } from "../platform/http/route.ts";
import type { Report } from "./report.ts";
import { storageSchemaOf } from "./storage.ts";

export function storageRoutes(db: Database, report: Report, quotaBytes: number | null): Route[] {
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
      answer: storageSchemaOf(report.counts),
      handle: ({ caller }) => report.read(db, quotaBytes, caller.role === "admin" ? null : caller.id),
    }),
  ];
}
