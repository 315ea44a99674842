import { useEffect, useRef } from "react";
import { hasMod } from "../lib/shortcuts.ts";
import { useClipboard } from "./clipboard.ts";
import type { FolderActions } from "./folder-actions.ts";

const moving = /^(Arrow|Home$|End$|Page|Enter$| $|Escape$)/;

/** Keys work although nothing has the focus, for example after the entry that had it was deleted. */
export function useBodyKeys(actions: FolderActions): void {
  const clipboard = useClipboard();
  const latest = useRef({ actions, clipboard });
  latest.current = { actions, clipboard };
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const isFree = event.target === document.body || (event.target as Element).id === "content";
      if (!isFree || event.defaultPrevented || document.querySelector("dialog[open]")) return;
      const isHeld = hasMod(event) && !event.shiftKey && /^[acxv]$/.test(event.key.toLowerCase());
      if (!isHeld && !moving.test(event.key)) return;
      const entry = focusActive();
      if (entry) entry.dispatchEvent(new KeyboardEvent("keydown", event));
      else if (isHeld && event.key.toLowerCase() === "v") latest.current.actions.paste(latest.current.clipboard);
      else return;
      event.preventDefault();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}

/** Gives the focus to the entry that the keyboard is on; null if the directory is empty. */
export function focusActive(isScrolled = true): HTMLElement | null {
  const entry = document.querySelector<HTMLElement>("[role=grid] [data-index][tabindex='0']");
  if (isScrolled) entry?.scrollIntoView({ block: "nearest" });
  entry?.focus({ preventScroll: true });
  return entry;
}
