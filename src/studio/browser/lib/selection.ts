import { useCallback, useMemo, useRef, useState } from "react";

export type Selection<Key> = {
  keys: ReadonlySet<Key>;
  has(key: Key): boolean;
  /** With `isRange`, all between the one that was toggled last and this one, in the order of `order`. */
  toggle(key: Key, isRange?: boolean): void;
  only(key: Key): void;
  add(keys: Iterable<Key>): void;
  remove(keys: Iterable<Key>): void;
  clear(): void;
};

/** Which records of a list are selected. `order` returns the keys as they are shown, for ranges. */
export function useSelection<Key>(order: () => readonly Key[]): Selection<Key> {
  const [keys, setKeys] = useState<ReadonlySet<Key>>(new Set());
  const last = useRef<Key | null>(null);
  const latestOrder = useRef(order);
  latestOrder.current = order;

  const toggle = useCallback((key: Key, isRange = false) => {
    const from = last.current;
    last.current = key;
    setKeys((current) => {
      const changed = new Set(current);
      if (isRange && from !== null) for (const between of range(latestOrder.current(), from, key)) changed.add(between);
      else if (!changed.delete(key)) changed.add(key);
      return changed;
    });
  }, []);

  return useMemo(
    () => ({
      keys,
      has: (key) => keys.has(key),
      toggle,
      only(key) {
        last.current = key;
        setKeys(new Set([key]));
      },
      add: (more) => setKeys((current) => new Set([...current, ...more])),
      remove(some) {
        const removed = new Set(some);
        setKeys((current) => new Set([...current].filter((key) => !removed.has(key))));
      },
      clear: () => setKeys(new Set()),
    }),
    [keys, toggle],
  );
}

function range<Key>(order: readonly Key[], from: Key, to: Key): readonly Key[] {
  const ends = [order.indexOf(from), order.indexOf(to)].toSorted((one, other) => one - other);
  const [first = -1, last = -1] = ends;
  return first < 0 ? [to] : order.slice(first, last + 1);
}
