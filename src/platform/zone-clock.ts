/** What a clock in a zone such as `Europe/Lisbon` or `+02:00` showed at this moment, as if that were UTC; UTC if nobody knows it. */
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

/** When a clock in this zone showed this time, which is given as if it were UTC. Of an hour that comes twice, the first. */
export function momentIn(zone: string, clock: number): number {
  const offsetAt = (moment: number) => clockIn(zone, moment) - moment;
  const guess = clock - offsetAt(clock);
  return clock - offsetAt(guess);
}

/** Whether this is a zone such as `Europe/Lisbon` or `+02:00`. */
export function isZone(zone: string): boolean {
  try {
    return formatFor(zone) !== undefined;
  } catch {
    return false;
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
