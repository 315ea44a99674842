import type { Database } from "../../platform/database/database.ts";
import type { KeysetRequest, Position, Sort } from "../../platform/database/keyset.ts";
import type { Slices } from "../../platform/database/slices.ts";
import type { Viewer } from "../../platform/http/route.ts";
import { createTurns } from "../../platform/http/turns.ts";
import { findDocuments, type IndexedDocument } from "../../platform/search/find.ts";
import { parseQuery, type Query, type Term } from "../../platform/search/query.ts";
import { nextTurn } from "../../platform/event-loop.ts";
import { limitKey } from "../../platform/http/address.ts";
import { createShared } from "../../platform/once.ts";
import type { RecordKind } from "../../core/records/record-kind.ts";
import { excerpt, highlight } from "./highlight.ts";
import { catchUp } from "./index-records.ts";
import { score } from "./rank.ts";
import type { Result, SearchQuery } from "./schemas.ts";
import { inTime } from "../../platform/in-time.ts";

/** How long a search waits for the index, and how long it looks for documents. */
const catchUpMilliseconds = 500;
const searchMilliseconds = 1000;
/** Matches in each field that are ranked: the newest ones. */
const ranked = 100;
/** How many times older matches are looked for if the records of the newest ones are in the trash. */
const rounds = 20;
/** Results that can be read page by page. Those before a page are found again for each page. */
const maxInPages = 1000;
const resultsAtOnce = 100;
/** How many characters of records are read in one slice. */
const charactersAtOnce = 1_000_000;
/** The excerpt of a longer text takes a slice of its own. */
const shortText = 1000;

/** The documents that a search looks at are in memory, so few look at the same time, and one for each client. */
const takeTurns = createTurns({ most: 4, longestMs: 5000 });

/** A document that matches, without its words, which can be long. */
type Match = { id: number; kind: string; recordID: number; length: number; score: number };

type Search = {
  /** The best results first. */
  list(query: SearchQuery, caller: Caller): Slices<Result>;
  /** The same by cursor. A page is in memory as a whole, so it has fewer results if they are long. */
  readPage(query: SearchQuery, caller: Caller, request: KeysetRequest): Promise<Page>;
};
/** `address` is that of the client. */
type Caller = { viewer: Viewer; address: string };
type Page = { items: Result[]; next: Position | null };

/** The place of a result among those that the viewer sees: a cursor must not tell anything of the others. */
export const byRank: Sort = { column: "rank", type: "integer" };

export function createSearch(db: Database, kinds: RecordKind[]): Search {
  const byName = new Map(kinds.map((kind) => [kind.name, kind]));
  const share = createShared<void>();
  return { list: findResults, readPage };

  async function readPage(query: SearchQuery, caller: Caller, { after, size }: KeysetRequest): Promise<Page> {
    const skipped = after?.id ?? 0;
    const limit = Math.min(skipped + size + 1, maxInPages);
    const page: Result[] = [];
    let place = 0;
    let characters = 0;
    for await (const results of findResults({ ...query, limit }, caller)) {
      for (const result of results) {
        if (++place <= skipped) continue;
        if (page.length === size || characters > charactersAtOnce) return { items: page, next: toPosition(place - 1) };
        page.push(result);
        characters += JSON.stringify(result.record).length;
      }
    }
    return { items: page, next: null };
  }

  async function* findResults({ q, kind, limit }: SearchQuery, caller: Caller): AsyncGenerator<Result[]> {
    const { viewer, address } = caller;
    const query = parseQuery(q);
    if (query.terms.length === 0) return;
    // A failure to index does not fail the search. The background job logs it. While the database is locked, nothing is indexed.
    const index = share("index", () => catchUp(db, kinds, catchUpMilliseconds)).catch(() => {});
    await inTime(2 * catchUpMilliseconds, index);

    const turn = takeTurns(limitKey(address));
    await turn.take();
    const until = performance.now() + searchMilliseconds;
    const wanted = { query, kind, viewerID: viewer?.id ?? null, isAdmin: viewer?.role === "admin" };
    const fields = (["whole title", "title", "everything"] as const).map((field) =>
      findDocuments(db, wanted, { field, until }),
    );
    const seen = new Set<number>();
    let left = limit;
    for (let round = 0; round < rounds; round++) {
      if (round > 0) await turn.take();
      const { matches, isEnd } = await findMatches(fields, query, seen).finally(turn.end);
      for (const some of inSlices(matches, Math.min(limit, resultsAtOnce))) {
        const results = (await toResults(some, query.terms, viewer)).slice(0, left);
        yield results;
        left -= results.length;
        if (left === 0) return;
      }
      if (isEnd) return;
    }
  }

  /** The results for those matches whose records are not in the trash, in the same order. */
  async function toResults(matches: Match[], terms: Term[], viewer: Viewer): Promise<Result[]> {
    await nextTurn();
    const byKind = [...Map.groupBy(matches, ({ kind }) => kind)];
    const found = await Promise.all(
      byKind.map(async ([kind, some]) => {
        const ids = some.map(({ recordID }) => recordID);
        return [kind, await byName.get(kind)?.find(db, viewer, ids)] as const;
      }),
    );
    const records = new Map(found);
    const results: Result[] = [];
    for (const { kind, recordID: id } of matches) {
      const one = records.get(kind)?.get(id);
      if (!one) continue;
      const { title, text, record } = one;
      if (text.length > shortText) await nextTurn();
      const shown = byName.get(kind)?.withoutMarkup?.(text) ?? text;
      results.push({ kind, id, title, titleHTML: highlight(title, terms), excerptHTML: excerpt(shown, terms), record });
    }
    return results;
  }
}

/** The newest matches in each field that were not seen before, the best first. */
async function findMatches(
  fields: AsyncGenerator<IndexedDocument>[],
  query: Query,
  seen: Set<number>,
): Promise<{ matches: Match[]; isEnd: boolean }> {
  const matches: Match[] = [];
  let isEnd = true;
  for (const documents of fields) {
    for (let taken = 0; taken < ranked; taken++) {
      const { value: document, done } = await documents.next();
      if (done) break;
      isEnd = false;
      if (seen.has(document.id)) continue;
      seen.add(document.id);
      const { id, kind, recordID, text } = document;
      matches.push({ id, kind, recordID, length: text.length, score: score(document, query) });
    }
  }
  return { matches: matches.toSorted((one, other) => other.score - one.score || other.id - one.id), isEnd };
}

/** Groups of at most `size` matches, and fewer where their texts are long. */
function* inSlices(matches: Match[], size: number): Generator<Match[]> {
  let slice: Match[] = [];
  let characters = 0;
  for (const match of matches) {
    if (slice.length === size || (slice.length > 0 && characters + match.length > charactersAtOnce)) {
      yield slice;
      slice = [];
      characters = 0;
    }
    slice.push(match);
    characters += match.length;
  }
  if (slice.length > 0) yield slice;
}

const toPosition = (place: number): Position => ({ id: place, key: place });
