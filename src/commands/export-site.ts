import { realpath, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type Config, readBucketURL } from "../config.ts";
import { listOldSlugs } from "../content/blog/slugs.ts";
import { listRedirectAddresses } from "../core/redirects/store.ts";
import { type Engines, openForBackup } from "../engines.ts";
import type { Module } from "../module.ts";
import type { Blobs } from "../platform/blobs/blobs.ts";
import { useDiskBlobs } from "../platform/blobs/disk.ts";
import { openSpoolDirectory } from "../platform/blobs/spool-directory.ts";
import { databaseFile, embeddedIn, workRootOf } from "../platform/database-directory.ts";
import type { Reader } from "../platform/database/database.ts";
import { collectReads, tablesOf } from "../platform/database/generations.ts";
import { hashTables } from "../platform/database/hash-tables.ts";
import { openSqlite } from "../platform/database/sqlite.ts";
import type { Schema } from "../platform/database/tables.ts";
import { unwatchedDisk } from "../platform/disk.ts";
import { invalid } from "../platform/errors.ts";
import { createLog } from "../platform/log.ts";
import { version } from "../platform/version.ts";
import { openVitrine } from "../server.ts";
import { listAssetURLs } from "../web/site/assets.ts";
import { openBucket } from "../web/static-copy/bucket.ts";
import { type Copied, copySite } from "../web/static-copy/copy.ts";
import type { Visit } from "../web/static-copy/crawl.ts";
import { openFolder } from "../web/static-copy/folder.ts";
import { CopyError, type Output } from "../web/static-copy/output.ts";
import { findUnchanged, type Ingredients, type State, writeState } from "../web/static-copy/state.ts";
import { type Call, UsageError } from "./command.ts";

const reportEveryMs = 2000;
const namesAtOnce = 1000;

/** Writes a static copy of the public site. It reads the site as of one moment, even while servers use it. */
export async function exportSite(
  { words, options, config, schema }: Call,
  modules: readonly Module[],
): Promise<number> {
  const { origin, base } = readAddress(options["url"] ?? config.baseURL);
  const output = await openOutput(words[0] ?? "", config);
  try {
    return await withCopiedDatabase({ ...config, baseURL: origin }, schema, async (original) => {
      const ingredients = listIngredients(original, base);
      const known = await findUnchanged(output, ingredients);
      if (known) return describeUnchanged(known, output.name);
      const reads = new Set<string>();
      const copied = await withCopiedSite(original, schema, modules, (visit, db) =>
        collectReads(reads, async () =>
          copySite(output, {
            visit,
            origin,
            base,
            more: await listOldAddresses(db),
            failed,
            progress: createProgress(),
          }),
        ),
      );
      // What could not be read now is tried again by the next run.
      if (copied.failures === 0) await writeState(output, ingredients, { ...copied, tables: tablesOf(reads) });
      return describe(copied, output.name);
    });
  } catch (error) {
    if (error instanceof CopyError) throw invalid(error.message);
    throw error;
  } finally {
    await output.close();
  }
}

/** The host, and the folder of it in which the copy will lie: "" or "/garden". */
function readAddress(url: string): { origin: string; base: string } {
  if (url === "")
    throw new UsageError("export --site needs the public address of the copy: --url https://example.org, or BASE_URL.");
  const parsed = URL.parse(url);
  if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.search || parsed.hash)
    throw new UsageError(
      `--url must be an address like https://example.org or https://example.org/blog, not "${url}".`,
    );
  const base = parsed.pathname.replace(/\/$/, "");
  if (!/^(?:\/[\w.~-]+)*$/.test(base))
    throw new UsageError(`The path of --url may have letters, digits and "-", "_", ".", "~" only, not "${base}".`);
  return { origin: parsed.origin, base };
}

async function openOutput(to: string, config: Config): Promise<Output> {
  try {
    if (to.startsWith("s3://")) {
      const { prefix, ...bucket } = readBucketURL("TO", to);
      return await openBucket(bucket, prefix);
    }
    const dataDir = await realpath(config.dataDir).catch(() => resolve(config.dataDir));
    if (`${resolve(to)}/`.startsWith(`${dataDir}/`))
      throw new CopyError(`${resolve(to)} is in the data directory of this site.`);
    return await openFolder(to);
  } catch (error) {
    if (error instanceof CopyError) throw invalid(error.message);
    throw error;
  }
}

/** A copy of the database in this directory, and what else belongs to the site. */
type CopiedDatabase = { config: Config; directory: string; path: string; secret: string };

/** Calls `work` with a copy of the database. The files of the site stay until the end. */
async function withCopiedDatabase<Result>(
  config: Config,
  schema: Schema,
  work: (copied: CopiedDatabase) => Promise<Result>,
): Promise<Result> {
  const original = await openForBackup(config, schema);
  const spool = await openSpoolDirectory(workRootOf(config));
  const directory = spool.path;
  try {
    await using _hold = await original.holdBlobs();
    const path = databaseFile({ databaseDir: directory });
    await original.exportDatabase(path);
    return await work({ config, directory, path, secret: original.secret });
  } finally {
    await rm(directory, { recursive: true, force: true });
    spool.release();
    await original.close();
  }
}

/** Everything that decides what guests see. */
function listIngredients({ config, path, secret }: CopiedDatabase, base: string): Ingredients {
  const settings = [version, listAssetURLs(), toCopied(config, ""), base];
  return { hashes: hashTables(path), settings, secret };
}

/** Calls `work` with a site on a copy of the database. Its files are those of the original. */
async function withCopiedSite<Result>(
  { config, directory, path, secret }: CopiedDatabase,
  schema: Schema,
  modules: readonly Module[],
  work: (visit: Visit, db: Reader) => Promise<Result>,
): Promise<Result> {
  const db = await openSqlite(path, { schema });
  const blobs = await openBlobs(config, directory);
  const engines: Engines = {
    db,
    blobs,
    disk: unwatchedDisk,
    secret,
    keepSecret: async () => {},
    async close() {
      await db.close();
      blobs.close();
    },
  };
  const vitrine = await openVitrine(toCopied(config, directory), createLog("silent"), modules, engines);
  try {
    return await work(visitWith(vitrine.fetch, config.baseURL), db);
  } finally {
    await vitrine.close();
  }
}

const noLimit = { perSecond: 1e9, burst: 1e9 };

const toCopied = (config: Config, directory: string): Config => ({
  ...config,
  ...embeddedIn(directory),
  blobStore: config.blobStore,
  redirectDownloads: false,
  tracing: null,
  metricsToken: null,
  rateLimit: noLimit,
  accountRateLimit: noLimit,
  mediaRateLimit: noLimit,
  pageRateLimit: noLimit,
});

/** Variants that are rendered for the copy stay with the originals, for servers and for the next copy. Nothing is removed. */
async function openBlobs({ dataDir, blobStore }: Config, directory: string): Promise<Blobs> {
  const blobs = blobStore.kind === "disk" ? useDiskBlobs(dataDir, unwatchedDisk) : await openStore();
  return {
    ...blobs,
    removeUnused: async () => {},
    removeDerived: async () => {},
    sweep: async () => ({ removed: 0, derived: { count: 0, bytes: 0 } }),
  };

  async function openStore(): Promise<Blobs> {
    if (blobStore.kind === "disk") throw new Error("The blobs lie on the disk.");
    const { openS3 } = await import("../platform/blobs/s3.ts");
    return openS3(blobStore, join(directory, "spool"));
  }
}

/** As a guest, without a port. */
function visitWith(respond: Awaited<ReturnType<typeof openVitrine>>["fetch"], origin: string): Visit {
  const connection = {
    requestIP: () => ({ address: "127.0.0.1", port: 0, family: "IPv4" as const }),
    timeout: () => {},
  };
  const { host } = new URL(origin);
  return async (path, headers = {}, method = "GET") =>
    respond(
      new Request(origin + path, { method, headers: { Accept: "text/html", Host: host, ...headers } }),
      connection,
    );
}

/** What posts and pages were called before, and where an earlier site had them. A file cannot have the address of a query. */
async function listOldAddresses(db: Reader): Promise<string[]> {
  const slugs = await readAll(
    (after) => listOldSlugs(db, after, namesAtOnce),
    ({ slug }) => slug,
  );
  const redirects = await readAll(
    (after) => listRedirectAddresses(db, after, namesAtOnce),
    ({ address }) => address,
  );
  return [
    ...slugs.map(({ slug, isPage }) => `${isPage ? "" : "/blog"}/${encodeURIComponent(slug)}`),
    ...redirects.flatMap(({ address }) =>
      address.includes("?") ? [] : address.split("/").map(encodeURIComponent).join("/"),
    ),
  ];
}

async function readAll<Row>(read: (after: string) => Promise<Row[]>, nameOf: (row: Row) => string): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const last = rows.at(-1);
    const some = await read(last ? nameOf(last) : "");
    rows.push(...some);
    if (some.length < namesAtOnce) return rows;
  }
}

const failed = (address: string, reason: string) => console.log(`Not copied: ${address}: ${reason}`);

function createProgress() {
  let next = Date.now() + reportEveryMs;
  return (what: string, count: number): void => {
    if (Date.now() < next) return;
    next = Date.now() + reportEveryMs;
    console.log(`${count} addresses ${what}`);
  };
}

function describe(copied: Copied, name: string): number {
  const { written, bytes, unchanged, removed, failures } = copied;
  describeContent(copied, name);
  console.log(`${written} files written (${(bytes / 1e6).toFixed(1)} MB), ${unchanged} unchanged, ${removed} removed.`);
  return failures === 0 ? 0 : 1;
}

function describeUnchanged(known: State, name: string): number {
  describeContent(known, name);
  console.log("The site has not changed since: 0 files written.");
  return 0;
}

function describeContent(
  { pages, files, isIndexWhole }: Pick<State, "pages" | "files" | "isIndexWhole">,
  name: string,
) {
  console.log(`${name} has ${pages} pages and ${files} pictures and other files.`);
  if (!isIndexWhole) console.log("The search has only a part of the site: posts, pages and albums come first.");
}
