import { mostZooms } from "../../src/web/design/browser/moving-map.ts";
import { page } from "../lib/page.ts";

const { far = "", near = "", tiles = null, attribution } = page?.querySelector<HTMLElement>("#studio")?.dataset ?? {};

/** Where the map comes from. The page has it, because its policy allows no other servers than those that it names. */
export const mapSources = {
  worlds: { far, near },
  tiles,
  attribution: attribution ?? "Natural Earth",
  mostZoom: tiles === null ? mostZooms.outlines : mostZooms.tiles,
};
