import { useSyncExternalStore } from "react";

/** With the sections on the left, there is space for a title, filters and actions in one row. */
const wide = matchMedia("(min-width: 75rem)");

export const useIsWide = (): boolean => useSyncExternalStore(follow, () => wide.matches);

function follow(onChange: () => void): () => void {
  wide.addEventListener("change", onChange);
  return () => wide.removeEventListener("change", onChange);
}
