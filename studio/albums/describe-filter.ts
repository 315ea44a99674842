import type { AlbumFilter } from "../../client/src/index.ts";
import { formatDay } from "../lib/format.ts";
import { words } from "../lib/words.ts";
import { toDraft } from "./filter-fields.tsx";
import { albumTexts as t } from "./texts.ts";

/** The conditions of a smart album in a line. */
export function describeFilter(filter: AlbumFilter): string {
  const { tags, from, to, camera, kind, favourite, bbox } = toDraft(filter);
  return [
    tags.join(" + "),
    from && t.since(formatDay(`${from}T12:00`)),
    to && t.until(formatDay(`${to}T12:00`)),
    camera,
    kind && (kind === "image" ? words.photos : words.videos),
    favourite && words.favourites,
    bbox && t.filterArea,
  ]
    .filter(Boolean)
    .join(", ");
}
