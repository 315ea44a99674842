import { setTimeout } from "node:timers/promises";
import type { Database } from "../../platform/database/database.ts";
import { fillDocument, listUnread, passOver, splitTexts, type Words } from "../../platform/search/documents.ts";
import { indexSomeWaiting } from "../../platform/search/sqlite.ts";
import { nextTurn } from "../../platform/event-loop.ts";
import type { RecordKind } from "../../core/records/record-kind.ts";

/** Indexes all waiting records, with pauses as long as the work between them. `signal` ends it early. */
export async function indexWaiting(db: Database, kinds: RecordKind[], signal: AbortSignal): Promise<void> {
  for (let started = performance.now(); await indexSome(db, kinds); started = performance.now()) {
    await setTimeout(performance.now() - started);
    if (signal.aborted) return;
  }
}

/** Indexes waiting records, newest first, for about this many milliseconds. */
export async function catchUp(db: Database, kinds: RecordKind[], milliseconds: number): Promise<void> {
  const until = performance.now() + milliseconds;
  while ((await indexSome(db, kinds)) && performance.now() < until);
}

/** Returns whether there may be more to do. What has been read is indexed before more is read. */
async function indexSome(db: Database, kinds: RecordKind[]): Promise<boolean> {
  const hasMore = db.engine === "sqlite" && (await indexSomeWaiting(db));
  return hasMore || (await readSome(db, kinds));
}

/** Reads some of the waiting records and writes their words. Returns whether there were any. */
async function readSome(db: Database, kinds: RecordKind[]): Promise<boolean> {
  const waiting = await listUnread(db, 50);
  const kind = kinds.find(({ name }) => name === waiting[0]?.kind);
  if (!kind) return false;
  const some = waiting.filter((document) => document.kind === kind.name).slice(0, kind.indexedAtOnce);
  const ids = some.map(({ recordID }) => recordID);
  const words = await readWords(db, kind, ids);
  await db.transaction(async (tx) => {
    for (const document of some) {
      const found = words.get(document.recordID);
      await (found ? fillDocument(tx, document, found) : passOver(tx, document));
    }
  });
  return true;
}

/** The words of the records that are not in the trash. */
export async function readWords(db: Database, kind: RecordKind, ids: number[]): Promise<Map<number, Words>> {
  await nextTurn();
  const words = new Map<number, Words>();
  for (const [id, texts] of await kind.readTexts(db, ids)) words.set(id, await splitTexts(texts));
  return words;
}
