const lookEvery = 300;
const blindAfter = 1000;

/**
 * A number that grows with every write to a database that others write to, too: at once with our own (`happened`), and
 * soon with theirs, which show as a new snapshot. While nobody can look, every reading is a new number.
 */
export function watchWrites(snapshot: () => Promise<string>) {
  let generation = 0;
  let last = "";
  let lookedAt = performance.now();
  let isLooking = false;

  async function look(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    const started = performance.now();
    try {
      const now = await Promise.race([snapshot(), Bun.sleep(blindAfter).then(() => Promise.reject(new Error("late")))]);
      lookedAt = started;
      if (now !== last) generation++;
      last = now;
    } catch {
      // Blind for now: see `generation`.
    } finally {
      isLooking = false;
    }
  }
  const timer = setInterval(() => void look(), lookEvery);

  return {
    generation: () => (performance.now() - lookedAt > blindAfter ? ++generation : generation),
    happened: () => void generation++,
    stop: () => clearInterval(timer),
  };
}
