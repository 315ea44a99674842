import { useCallback, useEffect, useMemo, useReducer } from "react";
import type { File } from "../../../../client/src/index.ts";

/** Which entries are selected, which one the keyboard is on, and where a range begins. */
type State = { ids: ReadonlySet<number>; activeID: number | null; anchorID: number | null };

type Event =
  | { type: "pick"; id: number; isToggle?: boolean; range?: readonly number[]; isKept?: boolean }
  | { type: "set"; ids: ReadonlySet<number> }
  | { type: "start" };

const nothing: State = { ids: new Set(), activeID: null, anchorID: null };

function change(state: State, event: Event): State {
  if (event.type === "start") return nothing;
  if (event.type === "set") return { ...state, ids: event.ids };
  const { id, isToggle, range, isKept } = event;
  if (range) {
    const ids = isKept ? new Set([...state.ids, ...range]) : new Set(range);
    return { ids, activeID: id, anchorID: state.anchorID ?? id };
  }
  if (!isToggle) return { ids: isKept ? state.ids : new Set([id]), activeID: id, anchorID: id };
  const ids = new Set(state.ids);
  if (!ids.delete(id)) ids.add(id);
  return { ids, activeID: id, anchorID: id };
}

type How = {
  /** Adds the entry, or takes it away (Ctrl). */
  isToggle?: boolean;
  /** All from the one that was chosen before (Shift). */
  isRange?: boolean;
  /** Keeps what is selected. */
  isKept?: boolean;
};

export type Choice = {
  ids: ReadonlySet<number>;
  selected: readonly File[];
  /** The entry that the keyboard is on; -1 if there is none. */
  active: number;
  indexOf(id: number): number;
  pick(index: number, how?: How): void;
  set(ids: Iterable<number>): void;
  all(): void;
  clear(): void;
};

/** The selection in one directory, as in the file manager of a desktop. */
export function useChoice(path: string, entries: readonly File[]): Choice {
  const [state, send] = useReducer(change, nothing);
  useEffect(() => send({ type: "start" }), [path]);
  const indexes = useMemo(() => new Map(entries.map(({ id }, index) => [id, index])), [entries]);
  const indexOf = useCallback((id: number) => indexes.get(id) ?? -1, [indexes]);
  const { ids, activeID, anchorID } = state;

  const pick = useCallback(
    (index: number, { isToggle = false, isRange = false, isKept = false }: How = {}) => {
      const id = entries[index]?.id;
      if (id === undefined) return;
      const anchor = anchorID === null ? -1 : indexOf(anchorID);
      const ends = [anchor < 0 ? index : anchor, index].toSorted((one, other) => one - other) as [number, number];
      const range = entries.slice(ends[0], ends[1] + 1).map((entry) => entry.id);
      send({ type: "pick", id, isToggle, isKept, ...(isRange && { range }) });
    },
    [entries, indexOf, anchorID],
  );
  const selected = useMemo(() => {
    if (ids.size === 0) return [];
    if (ids.size > 50) return entries.filter(({ id }) => ids.has(id));
    const found = [...ids].map(indexOf).filter((index) => index >= 0);
    return found.toSorted((one, other) => one - other).map((index) => entries[index] as File);
  }, [ids, entries, indexOf]);

  return useMemo(
    () => ({
      ids,
      selected,
      active: activeID === null ? -1 : indexOf(activeID),
      indexOf,
      pick,
      set: (some) => send({ type: "set", ids: new Set(some) }),
      all: () => send({ type: "set", ids: new Set(entries.map(({ id }) => id)) }),
      clear: () => send({ type: "set", ids: new Set() }),
    }),
    [ids, selected, activeID, entries, indexOf, pick],
  );
}
