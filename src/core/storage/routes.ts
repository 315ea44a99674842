import { type Route, route } from "../../platform/http/route.ts";
import type { Report } from "./report.ts";
import { storageSchemaOf } from "./storage.ts";

export function storageRoutes(report: Report, quotaBytes: number | null): Route[] {
  return [
    route({
      method: "GET",
      path: "/api/v1/storage",
      name: "readStorage",
      tag: "Storage",
      summary: "Read how much space your files take",
      details:
        "Admins get the report for everybody. The trash and versions count until they are permanently deleted. With more than 10,000 records, the report is counted at most once a minute.",
      role: "reader",
      response: storageSchemaOf(report.fields),
      handle: ({ caller }) => report.read(quotaBytes, caller.role === "admin" ? null : caller.id),
    }),
  ];
}
