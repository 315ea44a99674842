import { box, uint32 } from "./videos.ts";
import { type Bytes, secretExif } from "./pictures.ts";

/** The content of the items in the picture below. */
export const heifParts = {
  tiles: ["first tile", "second tile"],
  alpha: "alpha plane",
  thumbnail: "THUMBNAIL-before-the-crop",
  xmp: '<x:xmpmeta xmlns:x="adobe:ns:meta/"/> XMP-edit-history',
  unknown: "UNKNOWN-item-of-a-camera",
  other: "OTHER-picture-of-a-burst",
  gap: "HIDDEN-between-items",
  note: "NOTE-of-the-owner",
  video: "VIDEO-behind-the-picture",
};

const short = (...values: number[]) => Buffer.from(values.flatMap((value) => [value >> 8, value & 255]));

type Item = { id: number; type: string; data: Uint8Array; more?: string; isInside?: boolean };

/**
 * A HEIC picture of two tiles, with an alpha plane, a thumbnail, EXIF, XMP, a non-standard item, a non-standard
 * property, and bytes that belong to no item. Its pixels are placeholders: it shows which bytes are kept.
 */
export function heic({
  brand = "heic",
  compatible = "mif1heic",
  xmpInside = true,
  beforeExif = "Exif\0\0",
} = {}): Bytes {
  const { tiles, alpha, thumbnail, xmp, unknown, other, gap, note, video } = heifParts;
  const text = (value = "") => Buffer.from(value, "latin1");
  const exif = Buffer.concat([uint32(beforeExif.length), text(beforeExif), secretExif()]);
  const items: Item[] = [
    { id: 1, type: "grid", data: text("\0\0\0\x01\0\x40\0\x40"), isInside: true },
    { id: 2, type: "hvc1", data: text(tiles[0]) },
    { id: 3, type: "hvc1", data: text(tiles[1]) },
    { id: 4, type: "hvc1", data: text(alpha) },
    { id: 5, type: "hvc1", data: text(thumbnail) },
    { id: 6, type: "Exif", data: exif },
    { id: 7, type: "mime", data: text(xmp), more: "application/rdf+xml\0", isInside: xmpInside },
    { id: 8, type: "Zzzz", data: text(unknown) },
    { id: 9, type: "hvc1", data: text(other) },
  ];
  const inside = Buffer.concat(items.filter((item) => item.isInside).map(({ data }) => data));
  const outside = items.filter((item) => !item.isInside);
  const ftyp = box("ftyp", brand, uint32(0), compatible);
  const meta = (start: number) => {
    let [at, inner] = [start + gap.length, 0];
    const entries = items.map(({ id, data, isInside }) => {
      const offset = isInside ? inner : at;
      if (isInside) inner += data.length;
      else at += data.length;
      return Buffer.concat([short(id, isInside ? 1 : 0, 0, 1), uint32(offset, data.length)]);
    });
    const infos = items.map(({ id, type, more = "" }) => box("infe", "\x02\0\0\0", short(id, 0), type, "name\0", more));
    return box(
      "meta",
      uint32(0),
      box("hdlr", uint32(0, 0), "pict", uint32(0, 0, 0), "\0"),
      box("pitm", uint32(0), short(1)),
      box("iloc", "\x01\0\0\0\x44\0", short(items.length), ...entries),
      box("iinf", uint32(0), short(items.length), ...infos),
      box(
        "iref",
        uint32(0),
        box("dimg", short(1, 2, 2, 3)),
        box("auxl", short(4, 1, 1)),
        box("thmb", short(5, 1, 1)),
        box("cdsc", short(6, 2, 9, 1)),
        box("cdsc", short(7, 1, 9)),
      ),
      box("iprp", box("ipco", box("ispe", uint32(0, 64, 64)), box("udes", note)), box("ipma", uint32(0, 0))),
      box("idat", inside),
      box("uuid", note),
    );
  };
  const start = ftyp.length + meta(0).length + 8;
  const mdat = box("mdat", gap, ...outside.map(({ data }) => data));
  return new Uint8Array(Buffer.concat([ftyp, meta(start), mdat, box("mpvd", video)]));
}
