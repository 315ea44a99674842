/** Degrees, and metres above the sea. */
export type Place = { latitude: number; longitude: number; altitude: number | null };

/** An angle from degrees, minutes and seconds; null if it is invalid or larger than `most`. */
export function toDegrees([degrees = NaN, minutes = 0, seconds = 0]: number[], most: number): number | null {
  // Cameras write an unknown part as 0/0.
  const part = (value: number) => (Number.isNaN(value) ? 0 : Math.abs(value));
  const size = Math.abs(degrees) + part(minutes) / 60 + part(seconds) / 3600;
  if (!(size <= most)) return null;
  return degrees < 0 ? -size : size;
}

/** Up to three numbers in a text such as `38,42.426N`, `38 42 25.5` or `387/10`. */
export function numbersIn(text: string): number[] {
  const found = text.slice(0, 100).match(/-?\d{1,9}(?:\.\d{1,15})?(?:\/\d{1,9})?/g) ?? [];
  return found.slice(0, 3).map((number) => {
    const [over, under = 1] = number.split("/").map(Number);
    return (over ?? NaN) / under;
  });
}

/** South and west are negative. */
export function withReference(degrees: number | null, reference: string): number | null {
  return degrees && /^[SW]/i.test(reference) ? -Math.abs(degrees) : degrees;
}

export function toAltitude(height: number | null | undefined, isBelow: boolean): number | null {
  if (height === null || height === undefined || !(Math.abs(height) <= 100_000)) return null;
  return isBelow && height > 0 ? -height : height;
}

const coordinate = String.raw`([+-]\d{1,7}(?:\.\d{1,15})?)`;
const isoPlace = new RegExp(`^${coordinate}${coordinate}(?:([+-]\\d{1,6}(?:\\.\\d{1,15})?))?`);

/** A place as phones write it into videos, by ISO 6709: `+38.7071-009.1355+012.000/`; null if it is not one. */
export function parsePlace(text: string): Place | null {
  const [, first, second, height] = isoPlace.exec(text.trim()) ?? [];
  const [latitude, longitude] = [toAngle(first ?? "", 2, 90), toAngle(second ?? "", 3, 180)];
  if (latitude === null || longitude === null) return null;
  return { latitude, longitude, altitude: toAltitude(height === undefined ? null : Number(height), false) };
}

/** Degrees have this many digits; two more are minutes, and two more seconds. */
function toAngle(text: string, digits: number, most: number): number | null {
  const [, sign = "+", whole = "", fraction = ""] = /^([+-])(\d+)(\.\d+)?$/.exec(text) ?? [];
  const parts = [whole.slice(0, digits), ...(whole.slice(digits).match(/\d{1,2}/g) ?? [])];
  const last = parts.pop() ?? "";
  const size = toDegrees([...parts, last + fraction].map(Number), most);
  return whole === "" || size === null ? null : withReference(size, sign === "-" ? "S" : "");
}
