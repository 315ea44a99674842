import { useEffect, useRef } from "react";
import { hasMod } from "../lib/shortcuts.ts";
import { useClipboard } from "./clipboard.ts";
import type { FolderActions } from "./folder-actions.ts";

const moving = /^(Arrow|Home$|End$|Page|Enter$| $|Escape$)/;

/**
 * Keys work although nothing has the focus, for example after the entry that had it was deleted. A person who opens a directory
 * in the tree can paste into it at once.
 */
export function useBodyKeys(actions: FolderActions): void {
  const clipboard = useClipboard();
  const latest = useRef({ actions, clipboard });
  latest.current = { actions, clipboard };
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const target = event.target as Element;
      const isFree = target === document.body || target.id === "content";
      const isInTree = target.closest("[role=tree]") !== null;
      if ((!isFree && !isInTree) || event.defaultPrevented || document.querySelector("dialog[open]")) return;
      const key = event.key.toLowerCase();
      const isHeld = hasMod(event) && !event.shiftKey && /^[acxv]$/.test(key);
      if (isInTree ? !isHeld || key !== "v" : !isHeld && !moving.test(event.key)) return;
      const entry = isInTree ? null : focusActive();
      if (entry) entry.dispatchEvent(new KeyboardEvent("keydown", event));
      else if (isHeld && key === "v") latest.current.actions.paste(latest.current.clipboard);
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
