import type { Reader } from "../../platform/database/database.ts";
import { list, sql } from "../../platform/database/sql.ts";
import type { Viewer } from "../../platform/http/route.ts";
import type { StoredFile } from "./file.ts";
import { nameKey, parsePath } from "./names.ts";
import { type FoundFileRow, selectFiles, toDirectory, toFiles } from "./rows.ts";
import { findByPath } from "./store.ts";

/**
 * What a grant of the viewer reaches at this path, as the viewer sees paths: they begin at what was granted, unless
 * everything above it is visible. Null if there is nothing.
 */
export async function findGranted(db: Reader, viewer: Viewer, names: string[]): Promise<StoredFile | null> {
  const reached = viewer?.grant?.reach.file;
  if (!reached) return null;
  const keys = names.map(nameKey);
  const isNamed = sql`files.id IN (${reached.ids}) AND files.name_key IN (${list([...new Set(keys)])})`;
  const tops = toFiles(await db.all<FoundFileRow>(selectFiles(viewer, isNamed)));
  for (const top of tops.filter(({ isGranted }) => isGranted).toSorted((one, other) => one.id - other.id)) {
    const start = [...parsePath(top.path), top.name].map(nameKey);
    if (start.some((key, index) => key !== keys[index])) continue;
    const below = names.slice(start.length);
    if (below.length === 0) return top;
    const found = top.isDirectory ? await findByPath(db, viewer, below, toDirectory(top)) : null;
    if (found) return found;
  }
  return null;
}
