import type { Place } from "./place.ts";

/** What a video says about itself. Missing and invalid values are null. */
export type Video = {
  /** The size of the upright picture, in pixels. */
  width: number | null;
  height: number | null;
  /** Milliseconds. */
  duration: number | null;
  /** Milliseconds UTC. */
  takenAt: number | null;
  make: string | null;
  model: string | null;
  place: Place | null;
};
