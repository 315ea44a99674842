import { hashOfBytes } from "../hash.ts";
import { describeFormat, type Header } from "./header.ts";
import { BackupError, type Place } from "./place.ts";
import { readBytes } from "./reading.ts";

/** Without these, nobody can read an encrypted place: each is stored twice. */
type KeyFile = "identity.age" | "name-key.age";
const twins: Record<string, string> = {
  "identity.age": "identity-copy.age",
  "identity-copy.age": "identity.age",
  "name-key.age": "name-key-copy.age",
  "name-key-copy.age": "name-key.age",
};
const readmeName = "README.txt";
export const namesBeside = [readmeName, ...Object.keys(twins)];

type Files = Header["files"];

export async function addKeyFile(place: Place, files: Files, name: KeyFile, bytes: Uint8Array): Promise<void> {
  for (const one of [name, twins[name] ?? ""]) await add(place, files, one, bytes);
}

export const addReadme = (place: Place, header: Header): Promise<void> =>
  add(place, header.files, readmeName, Buffer.from(describeFormat(header)));

async function add(place: Place, files: Files, name: string, bytes: Uint8Array): Promise<void> {
  const made = await place.make([bytes]);
  await place.add(name, made);
  files[name] = made.sha256;
}

/** From its copy, if need be. Null if the place was created without it. */
export async function readKeyFile(place: Place, { files }: Header, name: KeyFile): Promise<Uint8Array | null> {
  if (files[name] === undefined) return null;
  const bytes = (await readRight(place, files, name)) ?? (await readRight(place, files, twins[name] ?? ""));
  if (bytes) return bytes;
  throw new BackupError(
    `${name} is missing or damaged in ${place.name}, and so is its copy ${twins[name]}. Without one of them nobody can read these backups: put one back from a copy of this place, or store backups in another place.`,
  );
}

/** Backups without them would be made for ever, and be found to be unreadable when they are needed. */
export async function refuseLostKeys(place: Place, header: Header): Promise<void> {
  for (const name of ["identity.age", "name-key.age"] as const) {
    if ((await readKeyFile(place, header, name)) === null || (await readRight(place, header.files, name))) continue;
    throw new BackupError(
      `${name} is missing or damaged in ${place.name}, and without it nobody can read these backups: "vitrine backup verify --repair --from ${place.name}" puts it back from its copy ${twins[name]}.`,
    );
  }
}

/** The names of files beside the backups that are missing or damaged. */
export async function findDamagedFiles(place: Place, { files }: Header): Promise<string[]> {
  const damaged: string[] = [];
  for (const name of Object.keys(files)) if (!(await readRight(place, files, name))) damaged.push(name);
  return damaged;
}

/** Returns false if nothing else has its bytes. */
export async function repairFile(place: Place, header: Header, name: string): Promise<boolean> {
  const { files } = header;
  const readme = Buffer.from(describeFormat(header));
  const bytes = name === readmeName ? readme : await readRight(place, files, twins[name] ?? "");
  if (!bytes || hashOfBytes(bytes) !== files[name]) return false;
  await place.add(name, await place.make([bytes]));
  return true;
}

async function readRight(place: Place, files: Files, name: string): Promise<Uint8Array | null> {
  const bytes = await readBytes(place, name);
  return bytes && hashOfBytes(bytes) === files[name] ? bytes : null;
}
