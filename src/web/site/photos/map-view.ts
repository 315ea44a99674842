import { type Box, project, unproject } from "../../../platform/mercator.ts";

/** What is shown: the middle, from 0 to 1 on the map of the world, and how near it is. `most` is how near it can be. */
export type View = { x: number; y: number; zoom: number; max: number };

/** The part of the world that is drawn, in pixels. A narrow window shows its middle. */
export const [width, height] = [1280, 720];

const minZoom = 2;
/** Outlines show nothing in a street. */
const maxZoom = { outlines: 11, tiles: 18 };

export const worldSize = (zoom: number): number => 256 * 2 ** zoom;

type Query = { lat?: string | undefined; lon?: string | undefined; zoom?: string | undefined };

export function readView({ lat, lon, zoom }: Query, hasTiles: boolean): View {
  const max = hasTiles ? maxZoom.tiles : maxZoom.outlines;
  // Where most people live.
  const middle = project({ latitude: Number(lat ?? 25), longitude: Number(lon ?? 10) });
  return within({ ...middle, zoom: zoom === undefined ? minZoom : Number(zoom), max });
}

/** Neither beyond the poles nor too near. */
function within({ x, y, zoom, max }: View): View {
  const shown = Math.min(max, Math.max(minZoom, zoom));
  const half = Math.min(0.5, height / 2 / worldSize(shown));
  return { x: x - Math.floor(x), y: Math.min(1 - half, Math.max(half, y)), zoom: shown, max };
}

type Move = { zoom?: number; right?: number; down?: number };

/** By a step of the zoom, or by a third of the width or height. */
export function moved(view: View, { zoom = 0, right = 0, down = 0 }: Move): View {
  const size = worldSize(view.zoom);
  return within({
    ...view,
    x: view.x + (right * width) / 3 / size,
    y: view.y + (down * height) / 3 / size,
    zoom: view.zoom + zoom,
  });
}

export function linkTo(view: View): string {
  const { latitude, longitude } = unproject(view);
  return `/map?lat=${Number(latitude.toFixed(4))}&lon=${Number(longitude.toFixed(4))}&zoom=${view.zoom}`;
}

/** To the middle of a box, with the world around it. */
export function linkToBox({ west, south, east, north }: Box): string {
  const [first, last] = [project({ latitude: north, longitude: west }), project({ latitude: south, longitude: east })];
  const wide = last.x - first.x + (west > east ? 1 : 0);
  const zoom = Math.floor(Math.log2(width / 4 / 256 / Math.max(wide, 1e-6)));
  return linkTo(within({ x: first.x + wide / 2, y: (first.y + last.y) / 2, zoom, max: maxZoom.outlines }));
}

export function boxOf({ x, y, zoom }: View): Box {
  const size = worldSize(zoom);
  const [top, bottom] = [y - height / 2 / size, y + height / 2 / size].map((one) => Math.min(1, Math.max(0, one)));
  const isWhole = width >= size;
  const [left, right] = [x - width / 2 / size, x + width / 2 / size].map((one) => one - Math.floor(one));
  const first = unproject({ x: isWhole ? 0 : (left ?? 0), y: top ?? 0 });
  const last = unproject({ x: isWhole ? 1 : (right ?? 1), y: bottom ?? 1 });
  return {
    west: first.longitude,
    east: last.longitude,
    north: top === 0 ? 90 : first.latitude,
    south: bottom === 1 ? -90 : last.latitude,
  };
}

/** The tiles that are shown, with their places from the middle of the view. */
export function tilesOf({ x, y, zoom }: View, template: string): { href: string; x: number; y: number }[] {
  const count = 2 ** zoom;
  const [middleX, middleY] = [x * worldSize(zoom), y * worldSize(zoom)];
  const span = (from: number, to: number) => {
    const first = Math.floor(from / 256);
    return Array.from({ length: Math.floor(to / 256) - first + 1 }, (_, index) => first + index);
  };
  return span(middleY - height / 2, middleY + height / 2)
    .filter((row) => row >= 0 && row < count)
    .flatMap((row) =>
      span(middleX - width / 2, middleX + width / 2).map((column) => ({
        href: template
          .replaceAll("{z}", String(zoom))
          .replaceAll("{x}", String(((column % count) + count) % count))
          .replaceAll("{y}", String(row)),
        x: Math.round((column * 256 - middleX) * 10) / 10,
        y: Math.round((row * 256 - middleY) * 10) / 10,
      })),
    );
}
