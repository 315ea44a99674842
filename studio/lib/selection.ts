import { useCallback, useMemo, useRef, useState } from "react";
import { addKeys, removeKeys, selectNothing, selectOnly, selectRange, toggleKey } from "./selected.ts";

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

/** Which records of a list are selected. `order` returns the keys in the order shown, for ranges. */
export function useSelection<Key>(order: () => readonly Key[]): Selection<Key> {
  const [selected, change] = useState(selectNothing<Key>);
  const { keys } = selected;
  const latestOrder = useRef(order);
  latestOrder.current = order;

  const toggle = useCallback(
    (key: Key, isRange = false) =>
      change((current) => (isRange ? selectRange(current, key, latestOrder.current()) : toggleKey(current, key))),
    [],
  );

  return useMemo(
    () => ({
      keys,
      has: (key) => keys.has(key),
      toggle,
      only: (key) => change(selectOnly(key)),
      add: (more) => change((current) => addKeys(current, more)),
      remove: (some) => change((current) => removeKeys(current, some)),
      clear: () => change((current) => ({ ...current, keys: new Set() })),
    }),
    [keys, toggle],
  );
}
