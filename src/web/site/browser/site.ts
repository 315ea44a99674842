/* What every page has: nothing works only with it. */

import { holdLastRow, holdLastRows } from "./last-row.ts";
import { openLightboxOnClick } from "./lightbox-links.ts";
import { loadMore } from "./load-more.ts";
import { showPlaceholders } from "./placeholders.ts";

document.documentElement.classList.add("has-script");
showPlaceholders(document);
closeMenus();
followSignOut();
followKeys();
preloadNeighbours();
holdLastRows();
loadMore((list) => {
  showPlaceholders(list);
  holdLastRow(list);
});
openLightboxOnClick();
const passkeys = document.querySelector<HTMLElement>("[data-passkeys]");
if (passkeys) void import("./passkeys.ts").then(({ offerPasskeys }) => offerPasskeys(passkeys));
if (document.querySelector("[data-preparing]"))
  void import("./preparing.ts").then(({ followPreparing }) => followPreparing());
const heart = document.querySelector<HTMLFormElement>("form[data-heart]");
if (heart) void import("./hearts.ts").then(({ followHeart }) => followHeart(heart));

/** Closes open menus with Escape, and by a click elsewhere. */
function closeMenus(): void {
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const menu of openMenus()) {
      menu.open = false;
      if (menu.contains(document.activeElement)) menu.querySelector("summary")?.focus();
    }
  });
  document.addEventListener("click", (event) => {
    for (const menu of openMenus()) if (!menu.contains(event.target as Node)) menu.open = false;
  });
}

const openMenus = () => document.querySelectorAll<HTMLDetailsElement>("details.menu[open]");

/** Signing out here also closes the studio, which would otherwise open for the next person without a network. */
function followSignOut(): void {
  document.addEventListener("submit", ({ target }) => {
    if (!(target instanceof HTMLFormElement) || target.getAttribute("action") !== "/session/end") return;
    try {
      localStorage.removeItem("vitrine-offline");
    } catch {
      // A browser may forbid to keep anything.
    }
  });
}

/** The arrow keys follow the links to the previous and the next photo. */
function followKeys(): void {
  document.addEventListener("keydown", (event) => {
    const isArrow = event.key === "ArrowLeft" || event.key === "ArrowRight";
    if (!isArrow || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || usesArrows(event.target))
      return;
    const isForward = (event.key === "ArrowRight") === (document.documentElement.dir !== "rtl");
    document.querySelector<HTMLElement>(isForward ? "a[data-next]" : "a[data-previous]")?.click();
  });
}

/** Text fields, players and the lightbox use the arrow keys themselves. */
const usesArrows = (target: EventTarget | null) =>
  target instanceof Element &&
  target.closest("input, textarea, select, video, audio, [contenteditable], .pswp") !== null;

/** Loads the pages of the previous and the next photo, and their pictures in the width of this one, while nothing else happens. */
function preloadNeighbours(): void {
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
