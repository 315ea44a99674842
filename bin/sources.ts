// Whether what is in build/ fits its sources, without reading them: none has another size or time than when it was last compared by
// content (bin/build.ts). Nobody can set the time of the last change (ctime).
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dir, "..");
const directories = ["bin", "client", "convert", "src", "studio"];
const files = ["package.json", "package-lock.json", "node_modules/.package-lock.json"];
const built = [
  ...["api-page", "client", "fonts", "site", "studio"].map((part) => `build/${part}/build.json`),
  ...["build.json", "main.js", "main.js.jsc"].map((file) => `build/program/${file}`),
];
const record = join(root, "build/program/fits.txt");
/** Within this time, some file systems give two changes of a file the same time. */
const sameTimeMs = 1000;

type State = { hash: string; newestMs: number };

export function isFitting(): boolean {
  try {
    return readFileSync(record, "utf8") === describe(readSources());
  } catch {
    return false;
  }
}

/** Records that all in build/ fits the sources, if they are still as they were before they were compared. */
export function recordFitting(before: State): void {
  const now = Date.now();
  const sources = readSources();
  if (sources.hash === before.hash && sources.newestMs < now - sameTimeMs) writeFileSync(record, describe(sources));
}

const describe = (sources: State) => `${sources.hash} ${readState(built).hash}\n`;

export const readSources = (): State => readState([...directories.flatMap(listFiles), ...files]);

function listFiles(directory: string): string[] {
  const names = readdirSync(join(root, directory), { recursive: true }) as string[];
  return names.filter((name) => !name.includes(".test.ts")).map((name) => join(directory, name));
}

function readState(paths: string[]): State {
  const hash = new Bun.CryptoHasher("sha256");
  let newestMs = 0;
  for (const path of paths.toSorted()) {
    const stat = statSync(join(root, path), { throwIfNoEntry: false });
    hash.update(`${path} ${stat?.size} ${stat?.mtimeMs} ${stat?.ctimeMs}\n`);
    newestMs = Math.max(newestMs, stat?.mtimeMs ?? 0, stat?.ctimeMs ?? 0);
  }
  return { hash: hash.digest("hex"), newestMs };
}
