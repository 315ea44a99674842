import { balanceRows } from "./balance-rows.ts";

/** Lists that go on elsewhere: on the next page, or on that of all photos. */
const lists = ".photos:has(+ .pager [rel=next]), .home .photos";

/**
 * Holds back the last row of photos until it is full: it would change when the next page is added, and beside the end of
 * the list a few photos look lost. Where the list ends, the photos of the last rows share their places instead.
 */
export function holdLastRows(): void {
  for (const list of document.querySelectorAll<HTMLElement>(".photos")) {
    // Before the list is shown: what an observer does is already a change to what it has measured.
    holdLastRow(list);
    watched.observe(list);
  }
}

const watched = new ResizeObserver((entries) => {
  for (const { target } of entries) holdLastRow(target);
});

export function holdLastRow(list: Element): void {
  const photos = [...list.children].filter((photo) => photo instanceof HTMLElement);
  for (const photo of photos) {
    photo.classList.remove("is-held");
    photo.style.removeProperty("--row");
  }
  const last = photos.at(-1);
  if (!last || last.offsetTop === photos[0]?.offsetTop) return;
  if (!list.matches(lists)) showBalanced(list, photos);
  else for (const photo of photos) if (photo.offsetTop === last.offsetTop) photo.classList.add("is-held");
}

function showBalanced(list: Element, photos: HTMLElement[]): void {
  const width = list.clientWidth;
  const gap = Number.parseFloat(getComputedStyle(list).columnGap) || 0;
  const rows = [...Map.groupBy(photos, ({ offsetTop }) => offsetTop).values()];
  const ratios = rows.map((row) =>
    row.map((photo) => photo.getBoundingClientRect()).map((box) => box.width / box.height),
  );
  const balanced = balanceRows(ratios, { width, gap });
  if (!balanced) return;
  const changed = rows.slice(balanced.from).flat();
  for (const { ratios, height } of balanced.rows) {
    // A little lower, so that they fit in spite of rounding; then they grow together.
    for (const photo of changed.splice(0, ratios.length)) photo.style.setProperty("--row", `${height - 0.5}px`);
  }
}
