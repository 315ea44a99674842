import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { storedKey } from "../features/imports/texts.ts";
import { findSiteID } from "../core/images/public-names.ts";
import type { SourceOptions } from "../../convert/format/job.ts";
import { openLines, type OpenSource, openSource, type ReadingSite } from "../features/imports/open-source.ts";
import { isServer, parseServer } from "../features/imports/planned-source.ts";
import { ServerGone } from "../platform/pipes/failures.ts";
import { listDirectories } from "../platform/database-directory.ts";
import type { Reader } from "../platform/database/database.ts";
import { invalid } from "../platform/errors.ts";
import { UsageError } from "./command.ts";

type Site = ReadingSite & { importKey: string | null };
/** `name` is what tells a source without a name of its own from others. */
type Opened = { source: OpenSource; name: string };

/** `files` is the folder of the files of lines. */
type Wanted = { site: Site; db: Reader; options: SourceOptions; files: string };

/** Opens paths of folders and archives, or the address of one server. */
export async function openOrigin(words: string[], { site, db, options, files }: Wanted): Promise<Opened> {
  const [first = ""] = words;
  if (words.includes("-")) {
    if (words.length > 1)
      throw new UsageError("Lines from the standard input cannot be imported together with something else.");
    const { visibility } = options;
    const source = await openLines(site, { chunks: process.stdin, folder: resolve(files), visibility });
    return { source, name: "lines" };
  }
  const rest = { options, siteID: await findSiteID(db) };
  if (words.some(isServer)) {
    if (words.length > 1) throw new UsageError("A server cannot be imported together with something else.");
    const { url, user } = parseServer(first);
    if (site.importKey === null) throw invalid(`${url} needs a key: use --key-file FILE, or set IMPORT_KEY.`);
    const server = { url, user, key: site.importKey, isGuarded: false };
    const source = await openSource(site, { origin: { server }, ...rest }).catch((error: unknown) => {
      throw error instanceof ServerGone ? invalid(error.message) : error;
    });
    return { source, name: first };
  }
  const paths = words.map((word) => resolve(word));
  const without = listDirectories(site);
  for (const path of paths) {
    const place = await realpath(path).catch(() => path);
    if (without.some((directory) => `${place}/`.startsWith(`${directory}/`)))
      throw invalid(`${path} is in the data directory of this site.`);
  }
  const source = await openSource(site, { origin: { paths, without }, ...rest });
  return { source, name: storedKey(paths.join(" ")) };
}
