import type { Image } from "../../core/images/image.ts";
import { isPossibleDate } from "./photo.ts";

const quarter = 15 * 60_000;
const furthestZone = 14 * 3_600_000;
/** Nearer places are the same: programs round them. */
const nearDegrees = 0.01;

/** What another program says of a photo. */
export type Said<Place> = {
  /** When it was taken, as a moment, or by the clock at that place as if that were UTC. */
  momentTaken?: number | undefined;
  clockTaken?: number | undefined;
  /** The time is only for a file that has none. */
  isTimeRough?: boolean | undefined;
  place?: Place | undefined;
};

/**
 * What another program says of a photo, without what the file says better: a time that differs from that of the file only by a time
 * zone, and a place that is about the same. What is left is a correction by the owner, or is missing in the file.
 */
export function correctionsIn<Place extends { latitude: number; longitude: number }>(
  { momentTaken, clockTaken, isTimeRough, place }: Said<Place>,
  image: Pick<Image, "takenAt" | "place">,
): { takenAt?: string; place?: Place } {
  const taken = clockTaken ?? momentTaken;
  const isTimeKnown =
    image.takenAt !== null &&
    (isTimeRough ||
      (momentTaken === undefined
        ? clockTaken !== undefined && isSameClock(image.takenAt, clockTaken)
        : isSameMoment(image.takenAt, momentTaken)));
  const hasTime = taken !== undefined && isPossibleDate(taken) && !isTimeKnown;
  return {
    ...(hasTime && { takenAt: new Date(taken).toISOString() }),
    ...(place && !isNear(place, image.place) && { place }),
  };
}

/** The clock of a camera shows the time of some zone. */
function isSameMoment(clock: number, moment: number): boolean {
  const distance = Math.abs(clock - moment);
  const toQuarter = distance % quarter;
  return distance <= furthestZone && Math.min(toQuarter, quarter - toQuarter) < 2000;
}

/** Programs cut the fractions of seconds. */
const isSameClock = (clock: number, other: number) => Math.abs(clock - other) < 1000;

function isNear({ latitude, longitude }: { latitude: number; longitude: number }, place: Image["place"]): boolean {
  if (place?.latitude == null || place.longitude == null) return false;
  return Math.abs(place.latitude - latitude) < nearDegrees && Math.abs(place.longitude - longitude) < nearDegrees;
}
