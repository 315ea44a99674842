import { insertAlbum } from "../../content/albums/store.ts";
import { ensureDirectory } from "../../content/files/directories.ts";
import type { Intake } from "../../content/files/intake.ts";
import { checkDepth, checkName } from "../../content/files/names.ts";
import { findByPath } from "../../content/files/store.ts";
import type { Database, Queries } from "../../platform/database/database.ts";
import type { Caller } from "../../platform/http/route.ts";
import type { AlbumItem, DirectoryItem, Item, ItemOutcome, Source } from "./item.ts";
import { addItems, closeImport, findKnown, type Known, openImport, type Settled } from "./items-store.ts";
import { createFileWriter, fingerprintOf, reasonOf } from "./move-files.ts";

type Deps = { db: Database; intake: Intake };
type Wish = {
  owner: Caller;
  /** The directory below which files are stored. */
  to: string[];
  /** Writes nothing, and reports what would happen. */
  isDryRun: boolean;
  /** An import that exists already; without it, one that was begun is continued, or a new one begins. */
  importID?: number;
};

/** `bytes` were stored; `seenBytes` is how much of the source is done. */
export type Progress = Record<ItemOutcome, number> & { items: number; bytes: number; seenBytes: number };
/** Directories are not counted. `import` is null after a dry run. */
export type Summary = Progress & { import: number | null };
export type Report = {
  settled(item: Settled): void;
  /** Called between batches, and once at the end. If it throws, the import ends there and can be continued. */
  progress(done: Summary, isEnd: boolean): void | Promise<void>;
};

const itemsAtOnce = 50;
const bytesAtOnce = 2 ** 26;

/**
 * Reads a source from its first to its last item, and writes what is new, in batches: each is written with its outcomes in one
 * transaction. An import that was ended goes on where it stopped, because items with an outcome are passed over.
 */
export async function moveIn({ db, intake }: Deps, source: Source, wish: Wish, report: Report): Promise<Summary> {
  const { owner, to, isDryRun } = wish;
  const importID = isDryRun ? null : (wish.importID ?? (await db.transaction((tx) => openImport(tx, owner, source))));
  const none = { added: 0, known: 0, changed: 0, refused: 0, items: 0, bytes: 0, seenBytes: 0 };
  const summary: Summary = { ...none, import: importID };
  const origin = { ownerID: owner.id, source: source.name };
  const albumIDs = new Map<string, number>();
  const addFiles = createFileWriter({ db, intake }, { ...wish, importID, origin, albumIDs });

  for await (const batch of batchesOf(source.items())) {
    if (summary.items > 0) await report.progress(summary, false);
    for (const [kind, items] of Map.groupBy(batch, (item) => item.kind)) await settleKind(kind, items);
    for (const item of batch) if (item.kind === "file") summary.seenBytes += item.size;
  }
  await report.progress(summary, true);
  if (importID !== null) await db.transaction((tx) => closeImport(tx, importID));
  return summary;

  async function settleKind(kind: Item["kind"], items: Item[]): Promise<void> {
    const keys = items.map(({ key }) => key);
    const known = await findKnown(db, origin, kind, keys);
    const isSame = (item: Item) => known.get(item.key)?.fingerprint.startsWith(`${fingerprintOf(item)} `) ?? false;
    for (const item of items.filter(isSame)) pass(item, known.get(item.key) as Known);
    const others = items.filter((item) => !isSame(item));
    for (const item of others) {
      if (item.kind === "album") await settle(item, (tx) => addAlbum(tx, item));
      if (item.kind === "directory") await settle(item, (tx) => addDirectory(tx, item));
      if (item.kind === "refused") await settle(item, async () => ({ outcome: "refused", reason: item.reason }));
    }
    const files = others.filter((item) => item.kind === "file");
    if (files.length > 0) for (const { settled, bytes } of await addFiles(files, known)) count(settled, bytes);
  }

  /** It has an outcome already, in this import or in an earlier one. */
  function pass(item: Item, { importID: id, recordID, outcome }: Known): void {
    if (item.kind === "album" && recordID !== null) albumIDs.set(item.key, recordID);
    count(settledFrom(item, { outcome: id === importID ? outcome : "known", recordID }));
  }

  function count(settled: Settled, bytes = 0): void {
    report.settled(settled);
    if (settled.kind === "directory" && settled.outcome !== "refused") return;
    summary[settled.outcome]++;
    summary.items++;
    summary.bytes += bytes;
  }

  /** Writes an item and its outcome in one transaction. */
  async function settle(item: Item, write: (tx: Queries) => Promise<Result>): Promise<void> {
    if (importID === null) return count(settledFrom(item, item.kind === "refused" ? item : { outcome: "added" }));
    const save = (work: (tx: Queries) => Promise<Result>) =>
      db.transaction(async (tx) => {
        const settled = settledFrom(item, await work(tx));
        await addItems(tx, importID, origin, [settled]);
        return settled;
      });
    count(await save(write).catch((error: unknown) => save(async () => ({ reason: reasonOf(error) }))));
  }

  async function addAlbum(tx: Queries, { key, name, description, parent, ...more }: AlbumItem): Promise<Result> {
    const parentID = parent === null ? null : (albumIDs.get(parent) ?? null);
    const { visibility, photoOrder } = more;
    const chosen = { ...(visibility && { visibility }), ...(photoOrder && { photoOrder }) };
    const { id } = await insertAlbum(tx, owner, { name, description, parentID, ...chosen });
    albumIDs.set(key, id);
    return { outcome: "added", recordID: id };
  }

  async function addDirectory(tx: Queries, { path }: DirectoryItem): Promise<Result> {
    const whole = [...to, ...path.map((name) => checkName(name))];
    checkDepth(whole.length);
    const existing = await findByPath(tx, owner, whole);
    if (existing?.isDirectory) return { outcome: "known", recordID: existing.id };
    return { outcome: "added", recordID: (await ensureDirectory(tx, owner, whole)).id };
  }
}

type Result = { outcome?: ItemOutcome; reason?: string; recordID?: number | null };

function settledFrom(item: Item, { outcome = "refused", reason, recordID = null }: Result): Settled {
  return {
    kind: item.kind,
    key: item.key,
    name: item.kind === "album" ? item.name : item.key,
    outcome,
    reason: reason ?? null,
    recordID,
    fingerprint: `${fingerprintOf(item)} `,
  };
}

async function* batchesOf(items: AsyncIterable<Item>): AsyncGenerator<Item[]> {
  let batch: Item[] = [];
  let bytes = 0;
  for await (const item of items) {
    batch.push(item);
    if (item.kind === "file") bytes += item.size;
    if (batch.length < itemsAtOnce && bytes < bytesAtOnce) continue;
    yield batch;
    [batch, bytes] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}
