import { sql } from "../../platform/database/sql.ts";
import type { Reach } from "../../platform/http/route.ts";
import type { Shared } from "../../core/records/record-kind.ts";
import { reachOf } from "../../core/records/visibility.ts";
import { toDirectory } from "./rows.ts";
import { getFile } from "./store.ts";

/** Without downloads, a link to a directory only accepts uploads: names of files are not shown. */
const reach = (id: number, { allowDownload }: { allowDownload: boolean }): Record<string, Reach> =>
  allowDownload ? { file: reachOf(sql`${id}`) } : {};

export const sharedFiles: Record<string, Shared> = {
  file: { where: sql`sha256 IS NOT NULL`, reach, isForDownload: true },
  directory: {
    where: sql`sha256 IS NULL`,
    reach,
    isForDownload: true,
    uploads: { findPath: async (db, owner, id) => toDirectory(await getFile(db, owner, id)).path },
  },
};
