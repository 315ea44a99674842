import { type MapView, middleOfWorld, parseBox, project, unproject } from "../../src/web/design/browser/moving-map.ts";

type Search = Record<string, string>;

/** The map of an address: `?lat=38.7&lon=-9.1&zoom=6`. */
export function readView({ lat, lon, zoom }: Search): MapView {
  const [latitude, longitude, near] = [lat, lon, zoom].map((text) => Number(text || Number.NaN)) as [
    number,
    number,
    number,
  ];
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) return { ...middleOfWorld, zoom: 0 };
  return { ...project({ latitude, longitude }), zoom: Number.isNaN(near) ? 0 : near };
}

export function toSearch({ x, y, zoom }: MapView): Search {
  const { latitude, longitude } = unproject({ x, y });
  return { lat: latitude.toFixed(4), lon: longitude.toFixed(4), zoom: zoom.toFixed(1) };
}

/** The address of the map around an area. */
export function viewOf(bbox: string): Search {
  const { west, south, east, north } = parseBox(bbox);
  const [first, last] = [project({ latitude: north, longitude: west }), project({ latitude: south, longitude: east })];
  const wide = last.x - first.x + (west > east ? 1 : 0);
  const x = first.x + wide / 2;
  // As wide as a narrow window.
  const zoom = Math.max(0, Math.log2(360 / 256 / Math.max(wide, last.y - first.y, 1e-6)));
  return toSearch({ x: x - Math.floor(x), y: (first.y + last.y) / 2, zoom });
}
