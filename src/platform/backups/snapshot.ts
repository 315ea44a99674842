import { z } from "zod";
import { Problem } from "../errors.ts";
import { createHasher, hashed } from "../hash.ts";
import { isHashRight, printHashed } from "./hashed-text.ts";
import { makeFile, type Made } from "./made.ts";
import { BackupError } from "./place.ts";
import { readAgain } from "./reading.ts";
import type { Repository } from "./repository.ts";

const hash = z.string().regex(/^[0-9a-f]{64}$/);

const manifestSchema = z.object({
  id: z.string(),
  createdAt: z.iso.datetime(),
  /** Of the program that made it. */
  version: z.string(),
  engine: z.enum(["sqlite", "postgres"]),
  /** `sha256` is that of the database itself, before it was compressed, and `compressed` that of the compressed file. */
  database: z.object({ bytes: z.int(), sha256: hash, compressed: hash }),
  /** `lost` are those that the site itself did not have any more, or whose bytes were damaged there. */
  files: z.object({ count: z.int(), bytes: z.int(), sha256: hash, compressed: hash, lost: z.array(hash) }),
  /** The key that signs the tokens of the site. */
  secret: z.string(),
});

/** What a backup contains. It is written last: without it there is no such backup. */
export type Manifest = z.output<typeof manifestSchema>;

const folder = (id: string) => `snapshots/${id}/`;
const names = { manifest: "manifest.json", database: "database.sqlite.gz", files: "files.sha256.gz" } as const;
const maxManifestBytes = 2 ** 20;

/** A name that sorts by time, in milliseconds: two backups may be made in the same second. */
export function newID(now: Date): string {
  const time = now.toISOString().replaceAll(/[-:.]/g, "");
  return `${time}-${crypto.randomUUID().slice(0, 8)}`;
}

/** The ids of all complete backups, oldest first. */
export const listIDs = async (repository: Repository): Promise<string[]> => (await listSnapshots(repository)).complete;

async function listSnapshots({ place, sealing }: Repository) {
  const complete: string[] = [];
  const files: { id: string; name: string }[] = [];
  for await (const { name } of place.list("snapshots/")) {
    const [, id] = /^snapshots\/([^/]+)\/.*$/.exec(name) ?? [];
    if (!id) continue;
    files.push({ id, name });
    if (name === `${folder(id)}${names.manifest}${sealing.suffix}`) complete.push(id);
  }
  return { complete: complete.toSorted(), unfinished: files.filter(({ id }) => !complete.includes(id)) };
}

/** Removes what is left of backups that were never complete, or whose removal was interrupted. The caller holds the lock. */
export async function removeUnfinished(repository: Repository): Promise<void> {
  for (const { name } of (await listSnapshots(repository)).unfinished) await repository.place.remove(name);
}

/** Throws if the manifest is damaged. */
export const readManifest = (repository: Repository, id: string): Promise<Manifest> =>
  readAgain(() => tryManifest(repository, id));

async function tryManifest(repository: Repository, id: string): Promise<Manifest> {
  const bytes = await open(repository, id, "manifest");
  const damaged = new BackupError(`The backup ${id} is damaged: its manifest cannot be read.`);
  try {
    const parts: Uint8Array[] = [];
    let size = 0;
    for await (const part of bytes) {
      parts.push(part);
      if ((size += part.length) > maxManifestBytes) throw damaged;
    }
    const text = Buffer.concat(parts).toString();
    const manifest = manifestSchema.parse(JSON.parse(text));
    if (manifest.id === id && isHashRight(text)) return manifest;
  } catch (error) {
    if (error instanceof BackupError) throw error;
  }
  throw damaged;
}

/** What a manifest says besides the hashes of what is compressed. */
type Described = Omit<Manifest, "database" | "files"> & { files: Omit<Manifest["files"], "sha256" | "compressed"> };

/** Stores what was made, the manifest last. */
export async function addSnapshot(
  repository: Repository,
  described: Described,
  database: Made,
  files: Made,
): Promise<Manifest> {
  const { id } = described;
  const manifest: Manifest = {
    ...described,
    database: {
      bytes: database.size,
      sha256: database.sha256,
      compressed: await addCompressed(repository, folder(id) + names.database, database),
    },
    files: {
      ...described.files,
      sha256: files.sha256,
      compressed: await addCompressed(repository, folder(id) + names.files, files),
    },
  };
  await repository.place.flush();
  await add(repository, folder(id) + names.manifest, new Blob([printHashed(manifest)]).stream());
  return manifest;
}

/** Returns the hash of the compressed bytes. */
async function addCompressed(repository: Repository, name: string, { path }: Made): Promise<string> {
  const hasher = createHasher("sha256");
  await add(repository, name, hashed(Bun.file(path).stream().pipeThrough(new CompressionStream("gzip")), hasher));
  return hasher.digest("hex");
}

async function add({ place, sealing }: Repository, name: string, bytes: ReadableStream<Uint8Array>): Promise<void> {
  await place.add(`${name}${sealing.suffix}`, await place.make(await sealing.seal(bytes)));
}

const decompressed = (bytes: ReadableStream<Uint8Array>) =>
  bytes.pipeThrough<Uint8Array>(new DecompressionStream("gzip") as never);

/** The manifests go first: what is left of an interrupted removal is no backup. */
export async function removeSnapshots(repository: Repository, ids: string[]): Promise<void> {
  const { place, sealing } = repository;
  for (const id of ids) await place.remove(`${folder(id)}${names.manifest}${sealing.suffix}`);
  await place.flush();
  await removeUnfinished(repository);
}

/** The database of a backup, as a new file in this directory. Throws if it is not what was stored. */
export async function extractDatabase(repository: Repository, manifest: Manifest, directory: string): Promise<Made> {
  return extract(repository, { manifest, part: "database" }, directory);
}

/** The blobs that belong to a backup. */
export async function readFiles(repository: Repository, manifest: Manifest): Promise<string[]> {
  const { workDirectory } = repository.place;
  const file = await extract(repository, { manifest, part: "files" }, workDirectory);
  const lines = (await Bun.file(file.path).text()).split("\n").filter(Boolean);
  await Bun.file(file.path).delete();
  return lines.map((line) => line.slice(0, 64));
}

type Wanted = { manifest: Manifest; part: "database" | "files" };

function extract(repository: Repository, { manifest, part }: Wanted, directory: string): Promise<Made> {
  const { sha256, compressed } = manifest[part];
  const damaged = new BackupError(`The backup ${manifest.id} is damaged: ${names[part]} is not what was stored.`);
  return readAgain(async () => {
    const hasher = createHasher("sha256");
    const bytes = hashed(await open(repository, manifest.id, part), hasher);
    const file = await makeFile(directory, decompressed(bytes)).catch((error: unknown) => {
      // The disk may be full.
      throw error instanceof Problem || error instanceof BackupError ? error : damaged;
    });
    if (file.sha256 === sha256 && hasher.digest("hex") === compressed) return file;
    await Bun.file(file.path).delete();
    throw damaged;
  });
}

async function open({ place, sealing }: Repository, id: string, part: keyof typeof names) {
  const bytes = await place.open(`${folder(id)}${names[part]}${sealing.suffix}`);
  if (!bytes) throw new BackupError(`The backup ${id} is damaged: ${names[part]} is missing.`);
  return sealing.unseal(bytes).catch((error: unknown) => {
    if (error instanceof BackupError) throw error;
    throw new BackupError(`The backup ${id} is damaged: ${names[part]} cannot be decrypted.`);
  });
}
