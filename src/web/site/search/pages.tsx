/** @jsxImportSource hono/jsx */
import { z } from "zod";
import type { Database } from "../../../platform/database/database.ts";
import type { RecordKind } from "../../../core/records/record-kind.ts";
import { createSearch } from "../../../features/search/results.ts";
import type { Result } from "../../../features/search/schemas.ts";
import { page, type Page } from "../page.ts";
import { searchTexts } from "../texts/search.ts";
import { viewCopiedSearch } from "./copied-search.tsx";
import { toHits } from "./hits.ts";
import { SearchView } from "./search-view.tsx";

const resultsOnPage = 20;
/** The search ranks a limited number of matches: further pages would be in no useful order. */
const lastPage = 5;
/** As in the API. A longer query is cut off. */
const maxQuery = 200;

/** Wrong values are not an error here: people edit addresses, and old links have values that no longer exist. */
const query = z.object({
  q: z.string().default(""),
  kind: z.string().default(""),
  page: z.coerce.number().int().min(1).max(lastPage).catch(1).default(1),
});

export function searchPages(db: Database, kinds: RecordKind[]): Page[] {
  const search = createSearch(db, kinds);
  const names = kinds.map(({ name }) => name);
  return [
    page({
      path: "/search",
      limit: "api",
      query,
      async handle(visit) {
        const { viewer, language } = visit;
        if (visit.isCopy) return viewCopiedSearch(language);
        const number = visit.query.page;
        const q = visit.query.q.replaceAll("\0", " ").trim().slice(0, maxQuery).toWellFormed();
        const kind = names.find((name) => name === visit.query.kind);
        const limit = number * resultsOnPage + 1;
        const caller = { viewer, address: visit.exchange.address };
        const found: Result[] = q === "" ? [] : (await Array.fromAsync(search.list({ q, kind, limit }, caller))).flat();
        const start = (number - 1) * resultsOnPage;
        const shown = found.slice(start, start + resultsOnPage);
        const t = searchTexts[language];
        return {
          title: q === "" ? t.title : t.results(q),
          section: "search",
          canonical: null,
          isListing: true,
          body: (
            <SearchView
              language={language}
              wanted={{ q, kind, page: number }}
              names={names}
              hits={await toHits(db, visit, viewer, shown)}
              hasMore={found.length > start + resultsOnPage && number < lastPage}
            />
          ),
        };
      },
    }),
  ];
}
