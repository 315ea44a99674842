import { checkDescriptors } from "./descriptors.ts";

/** If several callers ask for the same key at the same time, the work runs once, and all of them get its result. */
export function createShared<Result>(): (key: string, work: () => Promise<Result>) => Promise<Result> {
  const underWay = new Map<string, Promise<Result>>();
  return (key, work) => {
    let shared = underWay.get(key);
    if (!shared) {
      shared = work().finally(() => underWay.delete(key));
      underWay.set(key, shared);
    }
    return shared;
  };
}

/**
 * Runs the work at the first call. Later calls get the same result, even while the work is running. A failure is not
 * kept: the next call tries again.
 */
export function once<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | null = null;
  return () =>
    (result ??= work().catch((error: unknown) => {
      result = null;
      throw error;
    }));
}

/** The runtime reads as many files at once as it has threads. */
const descriptorsOfModules = 64;

/**
 * Loads a module, and what it imports, at the first call. The runtime never again loads one of which it could not read a part, so it
 * begins only with more free descriptors than it needs.
 */
export function late<Loaded>(load: () => Promise<Loaded>): () => Promise<Loaded> {
  return once(async () => {
    checkDescriptors(descriptorsOfModules);
    return load();
  });
}
