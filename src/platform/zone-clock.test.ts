import { expect, test } from "bun:test";
import { clockIn, momentIn } from "./zone-clock.ts";

const read = (zone: string, clock: string) =>
  new Date(momentIn(zone, Date.parse(`${clock}Z`))).toISOString().slice(0, 16);

// Each clock was set back by an hour, or by half of one, in this night.
test.each([
  ["Europe/Berlin", "2024-10-27T02:30", "2024-10-27T00:30"],
  ["Europe/Lisbon", "2024-10-27T01:30", "2024-10-27T00:30"],
  ["America/New_York", "2024-11-03T01:30", "2024-11-03T05:30"],
  ["Pacific/Auckland", "2024-04-07T02:30", "2024-04-06T13:30"],
  ["Australia/Lord_Howe", "2024-04-07T01:45", "2024-04-06T14:45"],
])("a time that comes twice in %s is the first one", (zone, clock, first) => {
  expect(read(zone, clock)).toBe(first);
});

test.each([
  ["Europe/Berlin", "2024-03-31T02:30", "2024-03-31T01:30"],
  ["America/New_York", "2024-03-10T02:30", "2024-03-10T07:30"],
])("a time that the clock of %s skipped is read with the offset of before", (zone, clock, moment) => {
  expect(read(zone, clock)).toBe(moment);
});

test("every hour of a year comes back, but those that come twice", () => {
  const hourMs = 3_600_000;
  for (const zone of ["Europe/Berlin", "America/New_York", "Pacific/Auckland", "+05:30"]) {
    const start = Date.parse("2024-01-01T00:00Z");
    const hours = Array.from({ length: 366 * 24 }, (_, hour) => start + hour * hourMs);
    const others = hours.filter((moment) => momentIn(zone, clockIn(zone, moment)) !== moment);
    expect(others.map((moment) => momentIn(zone, clockIn(zone, moment)) - moment)).toEqual(
      zone.startsWith("+") ? [] : [-hourMs],
    );
  }
});
