/* A map of the world that pointers and keys move. The site and the studio show it. */

import { type Box, project, unproject } from "../../../platform/mercator.ts";
import { followKeys, type Move } from "./map-keys.ts";
import { followPointers } from "./map-pointers.ts";

/** The middle, from 0 to 1 on the map of the world, and how near it is. */
export type MapView = { x: number; y: number; zoom: number };
export type { Box, Move };
export { project, unproject };

type Options = {
  box: HTMLElement;
  /** Has the parts `.world`, `.tiles` and `.markers`, and perhaps an `.outline` with the corners of an area in `data-box`. */
  drawing: SVGSVGElement;
  /** The outlines of the world, for both distances. */
  worlds: { far: string; near: string };
  tiles: string | null;
  view: MapView;
  /** How near it can be. */
  maxZoom: number;
  /** The map has not moved for a moment. */
  onSettled: () => void;
};

type Change = Partial<MapView> & {
  /** The point that stays where it is, from the middle, in pixels. */
  at?: [number, number];
};

export type MovingMap = ReturnType<typeof startMap>;

/** Outlines show nothing in a street. */
export const maxZooms = { outlines: 11, tiles: 18 };

export function startMap({ box, drawing, worlds, tiles, view: first, maxZoom, onSettled }: Options) {
  const view = { ...first };
  let minZoom = 1;
  const size = { width: 1, height: 1 };
  let isDrawn = true;
  let settling: ReturnType<typeof setTimeout> | undefined;
  const stopping = new AbortController();

  // To whole numbers, by a step that can be seen.
  const moves: Record<Move, () => void> = {
    in: () => change({ zoom: Math.floor(view.zoom + 1.3) }),
    out: () => change({ zoom: Math.ceil(view.zoom - 1.3) }),
    west: () => moveBy(-size.width / 4, 0),
    east: () => moveBy(size.width / 4, 0),
    north: () => moveBy(0, -size.height / 4),
    south: () => moveBy(0, size.height / 4),
    world: () => change({ ...middleOfWorld, zoom: 0 }),
  };

  box.tabIndex = 0;
  box.classList.add("is-live");
  const resizing = new ResizeObserver(([entry]) => {
    if (!entry) return;
    Object.assign(size, { width: entry.contentRect.width, height: entry.contentRect.height });
    // The world is never smaller than the window.
    minZoom = Math.max(1, Math.log2(Math.max(size.height, size.width / 2) / 256));
    change({});
  });
  resizing.observe(box);
  const { signal } = stopping;
  followPointers(box, { moveBy, zoomBy: (steps, at) => change({ zoom: view.zoom + steps, at }), signal });
  followKeys(box, (move) => moves[move](), signal);

  return {
    /** What is shown now. */
    view: view as Readonly<MapView>,
    move: (name: Move) => moves[name](),
    /** Goes to an area, with some of the world around it, unless that would be farther away than the map is. */
    show(area: Box) {
      const { x, y, wide, high } = extentOf(area);
      const fitting = Math.log2((0.7 * Math.min(size.width / wide, size.height / high)) / 256);
      change({ x: x + wide / 2, y: y + high / 2, zoom: Math.max(view.zoom, Math.min(fitting, maxZoom)) });
    },
    /** The part of the world that is shown, without a margin of this share of its width and height. */
    areaWithin: (margin = 0) =>
      areaOf(view, { width: size.width * (1 - 2 * margin), height: size.height * (1 - 2 * margin) }),
    /** Puts markers and the outline where they belong, after they were changed. */
    redraw: drawOverlays,
    stop() {
      stopping.abort();
      resizing.disconnect();
      clearTimeout(settling);
      settling = undefined;
    },
  };

  function change({ x = view.x, y = view.y, zoom = view.zoom, at = [0, 0] }: Change): void {
    const next = Math.min(maxZoom, Math.max(minZoom, zoom));
    const apart = 1 / worldSize(view.zoom) - 1 / worldSize(next);
    const half = Math.min(0.5, size.height / 2 / worldSize(next));
    view.x = x + at[0] * apart;
    view.x -= Math.floor(view.x);
    view.y = Math.min(1 - half, Math.max(half, y + at[1] * apart));
    view.zoom = next;
    if (isDrawn) requestAnimationFrame(draw);
    isDrawn = false;
  }

  function moveBy(right: number, down: number): void {
    change({ x: view.x + right / worldSize(view.zoom), y: view.y + down / worldSize(view.zoom) });
  }

  function draw(): void {
    isDrawn = true;
    if (stopping.signal.aborted) return;
    drawing.setAttribute("viewBox", `${-size.width / 2} ${-size.height / 2} ${size.width} ${size.height}`);
    drawWorld();
    drawTiles();
    drawOverlays();
    clearTimeout(settling);
    settling = setTimeout(onSettled, 250);
  }

  function drawWorld(): void {
    const isNear = view.zoom >= 4;
    const world = worldSize(view.zoom);
    const scale = world / (isNear ? 32_768 : 8192);
    drawing.querySelectorAll(".world > g").forEach((part, index) => {
      const left = (index - 1 - view.x) * world;
      part.setAttribute("transform", `translate(${left} ${-view.y * world}) scale(${scale})`);
      for (const use of part.querySelectorAll("use")) {
        const href = `${isNear ? worlds.near : worlds.far}#${use.classList.contains("land") ? "land" : "borders"}`;
        if (use.getAttribute("href") !== href) use.setAttribute("href", href);
      }
    });
  }

  function drawOverlays(): void {
    const world = worldSize(view.zoom);
    for (const marker of drawing.querySelectorAll<SVGElement>(".markers > *")) {
      const right = Number(marker.dataset["x"]) - view.x;
      const [x, y] = [right - Math.round(right), Number(marker.dataset["y"]) - view.y];
      marker.setAttribute("transform", `translate(${x * world} ${y * world})`);
    }
    for (const outline of drawing.querySelectorAll<SVGElement>(".outline")) {
      const { x, y, wide, high } = extentOf(parseBox(outline.dataset["box"] ?? ""));
      const left = x - view.x;
      // The nearest of the places at the same meridian.
      const shown = left - Math.round(left + wide / 2);
      const place = { x: shown * world, y: (y - view.y) * world, width: wide * world, height: high * world };
      for (const [name, value] of Object.entries(place)) outline.setAttribute(name, String(value));
    }
  }

  function drawTiles(): void {
    const layer = drawing.querySelector(".tiles");
    if (!tiles || !layer) return;
    const zoom = Math.round(view.zoom);
    const side = 256 * 2 ** (view.zoom - zoom);
    const known = new Map(Array.from(layer.children, (one) => [one.getAttribute("data-at"), one]));
    const world = worldSize(view.zoom);
    const [left, top] = [view.x * world - size.width / 2, view.y * world - size.height / 2];
    for (let row = Math.max(0, Math.floor(top / side)); row < 2 ** zoom && row * side < top + size.height; row++) {
      for (let column = Math.floor(left / side); column * side < left + size.width; column++) {
        const at = `${zoom}/${column}/${row}`;
        const tile = known.get(at) ?? document.createElementNS("http://www.w3.org/2000/svg", "image");
        known.delete(at);
        if (!tile.hasAttribute("href")) tile.setAttribute("href", tileURL(tiles, { zoom, column, row }));
        const place = { x: column * side - view.x * world, y: row * side - view.y * world, width: side, height: side };
        for (const [name, value] of Object.entries({ ...place, "data-at": at })) tile.setAttribute(name, String(value));
        layer.append(tile);
      }
    }
    for (const tile of known.values()) tile.remove();
  }
}

/** Where most people live. */
export const middleOfWorld = project({ latitude: 25, longitude: 10 });

/** West, south, east and north in degrees, as the API has them. */
export function parseBox(text: string): Box {
  const [west = 0, south = 0, east = 0, north = 0] = text.split(",").map(Number);
  return { west, south, east, north };
}

export const printBox = ({ west, south, east, north }: Box): string =>
  [west, south, east, north].map((one) => String(Number(one.toFixed(5)))).join(",");

const worldSize = (zoom: number): number => 256 * 2 ** zoom;

/** The north-western corner of an area, and how large it is, on a map of the size 1. */
function extentOf({ west, south, east, north }: Box): { x: number; y: number; wide: number; high: number } {
  const [first, last] = [project({ latitude: north, longitude: west }), project({ latitude: south, longitude: east })];
  const wide = last.x - first.x + (west > east ? 1 : 0);
  return { x: first.x, y: first.y, wide: Math.max(wide, 1e-6), high: Math.max(last.y - first.y, 1e-6) };
}

/** What is beyond the poles of the map belongs to it. */
function areaOf({ x, y, zoom }: MapView, { width, height }: { width: number; height: number }): Box {
  const world = worldSize(zoom);
  const [top, bottom] = [Math.max(0, y - height / 2 / world), Math.min(1, y + height / 2 / world)];
  const isWhole = width >= world;
  const within = (one: number) => one - Math.floor(one);
  const first = unproject({ x: isWhole ? 0 : within(x - width / 2 / world), y: top });
  const last = unproject({ x: isWhole ? 1 : within(x + width / 2 / world), y: bottom });
  return {
    west: first.longitude,
    east: last.longitude,
    north: top === 0 ? 90 : first.latitude,
    south: bottom === 1 ? -90 : last.latitude,
  };
}

/** Columns go on around the world. */
function tileURL(template: string, { zoom, column, row }: { zoom: number; column: number; row: number }): string {
  const count = 2 ** zoom;
  return template
    .replaceAll("{z}", String(zoom))
    .replaceAll("{x}", String(((column % count) + count) % count))
    .replaceAll("{y}", String(row));
}
