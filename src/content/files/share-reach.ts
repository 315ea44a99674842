import { sql, type Sql } from "../../platform/database/sql.ts";
import type { Shared } from "../../core/records/record-kind.ts";
import { toDirectory } from "./rows.ts";
import { getFile } from "./store.ts";

/** Without downloads, a link to a directory only accepts uploads: names of files are not shown. */
const reach = (id: number, { allowDownload }: { allowDownload: boolean }): Record<string, Sql> =>
  allowDownload ? { file: sql`${id}` } : {};

export const sharedFiles: Record<string, Shared> = {
  file: { where: sql`sha256 IS NOT NULL`, reach, isForDownload: true },
  directory: {
    where: sql`sha256 IS NULL`,
    reach,
    isForDownload: true,
    uploads: { findPath: async (db, owner, id) => toDirectory(await getFile(db, owner, id)).path },
  },
};
