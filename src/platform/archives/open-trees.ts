import { createReadStream } from "node:fs";
import { open, realpath, stat } from "node:fs/promises";
import { basename } from "node:path";
import { ofThisSite, openFolder } from "./folder.ts";
import { openTar } from "./tar.ts";
import { type Tree, UnusableTree } from "./tree.ts";
import { openZip } from "./zip.ts";
import { invalid } from "../errors.ts";
import { nextTurn } from "../event-loop.ts";
import { findLockedFiles } from "../locked-files.ts";
import { noteProgress } from "../progress.ts";

/** Several folders or archives as one tree: what one program has exported often lies in several. */
export const openTrees = (paths: string[], without: readonly string[]): Promise<MeasuredTree> =>
  joinTrees(paths.map((path) => () => openTree(path, without)));

const entriesAtOnce = 200;

/** How much lies in it, and in how many files, once it was listed to its end. */
export type MeasuredTree = Tree & { totalBytes: number | null; totalFiles: number | null };

export async function joinTrees(openers: (() => Promise<Tree>)[]): Promise<MeasuredTree> {
  const trees: Tree[] = [];
  const close = async () => {
    for (const tree of trees) await tree[Symbol.asyncDispose]();
  };
  try {
    for (const open of openers) trees.push(await open());
  } catch (error) {
    await close();
    throw error;
  }
  const joined: MeasuredTree = {
    name: trees[0]?.name ?? "",
    hasFilesTogether: trees.length === 1 && trees[0]?.hasFilesTogether === true,
    totalBytes: null,
    totalFiles: null,
    async *list() {
      let [bytes, files, count] = [0, 0, 0];
      for (const [part, tree] of trees.entries())
        for await (const entry of tree.list()) {
          // The list of an archive may be long, and is read without yielding to the event loop.
          noteProgress();
          if (++count % entriesAtOnce === 0) await nextTurn();
          if ("size" in entry) {
            bytes += entry.size;
            files++;
          }
          yield "size" in entry ? { ...entry, part } : entry;
        }
      joined.totalBytes = bytes;
      joined.totalFiles = files;
    },
    [Symbol.asyncDispose]: close,
  };
  return joined;
}

/** A folder, or a zip, tar or tgz archive of one, recognised by its first bytes. `without` are left out of a folder. */
async function openTree(path: string, without: readonly string[]): Promise<Tree> {
  try {
    const place = await realpath(path);
    const found = await stat(place);
    if (found.isDirectory()) return openFolder(place, without);
    // Reading a pipe would wait for ever.
    if (!found.isFile()) throw new UnusableTree("It is neither a file nor a directory.");
    if (findLockedFiles(without)(found)) throw new UnusableTree(ofThisSite);
    const kind = await readKind(place);
    if (kind === "zip") return await openZip(place);
    if (kind === "text") return openFile(place);
    return await openTar(place, kind === "gzip");
  } catch (error) {
    throw invalid(`${path} cannot be imported: ${(error as Error).message}`);
  }
}

/** One file, such as the export of a blog. */
function openFile(path: string): Tree {
  const name = basename(path);
  return {
    name: name.replace(/\.[^.]{1,10}$/, ""),
    async *list() {
      const { size, mtimeMs } = await stat(path);
      yield { path: [name], size, modifiedAt: Math.trunc(mtimeMs), open: () => createReadStream(path) };
    },
    async [Symbol.asyncDispose]() {},
  };
}

async function readKind(path: string): Promise<"zip" | "gzip" | "text" | "other"> {
  await using file = await open(path, "r");
  const head = Buffer.alloc(64);
  const { bytesRead } = await file.read(head, 0, head.length, 0);
  if (head.toString("latin1", 0, 2) === "PK") return "zip";
  if (/^(\xef\xbb\xbf)?\s*[{<]|^"?(id|email)"?,/.test(head.toString("latin1", 0, bytesRead))) return "text";
  return head[0] === 0x1f && head[1] === 0x8b ? "gzip" : "other";
}
