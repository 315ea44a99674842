/**
 * Blobs that must not be removed as unused: their bytes are stored, but the row that refers to them is not written yet.
 */
type Pins = {
  /** Returns a function that removes the pin. */
  add(sha256: string): () => void;
  /**
   * Waits for the existing pins, then calls `work` with the names that have no new pin; for the others, whoever added
   * the new pin decides whether the blob is used. A name that gets a pin before the work ends is removed from the set.
   */
  whenUnpinned(sha256: string[], work: (unpinned: Set<string>) => Promise<void>): Promise<void>;
};

export function createPins(): Pins {
  const pins = new Map<string, Set<Promise<void>>>();
  const watched = new Set<Set<string>>();

  return {
    add(sha256) {
      const { promise: removed, resolve } = Promise.withResolvers<void>();
      pins.set(sha256, (pins.get(sha256) ?? new Set()).add(removed));
      for (const unpinned of watched) unpinned.delete(sha256);
      return () => {
        const left = pins.get(sha256);
        left?.delete(removed);
        if (left?.size === 0) pins.delete(sha256);
        resolve();
      };
    },

    async whenUnpinned(sha256, work) {
      await Promise.all(sha256.flatMap((name) => [...(pins.get(name) ?? [])]));
      const unpinned = new Set(sha256.filter((name) => !pins.has(name)));
      if (unpinned.size === 0) return;
      watched.add(unpinned);
      try {
        await work(unpinned);
      } finally {
        watched.delete(unpinned);
      }
    },
  };
}
