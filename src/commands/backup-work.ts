import { join, resolve } from "node:path";
import { type Config, readBucketURL } from "../config.ts";
import { openForBackup } from "../engines.ts";
import { createBackup } from "../features/backups/create.ts";
import { openFolder } from "../platform/backups/folder.ts";
import { recordBackup } from "../features/backups/last-backup.ts";
import { BackupError, type Place, type Purpose } from "../platform/backups/place.ts";
import { pruneBackups, type Retention } from "../platform/backups/prune.ts";
import {
  openOrCreateRepository,
  openRepository,
  refuseOtherPlace,
  type Repository,
} from "../platform/backups/repository.ts";
import { beginRestore, checkBackup, endRestore, restoreFile, restoreFiles } from "../platform/backups/restore.ts";
import { listIDs, type Manifest, readManifest } from "../platform/backups/snapshot.ts";
import { chooseIDs, verifyBackups } from "../platform/backups/verify.ts";
import { openRestoringWork, openTemporaryWork, openWorkIn } from "../platform/backups/work-directory.ts";
import { openDiskBlobs } from "../platform/blobs/disk.ts";
import { writeSecret } from "../platform/data-directory.ts";
import { embeddedIn, type SiteDirectories, workRootOf } from "../platform/database-directory.ts";
import type { Database } from "../platform/database/database.ts";
import { readOrCreateSetting, readSetting, writeSetting } from "../platform/database/settings.ts";
import { unwatchedDisk } from "../platform/disk.ts";
import { type Call, UsageError } from "./command.ts";
import { migrateEngine } from "./migrate-engine.ts";

export async function create({ config, schema, options: { to = "" } }: Call): Promise<number> {
  const site = await openForBackup(config, schema);
  try {
    return await withPlace(config, to, "create", async (place) => {
      await refuseOtherPlace(place);
      await using _lock = await place.lock();
      const id = await readOrCreateSetting(site.db, "site-id", () => crypto.randomUUID());
      const repository = await openOrCreateRepository(place, config.backupKeys, id, nameKeysIn(site.db));
      const { files, ...manifest } = await createBackup(repository, site, console.log);
      await recordBackup(site.db, to.startsWith("s3:") ? to : resolve(to));
      console.log(`Backup ${manifest.id} is complete.`);
      if (files.lost.length === 0) return 0;
      console.log(`${describeLost(files.lost.length)}: run "vitrine doctor --hash".`);
      return 1;
    });
  } finally {
    await site.close();
  }
}

export const list = ({ config, options: { from = "", json } }: Call) =>
  withRepository(config, from, "read", async (repository) => {
    const manifests: Manifest[] = [];
    for (const id of await listIDs(repository)) manifests.push(await readManifest(repository, id));
    if (json !== undefined)
      console.log(
        JSON.stringify(
          manifests.map(({ secret: _, ...shown }) => shown),
          null,
          2,
        ),
      );
    else if (manifests.length === 0) console.log("There are no backups yet.");
    else for (const manifest of manifests) console.log(describeManifest(manifest));
    return 0;
  });

const describeManifest = ({ id, createdAt, version, files, database }: Manifest) =>
  `${id}  ${createdAt}  ${files.count} files, ${files.bytes + database.bytes} bytes, version ${version}`;

export const verify = ({ config, options: { from = "", snapshot, sample, repair } }: Call) =>
  withRepository(config, from, repair === undefined ? "read" : "write", async (repository) => {
    const isRepair = repair !== undefined;
    await using _lock = isRepair ? await repository.place.lock() : null;
    const ids = await chooseIDs(repository, snapshot);
    const share = sample === undefined ? 1 : 0.1;
    const { files, read, problems } = await verifyBackups(repository, ids, { share, isRepair, say: console.log });
    const backups = ids.length === 1 ? "1 backup" : `${ids.length} backups`;
    const compared = `${backups} and ${read} of ${files} files were compared`;
    console.log(problems === 0 ? `${compared}: all are as they were stored.` : `${compared}: ${problems} problems.`);
    return problems === 0 ? 0 : 1;
  });

export const prune = ({ config, options: { from = "", "dry-run": dry, ...options } }: Call) =>
  withRepository(config, from, "write", async (repository) => {
    await using _lock = await repository.place.lock();
    const isDryRun = dry !== undefined;
    const { kept, removed, files } = await pruneBackups(repository, readRetention(options), isDryRun);
    for (const id of removed) console.log(`${isDryRun ? "would be removed" : "removed"}: ${id}`);
    const were = isDryRun ? "would be" : "were";
    console.log(`${kept.length} backups stay; ${removed.length} backups and ${files} files ${were} removed.`);
    return 0;
  });

export const restore = (call: Call) =>
  withRepository(call.config, call.options.from ?? "", "restore", async (repository) => {
    const { config, options } = call;
    const manifest = await chooseManifest(repository, options.snapshot);
    const isEmbedded = config.database.engine === "sqlite" && config.blobStore.kind === "disk";
    const damaged = isEmbedded
      ? await restoreToDirectory(repository, manifest, config)
      : await restoreToEngines(repository, manifest, call);
    const lost = manifest.files.lost.length + damaged.length;
    console.log(`The backup of ${manifest.createdAt} is restored.`);
    if (lost === 0) return 0;
    for (const sha256 of damaged) console.log(`damaged: ${sha256}`);
    console.log(`${describeLost(lost)}: "vitrine doctor" says which.`);
    return 1;
  });

/** Without a choice, that of the newest backup. */
export async function chooseManifest(repository: Repository, chosen: string | undefined): Promise<Manifest> {
  const id = (await chooseIDs(repository, chosen)).at(-1);
  if (id === undefined) throw new BackupError(`There are no backups in ${repository.place.name} yet.`);
  return readManifest(repository, id);
}

/** Returns the files whose bytes are damaged in the backup. */
async function restoreToDirectory(
  repository: Repository,
  manifest: Manifest,
  site: SiteDirectories,
): Promise<string[]> {
  process.umask(0o077);
  const { database, files } = await checkBackup(repository, manifest);
  await beginRestore(site, manifest);
  const blobs = await openDiskBlobs(site.dataDir, unwatchedDisk);
  const damaged = await restoreFiles(repository, files, blobs, console.log);
  blobs.close();
  await writeSecret(site.dataDir, manifest.secret);
  await endRestore(site, database);
  return damaged;
}

/** The database is first restored to a directory of its own, and the rows copied from there; the files are not. */
async function restoreToEngines(
  repository: Repository,
  manifest: Manifest,
  { config, schema }: Call,
): Promise<string[]> {
  const { database } = await checkBackup(repository, manifest);
  const site = embeddedIn(join(repository.place.workDirectory, "site"));
  await beginRestore(site, manifest);
  await writeSecret(site.dataDir, manifest.secret);
  await endRestore(site, database);
  const damaged: string[] = [];
  await migrateEngine({ ...config, ...site }, config, schema, {
    say: console.log,
    storeBlob: async (sha256, blobs) => (await restoreFile(repository, sha256, blobs)) === "whole",
    damaged: (sha256) => void damaged.push(sha256),
  });
  return damaged;
}

const describeLost = (count: number) => `The site has lost the bytes of ${count} ${count === 1 ? "file" : "files"}`;

/** Kept in the site, so that it can go on with a public key alone. */
const nameKeysIn = (db: Database) => ({
  read: (id: string) => readSetting(db, `backup-name-key-${id}`),
  store: (id: string, key: string) => writeSetting(db, `backup-name-key-${id}`, key),
});

type WithRepository = (repository: Repository) => Promise<number>;

export const withRepository = (config: Config, repo: string, purpose: Purpose, work: WithRepository): Promise<number> =>
  withPlace(config, repo, purpose, async (place) => work(await openRepository(place, config.backupKeys)));

async function withPlace<Result>(
  config: Config,
  repo: string,
  purpose: Purpose,
  work: (place: Place) => Promise<Result>,
): Promise<Result> {
  const place = await openPlace(config, repo, purpose);
  try {
    return await work(place);
  } finally {
    await place.close();
  }
}

async function openPlace(config: Config, repo: string, purpose: Purpose): Promise<Place> {
  const openSpool = () =>
    purpose === "restore" ? openRestoringWork(config.databaseDir) : openWorkIn(workRootOf(config));
  const isInSite = purpose === "create" || purpose === "restore";
  if (!repo.startsWith("s3:")) return openFolder(repo, purpose, isInSite ? openSpool : openTemporaryWork);
  const { openBucket } = await import("../platform/backups/bucket.ts");
  const { prefix, ...bucket } = readBucketURL(purpose === "create" ? "--to" : "--from", repo);
  return openBucket(bucket, prefix, openSpool);
}

function readRetention(options: Record<string, string | undefined>): Retention {
  const read = (name: string, fallback: number) => {
    const text = options[name];
    if (text === undefined) return fallback;
    if (/^\d{1,4}$/.test(text)) return Number(text);
    throw new UsageError(`--${name} must be a number, not "${text}".`);
  };
  return { days: read("days", 7), weeks: read("weeks", 4), months: read("months", 12) };
}
