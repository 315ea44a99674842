import type { StoredFile } from "../../content/files/file.ts";
import type { Intake } from "../../content/files/intake.ts";
import { checkDepth, checkName, nameKey } from "../../content/files/names.ts";
import { root, toDirectory } from "../../content/files/rows.ts";
import { findAllNamed, findByPath, findFiles } from "../../content/files/store.ts";
import type { Target } from "../../content/files/target.ts";
import { findPhotographed } from "../../content/photos/store.ts";
import { isImage, isVideo } from "../../core/images/image.ts";
import { addRedirects } from "../../core/redirects/store.ts";
import type { NewIncoming } from "../../core/storage/incoming.ts";
import { DamagedEntry, UnusableEntry } from "../../platform/archives/tree.ts";
import type { Database, Queries } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import { invalid, Problem } from "../../platform/errors.ts";
import { inParallel } from "../../platform/in-parallel.ts";
import { hashOf } from "../../platform/hash.ts";
import { acceptableDetails } from "./texts.ts";
import type { FileItem } from "./lines.ts";
import type { ItemOutcome } from "./import.ts";
import { addFiles, type FoundFile } from "./make-photos.ts";
import { addItems, type Import, type ItemResult, type Known, type Outcome, resultOf } from "./items.ts";

type Deps = { db: Database; intake: Intake };
/** Where files are stored, and the albums that were made so far, by their keys. */
type Places = { to: string[]; albumIDs: ReadonlyMap<string, number> };
type Written = { result: ItemResult; bytes: number };

const receivedAtOnce = 8;
/** A photo is added to all its albums in one transaction. */
const maxAlbums = 1000;

/** What was found out about a file of the source before it is written. */
type Found = Outcome & { item: FileItem; outcome: ItemOutcome; isFull?: boolean; file?: StoredFile; sent?: Sent };
type Sent = { incoming: NewIncoming; target: Target };

/** Files of which the bytes were read. `write` stores them in one transaction, and ends with all of them. */
type ReceivedFiles = {
  /** Whether some had no space beside the others: each of them is tried alone, when nothing else is being received. */
  hasFull: boolean;
  write(): Promise<Written[]>;
  dispose(): Promise<void>;
};

export function createFileWriter({ db, intake }: Deps, of: Import, { to, albumIDs }: Places) {
  const { owner, importID } = of;
  let begunAt: number | null = null;

  return receiveAll;

  async function receiveAll(items: FileItem[], known: Map<string, Known>): Promise<ReceivedFiles> {
    const found: Found[] = [];
    const dispose = async () => {
      for (const one of found) await one?.sent?.incoming[Symbol.asyncDispose]();
    };
    try {
      const existing = await findExisting(items);
      // The last of the list comes first: where not all have space, the first files of the source get it.
      await inParallel([...items.entries()].toReversed(), receivedAtOnce, async ([index, item]) => {
        found[index] = await receive(item, existing.get(item), known.get(item.key));
      });
      await recognisePhotos(found);
    } catch (error) {
      await dispose();
      throw error;
    }
    const full = items.length > 1 ? found.filter(({ isFull }) => isFull) : [];
    const others = found.filter((one) => !full.includes(one));
    return {
      hasFull: full.length > 0,
      dispose,
      async write() {
        const written: Written[] = [];
        try {
          written.push(...(await storeAll(others, known)));
        } finally {
          await dispose();
        }
        for (const { item } of full) written.push(...(await (await receiveAll([item], known)).write()));
        return written;
      },
    };
  }

  /** If one of several cannot be stored, each is stored alone. If something with the same bytes has taken its place, it is known. */
  async function storeAll(found: Found[], known: Map<string, Known>): Promise<Written[]> {
    const [first, ...others] = found;
    return store(found).catch(async (error: unknown) => {
      if (!first || !isOfItem(error)) throw error;
      if (others.length > 0) return (await Array.fromAsync(found, (one) => storeAll([one], known))).flat();
      const existing = await findExisting([first.item]);
      const again = await receive(first.item, existing.get(first.item), known.get(first.item.key));
      await again.sent?.incoming[Symbol.asyncDispose]();
      return store([again.outcome === "known" ? again : refusal(first.item, error)]);
    });
  }

  /** What has the places of these files already. Names that no file can have are not looked for. */
  async function findExisting(items: FileItem[]): Promise<Map<FileItem, StoredFile>> {
    const existing = new Map<FileItem, StoredFile>();
    const placed = items.flatMap((item) => {
      const target = findTarget(item);
      return target ? [{ item, ...target }] : [];
    });
    for (const some of Map.groupBy(placed, ({ path }) => path.join("/")).values()) {
      const path = some[0]?.path ?? [];
      const found = path.length === 0 ? null : await findByPath(db, owner, path);
      if (path.length > 0 && !found?.isDirectory) continue;
      const directory = found ? toDirectory(found) : root;
      const names = some.map(({ name }) => name);
      const named = await findAllNamed(db, owner, directory, names);
      for (const { item, name } of some) {
        const file = named.get(nameKey(name));
        if (file) existing.set(item, file);
      }
    }
    return existing;
  }

  function findTarget(item: FileItem): Target | null {
    try {
      return getTarget(item);
    } catch {
      return null;
    }
  }

  function getTarget({ path, visibility }: FileItem): Target {
    const names = path.map((name) => checkName(name));
    checkDepth(to.length + names.length);
    return { path: [...to, ...names.slice(0, -1)], name: names.at(-1) ?? "", onConflict: "fail", visibility };
  }

  /** Reads the bytes of a file, unless the site has them at the same place. */
  async function receive(item: FileItem, existing: StoredFile | undefined, before: Known | undefined): Promise<Found> {
    try {
      const target = getTarget(item);
      if (existing) return await compare(item, existing, before);
      if (importID === null) return { item, outcome: "added" };
      const incoming = await receiveWhole(item, { caller: owner, target });
      return { item, outcome: "added", sent: { incoming, target } };
    } catch (error) {
      return refusal(item, error);
    }
  }

  /** Pictures that were photos here before the import: each stays where it is, and is added to the albums of the source. */
  async function recognisePhotos(found: Found[]): Promise<void> {
    const received = found.flatMap((one) => (one.sent && one.item.photo ? [{ one, sent: one.sent }] : []));
    if (received.length === 0 || importID === null) return;
    const readBegun = () => db.get<{ at: number }>(sql`SELECT created_at AS at FROM imports WHERE id = ${importID}`);
    begunAt ??= (await readBegun())?.at ?? 0;
    const sha256s = received.map(({ sent }) => sent.incoming.sha256);
    const photographed = await findPhotographed(db, owner.id, { sha256s, before: begunAt });
    const files = await findFiles(db, owner, [...photographed.values()]);
    for (const { one, sent } of received) {
      const file = files.get(photographed.get(sent.incoming.sha256) ?? 0);
      if (!file) continue;
      await sent.incoming[Symbol.asyncDispose]();
      delete one.sent;
      Object.assign(one, { outcome: "known", file });
    }
  }

  /** Once more, if it was damaged on its way. */
  async function receiveWhole(item: FileItem, destination: Parameters<Intake["receive"]>[1]): Promise<NewIncoming> {
    const receive = () => intake.receive({ stream: item.open(), atLeast: item.size }, destination);
    return receive().catch((error: unknown) => {
      if (error instanceof DamagedEntry) return receive();
      throw error;
    });
  }

  /** A file that came from this source, and was not changed in the site since, gets the new content of the source. */
  async function compare(item: FileItem, existing: StoredFile, before: Known | undefined): Promise<Found> {
    if (existing.size === item.size && existing.sha256 === (await hashOf(item.open())))
      return { item, outcome: "known", file: existing };
    const isUnchanged = before?.recordID === existing.id && before.fingerprint.endsWith(` ${existing.sha256}`);
    if (!isUnchanged)
      throw invalid(`There is already another ${existing.isDirectory ? "directory" : "file"} with this name.`);
    if (importID === null) return { item, outcome: "changed", file: existing };
    const check = (current: StoredFile) => {
      if (current.sha256 !== existing.sha256) throw invalid("It was changed in the site in the meantime.");
    };
    const destination = { callerID: owner.id, file: existing, check };
    await using incoming = await receiveWhole(item, destination);
    return { item, outcome: "changed", file: await intake.store(incoming, destination) };
  }

  async function store(found: Found[]): Promise<Written[]> {
    for (const one of found)
      if (one.item.albums.length > maxAlbums && one.outcome !== "refused")
        one.reason ??= `It is in ${one.item.albums.length.toLocaleString("en")} albums, and will be in the first ${maxAlbums.toLocaleString("en")} of them.`;
    const sent = found.flatMap((one) => one.sent ?? []);
    const write = async (tx: Queries, files: StoredFile[]) => {
      const all = found.map((one) => (one.sent ? files[sent.indexOf(one.sent)] : one.file));
      const written = found.map((one, index) => toWritten(one, all[index]));
      if (importID === null) return written;
      const results = written.map(({ result }) => result);
      await addItems(tx, of, results);
      for (const [index, { item }] of found.entries()) {
        const file = all[index];
        if (!file) continue;
        const from = owner.role === "admin" ? (item.oldAddresses ?? []) : [];
        await addRedirects(tx, from, { kind: "file", recordID: file.id }, importID);
      }
      const photos = found.flatMap(({ item }, index) => toPhoto(item, all[index]));
      await addFiles(tx, importID, photos);
      return written;
    };
    if (found.length === 0) return [];
    if (importID === null) return found.map((one) => toWritten(one, one.file));
    return sent.length > 0 ? intake.storeAll(owner, sent, write) : db.transaction((tx) => write(tx, []));
  }

  function toPhoto(item: FileItem, file: StoredFile | undefined): FoundFile[] {
    const { photo, albums, positions = {}, coverOf = [] } = item;
    if (!photo || !file || !(isImage(file.contentType) || isVideo(file.contentType))) return [];
    const covers = new Set(coverOf);
    const inAlbums = albums.slice(0, maxAlbums).flatMap((key) => {
      const id = albumIDs.get(key);
      return id === undefined ? [] : [{ id, position: positions[key] ?? null, isCover: covers.has(key) }];
    });
    return [{ id: file.id, name: file.name, outcome: "waiting", said: { ...acceptableDetails(photo), inAlbums } }];
  }
}

function toWritten({ item, outcome, reason }: Found, file: StoredFile | undefined): Written {
  const isNew = outcome === "added" || outcome === "changed";
  return {
    result: resultOf(item, { outcome, reason, recordID: file?.id, state: file?.sha256 ?? "" }),
    bytes: isNew ? (file?.size ?? item.size) : 0,
  };
}

function refusal(item: FileItem, error: unknown): Found {
  const isFull = error instanceof Problem && error.code === "quota";
  return { item, outcome: "refused", reason: reasonOf(error), isFull };
}

/** An error of one item does not end the import; an error of the storage does. */
export function reasonOf(error: unknown): string {
  if (!isOfItem(error)) throw error;
  return (error as Error).message;
}

function isOfItem(error: unknown): boolean {
  if (error instanceof UnusableEntry) return true;
  return error instanceof Problem && ["invalid", "quota", "forbidden", "oversized", "missing"].includes(error.code);
}
