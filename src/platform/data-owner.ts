import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { DataDirectoryError } from "./data-directory.ts";
import { databaseFile, type SiteDirectories } from "./database-directory.ts";
import { ownProgram, quoteForShell } from "./own-command.ts";

/** Where systemd keeps the directories of units with `DynamicUser=yes`. Only root and the unit itself can reach them. */
const privateState = "/var/lib/private";

/**
 * If root runs this process, it continues as the user to whom the site belongs: files that root creates in its directory
 * would stop that user's server. Nothing in the directory has been opened before. A directory that does not exist
 * yet will belong to root. `program` are files that are needed afterwards, `words` what the person has typed.
 */
export function becomeOwner(site: SiteDirectories, program: string[], words: string[]): void {
  const directory = site.dataDir;
  const owner = process.getuid?.() === 0 ? findOwner(site) : null;
  if (!owner || owner.uid === 0) return;
  const command = () => [ownProgram, ...words].map(quoteForShell).join(" ");
  const belongs = `${directory} belongs to the user ${owner.uid}`;
  try {
    joinGroups(owner);
    process.setgid?.(owner.gid);
    process.setuid?.(owner.uid);
  } catch {
    const otherwise = `sudo --user='#${owner.uid}' ${command()}`;
    throw new DataDirectoryError(`${belongs}, and this process may not act as that user: run "${otherwise}".`);
  }
  const hidden = program.find((path) => !isAccessible(path, constants.R_OK));
  if (hidden) {
    const advice = "install Vitrine where all users can read it (docs/operate/deploy.md)";
    throw new DataDirectoryError(`${belongs}, who cannot read the program in ${dirname(hidden)}: ${advice}.`);
  }
  if (isAccessible(directory, constants.R_OK | constants.W_OK | constants.X_OK)) return;
  throw new DataDirectoryError(`${belongs}, who cannot use it from here: ${adviceFor(owner.path, command())}.`);
}

type Owner = { uid: number; gid: number; path: string };

/** Whoever runs the server owns its database, even in a directory that is shared with a group. */
function findOwner(site: SiteDirectories): Owner | null {
  try {
    const path = realpathSync(site.dataDir);
    const found = [databaseFile(site), path].map((name) => statSync(name, { throwIfNoEntry: false }));
    const { uid, gid } = found.find((stat) => stat !== undefined) ?? { uid: 0, gid: 0 };
    return { uid, gid, path };
  } catch {
    // It does not exist, or cannot be used: opening it says so.
    return null;
  }
}

/** Users of systemd are known by name only while their unit runs. */
function joinGroups({ uid, gid }: Owner): void {
  const { initgroups } = process as NodeJS.Process & { initgroups?: (user: number, group: number) => void };
  try {
    initgroups?.(uid, gid);
  } catch {
    process.setgroups?.([gid]);
  }
}

function isAccessible(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

function adviceFor(path: string, command: string): string {
  if (dirname(path) !== privateState) return "give that user the rights to the directories above it";
  const name = basename(path);
  const properties = ["DynamicUser=yes", `User=${name}`, `StateDirectory=${name}`];
  const words = [
    "systemd-run",
    "--pty",
    "--wait",
    "--collect",
    ...properties.map((one) => `--property=${one}`),
    command,
  ];
  return `run "${words.join(" ")}"`;
}
