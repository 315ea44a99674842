declare module "tz-lookup" {
  /** The name of the time zone of a place. Throws if the coordinates are not on Earth. */
  export default function findZone(latitude: number, longitude: number): string;
}
