import { pathToFileURL } from "node:url";

/** In the bundle, which is a CommonJS module, `npm run bundle` replaces `import.meta.path` by the path of the bundle. */
const file = pathToFileURL(import.meta.path);

/**
 * The directory of the program, in which it finds what it reads while it runs: migrations, styles, and the programs of child
 * processes. It is the same one for the sources and for the bundle, which is `dist/main.js`.
 */
export const programRoot = new URL(/\/src\/platform\/[^/]+$/.test(file.pathname) ? "../../" : "../", file);
