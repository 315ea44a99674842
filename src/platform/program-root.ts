import { fileURLToPath, pathToFileURL } from "node:url";

/** In the bundle, which is a CommonJS module, `import.meta.path` is replaced by the path of the bundle when it is made. */
const file = pathToFileURL(import.meta.path);

/**
 * The directory of the program, in which it finds what it reads while it runs: migrations, styles, and the programs of child
 * processes. It is the same one for the sources and for the bundle, which is `dist/main.js`, or `build/program/main.js` in a
 * clone. In an executable, it is the root of the files that are inside.
 */
export const programRoot = new URL(findRoot(), file);

/** Files without which the program cannot run. */
export const programFiles: string[] = Bun.isStandaloneExecutable
  ? [process.execPath]
  : [process.execPath, fileURLToPath(new URL("src/", programRoot))];

function findRoot(): string {
  if (Bun.isStandaloneExecutable) return "./";
  return /\/(src\/platform|build\/program)\/[^/]+$/.test(file.pathname) ? "../../" : "../";
}
