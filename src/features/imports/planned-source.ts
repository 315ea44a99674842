import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { parsePath } from "../../content/files/names.ts";
import { findFiles } from "../../content/files/store.ts";
import type { StoredFile } from "../../content/files/file.ts";
import { findSiteID } from "../../core/images/public-names.ts";
import type { StoredBytes } from "../../platform/archives/stored-bytes.ts";
import { type Blobs, chunksOf } from "../../platform/blobs/blobs.ts";
import { listDirectories } from "../../platform/database-directory.ts";
import type { Reader } from "../../platform/database/database.ts";
import { forbidden, invalid } from "../../platform/errors.ts";
import { decodePart } from "../../platform/text.ts";
import type { Caller } from "../../platform/http/route.ts";
import { ServerGone } from "../../platform/pipes/failures.ts";
import type { Job } from "../../../convert/format/job.ts";
import { findAuthors } from "./import-people.ts";
import type { Plan } from "./import.ts";
import { checkServer, type OpenSource, openSource, type ReadingSite } from "./open-source.ts";

type Deps = {
  db: Reader;
  blobs: Pick<Blobs, "open">;
  dirs: ReadingSite & { importDir: string | null };
  /** Whether an old site may lie in a local network. */
  allowPrivate: boolean;
};
type NamedServer = NonNullable<Plan["server"]>;

export type PlannedSources = ReturnType<typeof createPlannedSources>;

/** What requests ask a server to import: archives that it stores, folders on its disk, and other servers. */
export function createPlannedSources({ db, blobs, dirs, allowPrivate }: Deps) {
  return {
    /** Returns the plan as it is stored, and what the source is called until it was recognised. */
    async check(plan: Plan, key: string | undefined, caller: Caller): Promise<{ plan: Plan; name: string }> {
      const { fileIDs, folder, server, to, authors } = plan;
      if (to !== undefined) parsePath(to, "to");
      if ([fileIDs, folder, server].filter((one) => one !== undefined).length !== 1)
        throw invalid('Send either "fileIDs", "folder" or "server".', "fileIDs");
      if (key !== undefined && !server) throw invalid('A key is only for a "server".', "key");
      const isAdmin = caller.role === "admin";
      if (authors && !isAdmin) throw forbidden("Only admins can choose who has written what.");
      if (plan.fetch && !isAdmin) throw forbidden("Only admins can have media read from an old site.");
      await findAuthors(db, authors ?? []);
      const stored = server && isAdmin ? { ...plan, server: tidyServer(server) } : plan;
      const { name } = await findOrigin(stored, caller, key);
      if (server) await checkKey(stored, key, caller);
      return { plan: stored, name };
    },
    checkKey,
    /** Opens it, and finds out what it is. */
    async open(plan: Plan, owner: Caller, { key, signal }: { key: string; signal: AbortSignal }): Promise<OpenSource> {
      const { origin, files } = await findOrigin(plan, owner, key);
      const siteID = await findSiteID(db);
      return openSource(dirs, { origin, options: optionsOf(plan), siteID, signal, ...(files && { files }) });
    },
  };

  /** Throws a sentence for the person who has named the server if it does not respond, or refuses the key. */
  async function checkKey(plan: Plan, key: string | undefined, caller: Caller): Promise<void> {
    const { origin } = await findOrigin(plan, caller, key);
    await checkServer(dirs, { origin, options: optionsOf(plan), siteID: null }).catch((error: unknown) => {
      throw error instanceof ServerGone ? invalid(error.message, error.isKeyRefused ? "key" : "server") : error;
    });
  }

  async function findOrigin(
    { server, folder, fileIDs = [] }: Plan,
    owner: Caller,
    key: string | undefined,
  ): Promise<{ name: string; origin: Job["origin"]; files?: StoredBytes[] }> {
    const isAdmin = owner.role === "admin";
    if (server) {
      if (!isAdmin) throw forbidden("Only admins can import from other servers.");
      if (key === undefined) throw invalid("Another server needs a key.", "key");
      const { url, username: user = "", kind } = server;
      return { name: new URL(url).host, origin: { server: { url, user, key, kind, isGuarded: true } } };
    }
    if (folder !== undefined) {
      if (!isAdmin) throw forbidden("Only admins can import what lies on the disk of the server.");
      const paths = [await findFolder(folder)];
      return { name: folder, origin: { paths, without: listDirectories(dirs) } };
    }
    const found = await findFiles(db, owner, fileIDs);
    const files = fileIDs.map((id) => {
      const file = found.get(id);
      if (!file) throw invalid(`There is no file ${id}.`, "fileIDs");
      if (file.isDirectory) throw invalid(`${file.name} is a directory, not an archive.`, "fileIDs");
      return storedBytes(file);
    });
    const origin = { files: files.map(({ name, size }) => ({ name, size })) };
    return { name: files.map(({ name }) => name).join(", "), origin, files };
  }

  function storedBytes({ name, sha256, size }: StoredFile): StoredBytes {
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

  /** The place on the disk: below the directory for imports, also behind symbolic links, and not in that of the site. */
  async function findFolder(folder: string): Promise<string> {
    const { importDir } = dirs;
    if (importDir === null)
      throw invalid("The server imports nothing from its disk: set IMPORT_DIR to allow it.", "folder");
    const top = await realpath(importDir).catch(() => importDir);
    const place = folder.includes("\0") ? "" : await realpath(join(top, folder)).catch(() => "");
    const isBelow = (above: string) => `${place}/`.startsWith(above.endsWith("/") ? above : `${above}/`);
    if (!isBelow(top)) throw invalid(`There is no ${JSON.stringify(folder)} in the directory for imports.`, "folder");
    if (listDirectories(dirs).some(isBelow)) throw invalid("It is in the data directory of this site.", "folder");
    return place;
  }

  function optionsOf({ fetch, asFolder, visibility, ...plan }: Plan): Job["options"] {
    const { photos: hasPhotos, albums: hasAlbums, people: hasPeople, stars: hasStars, hidden: hasHidden } = plan;
    const chosen = { hasPhotos, hasAlbums, hasPeople, hasStars, hasHidden, asFolder, visibility };
    return { ...chosen, fetch: fetch ? { allowPrivate } : undefined };
  }
}

export const isServer = (word: string): boolean => /^https?:\/\//i.test(word);

/** The address without a slash at its end, and the user that it names: `https://ada@cloud.example.org`. */
export function parseServer(word: string): { url: string; user: string } {
  if (!URL.canParse(word) || !isServer(word)) throw invalid(`${word} is not the address of a server.`, "server");
  const { password, username, origin, pathname } = new URL(word);
  if (password !== "")
    throw invalid("A password in an address can be seen by others: give it as the key instead.", "server");
  return { url: [origin, ...pathname.split("/").filter(Boolean)].join("/"), user: decodePart(username) };
}

/** A server that an admin has named in a request, by its address as it is stored. */
function tidyServer({ kind, url, username }: NamedServer): NamedServer {
  const found = parseServer(/^https?:/i.test(url.trim()) ? url.trim() : `https://${url.trim()}`);
  const user = username?.trim() || found.user;
  return { ...(kind && { kind }), url: found.url, ...(user && { username: user }) };
}
