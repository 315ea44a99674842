/** Lists that go on elsewhere: on the next page, or on that of all photos. */
const lists = ".photos:has(+ .pager [rel=next]), .home .photos";

/**
 * Holds back the last row of photos until it is full: it would change when the next page is added, and beside the end of
 * the list a few photos look lost.
 */
export function holdLastRows(): void {
  for (const list of document.querySelectorAll<HTMLElement>(".photos")) watched.observe(list);
}

/** Also called first, before the list is shown. */
const watched = new ResizeObserver((entries) => {
  for (const { target } of entries) holdLastRow(target);
});

export function holdLastRow(list: Element): void {
  const photos = [...list.children].filter((photo) => photo instanceof HTMLElement);
  for (const photo of photos) photo.classList.remove("is-held");
  const last = photos.at(-1);
  if (!last || !list.matches(lists) || last.offsetTop === photos[0]?.offsetTop) return;
  for (const photo of photos) if (photo.offsetTop === last.offsetTop) photo.classList.add("is-held");
}
