import { useCallback, useEffect, useMemo, useState } from "react";
import type { File } from "../../client/src/index.ts";
import { chooseEntry, chooseNothing, entriesOf, type How } from "./chosen.ts";

export type Choice = {
  ids: ReadonlySet<number>;
  selected: readonly File[];
  /** The entry that the keyboard is on; -1 if there is none. */
  active: number;
  indexOf(id: number): number;
  select(index: number, how?: How): void;
  set(ids: Iterable<number>): void;
  all(): void;
  clear(): void;
};

/** The selection in one directory, as in the file manager of a desktop. */
export function useChoice(path: string, entries: readonly File[]): Choice {
  const [chosen, change] = useState(chooseNothing);
  useEffect(() => change(chooseNothing), [path]);
  const indexes = useMemo(() => new Map(entries.map(({ id }, index) => [id, index])), [entries]);
  const indexOf = useCallback((id: number) => indexes.get(id) ?? -1, [indexes]);
  const shown = useMemo(() => ({ entries, indexOf }), [entries, indexOf]);
  const { ids, activeID } = chosen;
  const selected = useMemo(() => entriesOf({ ids }, shown), [ids, shown]);

  return useMemo(() => {
    const set = (some: Iterable<number>) => change((current) => ({ ...current, ids: new Set(some) }));
    return {
      ids,
      selected,
      active: activeID === null ? -1 : indexOf(activeID),
      indexOf,
      select: (index, how) => change((current) => chooseEntry(current, shown, index, how)),
      set,
      all: () => set(entries.map(({ id }) => id)),
      clear: () => set([]),
    };
  }, [ids, selected, activeID, entries, indexOf, shown]);
}
