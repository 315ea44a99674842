import { useCallback, useState } from "react";
import { byName, type Order } from "./order.ts";

/** How the file manager looks; this browser remembers it. */
export type Prefs = { view: "list" | "grid"; order: Order; hasDetails: boolean };

const key = "vitrine files";
const usual: Prefs = { view: "list", order: byName, hasDetails: false };

export function usePrefs(): [Prefs, (changes: Partial<Prefs>) => void] {
  const [prefs, setPrefs] = useState(read);
  const change = useCallback((changes: Partial<Prefs>) => {
    setPrefs((current) => {
      const next = { ...current, ...changes };
      try {
        localStorage.setItem(key, JSON.stringify(next));
      } catch {
        // A browser that keeps nothing forgets it with the page.
      }
      return next;
    });
  }, []);
  return [prefs, change];
}

function read(): Prefs {
  try {
    return { ...usual, ...(JSON.parse(localStorage.getItem(key) ?? "{}") as Partial<Prefs>) };
  } catch {
    return usual;
  }
}
