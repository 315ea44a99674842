export type Move = "in" | "out" | "west" | "east" | "north" | "south" | "world";

const keys: Record<string, Move> = {
  ArrowLeft: "west",
  ArrowRight: "east",
  ArrowUp: "north",
  ArrowDown: "south",
  "+": "in",
  "=": "in",
  "-": "out",
  "0": "world",
};

export function followKeys(box: HTMLElement, act: (move: Move) => void, signal: AbortSignal): void {
  box.addEventListener(
    "keydown",
    (event) => {
      const move = keys[event.key];
      if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      event.stopPropagation();
      act(move);
    },
    { signal },
  );
}
