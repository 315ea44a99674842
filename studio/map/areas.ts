import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { PhotoArea } from "../../client/src/index.ts";
import { type Box, type MovingMap, parseBox, printBox } from "../../src/web/design/browser/moving-map.ts";
import { api } from "../lib/api.ts";
import { formatCoordinates } from "../lib/format-coordinates.ts";
import { language } from "../lib/language.ts";
import { queries } from "../lib/queries.ts";

/** A part of the world, and how near it is seen. */
export type MapPart = { bbox: string; zoom: number };

export const shownOn = (map: MovingMap): MapPart => ({
  bbox: printBox(map.areaWithin()),
  // Farther away, areas would be as large as continents.
  zoom: Math.max(2, Math.floor(map.view.zoom + 0.01)),
});

/** The areas with one's own photos, including those that no one else sees. */
export const areasQuery = (shown: MapPart | null) =>
  queryOptions({
    queryKey: ["photos", "map", shown],
    queryFn: ({ signal }) => api.readPhotoMap({ owner: "me", ...shown }, { signal }),
    placeholderData: keepPreviousData,
  });

export const maxPhotosShown = 48;

export const photosOfQuery = (bbox: string) =>
  queryOptions({
    queryKey: ["photos", "of area", bbox],
    queryFn: async ({ signal }) => {
      const query = {
        owner: "me",
        bbox,
        sort: "takenAt",
        order: "desc",
        cursor: "",
        pageSize: maxPhotosShown,
      } as const;
      return (await api.listPhotos(query, { signal })).items;
    },
  });

/** Where the photos of an area are: often only in a corner of it. */
export async function findBounds(area: PhotoArea, zoom: number): Promise<Box> {
  const whole = parseBox(area.bbox);
  const boxes = await (area.count <= maxPhotosShown ? findPlaces(area) : findFiner(area, zoom)).catch(() => []);
  if (boxes.length === 0) return whole;
  return {
    west: Math.max(whole.west, Math.min(...boxes.map(({ west }) => west))),
    south: Math.max(whole.south, Math.min(...boxes.map(({ south }) => south))),
    east: Math.min(whole.east, Math.max(...boxes.map(({ east }) => east))),
    north: Math.min(whole.north, Math.max(...boxes.map(({ north }) => north))),
  };
}

async function findPlaces({ bbox }: PhotoArea): Promise<Box[]> {
  const photos = await queries.fetchQuery(photosOfQuery(bbox));
  return photos.flatMap(({ place }) => pointOf(place) ?? []);
}

/** The smaller areas in it. Those around it touch its edge. */
async function findFiner({ bbox }: PhotoArea, zoom: number): Promise<Box[]> {
  const whole = parseBox(bbox);
  const areas = await queries.fetchQuery(areasQuery({ bbox, zoom: Math.min(20, zoom + 6) }));
  const isInside = ({ photo }: PhotoArea) => {
    const point = pointOf(photo.place);
    if (!point || point.north < whole.south || point.south > whole.north) return false;
    return point.east >= whole.west && point.west <= whole.east;
  };
  return areas.filter(isInside).map((one) => parseBox(one.bbox));
}

function pointOf(place: PhotoArea["photo"]["place"]): Box | null {
  const { latitude, longitude } = place ?? {};
  if (latitude == null || longitude == null) return null;
  return { west: longitude, south: latitude, east: longitude, north: latitude };
}

const degrees = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });

/** As one of its photos says, or where that was taken. */
export function nameOfArea({ photo }: PhotoArea): string {
  const { name, latitude, longitude } = photo.place ?? {};
  if (name) return name;
  return formatCoordinates(latitude ?? 0, longitude ?? 0, degrees.format);
}
