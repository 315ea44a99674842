import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { listDirectories, type SiteDirectories } from "../../platform/database-directory.ts";
import { invalid, Problem } from "../../platform/errors.ts";
import type { Caller } from "../../platform/http/route.ts";

export type Dirs = SiteDirectories & { importDir: string | null };

/** The place on the disk: below the directory for imports, also behind symbolic links, and not in that of the site. */
export async function findFolder(dirs: Dirs, { role }: Pick<Caller, "role">, folder: string): Promise<string> {
  if (role !== "admin") throw new Problem("forbidden", "Only admins can import what lies on the disk of the server.");
  const { importDir } = dirs;
  if (importDir === null)
    throw invalid("The server imports nothing from its disk: set IMPORT_DIR to allow it.", "folder");
  const top = await realpath(importDir).catch(() => importDir);
  const place = folder.includes("\0") ? "" : await realpath(join(top, folder)).catch(() => "");
  const isBelow = (path: string, above: string) => `${path}/`.startsWith(above.endsWith("/") ? above : `${above}/`);
  if (!isBelow(place, top))
    throw invalid(`There is no ${JSON.stringify(folder)} in the directory for imports.`, "folder");
  if (listDirectories(dirs).some((directory) => isBelow(place, directory)))
    throw invalid("It is in the data directory of this site.", "folder");
  return place;
}
