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
import { addHeader, type Header, newestFormat, readHeader } from "./header.ts";
import { addKeyFile, addReadme, namesBeside, readKeyFile, refuseLostKeys } from "./key-files.ts";
import { BackupError, type Place } from "./place.ts";

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
  await refuseLostKeys(place, header);
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
    files: {},
  };
  let sealing = unsealed;
  if (recipient) {
    const nameKey = newNameKey();
    const add = addKeyFile.bind(null, place, header.files);
    await add("name-key.age", await encryptBytes(recipient, new TextEncoder().encode(nameKey)));
    if (made && keys.passphrase)
      await add("identity.age", await encryptWithPassphrase(keys.passphrase, `${made.identity}\n`));
    await nameKeys.store(id, nameKey);
    sealing = await createSealing(recipient, made?.identity ?? null, nameKey);
  }
  await addReadme(place, header);
  await addHeader(place, header);
  return { place, header, sealing };
}

/** A wrong place must not be filled with backups. */
async function refuseOtherFiles(place: Place): Promise<void> {
  const own = new Set(["lock", ...namesBeside]);
  for await (const { name } of place.list("")) {
    const first = name.replace(/^\//, "");
    if (own.has(first) || first.startsWith("unfinished-") || first.startsWith("lost+found")) continue;
    throw new BackupError(`${place.name} is neither empty nor a place with backups of Vitrine (it has "${first}").`);
  }
}

async function unlock(place: Place, header: Header, keys: Keys, nameKeys: NameKeys | null): Promise<Sealing> {
  const { id, encryption } = header;
  if (!encryption) return unsealed;
  const identity = await findIdentity(place, header, keys);
  const sealedKey = identity === null ? null : await readKeyFile(place, header, "name-key.age");
  const nameKey =
    identity === null || !sealedKey
      ? ((await nameKeys?.read(id)) ?? null)
      : new TextDecoder().decode(await decryptBytes(identity, sealedKey));
  if (nameKey === null) throw new BackupError(needsKey);
  return createSealing(encryption.recipient, identity, nameKey);
}

async function findIdentity(place: Place, header: Header, { passphrase, identityFile }: Keys): Promise<string | null> {
  if (identityFile) return readIdentityFile(identityFile);
  const sealed = passphrase ? await readKeyFile(place, header, "identity.age") : null;
  return passphrase && sealed ? (await decryptWithPassphrase(passphrase, sealed)).trim() : null;
}

/** Where a blob is stored. */
export function blobName({ sealing }: Repository, sha256: string): string {
  const name = sealing.nameOf(sha256);
  return `blobs/${name.slice(0, 2)}/${name}${sealing.suffix}`;
}

/** Where damaged blobs are kept until somebody deletes them. */
const asideName = (name: string) => name.replace(/^blobs/, "damaged");

/** The next backup stores these bytes again, if the site has them. */
export const setAside = ({ place }: Repository, name: string): Promise<void> => place.rename(name, asideName(name));

/** The names of blobs that were set aside. */
export async function listSetAside({ place }: Repository): Promise<Set<string>> {
  const names = new Set<string>();
  for await (const { name } of place.list("damaged/")) names.add(name.replace(/^damaged/, "blobs"));
  return names;
}

/** The sizes of all blobs that are stored, by their names. */
export async function listStored({ place }: Repository): Promise<Map<string, number>> {
  const stored = new Map<string, number>();
  for await (const { name, size } of place.list("blobs/")) stored.set(name, size);
  return stored;
}
