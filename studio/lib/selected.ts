/** The selected keys of a list, and where a range begins: the key that was chosen last. */
export type Selected<Key> = { keys: ReadonlySet<Key>; last: Key | null };

export const selectNothing = <Key>(): Selected<Key> => ({ keys: new Set(), last: null });

export const selectOnly = <Key>(key: Key): Selected<Key> => ({ keys: new Set([key]), last: key });

/** Adds the key, or takes it away. */
export function toggleKey<Key>({ keys }: Selected<Key>, key: Key): Selected<Key> {
  const changed = new Set(keys);
  if (!changed.delete(key)) changed.add(key);
  return { keys: changed, last: key };
}

/** Adds all between the one that was chosen last and this one, in the order of `order`. */
export function selectRange<Key>(selected: Selected<Key>, key: Key, order: readonly Key[]): Selected<Key> {
  if (selected.last === null) return toggleKey(selected, key);
  const { keys } = addKeys(selected, rangeOf(order, selected.last, key));
  return { keys, last: key };
}

export const addKeys = <Key>({ keys, last }: Selected<Key>, more: Iterable<Key>): Selected<Key> => ({
  keys: new Set([...keys, ...more]),
  last,
});

export function removeKeys<Key>({ keys, last }: Selected<Key>, some: Iterable<Key>): Selected<Key> {
  const removed = new Set(some);
  return { keys: new Set([...keys].filter((key) => !removed.has(key))), last };
}

/** Only the last one if one of the two is no longer in the list. */
function rangeOf<Key>(order: readonly Key[], from: Key, to: Key): readonly Key[] {
  const [first = -1, last = -1] = [order.indexOf(from), order.indexOf(to)].toSorted((one, other) => one - other);
  return first < 0 ? [to] : order.slice(first, last + 1);
}
