import type { Video } from "./video.ts";
import { readMatroskaVideo } from "./matroska-video.ts";
import { readISOVideo } from "./iso-video.ts";

const formats = new Map([
  ["video/mp4", readISOVideo],
  ["video/quicktime", readISOVideo],
  ["video/webm", readMatroskaVideo],
  ["video/x-matroska", readMatroskaVideo],
]);

/**
 * Reads the headers of a video, and nothing of its pictures and sound. It accepts any bytes and never fails. Null if the type
 * is not supported, or if there is no picture.
 */
export function readVideo(bytes: Uint8Array, contentType: string): (Video & { width: number; height: number }) | null {
  const video = formats.get(contentType)?.(bytes);
  const { width, height } = video ?? {};
  return video && width && height ? { ...video, width, height, duration: plausible(video.duration) } : null;
}

const longest = 30 * 86_400_000;

function plausible(duration: number | null): number | null {
  const whole = Math.round(duration ?? 0);
  return whole > 0 && whole <= longest ? whole : null;
}
