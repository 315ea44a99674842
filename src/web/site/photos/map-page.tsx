/** @jsxImportSource hono/jsx */
import { z } from "zod";
import { hasShownPlaces } from "../../../content/photos/lists/map.ts";
import { type Area, readMap } from "../../../content/photos/map-areas.ts";
import type { Reader } from "../../../platform/database/database.ts";
import { missing } from "../../../platform/errors.ts";
import { project } from "../../../platform/mercator.ts";
import { assetURL } from "../assets.ts";
import { listHead } from "../for-programs/head.tsx";
import { numberFormat, printCount } from "../formats.ts";
import type { Language } from "../language.ts";
import { type Page, page, type Visit } from "../page.ts";
import { policyOf } from "../policy.ts";
import { mapTexts } from "../texts/map.ts";
import { boxOf, height, linkTo, moved, readView, tilesOf, type View, width, worldSize } from "./map-view.ts";

const maxShown = 100;
const number = (max: number) =>
  z
    .string()
    .regex(/^-?\d{1,3}(\.\d{1,6})?$/, { error: "must be a number of degrees" })
    .refine((text) => Math.abs(Number(text)) <= max, { error: `must be from -${max} to ${max}` })
    .optional();

export const mapPage = (db: Reader, mediaOrigin: string | null): Page =>
  page({
    path: "/map",
    query: z.object({
      lat: number(90),
      lon: number(180),
      zoom: z
        .string()
        .regex(/^\d{1,2}$/, { error: "must be a whole number" })
        .optional(),
    }),
    async handle({ query, ...visit }) {
      if (!(await hasShownPlaces(db))) throw missing("such page");
      const { language, settings } = visit;
      const t = mapTexts[language];
      const tiles = settings.mapTiles;
      const view = readView(query, tiles !== null);
      const found = await readMap(db, null, { box: boxOf(view), zoom: view.zoom, isOwn: false });
      const areas = found.slice(0, maxShown);
      const isWhole = query.lat === undefined && query.lon === undefined && query.zoom === undefined;
      return {
        title: t.title,
        section: "photos",
        canonical: isWhole ? "/map" : null,
        isMap: true,
        scripts: ["map"],
        head: listHead(visit, { path: "/map", title: t.title, feeds: ["photos"] }),
        // With a tile server, visitors' browsers load from it, and most of these servers want to know from which site.
        headers: tiles
          ? {
              "Content-Security-Policy": policyOf(mediaOrigin, {}, new URL(tiles.url).origin),
              "Referrer-Policy": "strict-origin-when-cross-origin",
            }
          : undefined,
        body: (
          <div class="wide">
            <header class="page-head">
              <h1>{t.title}</h1>
              <p>
                <a href="/photos">{t.allPhotos}</a>
              </p>
            </header>
            <div class="map-and-areas">
              <Map view={view} areas={areas} visit={visit} />
              <Areas areas={areas} hasMore={found.length > areas.length} visit={visit} />
            </div>
          </div>
        ),
      };
    },
  });

type MapProps = { view: View; areas: Area[]; visit: Visit };

function Map({ view, areas, visit: { language, settings } }: MapProps) {
  const t = mapTexts[language];
  const tiles = settings.mapTiles;
  const size = worldSize(view.zoom);
  const at = { x: view.x * size, y: view.y * size };
  const worlds = { far: assetURL("world.svg"), near: assetURL("world-near.svg") };
  const world = view.zoom >= 4 ? worlds.near : worlds.far;
  const drawn = view.zoom >= 4 ? 32_768 : 8192;
  return (
    <div class="map">
      <div
        class="map-view"
        data-x={view.x}
        data-y={view.y}
        data-zoom={view.zoom}
        data-max={view.max}
        data-far={worlds.far}
        data-near={worlds.near}
        data-tiles={tiles?.url}
        data-label={t.help}
      >
        <svg
          viewBox={`${-width / 2} ${-height / 2} ${width} ${height}`}
          preserveAspectRatio="xMidYMid slice"
          role="group"
          aria-label={t.label}
        >
          <g class="world">
            {[-1, 0, 1].map((turn) => (
              <g transform={`translate(${turn * size - at.x} ${-at.y}) scale(${size / drawn})`}>
                <use class="land" href={`${world}#land`} />
                <use class="borders" href={`${world}#borders`} />
              </g>
            ))}
          </g>
          <g class="tiles">
            {tiles
              ? tilesOf(view, tiles.url).map(({ href, x, y }) => (
                  <image href={href} x={x} y={y} width="256" height="256" />
                ))
              : null}
          </g>
          <g class="markers" aria-hidden="true">
            {areas.map((area) => (
              <Marker area={area} view={view} language={language} />
            ))}
          </g>
        </svg>
      </div>
      <nav class="map-controls" aria-label={t.controls}>
        <Control name="in" label={t.zoomIn} to={moved(view, { zoom: 1 })} path="M12 6v12M6 12h12" />
        <Control name="out" label={t.zoomOut} to={moved(view, { zoom: -1 })} path="M6 12h12" />
        <Control name="west" label={t.west} to={moved(view, { right: -1 })} path="M14 7l-5 5 5 5" />
        <Control name="north" label={t.north} to={moved(view, { down: -1 })} path="M7 14l5-5 5 5" />
        <Control name="south" label={t.south} to={moved(view, { down: 1 })} path="M7 10l5 5 5-5" />
        <Control name="east" label={t.east} to={moved(view, { right: 1 })} path="M10 7l5 5-5 5" />
        <Control
          name="world"
          label={t.world}
          to={{ ...view, ...readView({}, false) }}
          path="M5 9V5h4M15 5h4v4M19 15v4h-4M9 19H5v-4"
        />
      </nav>
      <p class="map-source">{tiles ? tiles.attribution : "Natural Earth"}</p>
    </div>
  );
}

const Control = ({ name, label, to, path }: { name: string; label: string; to: View; path: string }) => (
  <a class="icon-button" href={linkTo(to)} aria-label={label} title={label} data-move={name} rel="nofollow">
    <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" focusable="false">
      <path
        d={path}
        fill="none"
        stroke="currentColor"
        stroke-width="2"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  </a>
);

/** What it says is also in the list beside the map: it is for those who see the map and point at it. */
function Marker({ area, view, language }: { area: Area; view: View; language: Language }) {
  const { latitude, longitude } = area.photo.place ?? {};
  if (latitude == null || longitude == null) return null;
  const { x, y } = project({ latitude, longitude });
  const size = worldSize(view.zoom);
  const radius = area.count === 1 ? 8 : 12 + 2 * String(area.count).length;
  // The nearest of the places at the same meridian.
  const right = x - view.x - Math.round(x - view.x);
  return (
    <a
      href={linkOf(area)}
      tabindex={-1}
      data-x={x}
      data-y={y}
      transform={`translate(${round(right * size)} ${round((y - view.y) * size)})`}
    >
      <circle r={radius} />
      {area.count === 1 ? null : <text>{printCount(area.count, language)}</text>}
    </a>
  );
}

const round = (value: number) => Number(value.toFixed(1));

const linkOf = ({ count, bbox, photo }: Area) => (count === 1 ? `/photos/${photo.id}` : `/photos?bbox=${bbox}`);

type AreasProps = { areas: Area[]; hasMore: boolean; visit: Visit };

function Areas({ areas, hasMore, visit: { language, links } }: AreasProps) {
  const t = mapTexts[language];
  return (
    <section class="areas" aria-labelledby="areas">
      <h2 id="areas">{t.areas}</h2>
      {areas.length === 0 ? <p>{t.none}</p> : null}
      <ul>
        {areas.map((area) => (
          <li>
            <a href={linkOf(area)}>
              {area.photo.variants[0] ? (
                <img src={links.api(area.photo.variants[0].url)} alt="" width="56" height="56" loading="lazy" />
              ) : (
                <span class="no-picture" />
              )}
              <span>
                <span dir="auto">{nameOf(area, language)}</span>{" "}
                <small>{t.photos(area.count, printCount(area.count, language))}</small>
              </span>
            </a>
          </li>
        ))}
      </ul>
      {hasMore ? <p>{t.more(maxShown)}</p> : null}
    </section>
  );
}

const oneDigit = numberFormat({ maximumFractionDigits: 1 });

/** As one of its photos says, or where that was taken. */
function nameOf({ photo }: Area, language: Language): string {
  const { name, latitude, longitude } = photo.place ?? {};
  if (name) return name;
  const t = mapTexts[language];
  const print = (degrees: number, [plus, minus]: readonly [string, string]) =>
    `${oneDigit(language).format(Math.abs(degrees))}° ${degrees < 0 ? minus : plus}`;
  return `${print(latitude ?? 0, t.northSouth)}, ${print(longitude ?? 0, t.eastWest)}`;
}
