/** What had the focus before the menu that is open, or was until now. */
let beforeMenu: HTMLElement | null = null;

document.addEventListener("focusin", ({ target, relatedTarget }) => {
  if (!isInMenu(target)) beforeMenu = null;
  else if (relatedTarget instanceof HTMLElement && !isInMenu(relatedTarget)) beforeMenu = relatedTarget;
});

const isInMenu = (target: EventTarget | null): boolean => target instanceof Element && !!target.closest("[role=menu]");

/** What gets the focus when a dialog closes that opens now: not the line of a menu, which is gone by then. */
export function findOpener(): HTMLElement | null {
  const { activeElement, body } = document;
  return activeElement instanceof HTMLElement && activeElement !== body && !isInMenu(activeElement)
    ? activeElement
    : beforeMenu;
}
