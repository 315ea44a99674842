/* What every page has: nothing works only with it. */

import { followKeys } from "./keys.ts";
import { holdLastRow, holdLastRows } from "./last-row.ts";
import { openLightboxOnClick } from "./lightbox-links.ts";
import { loadMore } from "./load-more.ts";
import { closeMenus } from "./menus.ts";
import { preloadNeighbours } from "./neighbours.ts";
import { showPlaceholders } from "./placeholders.ts";
import { followSignOut } from "./sign-out.ts";

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
