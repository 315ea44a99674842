/** What a clock in a zone such as `Europe/Lisbon` or `+02:00` showed at this moment, as if that were UTC; UTC if the zone is unknown. */
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

/**
 * When a clock in this zone showed this time, which is given as if it were UTC. Of an hour that comes twice, it is the first; a
 * time that the clock skipped is read as if it had not been set forward yet.
 */
export function momentIn(zone: string, clock: number): number {
  const momentWithOffsetOf = (nearby: number) => clock - (clockIn(zone, nearby) - nearby);
  const before = momentWithOffsetOf(clock - dayMs);
  const after = momentWithOffsetOf(clock + dayMs);
  // A clock that is set back has the greater offset, and so the earlier moment, before.
  return clockIn(zone, before) === clock || clockIn(zone, after) !== clock ? before : after;
}

const dayMs = 86_400_000;

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
