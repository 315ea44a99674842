import { useEffect, useRef } from "react";
import { focusActive } from "./body-keys.ts";
import type { FolderActions } from "./folder-actions.ts";
import { pathOf } from "./paths.ts";

/**
 * Selects what one came for: the file of a search (`select`), or the directory that was left (`from`). Otherwise the
 * keyboard begins at the first entry.
 */
export function useArrival({ folder, choice }: FolderActions, { select, from }: Record<string, string>): void {
  const { path, entries, isComplete, loadAll } = folder;
  const arrived = useRef<string | null>(null);
  useEffect(() => {
    const visit = `${path} ${select ?? ""} ${from ?? ""}`;
    if (arrived.current === visit) return;
    if (entries.length === 0) {
      if (isComplete) arrived.current = visit;
      return;
    }
    const wanted = select ?? from;
    const index = wanted
      ? entries.findIndex((entry) => (select ? String(entry.id) === select : pathOf(entry) === from))
      : 0;
    if (index < 0 && !isComplete) return loadAll();
    arrived.current = visit;
    if (index < 0) return;
    if (wanted) choice.select(index);
    const isFree = !document.activeElement || ["BODY", "MAIN"].includes(document.activeElement.tagName);
    // On a touch screen there is no keyboard that would need it.
    if (isFree && matchMedia("(pointer: fine)").matches) setTimeout(() => focusActive(wanted !== undefined));
  }, [path, select, from, entries, isComplete, loadAll, choice]);
}
