/** The arrow keys follow the links to the previous and the next photo. */
export function followKeys(): void {
  document.addEventListener("keydown", (event) => {
    const isArrow = event.key === "ArrowLeft" || event.key === "ArrowRight";
    if (!isArrow || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || usesArrows(event.target))
      return;
    const isForward = (event.key === "ArrowRight") === (document.documentElement.dir !== "rtl");
    document.querySelector<HTMLElement>(isForward ? "a[data-next]" : "a[data-previous]")?.click();
  });
}

/** In text fields and players, the arrow keys have a meaning of their own; in the lightbox, too. */
const usesArrows = (target: EventTarget | null) =>
  target instanceof Element &&
  target.closest("input, textarea, select, video, audio, [contenteditable], .pswp") !== null;
