import { readFileSync } from "node:fs";

/** The kind of the file system in which a directory is; null where the system does not tell. */
export function findFileSystem(directory: string): string | null {
  if (process.platform === "darwin") {
    return fileSystemOf(directory, readMounts(Bun.spawnSync(["/sbin/mount"]).stdout.toString()));
  }
  try {
    return fileSystemOf(directory, readMountInfo(readFileSync("/proc/self/mountinfo", "utf8")));
  } catch {
    return null;
  }
}

type Mount = { path: string; kind: string };

/** A later mount hides an earlier one. */
export function fileSystemOf(directory: string, mounts: readonly Mount[]): string | null {
  const holds = ({ path }: Mount) => path === "/" || directory === path || directory.startsWith(`${path}/`);
  const found = mounts.filter(holds).toSorted((a, b) => a.path.length - b.path.length);
  return found.at(-1)?.kind ?? null;
}

/** Of Linux: number, parent, device, root, path, options, optional fields, "-", kind. Spaces are octal numbers. */
export const readMountInfo = (text: string): Mount[] =>
  [...text.matchAll(/^\d+ \d+ \S+ \S+ (\S+) .*? - (\S+) /gm)].map(([, path = "", kind = ""]) => ({
    path: path.replace(/\\(\d{3})/g, (_, number: string) => String.fromCharCode(Number.parseInt(number, 8))),
    kind,
  }));

/** Of macOS: `//ada@nas/share on /Volumes/share (smbfs, nodev, nosuid)`. */
export const readMounts = (text: string): Mount[] =>
  [...text.matchAll(/^.*? on (.+) \((\w+)[,)]/gm)].map(([, path = "", kind = ""]) => ({ path, kind }));
