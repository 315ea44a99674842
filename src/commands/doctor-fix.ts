import { markAllHTML } from "../content/blog/html.ts";
import { indexMissing } from "../features/search/index-missing.ts";
import { indexWaiting } from "../features/search/index-records.ts";
import { kindsOf, type Module, schemaOf } from "../module.ts";
import type { Database } from "../platform/database/database.ts";
import { markAllUnread, removeOrphans } from "../platform/search/documents.ts";
import { count, type Finding, type Fix } from "./doctor-finding.ts";

/** Derives again what the findings are about. Returns a line for each thing that was done. Records and bytes stay as they are. */
export async function fix(db: Database, modules: readonly Module[], findings: Finding[]): Promise<string[]> {
  const wanted = new Set(findings.flatMap((finding) => finding.fix ?? []));
  const done: string[] = [];
  for (const [name, work] of Object.entries(fixes) as [Fix, Work][]) {
    if (wanted.has(name)) done.push(...(await work(db, modules)));
  }
  return done;
}

type Work = (db: Database, modules: readonly Module[]) => Promise<string[]>;

const fixes: Record<Fix, Work> = {
  async counts(db, modules) {
    const done: string[] = [];
    for (const { name, rebuild } of schemaOf(modules).maintained) {
      const corrected = await rebuild(db);
      if (corrected > 0) done.push(`Corrected ${count(corrected, "count")} of ${name}.`);
    }
    return done;
  },
  async search(db, modules) {
    const kinds = kindsOf(modules);
    const removed = await removeOrphans(db, schemaOf(modules).documents);
    const marked = await markAllUnread(db);
    await indexWaiting(db, kinds, new AbortController().signal);
    await indexMissing(db, kinds);
    await indexWaiting(db, kinds, new AbortController().signal);
    const gone = removed > 0 ? ` Removed ${count(removed, "record")} from the index that did not exist.` : "";
    return [`Indexed ${count(marked, "record")} for search again, and those that were missing.${gone}`];
  },
  async posts(db) {
    return [`The server will render ${count(await markAllHTML(db), "post")} again when it is started.`];
  },
};
