import { translate } from "./language.ts";

const t = translate({
  en: { north: "N", south: "S", east: "E", west: "W" },
  de: { north: "N", south: "S", east: "O", west: "W" },
});

/** Such as `38.7° N, 9.1° W`. */
export function formatCoordinates(
  latitude: number,
  longitude: number,
  formatDegrees: (value: number) => string,
): string {
  const format = (value: number, side: string) => `${formatDegrees(Math.abs(value))}° ${side}`;
  return `${format(latitude, latitude < 0 ? t.south : t.north)}, ${format(longitude, longitude < 0 ? t.west : t.east)}`;
}
