import { latin } from "./bytes.ts";

type Still = { codec: string; size: { width: number; height: number }; properties: Uint8Array[] };

/** Boxes of a sample entry that are also properties of an item, and the bit of those without which it cannot be decoded. */
const kinds: Record<string, number> = { av1C: 0x80, hvcC: 0x80, colr: 0, pasp: 0 };

/** A HEIF or AVIF file with one picture. */
export function writeStill({ codec, size, properties }: Still, coded: Uint8Array): Uint8Array {
  const kindOf = (property: Uint8Array) => kinds[latin(property, 4, 8)];
  const kept = properties.filter((property) => kindOf(property) !== undefined);
  const described = [...kept, box("ispe", uint32(0), uint32(size.width), uint32(size.height))];
  const positions = described.map((property, index) => (kindOf(property) ?? 0) | (index + 1));
  const brand = codec === "av01" ? "avif" : "heic";
  const ftyp = box("ftyp", brand, uint32(0), `mif1${brand}`);
  const meta = (offset: number) =>
    box(
      "meta",
      uint32(0),
      box("hdlr", uint32(0), uint32(0), "pict", uint32(0), uint32(0), uint32(0), "\0"),
      box("pitm", uint32(0), uint16(1)),
      box("iinf", uint32(0), uint16(1), box("infe", uint32(0x0200_0000), uint16(1), uint16(0), `${codec}\0`)),
      box(
        "iprp",
        box("ipco", ...described),
        box("ipma", uint32(0), uint32(1), uint16(1), Buffer.from([positions.length, ...positions])),
      ),
      // One item of one extent, with an offset and a length of 4 bytes each.
      box("iloc", uint32(0), uint16(0x4400), uint16(1), uint16(1), uint32(1), uint32(offset), uint32(coded.length)),
    );
  const start = ftyp.length + meta(0).length + 8;
  return Buffer.concat([ftyp, meta(start), box("mdat", coded)]);
}

function box(type: string, ...parts: (string | Uint8Array)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : part)));
  return Buffer.concat([uint32(body.length + 8), Buffer.from(type, "latin1"), body]);
}

const uint16 = (value: number) => Buffer.from([value >> 8, value & 255]);
const uint32 = (value: number) => Buffer.concat([uint16(value >>> 16), uint16(value & 0xffff)]);
