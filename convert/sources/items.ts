import type { z } from "zod";
import type { Visibility } from "../../src/core/records/visibility.ts";
import type { itemLine } from "../format/lines.ts";
import { isUnusable, type Tree, type TreeFile } from "../../src/platform/archives/tree.ts";
import type { ByteStream } from "../../src/platform/byte-stream.ts";

/*
 * What sources consist of. It says only what differs from the defaults of a line (docs/build/import-format.md). Texts may have any length, and
 * tags any form: the server takes of them what records can have, and shows nobody more than the importer wants.
 */
type Line = z.input<typeof itemLine>;
type Of<Kind extends Line["kind"]> = Extract<Line, { kind: Kind }>;

export type AlbumItem = Of<"album">;
export type CommentItem = Of<"comment">;
export type PostItem = Of<"post">;
export type RedirectItem = Of<"redirect">;
/** What the report says beside the items. */
export type ReportItem = Of<"note" | "refused">;
type Details = NonNullable<Of<"file">["photo"]>;
type Text = "title" | "description" | "altText";
/** An empty text is none. */
export type PhotoDetails = Omit<Details, Text> & { [Name in Text]?: string | null };
export type FileItem = Omit<Of<"file">, "bytes" | "size" | "modifiedAt"> &
  Pick<TreeFile, "size" | "modifiedAt"> & { open(): ByteStream };
/** Each comes after those whose keys it names. */
export type Item = Exclude<Line, Of<"file">> | FileItem;

/** What should be imported, and cannot be. */
export const refuse = (key: string, reason: string): ReportItem => ({ kind: "refused", key, reason });
/** What is left out on purpose. */
export const note = (key: string, reason: string): ReportItem => ({ kind: "note", key, reason });

export const nameOf = ({ path }: Pick<TreeFile, "path">): string => path.at(-1) ?? "";
export const keyOf = ({ path }: Pick<TreeFile, "path">): string => path.join("/");
export const publicIf = (isPublic: boolean): Visibility => (isPublic ? "public" : "private");

type Said = Omit<FileItem, "kind" | "key" | "size" | "modifiedAt" | "open" | "visibility" | "photo"> & {
  key?: string;
  isPublic: boolean;
  photo?: PhotoDetails | null;
};

/** A file of a tree. Its photo is seen by those who see the file; it is in the albums in which it has a position. */
export function toFile(
  { size, modifiedAt, open, ...file }: TreeFile,
  { isPublic, photo, key = keyOf(file), positions, ...said }: Said,
): FileItem {
  const visibility = publicIf(isPublic);
  const shown = photo && { visibility, ...withoutEmpty(photo) };
  const inAlbums = positions && { albums: Object.keys(positions), positions };
  return { kind: "file", key, size, modifiedAt, open, visibility, photo: shown ?? null, ...inAlbums, ...said };
}

function withoutEmpty({ title, description, altText, ...photo }: PhotoDetails): Details {
  return { ...photo, ...(title && { title }), ...(description && { description }), ...(altText && { altText }) };
}

/** Whether a coordinate is a number. Programs write the place 0, 0 where they know none. */
export function placeOf(latitude: unknown, longitude: unknown, name?: string | null): Pick<PhotoDetails, "place"> {
  if (typeof latitude !== "number" || typeof longitude !== "number") return {};
  const isKnown = Number.isFinite(latitude) && Number.isFinite(longitude) && (latitude !== 0 || longitude !== 0);
  return isKnown ? { place: { latitude, longitude, name: name || null } } : {};
}

/** The files of a tree, and a line for each entry that cannot be used. */
export async function listFiles(tree: Tree): Promise<{ files: TreeFile[]; lines: ReportItem[] }> {
  const files: TreeFile[] = [];
  const lines: ReportItem[] = [];
  for await (const entry of tree.list())
    if (isUnusable(entry)) lines.push((entry.isNeedless ? note : refuse)(entry.path, entry.reason));
    else if ("open" in entry) files.push(entry);
  return { files, lines };
}

/** Adds a value to the list of a key. */
export function addTo<Key, Value>(lists: Map<Key, Value[]>, key: Key, ...values: Value[]): void {
  const list = lists.get(key);
  if (list) list.push(...values);
  else lists.set(key, values);
}

/** Adds up numbers by name. `add` returns the sum. */
export function createCounts() {
  const counts = new Map<string, number>();
  return {
    add(name: string, count = 1): number {
      const sum = (counts.get(name) ?? 0) + count;
      if (sum > 0) counts.set(name, sum);
      return sum;
    },
    get: (name: string) => counts.get(name) ?? 0,
    size: () => counts.size,
    entries: () => counts.entries(),
  };
}
