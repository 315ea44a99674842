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
      summary: "Read how much space your files take",
      details: "Admins get the report for everybody. The trash and versions count until they are permanently deleted.",
      role: "reader",
      answer: storageSchemaOf(report.counts),
      handle: ({ caller }) => report.read(db, quotaBytes, caller.role === "admin" ? null : caller.id),
    }),
  ];
}
