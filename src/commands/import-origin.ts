import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { storedKey } from "../features/imports/acceptable.ts";
import type { Source } from "../features/imports/item.ts";
import { ServerGone } from "../features/imports/server-gone.ts";
import type { SourceWish } from "../../convert/sources/kind.ts";
import { recognise } from "../../convert/sources/kinds.ts";
import { openTrees } from "../../convert/sources/open-trees.ts";
import { findServer, isServer, parseServer } from "../../convert/sources/servers/find-server.ts";
import type { Reader } from "../platform/database/database.ts";
import { invalid } from "../platform/errors.ts";
import { UsageError } from "./command.ts";

/** Where the sources of an import lie. */
type Origin = AsyncDisposable & {
  /** Names it for people, and for the next time. */
  name: string;
  /** The default for its files. */
  directory: string;
  alwaysHasPhotos: boolean;
  /** How much lies in it, once that is known. */
  readonly totalBytes: number | null;
  readonly totalFiles: number | null;
  open(name: string, wish: SourceWish): Source;
};

type PathOptions = { db: Reader; without: readonly string[]; asFolder: boolean };

/** Paths of folders and archives, or the address of one server. */
export async function openOrigin(
  words: string[],
  { key, ...paths }: PathOptions & { key: string | null },
): Promise<Origin> {
  const [first = ""] = words;
  if (!words.some(isServer)) return openPaths(words, paths);
  if (words.length > 1) throw new UsageError("A server cannot be imported together with something else.");
  const { title, url, alwaysHasPhotos, open } = await openServer(first, key);
  const dispose = { async [Symbol.asyncDispose]() {} };
  return {
    name: `${title}: ${url}`,
    directory: title,
    alwaysHasPhotos,
    totalBytes: null,
    totalFiles: null,
    open,
    ...dispose,
  };
}

async function openServer(word: string, key: string | null): ReturnType<typeof findServer> {
  const { url } = parseServer(word);
  if (key === null) throw invalid(`${url} needs a key: use --key-file FILE, or set IMPORT_KEY.`);
  try {
    return await findServer(word, key);
  } catch (error) {
    throw error instanceof ServerGone ? invalid(error.message) : error;
  }
}

async function openPaths(words: string[], { db, without, asFolder }: PathOptions): Promise<Origin> {
  const paths = words.map((word) => resolve(word));
  for (const path of paths) {
    const place = await realpath(path).catch(() => path);
    if (without.some((directory) => `${place}/`.startsWith(`${directory}/`)))
      throw invalid(`${path} is in the data directory of this site.`);
  }
  const tree = await openTrees(paths, without);
  const { title, alwaysHasPhotos, nameOf, open } = await recognise(tree, asFolder);
  return {
    name: (await nameOf?.(tree, db)) ?? storedKey(title ?? paths.join(" ")),
    directory: title ?? tree.name,
    alwaysHasPhotos,
    get totalBytes() {
      return tree.totalBytes;
    },
    get totalFiles() {
      return tree.totalFiles;
    },
    open: (name, wish) => open(tree, name, wish),
    [Symbol.asyncDispose]: () => tree[Symbol.asyncDispose](),
  };
}
