import { readdir, realpath } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { type Call, type Command, dataOption } from "./command.ts";
import { type Engines, openForServer, refuseMissingSite } from "../engines.ts";
import { invalid, missing } from "../platform/errors.ts";
import { createIntake } from "../content/files/intake.ts";
import { parsePath } from "../content/files/names.ts";
import { noEvents, type Reader } from "../platform/database/database.ts";
import { type Caller, mayActAs } from "../platform/http/route.ts";
import { findUserByName, listUsers } from "../core/users/store.ts";
import type { User } from "../core/users/user.ts";
import { importFolder, type Summary } from "../features/imports/import-folder.ts";
import { insertImport } from "../features/imports/store.ts";

export const importCommand: Command = {
  name: "import",
  arguments: ["FOLDER"],
  summary: "copy a folder from this machine, including subfolders, into the files",
  details:
    "Run it again to continue: files that already exist with the same content are skipped. Symbolic links are not followed. With SQLite or files on disk, stop the server first.",
  options: {
    to: { value: "PATH", summary: "the destination directory (default: / and the name of the folder)" },
    owner: { value: "NAME", summary: "who will own the files (default: the only admin)" },
    photos: { summary: "also create photos from the pictures, once the server is running" },
    ...dataOption,
  },
  run: runImport,
};

async function runImport({ words: [folder = ""], options, config, schema }: Call): Promise<number> {
  await refuseMissingSite(config);
  const path = await findFolder(resolve(folder));
  const to = parsePath(options.to ?? basename(path), "--to");
  const engines = await openForServer(config, schema, noEvents);
  try {
    const owner = await findOwner(engines.db, options.owner);
    const dataDir = await realpath(config.dataDir);
    if (`${path}/`.startsWith(`${dataDir}/`)) throw invalid(`${path} is in the data directory of this site.`);
    // The server reads the images: this command has no decoder.
    const images = { readAhead: async () => {} };
    const intake = createIntake({ ...engines, images, limits: config });
    const summary = await importFolder(engines.db, intake, { path, to, owner, dataDir }, console.log);
    console.log(describeSummary(summary));
    if (options.photos !== undefined) console.log(await queuePhotoImport(engines, owner, to, summary.directoryID));
    return summary.refused === 0 ? 0 : 1;
  } finally {
    await engines.close();
  }
}

async function findFolder(path: string): Promise<string> {
  try {
    await readdir(path);
    return await realpath(path);
  } catch (error) {
    throw invalid(`${path} cannot be imported: ${(error as Error).message}`);
  }
}

async function findOwner(db: Reader, name: string | undefined): Promise<Caller> {
  const { id, username, role } = name === undefined ? await findOnlyAdmin(db) : await getUser(db, name);
  const owner = { id, username, role, tokenID: "" };
  if (mayActAs(owner, "author")) return owner;
  throw invalid(`${username} is a reader: only authors and admins can own files.`);
}

async function getUser(db: Reader, name: string): Promise<User> {
  const user = await findUserByName(db, name);
  if (!user) throw missing(`user ${name}`);
  return user;
}

async function findOnlyAdmin(db: Reader): Promise<User> {
  const [admin, ...others] = (await listUsers(db)).filter(({ role }) => role === "admin");
  if (admin && others.length === 0) return admin;
  throw invalid(`There is ${admin ? "more than one" : "no"} admin: choose the owner of the files with --owner NAME.`);
}

function describeSummary({ imported, bytes, existing, refused }: Summary): string {
  const megabytes = (bytes / 1e6).toFixed(1);
  return `Files imported: ${imported} (${megabytes} MB); already imported: ${existing}; not imported: ${refused}.`;
}

/** Adds the same import as `POST /api/v1/photos/import`. A server runs it in the background. */
async function queuePhotoImport({ db }: Engines, owner: Caller, to: string[], directoryID: number): Promise<string> {
  const details = { directoryID, path: `/${to.join("/")}`, recursive: true };
  const id = await db.transaction((tx) => insertImport(tx, owner, details));
  return `The server will create photos from the pictures: GET /api/v1/imports/${id} shows the progress.`;
}
