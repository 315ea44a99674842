import { ExternalLink } from "lucide-react";
import { formatCoordinates } from "../../lib/format-coordinates.ts";
import { land } from "./land.ts";
import { detailsTexts as t } from "./texts.ts";

type Props = { latitude: number; longitude: number };

/** The part of the world around the place, in degrees. */
const [shownWidth, shownHeight] = [90, 50];

/** A small map that is drawn here: no other server learns where the photo was taken, unless the link is followed. */
export function PlaceMap({ latitude, longitude }: Props) {
  const left = clamp(longitude - shownWidth / 2, -180, 180 - shownWidth);
  const top = clamp(-latitude - shownHeight / 2, -90, 90 - shownHeight);
  const link = `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=13/${latitude}/${longitude}`;
  const printed = formatCoordinates(latitude, longitude, (value) => value.toFixed(4));
  return (
    <figure className="grid gap-1">
      <svg
        role="img"
        aria-label={t.mapLabel(printed)}
        viewBox={`${left} ${top} ${shownWidth} ${shownHeight}`}
        className="w-full rounded-control border border-line bg-tint"
      >
        <g className="fill-line stroke-soft" strokeWidth="0.15">
          {land.map((points) => (
            <polygon key={points} points={points} />
          ))}
        </g>
        <g className="fill-none stroke-soft" strokeWidth="0.1" opacity="0.6">
          {lines(left, left + shownWidth).map((x) => (
            <path key={`x${x}`} d={`M${x} ${top}v${shownHeight}`} />
          ))}
          {lines(top, top + shownHeight).map((y) => (
            <path key={`y${y}`} d={`M${left} ${y}h${shownWidth}`} />
          ))}
        </g>
        <circle cx={longitude} cy={-latitude} r="1.4" className="fill-accent stroke-surface" strokeWidth="0.5" />
      </svg>
      <figcaption className="flex flex-wrap justify-between gap-x-3 text-sm text-soft">
        <span>{printed}</span>
        <a href={link} target="_blank" rel="noopener noreferrer" className="inline-flex items-center gap-1 underline">
          {t.openMap}
          <ExternalLink className="size-3.5" />
        </a>
        <span className="basis-full text-xs">{t.mapHint}</span>
      </figcaption>
    </figure>
  );
}

const clamp = (value: number, min: number, max: number) => Math.min(max, Math.max(min, value));

/** Every ten degrees. */
function lines(from: number, to: number): number[] {
  const first = Math.ceil(from / 10) * 10;
  return Array.from({ length: Math.floor((to - first) / 10) + 1 }, (_, index) => first + index * 10);
}
