const blindAfter = 1000;

/**
 * A number that grows with every write to a database that others write to, too. A write of another process shows as a new
 * snapshot. Whoever is to be answered from memory waits for `fresh` first: a look at the snapshot that began after they
 * asked. One look serves all who asked before it began, so any number of requests costs no more than two looks at a time.
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
      // What cannot be compared counts as changed.
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
