const blindAfter = 1000;

/**
 * A number that grows with every write to a database that other processes also write to. A write of another process
 * shows as a new snapshot. Before a response from memory is sent, `fresh` waits for a check of the snapshot that
 * started after the request. One check serves all requests that arrived before it started, so at most two checks are
 * pending at any time.
 */
export function watchWrites(snapshot: () => Promise<string>) {
  let generation = 0;
  let last = "";
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;

  async function look(): Promise<void> {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(new Error("late")), blindAfter);
    try {
      const now = await Promise.race([snapshot(), late.promise]);
      if (now !== last) generation++;
      last = now;
    } catch {
      // If the snapshot cannot be read, assume that it has changed.
      generation++;
    } finally {
      clearTimeout(timer);
    }
    running = null;
  }

  return {
    generation: () => generation,
    happened: () => void generation++,
    fresh(): Promise<void> {
      if (!running) return (running = look());
      next ??= running.then(() => {
        next = null;
        return (running = look());
      });
      return next;
    },
  };
}
