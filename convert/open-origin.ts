import { realpath } from "node:fs/promises";
import type { Job } from "./format/job.ts";
import type { Head } from "./format/lines.ts";
import { invalid } from "../src/platform/errors.ts";
import type { Connection } from "../src/platform/pipes/child.ts";
import { joinTrees, type MeasuredTree, openTrees } from "../src/platform/archives/open-trees.ts";
import type { StoredBytes } from "../src/platform/archives/stored-bytes.ts";
import { openTar } from "../src/platform/archives/tar.ts";
import { type Tree, UnusableTree } from "../src/platform/archives/tree.ts";
import { openZip } from "../src/platform/archives/zip.ts";
import type { Item } from "./sources/items.ts";
import { recognise } from "./sources/kinds.ts";
import { findServer } from "./sources/servers/find-server.ts";

/** Somebody waits for the response. */
const checkMs = 15_000;

type Totals = { items: number | null; bytes: number | null; files: number | null };

/** What a job wants to have read, after it was recognised. */
type OpenOrigin = AsyncDisposable & {
  head: Omit<Head, "kind" | "version">;
  items: AsyncIterable<Item>;
  /** The folders in which files lie as they are. */
  roots: readonly string[];
  totals(): Totals;
};

/** Opens it, and finds out what it is. */
export async function openOrigin({ job, archive }: Connection<Job>): Promise<OpenOrigin> {
  const { origin, options } = job;
  if ("server" in origin) {
    const { title, url, kind, alwaysHasPhotos, list } = await findServer(origin.server);
    return {
      head: { program: kind, name: `${title}: ${url}`, directory: title, alwaysHasPhotos, hasUniqueFiles: false },
      items: list(options),
      roots: [],
      totals: () => ({ items: null, bytes: null, files: null }),
      async [Symbol.asyncDispose]() {},
    };
  }
  if ("files" in origin) {
    const { tree, loose } = await openUploaded(origin.files.map((file, index) => archive(index, file)));
    return openTree(job, tree, { roots: [], loose });
  }
  const tree = await openTrees(origin.paths, origin.without);
  const roots = await Promise.all(origin.paths.map((path) => realpath(path)));
  return openTree(job, tree, { roots, loose: null });
}

async function openTree(
  { options, siteID }: Job,
  tree: MeasuredTree,
  { roots, loose }: { roots: string[]; loose: string | null },
): Promise<OpenOrigin> {
  const source = await recognise(tree, options.asFolder);
  const { kind: program, title, alwaysHasPhotos } = source;
  // It is in the site already.
  if (title === null && loose !== null)
    throw invalid(`${loose} is neither an archive nor an export that can be recognised.`);
  const name = (await source.nameOf?.(tree, siteID)) ?? title;
  const hasUniqueFiles = source.hasUniqueFiles?.(tree) ?? false;
  let known: Partial<Totals> = {};
  return {
    head: { program, name, directory: title ?? tree.name, alwaysHasPhotos, hasUniqueFiles },
    items: source.list(tree, options, (total) => (known = total)),
    roots,
    totals: () => ({ items: null, bytes: tree.totalBytes, files: tree.totalFiles, ...known }),
    [Symbol.asyncDispose]: () => tree[Symbol.asyncDispose](),
  };
}

/** Files of the site as one tree: what lies in archives, and other files as they are, of which `loose` is the first. */
async function openUploaded(files: StoredBytes[]): Promise<{ tree: MeasuredTree; loose: string | null }> {
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

/** Throws a sentence for the person who has named the server if it does not respond, or refuses the key. */
export async function checkServer({ origin }: Job): Promise<void> {
  if (!("server" in origin)) throw invalid("There is no server to check.");
  const signal = AbortSignal.timeout(checkMs);
  try {
    const kind = await findServer(origin.server, { signal, attempts: 1, timeoutMs: checkMs });
    await kind.check();
  } catch (error) {
    if (signal.aborted) throw invalid(`${new URL(origin.server.url).host} has not responded in time.`, "server");
    throw error;
  }
}
