import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { findFiles } from "../../content/files/store.ts";
import type { StoredFile } from "../../content/files/file.ts";
import { findSiteID } from "../../core/images/public-names.ts";
import type { StoredBytes } from "../../platform/archives/stored-bytes.ts";
import { type Blobs, chunksOf } from "../../platform/blobs/blobs.ts";
import { listDirectories, type SiteDirectories } from "../../platform/database-directory.ts";
import type { Reader } from "../../platform/database/database.ts";
import { invalid, Problem } from "../../platform/errors.ts";
import type { Caller } from "../../platform/http/route.ts";
import type { Job } from "../../../convert/format/job.ts";
import { type OpenSource, openSource, type ReadingSite } from "./open-source.ts";
import type { Plan } from "./import.ts";

type Deps = { db: Reader; blobs: Pick<Blobs, "open">; dirs: Dirs & ReadingSite; allowPrivate: boolean };
/** How another server is read. */
type Access = { key: string; signal: AbortSignal };

/** Opens what a server should import, and finds out what it is. */
export async function openPlanned(deps: Deps, plan: Plan, owner: Caller, access: Access): Promise<OpenSource> {
  const { db, blobs, dirs } = deps;
  const rest = { options: optionsOf(plan, deps), siteID: await findSiteID(db) };
  const { signal } = access;
  if (plan.server) return openSource(dirs, { job: { origin: originOf(plan.server, access.key), ...rest }, signal });
  if (plan.folder !== undefined) {
    const paths = [await findFolder(dirs, owner, plan.folder)];
    return openSource(dirs, { job: { origin: { paths, without: listDirectories(dirs) }, ...rest }, signal });
  }
  const ids = plan.fileIDs ?? [];
  const found = await findFiles(db, owner, ids);
  const files = ids.map((fileID) => {
    const file = found.get(fileID);
    if (!file) throw invalid(`File ${fileID} is not there any more.`);
    return storedBytes(blobs, file);
  });
  const origin = { files: files.map(({ name, size }) => ({ name, size })) };
  return openSource(dirs, { job: { origin, ...rest }, files, signal });
}

export const originOf = (server: NonNullable<Plan["server"]>, key: string) => ({
  server: { url: server.url, user: server.username ?? "", key, kind: server.kind, isGuarded: true },
});

export const optionsOf = (plan: Plan, { allowPrivate }: Pick<Deps, "allowPrivate">): Job["options"] => ({
  hasPhotos: plan.photos,
  hasAlbums: plan.albums,
  hasPeople: plan.people,
  hasStars: plan.stars,
  hasHidden: plan.hidden,
  asFolder: plan.asFolder,
  fetch: plan.fetch ? { allowPrivate } : undefined,
  visibility: plan.visibility,
});

function storedBytes(blobs: Pick<Blobs, "open">, { name, sha256, size }: StoredFile): StoredBytes {
  return {
    name,
    size,
    async *read(start, end) {
      const found = sha256 === null ? null : await blobs.open(sha256, { start, end }, size);
      if (!found) throw invalid(`${name} is no longer in the storage.`);
      yield* chunksOf(found);
    },
  };
}

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
