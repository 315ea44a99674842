import type { StoredFile } from "../../content/files/file.ts";
import type { Intake } from "../../content/files/intake.ts";
import { checkDepth, checkName } from "../../content/files/names.ts";
import { findByPath } from "../../content/files/store.ts";
import { isImage, isVideo } from "../../core/images/image.ts";
import { addRedirects } from "../../core/redirects/store.ts";
import type { NewIncoming } from "../../core/storage/incoming.ts";
import { DamagedEntry, UnusableEntry } from "../../platform/archives/tree.ts";
import type { Database, Queries } from "../../platform/database/database.ts";
import { invalid, Problem } from "../../platform/errors.ts";
import { hashOf } from "../../platform/hash.ts";
import type { Caller } from "../../platform/http/route.ts";
import type { FileItem, Item, ItemOutcome } from "./item.ts";
import { addItems, addWaitingPhotos, type Known, type Origin, type Settled, type WaitingPhoto } from "./items-store.ts";

type Deps = { db: Database; intake: Intake };
type Import = {
  owner: Caller;
  to: string[];
  isDryRun: boolean;
  /** Null for a dry run. */
  importID: number | null;
  origin: Origin;
  /** The albums that were made so far, by their keys. */
  albumIDs: Map<string, number>;
};
type Written = { settled: Settled; bytes: number };

const receivedAtOnce = 4;
/** A photo is added to all its albums in one transaction. */
const maxAlbums = 1000;

/** What was found out about a file of the source before it is written. */
type Found = {
  item: FileItem;
  outcome: ItemOutcome;
  reason?: string;
  isFull?: boolean;
  file?: StoredFile;
  sent?: Sent;
};
type Sent = { incoming: NewIncoming; destination: Destination };
type Destination = Parameters<Intake["storeAll"]>[0][number]["destination"];

/** Writes the files of an import, several in one transaction. */
export function createFileWriter({ db, intake }: Deps, { owner, to, isDryRun, importID, origin, albumIDs }: Import) {
  return async (items: FileItem[], known: Map<string, Known>): Promise<Written[]> => {
    const { written, full } = await writeAll(items, known);
    // Beside others, each had less space than it has alone.
    for (const item of full) written.push(...(await writeAll([item], known)).written);
    return written;
  };

  async function writeAll(
    items: FileItem[],
    known: Map<string, Known>,
  ): Promise<{ written: Written[]; full: FileItem[] }> {
    const found: Found[] = [];
    try {
      for (let start = 0; start < items.length; start += receivedAtOnce) {
        const some = items.slice(start, start + receivedAtOnce);
        found.push(...(await Promise.all(some.map((item) => receive(item, known.get(item.key))))));
      }
      const full = items.length > 1 ? found.filter(({ isFull }) => isFull) : [];
      const others = found.filter((one) => !full.includes(one));
      const written = await store(others).catch(async (error: unknown) => {
        if (others.length > 1 && isOfItem(error)) return storeEach(others);
        throw error;
      });
      return { written, full: full.map(({ item }) => item) };
    } finally {
      for (const { sent } of found) await sent?.incoming[Symbol.asyncDispose]();
    }
  }

  /** One of several cannot be stored. */
  async function storeEach(found: Found[]): Promise<Written[]> {
    const written: Written[] = [];
    for (const one of found) {
      const refuse = (error: unknown) => store([refusal(one.item, error)]);
      written.push(...(await store([one]).catch(refuse)));
    }
    return written;
  }

  /** Reads the bytes of a file, unless the site has them at the same place. */
  async function receive(item: FileItem, before: Known | undefined): Promise<Found> {
    try {
      const names = item.path.map((name) => checkName(name));
      checkDepth(to.length + names.length);
      const [path, name] = [[...to, ...names.slice(0, -1)], names.at(-1) ?? ""];
      const existing = await findByPath(db, owner, [...path, name]);
      if (existing) return await compare(item, existing, before);
      if (isDryRun) return { item, outcome: "added" };
      const target = { path, name, onConflict: "fail" as const, visibility: item.visibility };
      const destination: Destination = { caller: owner, target, isPartOfImport: true };
      const incoming = await receiveWhole(item, destination);
      return { item, outcome: "added", sent: { incoming, destination } };
    } catch (error) {
      return refusal(item, error);
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
    if (isDryRun) return { item, outcome: "changed", file: existing };
    const check = (current: StoredFile) => {
      if (current.sha256 !== existing.sha256) throw invalid("It was changed in the site in the meantime.");
    };
    const destination = { callerID: owner.id, file: existing, check };
    await using incoming = await receiveWhole(item, destination);
    return { item, outcome: "changed", file: await intake.store(incoming, destination) };
  }

  async function store(found: Found[]): Promise<Written[]> {
    const sent = found.flatMap((one) => one.sent ?? []);
    const write = async (tx: Queries, files: StoredFile[]) => {
      const all = found.map((one) => (one.sent ? files[sent.indexOf(one.sent)] : one.file));
      const written = found.map((one, index) => toWritten(one, all[index]));
      const settled = written.map((one) => one.settled);
      if (importID === null) return written;
      await addItems(tx, importID, origin, settled);
      if (owner.role === "admin") for (const [index, { item }] of found.entries()) await redirect(tx, item, all[index]);
      await addWaitingPhotos(
        tx,
        importID,
        found.flatMap(({ item }, index) => toPhoto(item, all[index])),
      );
      return written;
    };
    if (found.length === 0) return [];
    if (isDryRun) return found.map((one) => toWritten(one, one.file));
    return sent.length > 0 ? intake.storeAll(sent, write) : db.transaction((tx) => write(tx, []));
  }

  /** What was read at an old address is the file. */
  async function redirect(tx: Queries, { oldAddresses }: FileItem, file: StoredFile | undefined): Promise<void> {
    if (file && oldAddresses) await addRedirects(tx, oldAddresses, { kind: "file", recordID: file.id }, importID);
  }

  function toPhoto(
    { photo, albums, positions = {}, coverOf = [] }: FileItem,
    file: StoredFile | undefined,
  ): WaitingPhoto[] {
    if (!photo || !file || !(isImage(file.contentType) || isVideo(file.contentType))) return [];
    const inAlbums = albums.slice(0, maxAlbums).flatMap((key) => {
      const id = albumIDs.get(key);
      return id === undefined ? [] : [{ id, position: positions[key] ?? null, isCover: coverOf.includes(key) }];
    });
    return [{ fileID: file.id, name: file.name, details: { ...photo, inAlbums } }];
  }
}

function toWritten({ item, outcome, reason }: Found, file: StoredFile | undefined): Written {
  const fingerprint = [fingerprintOf(item), file?.sha256 ?? ""].join(" ");
  const settled = { kind: "file" as const, key: item.key, name: item.key, outcome, reason: reason ?? null };
  const isMoved = outcome === "added" || outcome === "changed";
  return { settled: { ...settled, recordID: file?.id ?? null, fingerprint }, bytes: isMoved ? item.size : 0 };
}

/** Changes when the source has something else under the same key. */
export const fingerprintOf = (item: Item): string =>
  item.kind === "file" ? (item.version ?? `${item.size} ${item.modifiedAt ?? "-"}`) : "";

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
