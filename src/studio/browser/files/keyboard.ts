import { type KeyboardEvent, useRef } from "react";
import { hasMod, isMac } from "../lib/shortcuts.ts";
import { useClipboard } from "./clipboard.ts";
import type { Desk } from "./desk.ts";
import { addLetter, findTyped, moveOf } from "./moves.ts";
import type { Shape } from "./shape.ts";

type Deps = { desk: Desk; shape: Shape; rowsShown: () => number; selectAll: () => void; goTo: (index: number) => void };

/** The keys of a file manager. Returns the handler of the list. */
export function useKeyboard({ desk, shape, rowsShown, selectAll, goTo }: Deps) {
  const clipboard = useClipboard();
  const typed = useRef({ text: "", at: 0 });
  const { folder, choice } = desk;
  const { entries } = folder;
  const active = Math.max(0, choice.active);
  const current = choice.active < 0 ? undefined : entries[choice.active];

  /** Steps to another entry, as arrows do. */
  function step(event: KeyboardEvent, to: number): void {
    const index = Math.max(0, Math.min(entries.length - 1, to));
    choice.pick(index, { isRange: event.shiftKey, isKept: hasMod(event) });
    goTo(index);
  }

  /** Letters one after the other find the next entry that begins with them. */
  function find(event: KeyboardEvent): void {
    typed.current = addLetter(typed.current, event.key, event.timeStamp);
    const found = findTyped(entries, typed.current.text, choice.active);
    if (found < 0) return folder.loadAll();
    choice.pick(found);
    goTo(found);
  }

  function withMod(event: KeyboardEvent): (() => void) | undefined {
    const key = event.key.toLowerCase();
    if (event.shiftKey && key === "n") return () => desk.newFolder();
    const acts: Record<string, () => void> = {
      a: selectAll,
      x: () => desk.hold(true),
      c: () => desk.hold(false),
      v: () => desk.paste(clipboard),
      " ": () => current && choice.pick(choice.active, { isToggle: true }),
      backspace: () => desk.trash(choice.selected),
      arrowup: () => desk.goUp(),
    };
    return event.shiftKey || (!isMac && key === "backspace") || (!isMac && key === "arrowup") ? undefined : acts[key];
  }

  const plain: Record<string, () => void> = {
    Enter: () => current && desk.open(current),
    " ": () => current && !current.isDirectory && desk.show(current),
    F2: () => current && desk.rename(current),
    Delete: () => choice.selected.length > 0 && desk.trash(choice.selected),
    Backspace: () => desk.goUp(),
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
    else if (event.altKey && event.key === "ArrowUp") desk.goUp();
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
