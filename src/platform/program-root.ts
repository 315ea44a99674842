/**
 * The directory of the program, in which it finds what it reads while it runs: migrations, styles, and the programs of child
 * processes. It is the same one for the sources and for the bundle, which is `dist/main.js`.
 */
export const programRoot = new URL(/\/src\/platform\/[^/]+$/.test(import.meta.url) ? "../../" : "../", import.meta.url);
