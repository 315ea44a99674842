import { z } from "zod";
import type { Database } from "../../platform/database/database.ts";
import { alwaysSortedBy } from "../../platform/http/cursor.ts";
import { type Route, route } from "../../platform/http/route.ts";
import type { RecordKind } from "../../core/records/record-kind.ts";
import { byRank, createSearch } from "./results.ts";
import { resultSchemaOf, searchQueryOf } from "./schemas.ts";

export function searchRoutes(db: Database, kinds: RecordKind[]): Route[] {
  const search = createSearch(db, kinds);
  return [
    route({
      method: "GET",
      path: "/api/v1/search",
      name: "search",
      tag: "Search",
      summary: "Search everything",
      details:
        "Finds photos by title, description, camera and location, posts and comments by their text, and albums, files and directories by name. A record matches if it contains every search term, as a whole word or as the beginning of one. Case and accents do not matter; emoji are words. Titles that equal the query come first, then titles that contain it. Of very many matches, the newest are ranked. Only the first 32 words of a query count, and a search that takes longer than a second returns what it has found so far. With `cursor`, the first 1000 results can be read page by page. A location that is visible only to the owner is searched only for the owner.",
      personal: true,
      query: searchQueryOf(kinds),
      cursor: alwaysSortedBy(byRank, "desc"),
      response: z.array(resultSchemaOf(kinds)),
      handle({ query, viewer, cursor, exchange }) {
        const caller = { viewer, address: exchange.address };
        return cursor ? search.readPage(query, caller, cursor) : search.list(query, caller);
      },
    }),
  ];
}
