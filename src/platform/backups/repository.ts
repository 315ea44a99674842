import { z } from "zod";
import { chunksOf } from "../blobs/blobs.ts";
import {
  createSealing,
  decryptBytes,
  decryptWithPassphrase,
  encryptBytes,
  encryptWithPassphrase,
  generateKeys,
  type Keys,
  needsKey,
  newNameKey,
  readIdentityFile,
  type Sealing,
  unsealed,
} from "./encryption.ts";
import { BackupError, type Place } from "./place.ts";

const newestFormat = 1;

const headerName = "vitrine-backups.json";
const identityName = "identity.age";
const nameKeyName = "name-key.age";

const headerSchema = z.object({
  format: z.literal(newestFormat),
  id: z.uuid(),
  /** The site whose backups these are. */
  site: z.string(),
  createdAt: z.string(),
  encryption: z.object({ recipient: z.string() }).nullable(),
});
type Header = z.output<typeof headerSchema>;

/** A place with backups: which files there are, and what their names and bytes mean. docs/operate/backup.md describes the format. */
export type Repository = { place: Place; header: Header; sealing: Sealing };

/** Where a site that may only write keeps the key of the names. */
type NameKeys = {
  read(repository: string): Promise<string | null>;
  store(repository: string, key: string): Promise<void>;
};

/** For reading. */
export async function openRepository(place: Place, keys: Keys): Promise<Repository> {
  const header = await readHeader(place);
  if (!header) throw new BackupError(`There are no backups of Vitrine in ${place.name}.`);
  return { place, header, sealing: await unlock(place, header, keys, null) };
}

/** Throws if the place has something else than backups. Changes nothing. */
export async function refuseOtherPlace(place: Place): Promise<void> {
  if (!(await readHeader(place))) await refuseOtherFiles(place);
}

/** For writing: the first backup creates it. */
export async function openOrCreateRepository(
  place: Place,
  keys: Keys,
  site: string,
  nameKeys: NameKeys,
): Promise<Repository> {
  if (keys.passphrase && keys.recipient) {
    throw new BackupError("BACKUP_PASSPHRASE and BACKUP_RECIPIENT are both set: set only one of them.");
  }
  const header = await readHeader(place);
  if (!header) return create(place, keys, site, nameKeys);
  if (header.site !== site) {
    throw new BackupError(`The backups in ${place.name} are those of another site: choose another place.`);
  }
  if (!header.encryption && (keys.passphrase || keys.recipient)) {
    throw new BackupError(
      `The backups in ${place.name} are not encrypted: choose another place, or unset BACKUP_PASSPHRASE and BACKUP_RECIPIENT.`,
    );
  }
  return { place, header, sealing: await unlock(place, header, keys, nameKeys) };
}

async function create(place: Place, keys: Keys, site: string, nameKeys: NameKeys): Promise<Repository> {
  const id = crypto.randomUUID();
  const made = keys.passphrase ? await generateKeys() : null;
  const recipient = made?.recipient ?? keys.recipient;
  const header: Header = {
    format: newestFormat,
    id,
    site,
    createdAt: new Date().toISOString(),
    encryption: recipient ? { recipient } : null,
  };
  const add = async (name: string, bytes: Uint8Array) => place.add(name, await place.make([bytes]));
  let sealing = unsealed;
  if (recipient) {
    const nameKey = newNameKey();
    await add(nameKeyName, await encryptBytes(recipient, new TextEncoder().encode(nameKey)));
    if (made && keys.passphrase)
      await add(identityName, await encryptWithPassphrase(keys.passphrase, `${made.identity}\n`));
    await nameKeys.store(id, nameKey);
    sealing = await createSealing(recipient, made?.identity ?? null, nameKey);
  }
  await add("README.txt", Buffer.from(describe(header)));
  // The last one: without it there is no repository.
  await add(headerName, Buffer.from(`${JSON.stringify(header, null, 2)}\n`));
  return { place, header, sealing };
}

/** A wrong place must not be filled with backups. */
async function refuseOtherFiles(place: Place): Promise<void> {
  const own = new Set(["lock", "README.txt", identityName, nameKeyName]);
  for await (const { name } of place.list("")) {
    const first = name.replace(/^\//, "");
    if (own.has(first) || first.startsWith("unfinished-") || first.startsWith("lost+found")) continue;
    throw new BackupError(`${place.name} is neither empty nor a place with backups of Vitrine (it has "${first}").`);
  }
}

async function readHeader(place: Place): Promise<Header | null> {
  const text = await readText(place, headerName);
  if (text === null) return null;
  const damaged = new BackupError(`${headerName} in ${place.name} is damaged.`);
  let value: { format?: unknown };
  try {
    value = JSON.parse(text) as { format?: unknown };
  } catch {
    throw damaged;
  }
  if (typeof value?.format === "number" && value.format > newestFormat) {
    throw new BackupError(
      `The backups in ${place.name} have format ${value.format}, and this version reads ${newestFormat}: upgrade this program.`,
    );
  }
  const parsed = headerSchema.safeParse(value);
  if (!parsed.success) throw damaged;
  return parsed.data;
}

async function unlock(
  place: Place,
  { id, encryption }: Header,
  keys: Keys,
  nameKeys: NameKeys | null,
): Promise<Sealing> {
  if (!encryption) return unsealed;
  const identity = await findIdentity(place, keys);
  const sealedKey = await readBytes(place, nameKeyName);
  if (identity !== null && !sealedKey) throw new BackupError(`${nameKeyName} is missing in ${place.name}.`);
  const nameKey =
    identity === null || !sealedKey
      ? ((await nameKeys?.read(id)) ?? null)
      : new TextDecoder().decode(await decryptBytes(identity, sealedKey));
  if (nameKey === null) throw new BackupError(needsKey);
  return createSealing(encryption.recipient, identity, nameKey);
}

async function findIdentity(place: Place, { passphrase, identityFile }: Keys): Promise<string | null> {
  if (identityFile) return readIdentityFile(identityFile);
  const sealed = passphrase ? await readBytes(place, identityName) : null;
  return passphrase && sealed ? (await decryptWithPassphrase(passphrase, sealed)).trim() : null;
}

async function readBytes(place: Place, name: string): Promise<Uint8Array | null> {
  const bytes = await place.open(name);
  return bytes && new Uint8Array(await new Response(chunksOf(bytes)).arrayBuffer());
}

async function readText(place: Place, name: string): Promise<string | null> {
  const bytes = await readBytes(place, name);
  return bytes && new TextDecoder().decode(bytes);
}

/** Where a blob is stored. */
export function blobName({ sealing }: Repository, sha256: string): string {
  const name = sealing.nameOf(sha256);
  return `blobs/${name.slice(0, 2)}/${name}${sealing.suffix}`;
}

/** The sizes of all blobs that are stored, by their names. */
export async function listStored({ place }: Repository): Promise<Map<string, number>> {
  const stored = new Map<string, number>();
  for await (const { name, size } of place.list("blobs/")) stored.set(name, size);
  return stored;
}

/** For someone who finds the folder in ten years. */
function describe({ encryption }: Header): string {
  const unseal = encryption ? "Every file is encrypted: `age --decrypt --identity KEY FILE` reads it.\n" : "";
  const key =
    "KEY is the file with the secret key; with a passphrase, it is identity.age.\nThe names in blobs/ are keyed hashes.\n";
  return `Backups of a site of Vitrine, a personal content server.

snapshots/ID/database.sqlite.gz   all records at one moment: gunzip it, and read it with sqlite3
snapshots/ID/files.sha256.gz      the files that belong to it: \`zcat snapshots/ID/files.sha256.gz | sha256sum --check\`
snapshots/ID/manifest.json        when it was made, by which version, and the hashes of these two
blobs/                            the content of the files, named by their SHA-256

${unseal}${encryption ? key : ""}\`vitrine backup restore --from THIS_FOLDER --data DIR\` makes a site of it.
`;
}
