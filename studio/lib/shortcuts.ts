import { useEffect, useRef } from "react";

/** `keys` as in `mod+k`, `shift+a`, `?` or `g p` (one after the other); `mod` is Ctrl, or ⌘ on a Mac. */
type Shortcut = {
  keys: string;
  label: string;
  /** Null if the part of the screen that has the focus handles the keys itself. */
  run: (() => void) | null;
};

const active = new Set<{ current: Shortcut[] }>();
export const isMac = /Mac|iP(hone|ad)/.test(navigator.platform);

const listShortcuts = (): Shortcut[] => [...active].flatMap(({ current }) => current);

/** The shortcuts that work now, for the list under `?`: those of the screen first, each group in its own order. */
export const listShortcutsByPart = (): Shortcut[] => [...active].toReversed().flatMap(({ current }) => current);

/** The shortcuts of a part of the screen, while it is shown. They do not work while text is typed, except with `mod`. */
export function useShortcuts(shortcuts: Shortcut[]): void {
  const latest = useRef(shortcuts);
  latest.current = shortcuts;
  useEffect(() => {
    active.add(latest);
    return () => void active.delete(latest);
  }, []);
}

/** What they do in a text belongs to the text. */
const editingKeys = new Set(["a", "c", "v", "x", "y", "z"].map((key) => `mod+${key}`));

let before = "";
let beforeAt = 0;

/** Runs the shortcut that was added last, so that a dialog wins over the screen below it. */
export function startShortcuts(): void {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing) return;
    const pressed = nameOf(event);
    if (isTyping(event) && (!pressed.startsWith("mod+") || (editingKeys.has(pressed) && !isInList(event)))) return;
    const sequence = event.timeStamp - beforeAt < 1000 && before ? `${before} ${pressed}` : pressed;
    before = pressed;
    beforeAt = event.timeStamp;
    const found = listShortcuts().findLast(({ keys, run }) => run && (keys === sequence || keys === pressed));
    if (!found?.run) return;
    event.preventDefault();
    before = "";
    found.run();
  });
}

/** Whether Ctrl is pressed, or ⌘ on a Mac. */
export const hasMod = ({ metaKey, ctrlKey }: { metaKey: boolean; ctrlKey: boolean }): boolean =>
  isMac ? metaKey : ctrlKey;

function nameOf(event: KeyboardEvent): string {
  const isLetter = /^[a-z]$/i.test(event.key);
  const parts = [
    hasMod(event) && "mod",
    event.altKey && "alt",
    // The shift key is part of signs such as `?`.
    event.shiftKey && (isLetter || event.key.length > 1) && "shift",
    event.key === " " ? "space" : event.key.toLowerCase(),
  ];
  return parts.filter(Boolean).join("+");
}

function isTyping(event: KeyboardEvent): boolean {
  // The editor of texts has a shadow tree: outside of it, the target of its events is the element that has the tree.
  const [target] = event.composedPath();
  if (!(target instanceof HTMLElement)) return false;
  if (document.querySelector("dialog[open]")?.contains(target) === false) return true;
  return (
    target.isContentEditable || target.matches("input:not([type=checkbox],[type=radio],[type=range]), textarea, select")
  );
}

/** Letters choose an option there; there is no text to edit. */
const isInList = ({ target }: KeyboardEvent): boolean => target instanceof HTMLSelectElement;

const signs: Record<string, string> = {
  mod: isMac ? "⌘" : "Ctrl",
  shift: "⇧",
  alt: isMac ? "⌥" : "Alt",
  arrowleft: "←",
  arrowright: "→",
  arrowup: "↑",
  arrowdown: "↓",
  escape: "Esc",
  enter: "↵",
  delete: "Del",
  backspace: "⌫",
};

/** The keys, with the names that keyboards have. */
export const printKeys = (keys: string): string[] =>
  keys.split(/[ +]/).map((key) => signs[key] ?? (key.length === 1 ? key.toUpperCase() : key));
