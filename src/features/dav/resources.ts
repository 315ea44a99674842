import type { Viewer } from "../../platform/http/route.ts";
import type { Reader } from "../../platform/database/database.ts";
import { presentFile, type StoredFile } from "../../content/files/file.ts";
import { type Directory, root, toDirectory } from "../../content/files/rows.ts";
import { findGranted } from "../../content/files/granted-paths.ts";
import { findByPath } from "../../content/files/store.ts";
import { findSideFile, isSideName, type SideFile } from "./side-files.ts";
import type { Visitor } from "./visit.ts";

/** What is at an address, as the caller sees it. */
type Looker = Pick<Visitor, "id" | "role" | "grant" | "limit">;
export type Resource = { kind: "root" } | { kind: "file"; file: StoredFile } | { kind: "side"; file: SideFile };

export async function findResource(db: Reader, caller: Looker, names: string[]): Promise<Resource | null> {
  if (names.length === 0) return { kind: "root" };
  const file = await findAt(db, caller, names);
  if (file) return { kind: "file", file };
  const name = names.at(-1) ?? "";
  const directory = isSideName(name) ? await findDirectory(db, caller, names.slice(0, -1)) : null;
  const side = directory && (await findSideFile(db, { ownerID: caller.id, parentID: directory.id, name }));
  return side && { kind: "side", file: side };
}

/** What is at a path, for whoever sees everything: side files are those of this user. It stays the same while that is there. */
export async function findRecord(db: Reader, userID: number, names: string[]): Promise<string | null> {
  const found = await findResource(db, { id: userID, role: "admin" }, names);
  return found && recordOf(found);
}

export const recordOf = (resource: Resource): string =>
  resource.kind === "root" ? "root" : `${resource.kind} ${resource.file.id}`;

/** With a share link only what it reaches is there, and nothing that is public elsewhere. */
const findAt = (db: Reader, caller: Looker, names: string[]): Promise<StoredFile | null> =>
  caller.grant ? findGranted(db, caller, names) : findByPath(db, caller, names);

/** Null if there is none, or a file. */
export async function findDirectory(db: Reader, caller: Looker, names: string[]): Promise<Directory | null> {
  if (names.length === 0) return root;
  const file = await findAt(db, caller, names);
  return file?.isDirectory ? toDirectory(file) : null;
}

export const isDirectory = (resource: Resource): boolean =>
  resource.kind === "root" || (resource.kind === "file" && resource.file.isDirectory);

/** The tag of the bytes that the caller gets, as in the API; null if there are none, or if they are not known yet. */
export function etagOf(resource: Resource, caller: Viewer): string | null {
  if (resource.kind === "root") return null;
  const { sha256 } = resource.kind === "file" ? presentFile(resource.file, caller) : resource.file;
  return sha256 === null ? null : `"${sha256}"`;
}
