import { type KeyboardEvent, useRef } from "react";
import { hasMod, isMac } from "../lib/shortcuts.ts";
import { useClipboard } from "./clipboard.ts";
import type { FolderActions } from "./folder-actions.ts";
import { addLetter, findTyped, moveOf } from "./moves.ts";
import type { Shape } from "./shape.ts";

type Deps = {
  actions: FolderActions;
  shape: Shape;
  rowsShown: () => number;
  selectAll: () => void;
  goTo: (index: number) => void;
};

/** The keys of a file manager. Returns the handler of the list. */
export function useKeyboard({ actions, shape, rowsShown, selectAll, goTo }: Deps) {
  const clipboard = useClipboard();
  const typed = useRef({ text: "", at: 0 });
  const { folder, choice } = actions;
  const { entries } = folder;
  const active = Math.max(0, choice.active);
  const current = choice.active < 0 ? undefined : entries[choice.active];

  /** Steps to another entry, as arrows do. */
  function step(event: KeyboardEvent, to: number): void {
    const index = Math.max(0, Math.min(entries.length - 1, to));
    choice.select(index, { isRange: event.shiftKey, isKept: hasMod(event) });
    goTo(index);
  }

  /** Letters one after the other find the next entry that begins with them. */
  function find(event: KeyboardEvent): void {
    typed.current = addLetter(typed.current, event.key, event.timeStamp);
    const found = findTyped(entries, typed.current.text, choice.active);
    if (found < 0) return folder.loadAll();
    choice.select(found);
    goTo(found);
  }

  function withMod(event: KeyboardEvent): (() => void) | undefined {
    const key = event.key.toLowerCase();
    if (event.shiftKey && key === "n") return () => actions.newFolder();
    const acts: Record<string, () => void> = {
      a: selectAll,
      x: () => actions.hold(true),
      c: () => actions.hold(false),
      v: () => actions.paste(clipboard),
      " ": () => current && choice.select(choice.active, { isToggle: true }),
      backspace: () => actions.trash(choice.selected),
      arrowup: () => actions.goUp(),
    };
    return event.shiftKey || (!isMac && key === "backspace") || (!isMac && key === "arrowup") ? undefined : acts[key];
  }

  const plain: Record<string, () => void> = {
    Enter: () => current && actions.open(current),
    " ": () => current && !current.isDirectory && actions.show(current),
    F2: () => current && actions.rename(current),
    Delete: () => choice.selected.length > 0 && actions.trash(choice.selected),
    Backspace: () => actions.goUp(),
    Escape: () => choice.clear(),
  };

  return (event: KeyboardEvent): void => {
    const target = event.target as Element;
    if (event.defaultPrevented || target.matches("input, textarea")) return;
    // They press the head of a column.
    if (target.matches("button") && (event.key === "Enter" || event.key === " ")) return;
    const move = moveOf(event.key, { ...shape, active: choice.active, rows: rowsShown });
    const isMod = hasMod(event);
    // Another key ends what was typed.
    if (event.key.length > 1 || isMod) typed.current.text = "";
    const act = (isMod ? withMod(event) : undefined) ?? (isMod || event.altKey ? undefined : plain[event.key]);
    if (act) act();
    else if (event.altKey && event.key === "ArrowUp") actions.goUp();
    else if (move !== null) step(event, active + move);
    else if (event.key === "Home") step(event, 0);
    else if (event.key === "End") {
      folder.loadAll();
      step(event, entries.length - 1);
    } else if (event.key.length === 1 && !isMod && !event.altKey && !/[?/]/.test(event.key)) find(event);
    else return;
    event.preventDefault();
    // Otherwise a letter would also begin a shortcut of the studio.
    event.stopPropagation();
  };
}
