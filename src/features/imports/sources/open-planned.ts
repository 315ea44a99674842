import { realpath } from "node:fs/promises";
import { findFiles } from "../../../content/files/store.ts";
import type { Blobs } from "../../../platform/blobs/blobs.ts";
import type { Reader } from "../../../platform/database/database.ts";
import { invalid } from "../../../platform/errors.ts";
import type { Caller } from "../../../platform/http/route.ts";
import type { Plan } from "../plan.ts";
import { type Dirs, findFolder } from "../server-folder.ts";
import type { SourceKind } from "./kind.ts";
import { recognise } from "./kinds.ts";
import { type MeasuredTree, openTrees } from "./open-trees.ts";
import { openUploaded } from "./uploaded.ts";

type Deps = { db: Reader; blobs: Blobs; dirs: Dirs };

/** Opens what a server should import, and finds out what it is. */
export async function openPlanned(
  deps: Deps,
  plan: Plan,
  owner: Caller,
): Promise<{ tree: MeasuredTree; kind: SourceKind }> {
  const { tree, loose } = await openTree(deps, plan, owner);
  try {
    const kind = await recognise(tree);
    // It is in the site already.
    if (kind.title === null && loose !== null)
      throw invalid(`${loose} is neither an archive nor an export that can be recognised.`);
    return { tree, kind };
  } catch (error) {
    await tree[Symbol.asyncDispose]();
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
    return { tree: await openTrees([place], await realpath(dirs.dataDir)), loose: null };
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
