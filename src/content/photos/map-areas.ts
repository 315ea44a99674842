import { z } from "zod";
import { unauthorized } from "../../platform/errors.ts";
import type { Reader } from "../../platform/database/database.ts";
import type { Box } from "../../platform/mercator.ts";
import type { Viewer } from "../../platform/http/route.ts";
import { toBox } from "./lists/box.ts";
import { findAreas, type mapQuery, wholeWorld } from "./lists/map.ts";
import { photoSchema } from "./photo.ts";
import { findPhotos } from "./store.ts";

export const areaSchema = z
  .object({
    bbox: z.string().meta({ description: "The area, as the list of photos takes it.", example: "-11.25,36.5,-5.6,41" }),
    count: z.int().meta({ description: "How many photos were taken there.", example: 12 }),
    photo: photoSchema
      .pick({ id: true, title: true, altText: true, takenAt: true, place: true, thumbhash: true, variants: true })
      .meta({ id: "PhotoOfArea", description: "One of them." }),
  })
  .meta({ id: "PhotoArea" });

export type Area = z.output<typeof areaSchema>;

type Wanted = { box: Box; zoom: number; isOwn: boolean };

/** The areas with photos whose place the viewer may know: a place that is hidden counts nowhere. */
export async function readMap(db: Reader, viewer: Viewer, { box, zoom, isOwn }: Wanted): Promise<Area[]> {
  if (isOwn && !viewer) throw unauthorized(`"owner=me" needs a token: sign in first.`);
  const found = await findAreas(db, { box, zoom, scope: isOwn && viewer ? { ownerID: viewer.id } : "everyone" });
  const photos = await findPhotos(
    db,
    isOwn ? viewer : null,
    found.map(({ photoID }) => photoID),
  );
  return found.flatMap(({ bounds, count, photoID }) => {
    const photo = photos.get(photoID);
    // Also checked here, where it is decided for every photo.
    if (!photo || photo.place === null) return [];
    const { id, title, altText, takenAt, place, thumbhash, variants } = photo;
    const shown = { id, title, altText, takenAt, place, thumbhash, variants: variants.slice(0, 1) };
    return [{ bbox: printBox(bounds), count, photo: shown }];
  });
}

export const toWanted = ({ bbox, zoom, owner }: z.output<typeof mapQuery>): Wanted => ({
  box: bbox === undefined ? wholeWorld : toBox(bbox),
  zoom,
  isOwn: owner === "me",
});

const printBox = ({ west, south, east, north }: Box): string =>
  [west, south, east, north].map((one) => String(Number(one.toFixed(7)))).join(",");
