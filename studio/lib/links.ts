import type { Activity, File } from "../../client/src/index.ts";
import { findKind } from "./kinds.ts";

/** To the screen of a record; null if its kind has none. */
export function linkToRecord(kind: string, id: number) {
  const found = findKind({ kind });
  return found && "screen" in found ? { to: found.screen, params: { id: String(id) } } : null;
}

/** To a directory in the file manager. The router encodes the path. */
export const linkToDirectory = (path: string) =>
  ({ to: "/files/$", params: { _splat: path.split("/").filter(Boolean).join("/") } }) as const;

/** To a file in its directory. */
export const linkToFile = ({ id, path }: Pick<File, "id" | "path">) => ({
  ...linkToDirectory(path),
  search: { select: String(id) },
});

/** Changes after which there is no record to open. */
export const goneAfter: ReadonlySet<Activity["action"]> = new Set(["trashed", "deleted", "removed"]);
