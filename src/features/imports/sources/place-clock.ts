import findZone from "tz-lookup";

type Coordinates = { latitude: number; longitude: number };

/** What a clock at this place showed at this moment, as if that were UTC. */
export function clockAt({ latitude, longitude }: Coordinates, moment: number): number {
  const isPlace = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  return isPlace ? clockIn(findZone(latitude, longitude), moment) : moment;
}

/** The same in a zone such as `Europe/Lisbon` or `+02:00`; UTC if nobody knows the zone. */
export function clockIn(zone: string, moment: number): number {
  try {
    const parts = formatFor(zone).formatToParts(moment);
    const value = (type: string) => Number(parts.find((part) => part.type === type)?.value);
    const clock = [value("month") - 1, value("day"), value("hour"), value("minute"), value("second")] as const;
    const year = value("year");
    const seconds = Date.UTC(year, ...clock);
    return Number.isNaN(seconds) || year < 1000 ? moment : seconds + (((moment % 1000) + 1000) % 1000);
  } catch {
    return moment;
  }
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatFor(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const numbers = { year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric" } as const;
  const format = new Intl.DateTimeFormat("en-US", {
    ...numbers,
    second: "numeric",
    hourCycle: "h23",
    timeZone: zone,
  });
  formats.set(zone, format);
  return format;
}
