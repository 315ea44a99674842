import type { Database, Reader } from "../platform/database/database.ts";
import { excerpt, highlight } from "./highlight.ts";
import { parseQuery, type Term } from "../platform/search/query.ts";
import { rank } from "./rank.ts";
import type { Viewer } from "../platform/http/route.ts";
import { rooms } from "./rooms.ts";
import type { Kind, Result, SearchQuery } from "./search.ts";
import { type Document, findDocuments } from "../platform/search/documents.ts";

/** Of very many matches, these are ranked: the newest. */
const ranked = 100;
/** How often older ones are asked for when those were all in the trash. */
const rounds = 20;

/** The best results first. */
export async function search(db: Database, { q, kind, limit }: SearchQuery, viewer: Viewer): Promise<Result[]> {
  const terms = parseQuery(q);
  const results: Result[] = [];
  if (terms.length === 0) return results;
  const seen = new Set<number>();
  for (let round = 0; round < rounds; round++) {
    const documents = await findDocuments(db, terms, {
      kind,
      viewerID: viewer?.id ?? null,
      passed: round * ranked,
      size: ranked,
    });
    const fresh = rank(
      documents.filter(({ id }) => !seen.has(id)),
      terms,
    );
    for (let start = 0; start < fresh.length; start += limit) {
      results.push(...(await toResults(db, fresh.slice(start, start + limit), terms, viewer)));
      if (results.length >= limit) return results.slice(0, limit);
    }
    if (documents.length < ranked) break;
    for (const { id } of documents) seen.add(id);
  }
  return results;
}

/** Those of the documents whose records are there, in the same order. */
async function toResults(db: Reader, documents: Document<Kind>[], terms: Term[], viewer: Viewer): Promise<Result[]> {
  const byKind = [...Map.groupBy(documents, ({ kind }) => kind)];
  const found = await Promise.all(
    byKind.map(async ([kind, some]) => {
      const ids = some.map(({ recordID }) => recordID);
      return [kind, await rooms[kind].find(db, ids, viewer)] as const;
    }),
  );
  const records = new Map(found);
  return documents.flatMap(({ kind, recordID: id }) => {
    const one = records.get(kind)?.get(id);
    if (!one) return [];
    const { title, text, record } = one;
    return { kind, id, title, titleHTML: highlight(title, terms), excerptHTML: excerpt(text, terms), record };
  });
}
