import type { StoredBytes } from "../src/platform/archives/stored-bytes.ts";
import { openTar } from "../src/platform/archives/tar.ts";
import { type Tree, UnusableTree } from "../src/platform/archives/tree.ts";
import { openZip } from "../src/platform/archives/zip.ts";
import { invalid } from "../src/platform/errors.ts";
import { joinTrees, type MeasuredTree } from "../src/platform/archives/open-trees.ts";

/** Files of the site as one tree: what lies in archives, and other files as they are, of which `loose` is the first. */
export async function openUploaded(files: StoredBytes[]): Promise<{ tree: MeasuredTree; loose: string | null }> {
  let loose: string | null = null;
  const openers = files.map((file) => async () => {
    const archive = await openArchive(file);
    if (!archive) loose ??= file.name;
    return archive ?? aloneIn(file);
  });
  return { tree: await joinTrees(openers), loose };
}

/** Null if it is none. */
async function openArchive(bytes: StoredBytes): Promise<Tree | null> {
  try {
    const head = Buffer.concat(await Array.fromAsync(bytes.read(0, Math.min(262, bytes.size))));
    if (head.toString("latin1", 0, 2) === "PK") return await openZip(bytes);
    const isCompressed = head[0] === 0x1f && head[1] === 0x8b;
    if (isCompressed || head.toString("latin1", 257, 262) === "ustar") return await openTar(bytes, isCompressed);
    return null;
  } catch (error) {
    if (!(error instanceof UnusableTree)) throw error;
    throw invalid(`${bytes.name} cannot be imported: ${error.message}`);
  }
}

function aloneIn({ name, size, read }: StoredBytes): Tree {
  return {
    name: name.replace(/\.[^.]+$/, ""),
    async *list() {
      yield { path: [name], size, modifiedAt: null, open: () => read(0, size) };
    },
    async [Symbol.asyncDispose]() {},
  };
}
