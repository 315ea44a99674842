import { realpath } from "node:fs/promises";
import type { Job, NamedServer } from "../src/features/imports/converter-job.ts";
import type { Source } from "../src/features/imports/item.ts";
import type { Head } from "../src/features/imports/lines.ts";
import { invalid } from "../src/platform/errors.ts";
import type { Connection } from "./connection.ts";
import { type MeasuredTree, openTrees } from "../src/platform/archives/open-trees.ts";
import { recognise } from "./sources/kinds.ts";
import { findServer } from "./sources/servers/find-server.ts";
import { openUploaded } from "./uploaded.ts";

/** Somebody waits for the answer. */
const checkMs = 15_000;

type Totals = { items: number | null; bytes: number | null; files: number | null };

/** What a job wants to have read, after it was recognised. */
type OpenOrigin = AsyncDisposable &
  Pick<Head, "name" | "directory" | "alwaysHasPhotos"> & {
    source: Source;
    /** The folders in which files lie as they are. */
    roots: readonly string[];
    totals(): Totals;
  };

/** Opens it, and finds out what it is. */
export async function openOrigin({ job, archive }: Connection): Promise<OpenOrigin> {
  const { origin } = job;
  if ("server" in origin) return openServer(job, origin.server);
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
  const { title, alwaysHasPhotos, nameOf, open } = await recognise(tree, options.asFolder);
  // It is in the site already.
  if (title === null && loose !== null)
    throw invalid(`${loose} is neither an archive nor an export that can be recognised.`);
  const source = open(tree, "", options);
  return {
    name: (await nameOf?.(tree, siteID)) ?? title,
    directory: title ?? tree.name,
    alwaysHasPhotos,
    source,
    roots,
    totals() {
      const total = source.total?.() ?? null;
      return { items: total?.items ?? null, bytes: total?.bytes ?? tree.totalBytes, files: tree.totalFiles };
    },
    [Symbol.asyncDispose]: () => tree[Symbol.asyncDispose](),
  };
}

async function openServer({ options }: Job, named: NamedServer): Promise<OpenOrigin> {
  const { title, url, alwaysHasPhotos, open } = await find(named);
  const source = open("", options);
  const none = { items: null, bytes: null, files: null };
  return {
    name: `${title}: ${url}`,
    directory: title,
    alwaysHasPhotos,
    source,
    roots: [],
    totals: () => ({ ...none, ...source.total?.() }),
    async [Symbol.asyncDispose]() {},
  };
}

/** Throws a sentence for the person who has named the server if it does not respond, or refuses the key. */
export async function checkServer({ origin }: Job): Promise<void> {
  if (!("server" in origin)) throw invalid("There is no server to check.");
  const signal = AbortSignal.timeout(checkMs);
  try {
    const kind = await find(origin.server, { signal, attempts: 1, timeoutMs: checkMs });
    await kind.check();
  } catch (error) {
    if (signal.aborted) throw invalid(`${new URL(origin.server.address).host} has not responded in time.`, "server");
    throw error;
  }
}

const find = ({ address, key, kind, isGuarded }: NamedServer, more: object = {}) =>
  findServer(address, key, { kind, isGuarded, ...more });
