import type { Film } from "./film.ts";
import { readMatroskaFilm } from "./matroska-film.ts";
import { readISOFilm } from "./movie-film.ts";

const formats = new Map([
  ["video/mp4", readISOFilm],
  ["video/quicktime", readISOFilm],
  ["video/webm", readMatroskaFilm],
  ["video/x-matroska", readMatroskaFilm],
]);

/**
 * Reads the headers of a film, and nothing of its pictures and sound. It accepts any bytes and never fails. Null if the type
 * is not supported, or if there is no picture.
 */
export function readFilm(bytes: Uint8Array, contentType: string): (Film & { width: number; height: number }) | null {
  const film = formats.get(contentType)?.(bytes);
  const { width, height } = film ?? {};
  return film && width && height ? { ...film, width, height, duration: plausible(film.duration) } : null;
}

const longest = 30 * 86_400_000;

function plausible(duration: number | null): number | null {
  const whole = Math.round(duration ?? 0);
  return whole > 0 && whole <= longest ? whole : null;
}
