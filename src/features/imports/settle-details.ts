import type { Image } from "../../core/images/image.ts";
import { isPossibleDate } from "../../content/photos/photo.ts";
import type { WaitingPhoto } from "./items-store.ts";

const quarter = 15 * 60_000;
const furthestZone = 14 * 3_600_000;
/** Nearer places are the same: programs round them. */
const nearDegrees = 0.01;

type Details = WaitingPhoto["details"];
type Settled = Omit<Details, "momentTaken" | "clockTaken" | "isTimeRough"> & { takenAt?: string };

/**
 * What a source says of a photo, without what the file says better: a time that differs from that of the file only by a time
 * zone, and a place that is about the same. What is left is a correction by the owner, or is missing in the file.
 */
export function settleDetails(details: Details | null, image: Pick<Image, "takenAt" | "place">): Partial<Settled> {
  const { momentTaken, clockTaken, isTimeRough, place, ...said } = details ?? {};
  const taken = clockTaken ?? momentTaken;
  const isTimeKnown =
    image.takenAt !== null &&
    (isTimeRough ||
      (momentTaken === undefined
        ? clockTaken !== undefined && isSameClock(image.takenAt, clockTaken)
        : isSameMoment(image.takenAt, momentTaken)));
  const hasTime = taken !== undefined && isPossibleDate(taken) && !isTimeKnown;
  return {
    ...said,
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
