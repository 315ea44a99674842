import { offsetOf, optionalPageQuery, pageHeaders, toPage } from "../../platform/http/pages.ts";
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
        "Admins get the report for everybody. The trash and versions count until they are permanently deleted. With more than 10,000 records, the report is counted at most once a minute. With `page` or `pageSize`, admins get one page of the users, those who store the most first, with the same headers as a list. A site with thousands of users should be read this way.",
      role: "reader",
      response: storageSchemaOf(report.fields),
      query: optionalPageQuery,
      responseHeaders: ["Link", "X-Total-Count"],
      async handle({ caller, query, exchange }) {
        const page = toPage(query);
        const ownerID = caller.role === "admin" ? null : caller.id;
        const { body, total } = await report.read({ quotaBytes, ownerID, page: page && offsetOf(page) });
        return { body, headers: page ? pageHeaders(exchange, page, total) : {} };
      },
    }),
  ];
}
