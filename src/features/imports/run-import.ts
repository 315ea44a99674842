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
import { acceptableAlbum } from "./texts.ts";
import { createCommentWriter } from "./import-comments.ts";
import { createFileWriter, reasonOf } from "./import-files.ts";
import { createPeopleWriter, type NameReaction } from "./import-people.ts";
import { createPostWriter } from "./import-posts.ts";
import type { AlbumItem, CommentItem, DirectoryItem, Head, RedirectItem } from "../../../convert/format/lines.ts";
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
  type WriteResults,
} from "./items.ts";
import type { PhotoDeps } from "../../content/albums/make-photo.ts";
import { noProgress, type Progress } from "./progress.ts";
import { closeImport, openImport } from "./store.ts";

export type RunDeps = PhotoDeps & { intake: Intake; markdown: Pick<Renderer, "render">; reactions: NameReaction[] };
type ReadSource = Pick<Source, "items"> & { head: Pick<Head, "program" | "hasUniqueFiles"> };
type ImportOptions = {
  /** Names the source for people, and for the next time. */
  name: string;
  owner: Caller;
  to: string[];
  /** Writes nothing, and reports what would happen. */
  isDryRun: boolean;
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
const bytesAtOnce = 2 ** 26;
/** Texts are held in memory. */
const charactersAtOnce = 2 ** 22;
/** What others refer to comes first. */
const order = ["refused", "note", "directory", "person", "album", "file", "post", "comment", "redirect"] as const;

/** What an import is called: a source without a name is `otherwise`. */
export const nameOf = ({ name }: Head, to: string[], otherwise: string) => `${name ?? otherwise} → /${to.join("/")}`;

/**
 * Reads a source from its first to its last item, and writes what is new, in batches: each is written with its outcomes in one
 * transaction. An import that was ended goes on where it stopped, because items with an outcome are passed over.
 */
export async function runImport(
  deps: RunDeps,
  source: ReadSource,
  options: ImportOptions,
  report: ImportReport,
): Promise<Summary> {
  const { db } = deps;
  const { name, owner, to, isDryRun } = options;
  const open = () => db.transaction((tx) => openImport(tx, owner, { kind: source.head.program, source: name }));
  const importID = isDryRun ? null : (options.importID ?? (await open()));
  const summary: Summary = { ...noProgress, import: importID };
  const of: Import = { owner, importID, source: name };
  const albumIDs = new Map<string, number>();
  const receiveFiles = createFileWriter(deps, of, { to, albumIDs });
  const people = createPeopleWriter(deps, of, options.authors ?? new Map());
  const preparePost = createPostWriter(deps, of);
  const prepareComments = createCommentWriter({ ...deps, people }, of);

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
    const changed = items.filter((item) => !pass(item, known.get(item.key)));
    if (kind === "file") await addFiles(changed as FileItem[], known);
    // What takes long is written by itself.
    else if (kind === "post" || kind === "person") for (const item of changed) await write([item], known);
    else await write(changed, known);
  }

  async function addFiles(files: FileItem[], known: Map<string, Known>): Promise<void> {
    if (files.length === 0) return;
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

  /** Whether it has an outcome already, in this import or in an earlier one, which is counted. */
  function pass(item: Item, before: Known | undefined): boolean {
    if (!before?.fingerprint.startsWith(`${fingerprintOf(item)} `)) return false;
    const { importID: id, recordID, outcome } = before;
    if (item.kind === "album" && recordID !== null) albumIDs.set(item.key, recordID);
    count(resultOf(item, { outcome: id === importID ? outcome : "known", recordID }));
    return true;
  }

  function count(result: ItemResult, bytes = 0): void {
    report.item(result);
    if (result.kind === "directory" && result.outcome !== "refused") return;
    summary[result.outcome]++;
    summary.items++;
    summary.bytes += bytes;
  }

  /** Writes items and their outcomes in one transaction; if one of them is refused, each in its own. */
  async function write(items: Item[], known: Map<string, Known>): Promise<void> {
    if (items.length === 0) return;
    try {
      await save(await prepare(items, known));
    } catch (error) {
      const reason = reasonOf(error);
      const [only, ...others] = items;
      if (only && others.length === 0) await save(async () => [resultOf(only, { reason })]);
      else for (const item of items) await write([item], known);
    }
  }

  async function save(writeResults: WriteResults): Promise<void> {
    const saveAll = async (tx: Queries) => {
      const written = await writeResults(tx);
      await addItems(tx, of, written);
      return written;
    };
    const results = importID === null ? await writeResults(null) : await db.transaction(saveAll);
    for (const result of results) count(result);
  }

  /** Does what takes time before the transaction in which the returned function runs. */
  async function prepare(items: Item[], known: Map<string, Known>): Promise<WriteResults> {
    const [first] = items;
    if (first?.kind === "comment") return prepareComments(items as CommentItem[]);
    if (first?.kind === "post") {
      const writePost = await preparePost(first, known.get(first.key));
      return async (tx) => [resultOf(first, await writePost(tx))];
    }
    return async (tx) => {
      const results: ItemResult[] = [];
      for (const item of items) results.push(resultOf(item, await add(tx, item)));
      return results;
    };
  }

  async function add(tx: Queries | null, item: Item): Promise<Outcome> {
    if (item.kind === "refused") return { reason: item.reason };
    if (item.kind === "note") return { outcome: "noted", reason: item.reason };
    if (item.kind === "person") return people.add(tx, item);
    if (tx === null) return { outcome: "added" };
    if (item.kind === "album") return addAlbum(tx, item);
    return item.kind === "directory" ? addDirectory(tx, item) : addRedirect(tx, item as RedirectItem);
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
    const [kind, target] = "tag" in leadsTo ? (["tag", leadsTo.tag] as const) : (["path", leadsTo.path] as const);
    const [id] = await addRedirects(tx, [key], { kind, target }, importID);
    return { outcome: id === undefined ? "known" : "added", recordID: id ?? null };
  }
}

/** A source may have two items of one kind with the same key, such as an archive with two files of the same name. */
async function* withUniqueKeys({ head, items }: ReadSource): AsyncGenerator<Item> {
  const seen = new Set<bigint>();
  const repeated = new Map<string, number>();
  for await (const item of items()) {
    const isFile = item.kind === "file" || item.kind === "directory";
    const name = `${item.kind} ${item.key}`;
    const hash = isFile && head.hasUniqueFiles ? null : quickHashOf(name);
    if (hash === null || !seen.has(hash)) {
      if (hash !== null) seen.add(hash);
      yield item;
      continue;
    }
    const count = (repeated.get(name) ?? 1) + 1;
    repeated.set(name, count);
    yield { ...item, key: `${item.key} (${count})` };
  }
}

async function* batchesOf(items: AsyncIterable<Item>): AsyncGenerator<Item[]> {
  let [batch, weight]: [Item[], number] = [[], 0];
  for await (const item of items) {
    batch.push(item);
    weight += weightOf(item);
    if (weight < 1) continue;
    yield batch;
    [batch, weight] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}

/** Which part of a batch an item is. */
function weightOf(item: Item): number {
  if (item.kind === "file") return Math.max(1 / itemsAtOnce, item.size / bytesAtOnce);
  const least = 1 / (item.kind === "comment" ? commentsAtOnce : itemsAtOnce);
  return Math.max(least, JSON.stringify(item).length / charactersAtOnce);
}
