import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DataDirectoryError } from "./data-directory.ts";
import { describeAccess } from "./explain-failure.ts";
import { hashOfText } from "./hash.ts";
import { programRoot } from "./program-root.ts";

/** The native libraries in an executable, by name. The first file is loaded; the system finds the others beside it. */
export type Libraries = Record<string, { path: string; sha256: string }[]>;

const embedded = new URL("libraries/", programRoot);
const prefix = "libraries-";
const loaded = new Map<string, unknown>();
let cache = "";

/**
 * Says where an executable keeps copies of its native libraries: the system cannot load them from inside a file. Nothing is
 * written before one is loaded.
 */
export function setLibraryCache(directory: string): void {
  cache = directory;
}

export const getLibraryCache = (): string => cache;

/** A server that could not hash passwords does not start. Throws a DataDirectoryError. */
export function checkLibraries(): void {
  if (Bun.isStandaloneExecutable) loadLibrary("argon2");
}

/**
 * Loads a library of an executable. Before it is loaded, its copies are compared with the hashes that the executable has, and
 * those that are missing or different are written again. Throws a DataDirectoryError if that is not possible.
 */
export function loadLibrary(name: string): unknown {
  const library = loaded.get(name) ?? openLibrary(copyLibrary(name));
  loaded.set(name, library);
  return library;
}

function openLibrary(path: string): unknown {
  const module = { exports: {} };
  try {
    process.dlopen(module, path);
  } catch (error) {
    throw new DataDirectoryError(
      `The library ${path} cannot be loaded: ${(error as Error).message}. If programs may not be run from there, set XDG_CACHE_HOME to another directory.`,
    );
  }
  return module.exports;
}

/** Returns the path of the file to load. */
function copyLibrary(name: string): string {
  const list = readFileSync(new URL("libraries.json", embedded), "utf8");
  const files = (JSON.parse(list) as Libraries)[name] ?? [];
  const directory = join(cache, `${prefix}${hashOfText(list).slice(0, 16)}`);
  try {
    if (!existsSync(directory)) createDirectory(directory);
    for (const { path, sha256 } of files) {
      if (!hasHash(join(directory, path), sha256)) copyFile(new URL(path, embedded), join(directory, path));
    }
  } catch (error) {
    throw new DataDirectoryError(`${cache} cannot be used: ${describeAccess(error, cache)}`);
  }
  return join(directory, files[0]?.path ?? "");
}

/** Removes the copies of other versions. One that still runs writes its own again when it needs them. */
function createDirectory(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(cache)) {
    const path = join(cache, name);
    if (name.startsWith(prefix) && path !== directory) rmSync(path, { recursive: true, force: true });
  }
}

function hasHash(path: string, sha256: string): boolean {
  return existsSync(path) && new Bun.CryptoHasher("sha256").update(readFileSync(path)).digest("hex") === sha256;
}

/** Other processes see the whole file or none. It is not flushed: what a power cut leaves of it has another hash. */
function copyFile(source: URL, target: string): void {
  const draft = `${target}.${process.pid}`;
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  writeFileSync(draft, readFileSync(source), { mode: 0o600 });
  renameSync(draft, target);
}
