/**
 * Finds the most frequent of any number of names with a fixed number of counters (Misra and Gries): a name that is more than
 * one in `most + 1` of all has a counter, however many others there are. The function counts a name, and returns whether it
 * has a counter.
 */
export function createFrequent(most: number): (name: string) => boolean {
  const counters = new Map<string, number>();
  return (name) => {
    const count = counters.get(name);
    if (count !== undefined || counters.size < most) {
      counters.set(name, (count ?? 0) + 1);
      return true;
    }
    for (const [other, its] of counters) {
      if (its === 1) counters.delete(other);
      else counters.set(other, its - 1);
    }
    return false;
  };
}
