import findZone from "tz-lookup";
import { clockIn } from "../../src/platform/zone-clock.ts";

type Coordinates = { latitude: number; longitude: number };

/** What a clock at this place showed at this moment, as if that were UTC. */
export function clockAt({ latitude, longitude }: Coordinates, moment: number): number {
  const isPlace = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  return isPlace ? clockIn(findZone(latitude, longitude), moment) : moment;
}
