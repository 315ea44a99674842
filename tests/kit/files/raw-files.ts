import { box, uint32 } from "./videos.ts";
import { type Bytes, bytesOf, quadrants, tiff } from "./pictures.ts";
import { page, type TiffTags, writeTiff } from "./tiff-files.ts";

export const rawSerial = "RAW-SERIAL-1138";

const jpeg = (width: number, height: number) => bytesOf(quadrants(width, height).jpeg());
const sensor = Buffer.from("sensor data ".repeat(20));

const exif: TiffTags = { 0x9003: "2026:06:12 20:41:07", 0xa431: rawSerial };
const gps: TiffTags = { 0x01: "N", 0x02: [5, 51, 1, 30, 1, 0, 1], 0x03: "W", 0x04: [5, 12, 1, 15, 1, 0, 1] };

/** The structure that many cameras write: a thumbnail first, with the sensor data and a preview below it. */
async function tiffBased(make: string, more: TiffTags, previewWidth: number): Promise<TiffTags> {
  const preview = await jpeg(previewWidth, (previewWidth * 2) / 3);
  return {
    ...page(4, 4, Buffer.alloc(48, 99)),
    0x00fe: [4, 1],
    0x010f: make,
    0x0110: "Camera",
    0x0112: [3, 6],
    0x014a: {
      below: [
        { ...page(20, 12, sensor), 0x0106: [3, 32_803] },
        { 0x00fe: [4, 1], 0x0103: [3, 6], 0x0201: { at: preview }, 0x0202: [4, preview.length] },
      ],
    },
    0x8769: { below: [exif] },
    0x8825: { below: [gps] },
    ...more,
  };
}

/**
 * RAW files of all kinds, each with a preview of a known width; `isTurned` files were taken with the camera held
 * upright.
 */
export const rawFiles: Record<
  string,
  { name: string; type: string; isTurned?: true; make(width: number): Promise<Bytes> }
> = {
  dng: {
    name: "a.dng",
    type: "image/x-adobe-dng",
    isTurned: true,
    make: async (width) => writeTiff([await tiffBased("Leica", { 0xc612: [1, 1, 4, 0, 0] }, width)]),
  },
  nef: {
    name: "a.nef",
    type: "image/x-nikon-nef",
    isTurned: true,
    make: async (width) => writeTiff([await tiffBased("NIKON CORPORATION", {}, width)], { little: false }),
  },
  arw: {
    name: "no extension",
    type: "image/x-sony-arw",
    isTurned: true,
    make: async (width) => writeTiff([await tiffBased("SONY", {}, width)]),
  },
  cr2: {
    name: "a.cr2",
    type: "image/x-canon-cr2",
    async make(width) {
      const header = Buffer.from("II*\0\x10\0\0\0CR\x02\0\0\0\0\0\0\0\0\0\0\0", "latin1");
      return new Uint8Array(Buffer.concat([header, Buffer.from(rawSerial), await jpeg(width, (width * 2) / 3)]));
    },
  },
  cr3: {
    name: "a.cr3",
    type: "image/x-canon-cr3",
    isTurned: true,
    async make(width) {
      const parts = [
        box("CMT1", tiff({ image: { 0x010f: "Canon", 0x0112: [3, 6] } })),
        box("CMT2", tiff({ image: { 0x9003: "2026:06:12 20:41:07", 0xa431: rawSerial } })),
        box("CMT4", writeTiff([gps])),
      ];
      const mark = "\x85\xc0\xb6\x87\x82\x0f\x11\xe0\x81\x11\xf4\xce\x46\x2b\x6a\x48";
      const file = [
        box("ftyp", "crx ", uint32(1), "crx isom"),
        box("moov", box("uuid", mark, ...parts)),
        box("mdat", await jpeg(width, (width * 2) / 3), sensor),
      ];
      return new Uint8Array(Buffer.concat(file));
    },
  },
  raf: marked("raf", "image/x-fuji-raf", "FUJIFILMCCD-RAW 0201"),
  rw2: marked("rw2", "image/x-panasonic-rw2", "IIU\0\x08\0\0\0\0\0\0\0\0\0"),
  orf: marked("orf", "image/x-olympus-orf", "IIRO\x08\0\0\0\0\0\0\0\0\0"),
  crw: marked("crw", "image/x-canon-crw", "II\x1a\0\0\0HEAPCCDR"),
  mrw: marked("mrw", "image/x-minolta-mrw", "\0MRM\0\0\0\0"),
  x3f: marked("x3f", "image/x-sigma-x3f", "FOVb\0\0\x02\0"),
};

/** A signature, a serial number, and a JPEG somewhere. */
function marked(extension: string, type: string, mark: string) {
  return {
    name: `a.${extension}`,
    type,
    async make(width: number): Promise<Bytes> {
      const parts = [mark, rawSerial, "\0".repeat(99)].map((text) => Buffer.from(text, "latin1"));
      return new Uint8Array(
        Buffer.concat([...parts, await jpeg(160, 120), await jpeg(width, (width * 2) / 3), sensor]),
      );
    },
  };
}
