/**
 * A disk that keeps only what was flushed. It is loaded into a server before its own code (`bun --preload`), and keeps a
 * second directory as a power cut at this moment would leave it: each file with the bytes that it had when its last flush
 * began, each directory with the names that it had when its own last flush began. A file system keeps more than that, by
 * luck (ext4 writes all names with any flush), so a test on one does not notice a flush that is missing.
 *
 * SQLite writes and flushes its database file itself, when it moves the log into it, and no other code runs meanwhile: the
 * database is taken as it is when a flush of the log begins.
 *
 * It can also make one call fail (`DISK_FAILS`). A power cut is SIGUSR2: the second directory is then complete.
 */
import type { Dirent } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { callbackify, promisify } from "node:util";

// Not by `import`: the program gets the functions that these objects have when it imports them.
const fs = require("node:fs") as typeof import("node:fs");
const promises = require("node:fs/promises") as typeof import("node:fs/promises");
const { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } = fs;

/** `data` is what the server writes to; `disk` what is left of it. `flushMs`: how long a flush takes at least. */
export type DiskSettings = {
  data: string;
  disk: string;
  flushMs: number;
  /** The call with this number fails with this code, or each one; only calls of these names count. */
  fails: { number: number | "each"; code: string; calls: string[] } | null;
};

type Names = { files: string[]; directories: string[] };

const settings = JSON.parse(process.env.POWER_CUT_DISK ?? "null") as DiskSettings | null;
// Processes that decode pictures inherit the environment.
if (settings && ["serve", "restore", "create", "export"].some((word) => process.argv.includes(word)))
  interpose(settings);

function interpose({ data, disk, flushMs, fails }: DiskSettings): void {
  /** The flushed bytes and names, by the paths that they have now. */
  const bytes = new Map<string, Uint8Array>();
  const names = new Map<string, Names>();
  /** The bytes that the files in `disk` have. */
  const written = new Map<string, Uint8Array>();
  const opened = new Map<number, string>();
  const database = join(data, "vitrine.db");
  let databaseVersion = "";
  let calls = 0;
  let flushes = 0;
  /** The last flush of each path that has ended. */
  const newest = new Map<string, number>();

  if (existsSync(data)) takeAll(data);
  process.on("SIGUSR2", () => {
    keepUnnamed();
    process.kill(process.pid, "SIGKILL");
  });

  wrapAsync("rename", async (rename, from: string, to: string) => {
    await rename(from, to);
    moved(from, to);
  });
  wrapAsync("rm", async (rm, path: string, options?: object) => {
    await rm(path, options);
    removed(path);
  });
  wrapAsync("writeFile", async (write, path: string, ...more: unknown[]) => {
    await write(path, ...more);
    removed(path);
  });
  wrapAsync("open", async (open, path: string, ...more: unknown[]) => {
    const file = (await open(path, ...more)) as FileHandle;
    for (const name of ["sync", "datasync"] as const) {
      const flush = file[name].bind(file);
      file[name] = () => flushed(path, name, flush);
    }
    const writeFile = file.writeFile.bind(file);
    file.writeFile = async (...given) => {
      if (isInside(path)) count("writeFile");
      return writeFile(...given);
    };
    return file;
  });

  const { closeSync, fsync, linkSync, openSync, renameSync, rmSync: removeSync } = fs;
  replace(fs, "renameSync", (from: string, to: string) => {
    count("renameSync");
    renameSync(from, to);
    moved(from, to);
  });
  replace(fs, "rmSync", (path: string, options?: object) => {
    removeSync(path, options);
    removed(path);
  });
  replace(fs, "linkSync", (from: string, to: string) => {
    linkSync(from, to);
    // What comes from elsewhere has been flushed there.
    const content = isInside(from) ? bytes.get(from) : new Uint8Array(readFileSync(from));
    if (content && isInside(to)) bytes.set(to, content);
  });
  replace(fs, "openSync", (path: string, ...more: [never]) => {
    count("openSync");
    const descriptor = openSync(path, ...more);
    opened.set(descriptor, path);
    return descriptor;
  });
  replace(fs, "closeSync", (descriptor: number) => {
    opened.delete(descriptor);
    closeSync(descriptor);
  });
  const flushDescriptor = promisify(fsync);
  replace(
    fs,
    "fsync",
    callbackify((descriptor: number) =>
      flushed(opened.get(descriptor) ?? "", "fsync", () => flushDescriptor(descriptor)),
    ),
  );

  async function flushed(path: string, name: string, flush: () => Promise<void>): Promise<void> {
    if (!isInside(path)) return flush();
    const keep = statSync(path).isDirectory() ? takeNames(path) : takeBytes(path);
    count(name);
    if (flushMs > 0) await Bun.sleep(flushMs);
    await flush();
    keep();
  }

  /** Both functions return what to do when the flush has ended. */
  function takeBytes(path: string): () => void {
    const taken = [[path, new Uint8Array(readFileSync(path))] as const];
    const version = path === `${database}-wal` ? versionOf(database) : databaseVersion;
    if (version !== databaseVersion) taken.push([database, new Uint8Array(readFileSync(database))]);
    const number = ++flushes;
    return () => {
      for (const [one, content] of taken) {
        if (!isNewest(one, number)) continue;
        if (one === database) databaseVersion = version;
        bytes.set(one, content);
        if (existsSync(onDisk(one))) write(one);
      }
    };
  }

  function takeNames(path: string): () => void {
    const taken = namesIn(path);
    const number = ++flushes;
    return () => {
      if (!isNewest(path, number)) return;
      names.set(path, taken);
      if (existsSync(onDisk(path))) apply(path);
    };
  }

  /** Of two flushes that overlap, the one that began first may end last: it takes back nothing. */
  function isNewest(path: string, number: number): boolean {
    if ((newest.get(path) ?? 0) > number) return false;
    newest.set(path, number);
    return true;
  }

  /** Gives a directory on the disk the names that were flushed. */
  function apply(path: string): void {
    const { files, directories } = names.get(path) ?? { files: [], directories: [] };
    const present = new Set([...files, ...directories]);
    for (const name of readdirSync(onDisk(path)))
      if (!present.has(name)) rmSync(join(onDisk(path), name), { recursive: true });
    for (const name of files) write(join(path, name));
    for (const name of directories) {
      if (existsSync(onDisk(join(path, name)))) continue;
      mkdirSync(onDisk(join(path, name)));
      apply(join(path, name));
    }
  }

  function write(path: string): void {
    const content = bytes.get(path) ?? new Uint8Array();
    if (written.get(path) === content && existsSync(onDisk(path))) return;
    writeFileSync(onDisk(path), content);
    written.set(path, content);
  }

  /** What is there when the server starts has been flushed. */
  function takeAll(directory: string): void {
    mkdirSync(onDisk(directory), { recursive: true });
    const found = namesIn(directory);
    names.set(directory, found);
    for (const name of found.files) {
      bytes.set(join(directory, name), new Uint8Array(readFileSync(join(directory, name))));
      write(join(directory, name));
    }
    for (const name of found.directories) takeAll(join(directory, name));
    if (directory === data) databaseVersion = versionOf(database);
  }

  /** Files whose bytes were flushed, but not their names: with luck, a disk has these, too. */
  function keepUnnamed(): void {
    for (const [path, content] of bytes) {
      if (existsSync(onDisk(path)) || !existsSync(path)) continue;
      const place = join(`${disk}-unnamed`, relative(data, path));
      mkdirSync(dirname(place), { recursive: true });
      writeFileSync(place, content);
    }
  }

  function moved(from: string, to: string): void {
    removed(to);
    for (const map of [bytes, names] as Map<string, unknown>[]) {
      for (const [path, value] of map) {
        if (path !== from && !path.startsWith(`${from}/`)) continue;
        map.delete(path);
        map.set(to + path.slice(from.length), value);
      }
    }
  }

  function removed(path: string): void {
    for (const map of [bytes, names])
      for (const one of map.keys()) if (one === path || one.startsWith(`${path}/`)) map.delete(one);
  }

  function count(name: string): void {
    if (!fails?.calls.includes(name) || (++calls !== fails.number && fails.number !== "each")) return;
    process.stderr.write(`The disk fails at ${name}.\n`);
    throw Object.assign(new Error(`${fails.code}: ${name}`), { code: fails.code, syscall: name });
  }

  function wrapAsync(name: string, wrapped: (call: any, ...given: any[]) => Promise<unknown>): void {
    const call = Reflect.get(promises, name) as (...given: unknown[]) => Promise<unknown>;
    const counted = async (...given: unknown[]) => {
      if (isInside(String(given[0]))) count(name);
      return call(...given);
    };
    replace(promises, name, async (...given: unknown[]) => wrapped(counted, ...given));
  }

  function replace(module: object, name: string, by: (...given: never[]) => unknown): void {
    Reflect.set(module, name, by);
  }

  function isInside(path: string): boolean {
    return path === data || path.startsWith(`${data}/`);
  }

  function onDisk(path: string): string {
    return join(disk, relative(data, path));
  }
}

function namesIn(path: string): Names {
  const entries: Dirent[] = readdirSync(path, { withFileTypes: true });
  // The reserve only takes up space, and SQLite writes the index of its log again.
  const isKept = ({ name }: Dirent) => name !== "reserve" && !name.endsWith("-shm");
  return {
    files: entries.filter((entry) => entry.isFile() && isKept(entry)).map(({ name }) => name),
    directories: entries.filter((entry) => entry.isDirectory()).map(({ name }) => name),
  };
}

function versionOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true });
  return found ? `${found.size} ${found.mtimeNs}` : "";
}
