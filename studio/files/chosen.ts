/** Which entries are selected, which one the keyboard is on, and where a range begins. */
export type EntrySelection = { ids: ReadonlySet<number>; activeID: number | null; anchorID: number | null };

export type How = {
  /** Adds the entry, or takes it away (Ctrl). */
  isToggle?: boolean;
  /** All from the one that was chosen before (Shift). */
  isRange?: boolean;
  /** Keeps what is selected. */
  isKept?: boolean;
};

export const chooseNothing: EntrySelection = { ids: new Set(), activeID: null, anchorID: null };

/** A directory that is shown: `indexOf` returns -1 for an entry that is not in it. */
type Listing<Entry extends { id: number }> = { entries: readonly Entry[]; indexOf: (id: number) => number };

/** Chooses the entry at this place, as in the file manager of a desktop. */
export function chooseEntry(
  chosen: EntrySelection,
  { entries, indexOf }: Listing<{ id: number }>,
  index: number,
  how: How = {},
): EntrySelection {
  const id = entries[index]?.id;
  if (id === undefined) return chosen;
  const { ids, anchorID } = chosen;
  if (how.isRange) {
    const anchor = anchorID === null ? -1 : indexOf(anchorID);
    const [first, last] = [anchor < 0 ? index : anchor, index].toSorted((one, other) => one - other) as [
      number,
      number,
    ];
    const range = entries.slice(first, last + 1).map((entry) => entry.id);
    return { ids: new Set(how.isKept ? [...ids, ...range] : range), activeID: id, anchorID: anchorID ?? id };
  }
  if (!how.isToggle) return { ids: how.isKept ? ids : new Set([id]), activeID: id, anchorID: id };
  const changed = new Set(ids);
  if (!changed.delete(id)) changed.add(id);
  return { ids: changed, activeID: id, anchorID: id };
}

/** The chosen entries that are still shown, in their order. */
export function entriesOf<Entry extends { id: number }>(
  { ids }: Pick<EntrySelection, "ids">,
  { entries, indexOf }: Listing<Entry>,
): Entry[] {
  if (ids.size === 0) return [];
  if (ids.size > 50) return entries.filter(({ id }) => ids.has(id));
  const found = [...ids].map(indexOf).filter((index) => index >= 0);
  return found.toSorted((one, other) => one - other).map((index) => entries[index] as Entry);
}
