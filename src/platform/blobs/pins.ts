/** Which blobs must not be removed as unused: their bytes are kept, and the row that refers to them is still to come. */
export type Pins = {
  /** Returns the function that takes the pin away again. */
  add(sha256: string): () => void;
  /**
   * Waits for the pins that there are now, and then calls `work` with the names that have got no other: it is up to who
   * has added that one whether the blob is used. A name that gets a pin before the work ends leaves the set.
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
