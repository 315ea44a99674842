import { ArrowDown, ArrowLeft, ArrowRight, ArrowUp, Maximize, Minus, Plus } from "lucide-react";
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import type { PhotoArea } from "../../client/src/index.ts";
import {
  type MapView,
  maxZooms,
  type Move,
  type MovingMap,
  project,
  startMap,
} from "../../src/web/design/browser/moving-map.ts";
import { formatNumber } from "../lib/format.ts";
import { page } from "../lib/page.ts";
import { IconButton } from "../ui/button.tsx";
import { classes } from "../ui/classes.ts";
import { mapTexts as t } from "./texts.ts";

type Props = {
  label: string;
  /** Where it begins. */
  view: MapView;
  areas: readonly PhotoArea[];
  /** An area that is drawn on it: west, south, east and north in degrees. */
  outline?: string | null;
  map: RefObject<MovingMap | null>;
  onSettled: (map: MovingMap) => void;
  /** Markers do nothing without it. */
  onPress?: (area: PhotoArea) => void;
  /** Buttons would cover too much of it: they are above it. */
  isSmall?: boolean;
  className?: string;
  children?: ReactNode;
};

/** The map of the site, with the places of one's own photos. */
export function WorldMap({ label, view, areas, outline, map, onSettled, onPress, ...rest }: Props) {
  const { isSmall = false, className, children } = rest;
  const box = useRef<HTMLDivElement>(null);
  const drawing = useRef<SVGSVGElement>(null);
  const first = useRef(view);
  const settled = useRef(onSettled);
  settled.current = onSettled;

  useEffect(() => {
    if (!box.current || !drawing.current) return;
    const { worlds, tiles, maxZoom } = mapSources;
    const started = startMap({
      box: box.current,
      drawing: drawing.current,
      worlds,
      tiles,
      maxZoom,
      view: first.current,
      onSettled: () => settled.current(started),
    });
    map.current = started;
    return () => {
      started.stop();
      map.current = null;
    };
  }, [map]);
  useLayoutEffect(() => map.current?.redraw());

  const buttons = controls.map(([move, Icon]) => (
    <IconButton key={move} label={t[move]} onClick={() => map.current?.move(move)}>
      <Icon />
    </IconButton>
  ));
  return (
    <div>
      {isSmall && (
        <div role="group" aria-label={t.controls} className="mb-2 flex">
          {buttons}
        </div>
      )}
      <div className="map">
        <div ref={box} role="group" aria-label={label} className={classes("map-view", className)}>
          <svg ref={drawing} aria-hidden="true">
            <g className="world">
              {[-1, 0, 1].map((turn) => (
                <g key={turn}>
                  <use className="land" />
                  <use className="borders" />
                </g>
              ))}
            </g>
            <g className="tiles" />
            {outline && <rect className="outline" data-box={outline} />}
            {/* What they say is also in the list beside the map. */}
            <g className="markers">
              {areas.map((area) => (
                <Marker key={area.bbox} area={area} onPress={onPress} />
              ))}
            </g>
          </svg>
          {children}
        </div>
        {!isSmall && (
          <div role="group" aria-label={t.controls} className="map-controls">
            {buttons}
          </div>
        )}
        <p className="map-source">{mapSources.attribution}</p>
      </div>
    </div>
  );
}

const controls: [Move, typeof Plus][] = [
  ["in", Plus],
  ["out", Minus],
  ["west", ArrowLeft],
  ["north", ArrowUp],
  ["south", ArrowDown],
  ["east", ArrowRight],
  ["world", Maximize],
];

function Marker({ area, onPress }: { area: PhotoArea; onPress: Props["onPress"] }) {
  const { latitude, longitude } = area.photo.place ?? {};
  if (latitude == null || longitude == null) return null;
  const { x, y } = project({ latitude, longitude });
  return (
    // A click that ends a movement of the map is prevented.
    <a data-x={x} data-y={y} onClick={(event) => !event.defaultPrevented && onPress?.(area)}>
      <circle r={area.count === 1 ? 8 : 12 + 2 * String(area.count).length} />
      {area.count > 1 && <text>{formatNumber(area.count)}</text>}
    </a>
  );
}

const { far = "", near = "", tiles = null, attribution } = page?.querySelector<HTMLElement>("#studio")?.dataset ?? {};

/** Where the map comes from. The page has it, because its policy allows no other servers than those that it names. */
const mapSources = {
  worlds: { far, near },
  tiles,
  attribution: attribution ?? "Natural Earth",
  maxZoom: tiles === null ? maxZooms.outlines : maxZooms.tiles,
};
