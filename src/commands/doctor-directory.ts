import { existsSync, lstatSync, readFileSync, statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../config.ts";
import { isOfSystem } from "../platform/data-directory.ts";
import { databaseFile, isApart } from "../platform/database-directory.ts";
import { newestFormat } from "../platform/database/migrate.ts";
import { type Disk, openDisk } from "../platform/disk.ts";
import type { Trouble } from "../platform/disk-errors.ts";
import { count, error, type Finding, warning } from "./doctor-finding.ts";

const othersRead = 0o004;
const others = 0o007;
const maxNamed = 5;
const shortestSecret = 32;

/** The files of the data directory as such: what they hold is compared elsewhere. */
export async function checkDirectory(config: Config): Promise<Finding[]> {
  const { dataDir, databaseDir, database } = config;
  if (!existsSync(dataDir)) return [];
  const ownsDatabase = () => ({ owner: statSync(databaseFile(config)).uid, role: "owns the database" });
  return [
    ...(database.engine === "sqlite" ? checkSecret(config) : []),
    ...(isApart(config)
      ? [
          // On a share, the files may belong to another user.
          ...(await checkRights({ path: dataDir, owner: statSync(dataDir).uid, role: "owns the directory" })),
          ...(await checkRights({ path: databaseDir, ...ownsDatabase() })),
          ...(await checkSpace(databaseDir)),
        ]
      : await checkRights({
          path: dataDir,
          ...(database.engine === "sqlite" ? ownsDatabase() : { owner: process.getuid?.(), role: "runs this command" }),
        })),
    ...(await checkSpace(dataDir)),
  ];
}

/** A site that another version has to open, or none can. */
export function checkFormat({ dataDir, database }: Config): Finding[] {
  const file = join(dataDir, "format");
  // A site that was restored has none before its next start.
  if (database.engine !== "sqlite" || !existsSync(file)) return [];
  const format = Number(readFileSync(file, "utf8"));
  if (!Number.isInteger(format) || format < 1)
    return [error("format", "is damaged", "restore it from a backup of the same version")];
  if (format > newestFormat)
    return [
      error(
        "format",
        `is ${format}, and this version supports ${newestFormat}`,
        "upgrade this program: a newer version has written the data",
      ),
    ];
  return [];
}

function checkSecret({ dataDir, jwtSecret }: Config): Finding[] {
  if (jwtSecret !== null) return [];
  const file = join(dataDir, "jwt-secret");
  if (!existsSync(file)) {
    const repair = "restore it from a backup; the next start writes another one, and signs everybody out";
    return [warning("jwt-secret", "is missing", repair)];
  }
  if (readFileSync(file, "utf8").trim().length >= shortestSecret) return [];
  return [error("jwt-secret", "is damaged", "restore it from a backup, or delete it, which signs everybody out")];
}

/** `owner` is the user to whom the files are to belong, and `role` says why. */
type Checked = { path: string; owner: number | undefined; role: string };
type FoundFile = { name: string; mode: number; uid: number };

/** Who can read the files, and whose they are. */
async function checkRights({ path, owner, role }: Checked): Promise<Finding[]> {
  // File systems of Windows have other rights.
  if (process.platform === "win32") return [];
  const files: FoundFile[] = [];
  for await (const file of walk(path)) files.push(file);
  const isOpen = (statSync(path).mode & others) !== 0;
  const readable = files.filter(({ mode }) => (mode & othersRead) !== 0);
  const foreign = files.filter(({ uid }) => uid !== owner);
  const secret = readable.find(({ name }) => name === "jwt-secret");
  const rest = isOpen ? readable.filter((file) => file !== secret) : [];
  return [
    ...(secret
      ? [
          error(
            "jwt-secret",
            "can be read by every user of this machine, who can sign in as anybody with it",
            `chmod 600 ${join(path, "jwt-secret")}; if others use this machine, delete it, which signs everybody out`,
          ),
        ]
      : []),
    ...(rest.length > 0
      ? [
          warning(
            "data directory",
            `${count(rest.length, "file")} can be read by every user of this machine (${nameSome(rest)})`,
            `chmod -R o-rwx ${path}`,
          ),
        ]
      : []),
    ...(foreign.length > 0
      ? [
          error(
            "data directory",
            `${count(foreign.length, "file")} ${foreign.length === 1 ? "does" : "do"} not belong to the user ${owner}, who ${role} (${nameSome(foreign)})`,
            `chown -R ${owner} ${path}`,
          ),
        ]
      : []),
  ];
}

const nameSome = (files: FoundFile[]) =>
  [...files.slice(0, maxNamed).map(({ name }) => name), ...(files.length > maxNamed ? ["…"] : [])].join(", ");

/** All files and directories below; a running server may remove some meanwhile. */
async function* walk(root: string, below = ""): AsyncGenerator<FoundFile> {
  const entries = await readdir(join(root, below), { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    if (below === "" && isOfSystem(entry.name)) continue;
    // A link has no rights of its own.
    if (entry.isSymbolicLink()) continue;
    const name = join(below, entry.name);
    const found = lstatSync(join(root, name), { throwIfNoEntry: false });
    if (!found) continue;
    // A directory can be entered only by those who may read what is in it.
    yield { name, mode: entry.isDirectory() ? 0 : found.mode, uid: found.uid };
    if (entry.isDirectory()) yield* walk(root, name);
  }
}

async function checkSpace(dataDir: string): Promise<Finding[]> {
  const disk = openDisk(dataDir, false);
  await disk.close();
  return describeSpace(disk.trouble(), disk.space());
}

export function describeSpace(trouble: Trouble | null, { bytes, isLow }: ReturnType<Disk["space"]>): Finding[] {
  const left = `${Math.floor(bytes / 2 ** 20)} MiB are free`;
  const repair = "free some space, or move the data to a larger disk";
  if (trouble === "full") return [error("disk", `is full: ${left}`, repair)];
  return isLow ? [warning("disk", `is nearly full: ${left}`, repair)] : [];
}
