/** Null outside of a browser, where the tests of the studio's logic run. */
export const page: Document | null = typeof document === "undefined" ? null : document;
