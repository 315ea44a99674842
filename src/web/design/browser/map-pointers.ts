type Actions = {
  /** In pixels. */
  moveBy: (right: number, down: number) => void;
  /** `at` is the point that stays where it is, from the middle. */
  zoomBy: (steps: number, at: [number, number]) => void;
  signal: AbortSignal;
};

/** One pointer moves the map, two of them and the wheel zoom. A click that ends a movement is none. */
export function followPointers(box: HTMLElement, { moveBy, zoomBy, signal }: Actions): void {
  const held = new Map<number, { x: number; y: number }>();
  let hasMoved = false;
  const fromMiddle = (event: MouseEvent): [number, number] => {
    const { left, top, width, height } = box.getBoundingClientRect();
    return [event.clientX - left - width / 2, event.clientY - top - height / 2];
  };
  const listen = <Name extends keyof HTMLElementEventMap>(
    name: Name,
    act: (event: HTMLElementEventMap[Name]) => void,
  ): void => box.addEventListener(name, act, { signal, passive: false });

  listen("pointerdown", (event) => {
    if (event.button !== 0) return;
    if (held.size === 0) hasMoved = false;
    held.set(event.pointerId, { x: event.clientX, y: event.clientY });
  });
  listen("pointermove", (event) => {
    const before = held.get(event.pointerId);
    if (!before) return;
    const now = { x: event.clientX, y: event.clientY };
    if (!hasMoved && Math.hypot(now.x - before.x, now.y - before.y) < 4) return;
    if (!hasMoved) {
      hasMoved = true;
      box.classList.add("is-moving");
      box.setPointerCapture(event.pointerId);
    }
    const other = [...held].find(([id]) => id !== event.pointerId)?.[1];
    const share = other ? 0.5 : 1;
    moveBy((before.x - now.x) * share, (before.y - now.y) * share);
    if (other) {
      const spread = (one: { x: number; y: number }) => Math.max(1, Math.hypot(one.x - other.x, one.y - other.y));
      zoomBy(Math.log2(spread(now) / spread(before)), fromMiddle(event));
    }
    held.set(event.pointerId, now);
  });
  const release = ({ pointerId }: PointerEvent) => {
    held.delete(pointerId);
    if (held.size === 0) box.classList.remove("is-moving");
  };
  listen("pointerup", release);
  listen("pointercancel", release);
  listen("dragstart", (event) => event.preventDefault());
  listen("click", (event) => {
    if (hasMoved) event.preventDefault();
  });
  listen("dblclick", (event) => zoomBy(1, fromMiddle(event)));
  listen("wheel", (event) => {
    event.preventDefault();
    const step = event.deltaMode === 0 ? event.deltaY / 240 : event.deltaY / 8;
    zoomBy(-Math.min(1, Math.max(-1, step)), fromMiddle(event));
  });
}
