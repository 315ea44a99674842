import { findFiles } from "../../src/content/files/store.ts";
import type { Blobs } from "../../src/platform/blobs/blobs.ts";
import { listDirectories } from "../../src/platform/database-directory.ts";
import type { Reader } from "../../src/platform/database/database.ts";
import { invalid } from "../../src/platform/errors.ts";
import type { Caller } from "../../src/platform/http/route.ts";
import type { Source } from "../../src/features/imports/item.ts";
import type { Plan } from "../../src/features/imports/plan.ts";
import { type Dirs, findFolder } from "../../src/features/imports/server-folder.ts";
import type { SourceWish } from "./kind.ts";
import { recognise } from "./kinds.ts";
import { openTrees } from "./open-trees.ts";
import { openNamed } from "./servers/named-server.ts";
import { openUploaded } from "./uploaded.ts";

type Deps = { db: Reader; blobs: Blobs; dirs: Dirs };
/** How another server is read. */
type Access = { key: string; signal: AbortSignal };

type Opened = AsyncDisposable & {
  /** Names it for people, and for the next time. */
  name: string;
  /** The default for its files. */
  directory: string;
  /** How much lies in it, once that is known. */
  readonly totalBytes: number | null;
  open(name: string, wish: SourceWish): Source;
};

/** Opens what a server should import, and finds out what it is. */
export async function openPlanned(deps: Deps, plan: Plan, owner: Caller, { key, signal }: Access): Promise<Opened> {
  if (plan.server) {
    const { title, url, open } = await openNamed(plan.server, key, signal);
    const dispose = { async [Symbol.asyncDispose]() {} };
    return { name: `${title}: ${url}`, directory: title, totalBytes: null, open, ...dispose };
  }
  const { tree, loose } = await openTree(deps, plan, owner);
  const dispose = () => tree[Symbol.asyncDispose]();
  try {
    const { title, nameOf, open } = await recognise(tree, plan.asFolder);
    // It is in the site already.
    if (title === null && loose !== null)
      throw invalid(`${loose} is neither an archive nor an export that can be recognised.`);
    const directory = title ?? tree.name;
    return {
      name: (await nameOf?.(tree, deps.db)) ?? directory,
      directory,
      get totalBytes() {
        return tree.totalBytes;
      },
      open: (given, wish) => open(tree, given, wish),
      [Symbol.asyncDispose]: dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}

async function openTree(
  { db, blobs, dirs }: Deps,
  { fileIDs, folder }: Plan,
  owner: Caller,
): ReturnType<typeof openUploaded> {
  if (folder !== undefined) {
    const place = await findFolder(dirs, owner, folder);
    return { tree: await openTrees([place], listDirectories(dirs)), loose: null };
  }
  const ids = fileIDs ?? [];
  const found = await findFiles(db, owner, ids);
  const files = ids.map((fileID) => {
    const file = found.get(fileID);
    if (!file) throw invalid(`File ${fileID} is not there any more.`);
    return file;
  });
  return openUploaded(blobs, files);
}
