import { crc32 } from "node:zlib";
import sharp from "sharp";

/** Pictures with all the metadata that cameras, phones and editors write. */

/** None of these may appear in a public file. */
export const secrets = {
  body: "SN-1234567",
  lens: "LENS-7654321",
  owner: "OWNER-Jane-Doe",
  note: "MAKERNOTE-of-the-camera",
  id: "0123456789abcdef-IMAGE-ID",
  comment: "USER-COMMENT-home-alone",
  host: "HOST-janes-laptop",
  title: "XP-my-title",
  caption: "DESCRIPTION-of-my-house",
  software: "SOFTWARE-in-C:\\Users\\jane",
  remark: "COMMENT-of-a-program",
  thumbnail: "THUMBNAIL-before-the-crop",
  hidden: "HIDDEN-between-the-tags",
  xmp: "XMP-edit-history",
  iptc: "IPTC-caption",
  second: "SECOND-picture-behind-the-end",
  seconds: 3_233_897,
};

export type Field = [tag: number, type: number, value: string | number[]];
type Fields = { image: Field[]; exif?: Field[]; gps?: Field[]; interop?: Field[]; thumbnail?: Field[] };

const [byte, text, short, long, fraction, blob, signed] = [1, 2, 3, 4, 5, 7, 10];
const sizes: Record<number, number> = {
  [byte]: 1,
  [text]: 1,
  [short]: 2,
  [long]: 4,
  [fraction]: 4,
  [blob]: 1,
  [signed]: 4,
};

const openFields: Fields = {
  image: [
    [0x010f, text, "Leica Camera AG"],
    [0x0110, text, "M11"],
    [0x0112, short, [6]],
    [0x011a, fraction, [72, 1]],
    [0x0132, text, "2024:06:01 08:00:00"],
    [0x013b, text, "Jörg"],
    [0x8298, text, "(c) J."],
  ],
  exif: [
    [0x829a, fraction, [1, 250]],
    [0x829d, fraction, [28, 10]],
    [0x8827, short, [400]],
    [0x9000, blob, "0232"],
    [0x9003, text, "2024:05:06 07:08:09"],
    [0x9011, text, "+02:00"],
    [0x920a, fraction, [50, 1]],
    [0x9291, text, "123"],
    [0xa001, short, [1]],
    [0xa434, text, "Summilux-M 1:1.4/50"],
  ],
  interop: [[0x0001, text, "R98"]],
};

export const privateFields: Fields = {
  image: [
    [0x010e, text, secrets.caption],
    ...openFields.image.slice(0, 5),
    [0x0131, text, secrets.software],
    ...openFields.image.slice(5),
    [0x013c, text, secrets.host],
    [0x9c9b, byte, secrets.title],
  ],
  exif: [
    ...(openFields.exif ?? []),
    [0x927c, blob, `${secrets.note}${"\xff\xd9".repeat(200)}`],
    [0x9286, blob, `ASCII\0\0\0${secrets.comment}`],
    [0xa420, text, secrets.id],
    [0xa430, text, secrets.owner],
    [0xa431, text, secrets.body],
    [0xa435, text, secrets.lens],
  ],
  interop: openFields.interop ?? [],
  gps: [
    [0x0001, text, "S"],
    [0x0002, fraction, [33, 1, 51, 1, secrets.seconds, 100_000]],
    [0x0003, text, "E"],
    [0x0004, fraction, [151, 1, 12, 1, secrets.seconds, 100_000]],
    [0x0005, byte, [1]],
    [0x0006, fraction, [35, 10]],
  ],
  thumbnail: [[0x0103, short, [6]]],
};

/** A TIFF block with these directories, followed by the thumbnail and some hidden bytes. */
export function writeExif(little: boolean, fields: Fields, pixels?: Uint8Array): Uint8Array {
  const parts: Buffer[] = [Buffer.from(little ? "II*\0\0\0\0\0" : "MM\0*\0\0\0\0", "latin1")];
  let end = 8;
  const number = (value: number, size: number) => {
    const bytes = Buffer.alloc(size);
    return (little ? bytes.writeUIntLE(value, 0, size) : bytes.writeUIntBE(value, 0, size), bytes);
  };
  const add = (bytes: Buffer) => {
    const at = end;
    const padded = Buffer.concat([bytes, Buffer.alloc(bytes.length % 2)]);
    parts.push(padded);
    end += padded.length;
    return at;
  };
  /** Directories are written before the directories that point to them. */
  const directory = (list: Field[], next = 0) => {
    const entries = list
      .toSorted((a, b) => a[0] - b[0])
      .map(([tag, type, value]) => {
        const size = sizes[type] ?? 1;
        const bytes =
          typeof value === "string"
            ? Buffer.from(type === text ? `${value}\0` : value, type === text ? "utf8" : "latin1")
            : Buffer.concat(value.map((one) => number(one, size)));
        const count = bytes.length / (type === fraction || type === signed ? 8 : size);
        const inline =
          bytes.length > 4 ? number(add(bytes), 4) : Buffer.concat([bytes, Buffer.alloc(4 - bytes.length)]);
        return Buffer.concat([number(tag, 2), number(type, 2), number(count, 4), inline]);
      });
    return add(Buffer.concat([number(list.length, 2), ...entries, number(next, 4)]));
  };

  const below = (list: Field[] | undefined, tag: number): Field[] => (list ? [[tag, long, [directory(list)]]] : []);
  let next = 0;
  if (fields.thumbnail) {
    const picture = Buffer.from(`\xff\xd8\xff\xfe\0\x1b${secrets.thumbnail}\xff\xd9`, "latin1");
    const place = add(picture);
    add(Buffer.from(secrets.hidden));
    next = directory([...fields.thumbnail, [0x0201, long, [place]], [0x0202, long, [picture.length]]]);
  }
  const strip: Field[] = pixels
    ? [
        [0x0111, long, [add(Buffer.from(pixels))]],
        [0x0117, long, [pixels.length]],
      ]
    : [];
  const exif = [...(fields.exif ?? []), ...below(fields.interop, 0xa005)];
  const image = [...fields.image, ...strip, ...below(fields.gps, 0x8825), ...below(exif, 0x8769)];
  const first = directory(image, next);
  const block = Buffer.concat(parts);
  block.set(number(first, 4), 4);
  return block;
}

export const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" photoshop:City="Sydney &amp; Suburbs"
 photoshop:History="${secrets.xmp}"><photoshop:Country>Australia</photoshop:Country></rdf:Description></rdf:RDF></x:xmpmeta>`;

/** A picture of more than one colour, so that a wrong byte is noticed. */
const plain = () => {
  const pixels = Uint8Array.from({ length: 64 * 48 * 3 }, (_, i) => (i * i) % 251);
  return sharp(pixels, { raw: { width: 64, height: 48, channels: 3 } });
};

type Maker = (exif: Uint8Array, little: boolean, withSecrets: boolean) => Promise<Uint8Array>;

const makers: Record<string, Maker> = {
  async jpeg(exif, _little, withSecrets) {
    const image = await plain().withIccProfile("p3").jpeg({ progressive: true }).toBuffer();
    const before = [segment(0xe1, Buffer.concat([Buffer.from("Exif\0\0"), exif]))];
    if (!withSecrets) return Buffer.concat([image.subarray(0, 2), ...before, image.subarray(2)]);
    const dots = `\x03\x03${secrets.thumbnail.padEnd(27)}`;
    before.unshift(segment(0xe0, `JFIF\0\x01\x02\0\0\x01\0\x01${dots}`));
    before.push(segment(0xe0, `JFXX\0\x10${secrets.thumbnail}`));
    before.push(segment(0xe1, `http://ns.adobe.com/xap/1.0/\0${xmp}`));
    before.push(segment(0xe1, `http://ns.adobe.com/xmp/extension/\0${"A".repeat(32)}\0\0\0\x10\0\0\0\0${secrets.xmp}`));
    before.push(segment(0xe1, Buffer.concat([Buffer.from("Exif\0\0"), exif])));
    before.push(segment(0xe2, `MPF\0II*\0${secrets.second}`), segment(0xe2, `FPXR\0${secrets.hidden}`));
    before.push(segment(0xeb, `JP\0\0${secrets.hidden}`), segment(0xed, `Photoshop 3.0\0${photoshop()}`));
    before.push(Buffer.from([0xff, 0xff, 0xff]), segment(0xfe, secrets.remark));
    const behind = Buffer.concat([image, Buffer.from(secrets.second)]);
    return Buffer.concat([image.subarray(0, 2), ...before, image.subarray(2), behind]);
  },

  async png(exif, _little, withSecrets) {
    const image = await plain().withIccProfile("p3").png().toBuffer();
    const chunks = [chunk("eXIf", exif), chunk("tEXt", "Author\0stays")];
    if (withSecrets) {
      chunks.push(chunk("tEXt", `Comment\0${secrets.remark}`));
      chunks.push(chunk("iTXt", `XML:com.adobe.xmp\0\0\0\0\0${xmp}`), chunk("eXIf", exif));
      chunks.push(chunk("tEXt", `Raw profile type iptc\0${secrets.iptc}`), chunk("prVt", secrets.hidden));
    }
    const behind = Buffer.from(withSecrets ? secrets.second : "");
    return Buffer.concat([image.subarray(0, 33), ...chunks, image.subarray(33), behind]);
  },

  async webp(exif, _little, withSecrets) {
    const image = await plain().withIccProfile("p3").webp({ lossless: true }).toBuffer();
    const chunks = [riff("EXIF", exif)];
    if (withSecrets) chunks.push(riff("XMP ", xmp), riff("EXIF", exif), riff("prVt", secrets.hidden));
    const whole = Buffer.concat([image, ...chunks, Buffer.from(withSecrets ? secrets.second : "")]);
    whole[20] = (whole[20] ?? 0) | (withSecrets ? 0x0c : 0x08);
    whole.writeUInt32LE(Buffer.concat([image, ...chunks]).length - 8, 4);
    return whole;
  },

  async avif(exif, _little, withSecrets) {
    // The library writes a longer block, which is replaced by ours.
    const picture = plain()
      .withExif({ IFD0: { ImageDescription: "x".repeat(exif.length) } })
      .withIccProfile("p3");
    const image = await (withSecrets ? picture.withXmp(xmp) : picture).avif({ lossless: true }).toBuffer();
    const start = image.lastIndexOf("Exif\0\0") + 6;
    const end = withSecrets ? image.indexOf(xmp) : image.length;
    image.fill(0, start, end).set(exif, start);
    const video = Buffer.concat([
      Buffer.from([0, 0, 0, 8 + secrets.second.length]),
      Buffer.from(`mpvd${secrets.second}`),
    ]);
    return Buffer.concat([image, ...(withSecrets ? [video] : [])]);
  },

  async tiff(_exif, little, withSecrets) {
    const { data, info } = await plain().raw().toBuffer({ resolveWithObject: true });
    const { icc } = await sharp(await plain().withIccProfile("p3").jpeg().toBuffer()).metadata();
    const { thumbnail: _, ...fields } = withSecrets ? privateFields : openFields;
    const secret: Field[] = [
      [0x02bc, byte, xmp],
      [0x83bb, blob, iptc()],
      [0x8649, blob, photoshop()],
      [0xc62f, text, secrets.body],
    ];
    const image: Field[] = [
      ...fields.image,
      ...(withSecrets ? secret : []),
      [0x0100, short, [info.width]],
      [0x0101, short, [info.height]],
      [0x0102, short, [8, 8, 8]],
      [0x0103, short, [1]],
      [0x0106, short, [2]],
      [0x0115, short, [3]],
      [0x0116, short, [info.height]],
      [0x8773, blob, [...(icc ?? [])]],
    ];
    return writeExif(little, { ...fields, image }, data);
  },
};

export const formats = Object.keys(makers);

/** The picture in this format, with all private data or with none. */
export async function makePicture(format: string, little: boolean, withSecrets: boolean): Promise<Uint8Array> {
  const exif = writeExif(little, withSecrets ? privateFields : openFields);
  return Uint8Array.from((await makers[format]?.(exif, little, withSecrets)) ?? []);
}

export const segment = (marker: number, content: string | Uint8Array) => {
  const body = typeof content === "string" ? Buffer.from(content, "latin1") : content;
  return Buffer.concat([Buffer.from([0xff, marker, (body.length + 2) >> 8, (body.length + 2) & 0xff]), body]);
};

export const chunk = (type: string, content: string | Uint8Array) => {
  const body = Buffer.concat([Buffer.from(type), Buffer.from(content)]);
  const [size, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  size.writeUInt32BE(body.length - 4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([size, body, check]);
};

const riff = (type: string, content: string | Uint8Array) => {
  const body = Buffer.from(content);
  const head = Buffer.from(`${type}\0\0\0\0`);
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body, Buffer.alloc(body.length % 2)]);
};

/** Photoshop resources: another one, then IPTC. */
function photoshop(): string {
  return `8BIM\x07\xd0\x03abc\0\0\0\x01x\x008BIM\x04\x04\0\0\0\0\0${String.fromCharCode(iptc().length)}${iptc()}`;
}

/** A place and a caption. */
function iptc(): string {
  const records: [number, string][] = [
    [90, "K\xf6ln"],
    [101, "Germany"],
    [92, "Dom"],
    [120, secrets.iptc],
  ];
  return records.map(([id, value]) => `\x1c\x02${String.fromCharCode(id, 0, value.length)}${value}`).join("");
}

/** The secrets that these bytes contain. */
export function secretsIn(content: Buffer): string[] {
  return Object.entries(secrets).flatMap(([name, secret]) => {
    if (typeof secret === "string") return content.includes(secret) ? [name] : [];
    const number = Buffer.alloc(4);
    number.writeUInt32BE(secret);
    return content.includes(number) || content.includes(number.toReversed()) ? [name] : [];
  });
}
