import { z } from "zod";
import type { Database } from "../platform/database/database.ts";
import { type Route, route } from "../platform/http/route.ts";
import { search } from "./results.ts";
import { resultSchema, searchQuery } from "./search.ts";

export function searchRoutes(db: Database): Route[] {
  return [
    route({
      method: "GET",
      path: "/api/v1/search",
      name: "search",
      tag: "Search",
      summary: "Search everything",
      details:
        "Finds photos by title, description, camera and place, posts and comments by their text, albums, files and directories by name: whatever has every word, or a word that begins so. Case and accents do not matter. The best first; of very many matches, the newest are ranked. A place that only its owner sees is found by its owner only.",
      personal: true,
      query: searchQuery,
      answer: z.array(resultSchema),
      handle: ({ query, viewer }) => search(db, query, viewer),
    }),
  ];
}
