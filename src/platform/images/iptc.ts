import { latin, startsWith, uint } from "./bytes.ts";
import { type Dated, pickMoment } from "./dates.ts";
import { decodeText, tidy } from "./text.ts";

/** Record numbers for the parts of a place, from the smallest to the largest. */
const placeParts = [92, 90, 95, 101];
const [dateCreated, timeCreated] = [55, 60];

export type Caption = {
  taken: Dated | null;
  placeName: string | null;
};

export function readIptc(records: Uint8Array): Caption {
  const found = new Map<number, Uint8Array>();
  for (let at = 0; records[at] === 0x1c;) {
    const [from, part] = [at + 5, records[at + 2] ?? 0];
    const to = from + uint(records, at + 3, 2);
    if (records[at + 1] === 2 && !found.has(part)) found.set(part, records.subarray(from, to));
    at = to;
  }
  const text = (part: number) => latin(found.get(part) ?? new Uint8Array(), 0, 20);
  const [date, time] = [text(dateCreated), text(timeCreated)];
  const parts = placeParts.map((part) => decodeText(found.get(part) ?? new Uint8Array()));
  return { taken: pickMoment([`${date}T${time}`, date]), placeName: joinPlace(parts) };
}

export const joinPlace = (parts: (string | null)[]) => tidy(parts.filter(Boolean).join(", "));

/** The IPTC records among Photoshop's resources. */
export function findIptc(resources: Uint8Array): Uint8Array | null {
  for (let at = 0; startsWith(resources, at, "8BIM");) {
    const name = 1 + (resources[at + 6] ?? 0);
    const size = at + 6 + name + (name % 2);
    const from = size + 4;
    const to = from + uint(resources, size, 4);
    if (uint(resources, at + 4, 2) === 0x0404) return resources.subarray(from, to);
    at = to + (to % 2);
  }
  return null;
}
