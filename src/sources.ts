/**
 * The directory of the sources, where files lie that are read while the program runs: migrations, the colours of themes, and
 * the programs of child processes. It is the same one for the sources and for the bundle, which is `dist/main.js`.
 */
export const sources = new URL("../src/", import.meta.url);
