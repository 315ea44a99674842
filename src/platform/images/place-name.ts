import { uint } from "./bytes.ts";
import { decodeText, tidy } from "./text.ts";

const mostXmp = 2 ** 18;

/** From the smallest to the largest: in IPTC as numbers of records, in XMP as names. */
const iptcParts = [92, 90, 95, 101];
const xmpParts = ["Iptc4xmpCore:Location", "photoshop:City", "photoshop:State", "photoshop:Country"];

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** What people call the place, from IPTC records. */
export function placeInIptc(records: Uint8Array): string | null {
  const found = new Map<number, string | null>();
  for (let at = 0; records[at] === 0x1c;) {
    const from = at + 5;
    const to = from + uint(records, at + 3, 2);
    const part = records[at + 2] ?? 0;
    if (records[at + 1] === 2 && !found.has(part)) found.set(part, decodeText(records.subarray(from, to)));
    at = to;
  }
  return joined(iptcParts.map((part) => found.get(part)));
}

/** The same from an XMP packet, where each part is an attribute or an element. */
export function placeInXmp(packet: Uint8Array): string | null {
  const xml = new TextDecoder().decode(packet.subarray(0, mostXmp));
  return joined(
    xmpParts.map((name) => {
      const value = `\\s{0,9}=\\s{0,9}(?:"([^"<]{0,999})"|'([^'<]{0,999})')|(?:\\s[^<>]{0,99})?>([^<]{0,999})</`;
      const [, ...forms] = new RegExp(`\\b${name}(?:${value})`).exec(xml) ?? [];
      const text = forms.find((form) => form !== undefined) ?? "";
      return tidy(text.replace(/&(\w{2,4});/g, (entity, sign: string) => entities[sign] ?? entity));
    }),
  );
}

const joined = (parts: (string | null | undefined)[]) => tidy(parts.filter(Boolean).join(", "));
