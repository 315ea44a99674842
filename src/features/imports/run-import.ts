import { insertAlbum } from "../../content/albums/store.ts";
import { ensureDirectory } from "../../content/files/directories.ts";
import type { Intake } from "../../content/files/intake.ts";
import { checkDepth, checkName } from "../../content/files/names.ts";
import { findByPath } from "../../content/files/store.ts";
import { addRedirects } from "../../core/redirects/store.ts";
import type { User } from "../../core/users/user.ts";
import type { Queries } from "../../platform/database/database.ts";
import { forbidden } from "../../platform/errors.ts";
import { quickHashOf } from "../../platform/hash.ts";
import type { Caller } from "../../platform/http/route.ts";
import type { Renderer } from "../../platform/markdown/renderer.ts";
import { acceptableAlbum } from "./acceptable.ts";
import { createCommentWriter } from "./import-comments.ts";
import { createFileWriter, reasonOf } from "./import-files.ts";
import { createPeopleWriter, type NameReaction } from "./import-people.ts";
import { createPostWriter } from "./import-posts.ts";
import type { AlbumItem, DirectoryItem, RedirectItem } from "../../../convert/format/lines.ts";
import type { FileItem, Item, Source } from "./lines.ts";
import {
  addItems,
  findKnown,
  fingerprintOf,
  type Import,
  type ItemResult,
  type Known,
  type Outcome,
  resultOf,
} from "./items.ts";
import type { PhotoDeps } from "./make-photo.ts";
import type { Progress } from "./progress.ts";
import { closeImport, openImport } from "./store.ts";

export type RunDeps = PhotoDeps & {
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
  const { db } = deps;
  const { owner, to, isDryRun } = options;
  const importID = isDryRun
    ? null
    : (options.importID ?? (await db.transaction((tx) => openImport(tx, owner, source))));
  const none = { added: 0, known: 0, changed: 0, refused: 0, noted: 0, items: 0, bytes: 0, seenBytes: 0 };
  const summary: Summary = { ...none, import: importID };
  const of: Import = { owner, importID, source: source.name };
  const albumIDs = new Map<string, number>();
  const receiveFiles = createFileWriter(deps, of, { to, albumIDs });
  const people = createPeopleWriter(deps, of, options.authors ?? new Map());
  const preparePost = createPostWriter(deps, of);
  const addComments = createCommentWriter({ ...deps, people }, of);

  // Files are written while the next ones are read.
  let writing: Promise<void> = Promise.resolve();
  try {
    for await (const batch of batchesOf(withUniqueKeys(source))) {
      if (summary.items > 0) await report.progress(summary, false);
      const byKind = Map.groupBy(batch, (item) => item.kind);
      for (const kind of order) await importItems(kind, byKind.get(kind) ?? []);
      for (const item of batch) if (item.kind === "file") summary.seenBytes += item.size;
    }
  } finally {
    await writing;
  }
  await report.progress(summary, true);
  if (importID !== null) await db.transaction((tx) => closeImport(tx, importID));
  return summary;

  async function importItems(kind: Item["kind"], items: Item[]): Promise<void> {
    if (items.length === 0) return;
    // It may name files that came before.
    if (kind !== "file") await writing;
    const keys = items.map(({ key }) => key);
    const known = await findKnown(db, of, kind, keys);
    const [same = [], others = []] = [true, false].map((is) =>
      items.filter((item) => (known.get(item.key)?.fingerprint.startsWith(`${fingerprintOf(item)} `) ?? false) === is),
    );
    for (const item of same) pass(item, known.get(item.key) as Known);
    const files = others.filter((item) => item.kind === "file");
    if (files.length > 0) return addFiles(files, known);
    const comments = others.filter((item) => item.kind === "comment");
    if (comments.length > 0) return (await addComments(comments)).forEach((result) => count(result));
    // What takes long is written by itself.
    if (kind === "post" || kind === "person")
      for (const item of others) await writeTogether([{ item, write: await writerOf(item, known.get(item.key)) }]);
    else
      await writeTogether(
        await Promise.all(others.map(async (item) => ({ item, write: await writerOf(item, undefined) }))),
      );
  }

  async function addFiles(files: FileItem[], known: Map<string, Known>): Promise<void> {
    const received = await receiveFiles(files, known);
    await writing.catch(async (error: unknown) => {
      await received.dispose();
      throw error;
    });
    writing = received.write().then((written) => written.forEach(({ result, bytes }) => count(result, bytes)));
    // A failure ends the import when the next files were read.
    writing.catch(() => {});
    if (received.hasFull) await writing;
  }

  /** It has an outcome already, in this import or in an earlier one. */
  function pass(item: Item, { importID: id, recordID, outcome }: Known): void {
    if (item.kind === "album" && recordID !== null) albumIDs.set(item.key, recordID);
    count(resultOf(item, { outcome: id === importID ? outcome : "known", recordID }));
  }

  function count(result: ItemResult, bytes = 0): void {
    report.item(result);
    if (result.kind === "directory" && result.outcome !== "refused") return;
    summary[result.outcome]++;
    summary.items++;
    summary.bytes += bytes;
  }

  /** Does what takes time before the transaction in which the returned function runs; without one, it is a dry run. */
  async function writerOf(item: Item, before: Known | undefined): Promise<Writer> {
    if (item.kind === "refused") return async () => ({ reason: item.reason });
    if (item.kind === "note") return async () => ({ outcome: "noted", reason: item.reason });
    if (item.kind === "person") return (tx) => people.add(tx, item);
    if (item.kind === "post") return preparePost(item, before).catch(refuse);
    return async (tx) => {
      if (tx === null) return { outcome: "added" };
      if (item.kind === "album") return addAlbum(tx, item);
      return item.kind === "directory" ? addDirectory(tx, item) : addRedirect(tx, item as RedirectItem);
    };
  }

  /** Writes items and their outcomes in one transaction; if one of them is refused, each in its own. */
  async function writeTogether(writes: Write[]): Promise<void> {
    const save = async (some: Write[], tx: Queries | null) => {
      const results: ItemResult[] = [];
      for (const { item, write } of some) results.push(resultOf(item, await write(tx)));
      if (tx) await addItems(tx, of, results);
      return results;
    };
    const saveAll = (some: Write[]) => (importID === null ? save(some, null) : db.transaction((tx) => save(some, tx)));
    try {
      for (const result of await saveAll(writes)) count(result);
    } catch (error) {
      const [only, ...others] = writes;
      if (others.length > 0 && reasonOf(error)) for (const one of writes) await writeTogether([one]);
      else if (only) for (const result of await saveAll([{ ...only, write: refuse(error) }])) count(result);
    }
  }

  async function addAlbum(tx: Queries, item: AlbumItem): Promise<Outcome> {
    const { key, parent, visibility, photoOrder, filter } = item;
    const parentID = parent === null ? null : (albumIDs.get(parent) ?? null);
    const chosen = { visibility, ...(photoOrder && { photoOrder }), ...(filter && { filter }) };
    const { id } = await insertAlbum(tx, owner, { ...acceptableAlbum(item), parentID, ...chosen });
    albumIDs.set(key, id);
    return { outcome: "added", recordID: id };
  }

  async function addDirectory(tx: Queries, { path, visibility }: DirectoryItem): Promise<Outcome> {
    const whole = [...to, ...path.map((name) => checkName(name))];
    if (whole.length === 0) return { outcome: "known" };
    checkDepth(whole.length);
    const existing = await findByPath(tx, owner, whole);
    if (existing?.isDirectory) return { outcome: "known", recordID: existing.id };
    return { outcome: "added", recordID: (await ensureDirectory(tx, owner, whole, visibility)).id };
  }

  async function addRedirect(tx: Queries, { key, to: leadsTo }: RedirectItem): Promise<Outcome> {
    if (owner.role !== "admin") throw forbidden("Only an admin can add redirects.");
    const isTag = "tag" in leadsTo;
    const target = isTag
      ? ({ kind: "tag", target: leadsTo.tag } as const)
      : ({ kind: "path", target: leadsTo.path } as const);
    const [id] = await addRedirects(tx, [key], target, importID);
    return { outcome: id === undefined ? "known" : "added", recordID: id ?? null };
  }
}

type Writer = (tx: Queries | null) => Promise<Outcome>;
type Write = { item: Item; write: Writer };

/** An item that cannot be prepared is refused with the reason. */
function refuse(error: unknown): Writer {
  const reason = reasonOf(error);
  return async () => ({ reason });
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
