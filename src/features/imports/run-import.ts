import { insertAlbum } from "../../content/albums/store.ts";
import { ensureDirectory } from "../../content/files/directories.ts";
import type { Intake } from "../../content/files/intake.ts";
import { checkDepth, checkName } from "../../content/files/names.ts";
import { findByPath } from "../../content/files/store.ts";
import { addRedirects } from "../../core/redirects/store.ts";
import type { User } from "../../core/users/user.ts";
import type { Database, Queries } from "../../platform/database/database.ts";
import { forbidden } from "../../platform/errors.ts";
import { quickHashOf } from "../../platform/hash.ts";
import type { Caller } from "../../platform/http/route.ts";
import type { Renderer } from "../../platform/markdown/renderer.ts";
import { acceptableAlbum } from "./acceptable.ts";
import type {
  AlbumItem,
  DirectoryItem,
  FileItem,
  Item,
  ItemOutcome,
  PersonItem,
  PostItem,
  RedirectItem,
  Source,
} from "./item.ts";
import { addItems, findKnown, type ItemResult, type Known } from "./items.ts";
import { createCommentWriter } from "./import-comments.ts";
import { createFileWriter, fingerprintOf, reasonOf, type ReceivedFiles } from "./import-files.ts";
import { createPeopleWriter, type NameReaction } from "./import-people.ts";
import { createPostWriter } from "./import-posts.ts";
import type { PhotoDeps } from "./make-photo.ts";
import { closeImport, openImport } from "./store.ts";

export type RunDeps = PhotoDeps & {
  db: Database;
  intake: Intake;
  markdown: Pick<Renderer, "render">;
  reactions: NameReaction[];
};
type ImportOptions = {
  owner: Caller;
  /** The directory below which files are stored. */
  to: string[];
  /** Writes nothing, and reports what would happen. */
  isDryRun: boolean;
  /** Which accounts of the site belong to which usernames of the source. */
  authors?: ReadonlyMap<string, User>;
  /** An import that exists already; without it, one that was begun is continued, or a new one begins. */
  importID?: number;
};

/** `bytes` were stored; `seenBytes` is how much of the source is done. */
export type Progress = Record<ItemOutcome, number> & { items: number; bytes: number; seenBytes: number };
/** Directories are not counted. `import` is null after a dry run. */
export type Summary = Progress & { import: number | null };
export type ImportReport = {
  item(item: ItemResult): void;
  /** Called between batches, and once at the end. If it throws, the import ends there and can be continued. */
  progress(done: Summary, isEnd: boolean): void | Promise<void>;
};

const itemsAtOnce = 50;
/** They are small, and may be very many. */
const commentsAtOnce = 500;
/** What others refer to comes first. */
const order: Item["kind"][] = [
  "refused",
  "note",
  "directory",
  "person",
  "album",
  "file",
  "post",
  "comment",
  "redirect",
];
const bytesAtOnce = 2 ** 26;

/**
 * Reads a source from its first to its last item, and writes what is new, in batches: each is written with its outcomes in one
 * transaction. An import that was ended goes on where it stopped, because items with an outcome are passed over.
 */
export async function runImport(
  deps: RunDeps,
  source: Source,
  options: ImportOptions,
  report: ImportReport,
): Promise<Summary> {
  const { db, intake } = deps;
  const { owner, to, isDryRun, authors = new Map() } = options;
  const importID = isDryRun
    ? null
    : (options.importID ?? (await db.transaction((tx) => openImport(tx, owner, source))));
  const none = { added: 0, known: 0, changed: 0, refused: 0, noted: 0, items: 0, bytes: 0, seenBytes: 0 };
  const summary: Summary = { ...none, import: importID };
  const origin = { ownerID: owner.id, source: source.name };
  const albumIDs = new Map<string, number>();
  const receiveFiles = createFileWriter({ db, intake }, { ...options, importID, origin, albumIDs });
  const people = createPeopleWriter(deps, { owner, importID, origin, authors });
  const preparePost = createPostWriter(deps, { owner, importID, origin });
  const addComments = createCommentWriter({ ...deps, people }, { owner, importID, origin });

  // Files are written while the next ones are read.
  let writing: Promise<void> = Promise.resolve();
  try {
    for await (const batch of batchesOf(withUniqueKeys(source))) {
      if (summary.items > 0) await report.progress(summary, false);
      const byKind = Map.groupBy(batch, (item) => item.kind);
      for (const kind of order) await settleKind(kind, byKind.get(kind) ?? []);
      for (const item of batch) if (item.kind === "file") summary.seenBytes += item.size;
    }
  } finally {
    await writing;
  }
  await report.progress(summary, true);
  if (importID !== null) await db.transaction((tx) => closeImport(tx, importID));
  return summary;

  async function settleKind(kind: Item["kind"], items: Item[]): Promise<void> {
    if (items.length === 0) return;
    // It may name files that came before.
    if (kind !== "file") await writing;
    const keys = items.map(({ key }) => key);
    const known = await findKnown(db, origin, kind, keys);
    const isSame = (item: Item) => known.get(item.key)?.fingerprint.startsWith(`${fingerprintOf(item)} `) ?? false;
    for (const item of items.filter(isSame)) pass(item, known.get(item.key) as Known);
    const others = items.filter((item) => !isSame(item));
    const writes: Write[] = [];
    for (const item of others) {
      if (item.kind === "album") writes.push({ item, write: (tx) => addAlbum(tx, item) });
      if (item.kind === "directory") writes.push({ item, write: (tx) => addDirectory(tx, item) });
      if (item.kind === "person") await settlePerson(item);
      if (item.kind === "post") await settlePost(item, known.get(item.key));
      if (item.kind === "redirect") writes.push({ item, write: (tx) => addRedirect(tx, item) });
      if (item.kind === "refused" || item.kind === "note")
        writes.push({ item, write: async () => dryRunOutcome(item) });
    }
    await settleTogether(writes);
    const comments = others.filter((item) => item.kind === "comment");
    if (comments.length > 0) for (const settled of await addComments(comments)) count(settled);
    const files = others.filter((item) => item.kind === "file");
    if (files.length > 0) await addFiles(files, known);
  }

  async function addFiles(files: FileItem[], known: Map<string, Known>): Promise<void> {
    const received = await receiveFiles(files, known);
    await writing.catch(async (error: unknown) => {
      await received.dispose();
      throw error;
    });
    writing = write(received);
    // A failure ends the import when the next files were read.
    writing.catch(() => {});
    if (received.hasFull) await writing;
  }

  async function write(received: ReceivedFiles): Promise<void> {
    for (const { settled, bytes } of await received.write()) count(settled, bytes);
  }

  /** It has an outcome already, in this import or in an earlier one. */
  function pass(item: Item, { importID: id, recordID, outcome }: Known): void {
    if (item.kind === "album" && recordID !== null) albumIDs.set(item.key, recordID);
    count(settledFrom(item, { outcome: id === importID ? outcome : "known", recordID }));
  }

  function count(settled: ItemResult, bytes = 0): void {
    report.item(settled);
    if (settled.kind === "directory" && settled.outcome !== "refused") return;
    summary[settled.outcome]++;
    summary.items++;
    summary.bytes += bytes;
  }

  async function settlePerson(item: PersonItem): Promise<void> {
    if (importID === null) {
      const existing = await people.find(db, item);
      return count(settledFrom(item, { outcome: existing ? "known" : "added", recordID: existing?.id ?? null }));
    }
    await settle(item, async (tx) => {
      const { recordID, isKnown } = await people.add(tx, item);
      return { outcome: isKnown ? "known" : "added", recordID };
    });
  }

  async function settlePost(item: PostItem, before: Known | undefined): Promise<void> {
    const write = await preparePost(item, before).catch(refuse);
    if (importID === null) count(settledFrom(item, await write(null)));
    else await settle(item, write);
  }

  async function addRedirect(tx: Queries, { key, to: leadsTo }: RedirectItem): Promise<Result> {
    if (owner.role !== "admin") throw forbidden("Only an admin can add redirects.");
    const target =
      "tag" in leadsTo
        ? ({ kind: "tag", target: leadsTo.tag } as const)
        : ({ kind: "path", target: leadsTo.path } as const);
    const [id] = await addRedirects(tx, [key], target, importID);
    return { outcome: id === undefined ? "known" : "added", recordID: id ?? null };
  }

  async function settle(item: Item, work: Write["write"]): Promise<void> {
    await settleTogether([{ item, write: work }]);
  }

  /** Writes items and their outcomes in one transaction; if one of them is refused, each in its own. */
  async function settleTogether(writes: Write[]): Promise<void> {
    if (writes.length === 0) return;
    if (importID === null) {
      for (const { item } of writes) count(settledFrom(item, dryRunOutcome(item)));
      return;
    }
    const save = (some: Write[]) =>
      db.transaction(async (tx) => {
        const settled: ItemResult[] = [];
        for (const one of some) settled.push(settledFrom(one.item, await one.write(tx)));
        await addItems(tx, importID, origin, settled);
        return settled;
      });
    try {
      for (const settled of await save(writes)) count(settled);
    } catch (error) {
      const [only, ...others] = writes;
      if (others.length > 0 && reasonOf(error)) for (const one of writes) await settleTogether([one]);
      else if (only) for (const settled of await save([{ ...only, write: refuse(error) }])) count(settled);
    }
  }

  async function addAlbum(tx: Queries, item: AlbumItem): Promise<Result> {
    const { key, parent, visibility, photoOrder, filter } = item;
    const parentID = parent === null ? null : (albumIDs.get(parent) ?? null);
    const chosen = { visibility, ...(photoOrder && { photoOrder }), ...(filter && { filter }) };
    const { id } = await insertAlbum(tx, owner, { ...acceptableAlbum(item), parentID, ...chosen });
    albumIDs.set(key, id);
    return { outcome: "added", recordID: id };
  }

  async function addDirectory(tx: Queries, { path, visibility }: DirectoryItem): Promise<Result> {
    const whole = [...to, ...path.map((name) => checkName(name))];
    if (whole.length === 0) return { outcome: "known" };
    checkDepth(whole.length);
    const existing = await findByPath(tx, owner, whole);
    if (existing?.isDirectory) return { outcome: "known", recordID: existing.id };
    return { outcome: "added", recordID: (await ensureDirectory(tx, owner, whole, visibility)).id };
  }
}

/** An item that cannot be prepared is refused with the reason. */
function refuse(error: unknown): () => Promise<Result> {
  const reason = reasonOf(error);
  return async () => ({ outcome: "refused", reason });
}

/** What a dry run says of an item that is not known yet. */
const dryRunOutcome = (item: Item): Result => {
  if (item.kind === "refused") return { outcome: "refused", reason: item.reason };
  return item.kind === "note" ? { outcome: "noted", reason: item.reason } : { outcome: "added" };
};

type Write = { item: Item; write: (tx: Queries) => Promise<Result> };
/** `state` tells later whether the record was changed here. */
type Result = { outcome?: ItemOutcome; reason?: string; recordID?: number | null; state?: string };

function settledFrom(item: Item, { outcome = "refused", reason, recordID = null, state = "" }: Result): ItemResult {
  return {
    kind: item.kind,
    key: item.key,
    name: nameOf(item),
    outcome,
    reason: reason ?? null,
    recordID,
    fingerprint: `${fingerprintOf(item)} ${state}`,
  };
}

function nameOf(item: Item): string {
  if (item.kind === "album") return item.name;
  if (item.kind === "post")
    return (
      item.title
        .replace(/\p{Cc}/gu, " ")
        .slice(0, 300)
        .toWellFormed() || item.key
    );
  if (item.kind === "file") return item.name ?? item.key;
  return item.kind === "person" ? item.username : item.key;
}

/** A source may have two items of one kind with the same key, such as an archive with two files of the same name. */
async function* withUniqueKeys(source: Source): AsyncGenerator<Item> {
  const seen = new Set<bigint>();
  const repeated = new Map<string, number>();
  for await (const item of source.items()) {
    if (source.hasUniqueFiles && (item.kind === "file" || item.kind === "directory")) {
      yield item;
      continue;
    }
    const hash = quickHashOf(`${item.kind} ${item.key}`);
    const isRepeated = seen.has(hash);
    seen.add(hash);
    if (!isRepeated) {
      yield item;
      continue;
    }
    const count = (repeated.get(`${item.kind} ${item.key}`) ?? 1) + 1;
    repeated.set(`${item.kind} ${item.key}`, count);
    yield { ...item, key: `${item.key} (${count})` };
  }
}

async function* batchesOf(items: AsyncIterable<Item>): AsyncGenerator<Item[]> {
  let batch: Item[] = [];
  let [bytes, weight] = [0, 0];
  for await (const item of items) {
    batch.push(item);
    weight += item.kind === "comment" ? itemsAtOnce / commentsAtOnce : 1;
    if (item.kind === "file") bytes += item.size;
    if (weight < itemsAtOnce && bytes < bytesAtOnce) continue;
    yield batch;
    [batch, bytes, weight] = [[], 0, 0];
  }
  if (batch.length > 0) yield batch;
}
