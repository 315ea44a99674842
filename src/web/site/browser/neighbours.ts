/** Loads the pages of the previous and the next photo, and their pictures in the width of this one, while nothing else happens. */
export function preloadNeighbours(): void {
  const shown = document.querySelector<HTMLImageElement>(".photo-page img");
  const links = document.querySelectorAll<HTMLAnchorElement>("a[data-next], a[data-previous]");
  if (!shown || links.length === 0) return;
  addEventListener("load", () => {
    for (const link of links) {
      const page = document.createElement("link");
      page.rel = "prefetch";
      page.href = link.href;
      document.head.append(page);
      if (!link.dataset["srcset"]) continue;
      const image = new Image();
      image.sizes = `${shown.width}px`;
      image.srcset = link.dataset["srcset"];
    }
  });
}
