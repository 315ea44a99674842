import { applyEdits, asBuffer, type Block, nothing, opaque } from "./bytes.ts";
import { type Dated, parseDate } from "./dates.ts";
import { type Exif, readExif } from "./exif.ts";
import { gifBlocks } from "./gif.ts";
import { readIptc } from "./iptc.ts";
import { isoMediaBlocks } from "./iso-media.ts";
import { jpegBlocks } from "./jpeg.ts";
import { headLength, mayHoldPrivateData, typeOfBytes } from "./kinds.ts";
import { matroskaBlocks } from "./matroska.ts";
import { pngBlocks } from "./png.ts";
import { isRawType } from "./raw-types.ts";
import { rawBlocks } from "./raw.ts";
import { readVideo } from "./read-video.ts";
import { decodeText } from "./text.ts";
import { tiffBlocks } from "./tiff-file.ts";
import { webpBlocks } from "./webp.ts";
import { readXmp } from "./xmp.ts";

export type ImageMetadata = Omit<Exif, "taken" | "changed"> & {
  /** Milliseconds UTC. Without a zone, it is the time of the camera's clock. */
  takenAt: number | null;
  /** The zone that the file says: `UTC` or `+02:00`. */
  takenAtZone: string | null;
  /** The name of the place, from the smallest part to the largest. */
  placeName: string | null;
  /** For videos. The duration is in milliseconds; null if it is not known. */
  video: { width: number; height: number; duration: number | null } | null;
};

type Blocks = (bytes: Uint8Array) => Generator<Block>;

const formats = new Map<string, Blocks>([
  ["image/jpeg", jpegBlocks],
  ["image/png", pngBlocks],
  ["image/webp", webpBlocks],
  ["image/gif", gifBlocks],
  ["image/tiff", tiffBlocks],
  ["image/avif", isoMediaBlocks],
  ["image/heic", isoMediaBlocks],
  ["image/heif", isoMediaBlocks],
  ["video/mp4", isoMediaBlocks],
  ["video/quicktime", isoMediaBlocks],
  ["audio/mp4", isoMediaBlocks],
  ["video/webm", matroskaBlocks],
  ["video/x-matroska", matroskaBlocks],
]);
const maxBlocks = 20_000;

/**
 * Reads the metadata of a file of this type. It accepts any bytes and never fails; values that cannot be read are null.
 */
export function readMetadata(bytes: Uint8Array, contentType: string): ImageMetadata {
  const found = new Map<Block["kind"], Uint8Array>();
  for (const { kind, data } of blocksOf(bytes, contentType)) if (!found.has(kind)) found.set(kind, data);
  const block = (kind: Block["kind"]) => found.get(kind) ?? nothing;
  const { taken, changed, ...exif } = readExif({ exif: block("exposure"), gps: block("gps"), image: block("exif") });
  const [iptc, xmp] = [readIptc(block("iptc")), readXmp(block("xmp"))];
  const video = readVideo(bytes, contentType);
  const moment = (kind: Block["kind"]) => parseDate(decodeText(block(kind)) ?? "");
  // Videos store UTC.
  const filmed = video?.takenAt ? { time: video.takenAt, isDay: false, zone: "UTC" } : null;
  const shot = firstMoment([taken, filmed, xmp.taken, iptc.taken, moment("created")], [changed, moment("modified")]);
  return {
    ...exif,
    make: exif.make ?? video?.make ?? xmp.make,
    model: exif.model ?? video?.model ?? xmp.model,
    lens: exif.lens ?? xmp.lens,
    takenAt: shot?.time ?? null,
    takenAtZone: shot?.zone ?? null,
    place: exif.place ?? video?.place ?? xmp.place,
    // These formats have their own orientation, which decoders follow; EXIF only repeats it.
    orientation: formats.get(contentType) === isoMediaBlocks ? 1 : exif.orientation,
    placeName: iptc.placeName ?? xmp.placeName,
    video: video && { width: video.width, height: video.height, duration: video.duration },
  };
}

/** A date with a time says more than one without. When the file was changed counts only if nothing else is known. */
function firstMoment(taken: (Dated | null)[], changed: (Dated | null)[]): Dated | null {
  const found = taken.filter((date) => date !== null);
  return found.find(({ isDay }) => !isDay) ?? found[0] ?? changed.find((date) => date !== null) ?? null;
}

/** Signatures of metadata, at least one of which is in every file of these types that has any. */
const markedTypes = new Set<string | null>(["image/jpeg", "image/png", "image/webp", "image/gif", null]);
const marks = [
  "Exif\0\0",
  "eXIf",
  "EXIF",
  "II*\0",
  "MM\0*",
  "http://ns.adobe.com/",
  "<x:xmpmeta",
  "Photoshop 3.0\0",
].concat(["Raw profile type", "com.apple.quicktime", "\xa9xyz"]);
/** Those of texts and comments, which mean something else in other files. */
const textMarks = new Map<string | null, string[]>([
  ["image/jpeg", ["\xff\xfe"]],
  ["image/png", ["tEXt", "zTXt", "iTXt"]],
  ["image/gif", ["!\xfe"]],
]);

/**
 * The bytes of a file that the public may read: images and videos without private data, everything else as it is. A file
 * that is damaged or of an unknown type is only public if it contains no signature of metadata.
 */
export function publicBytes(bytes: Uint8Array): Uint8Array[] | "all" | "none" {
  const type = typeOfBytes(bytes.subarray(0, headLength));
  if (type !== null && !mayHoldPrivateData(type)) return "all";
  const stripped = stripPrivate(bytes, type ?? "");
  return stripped === "none" && markedTypes.has(type) && !hasMark(bytes, type) ? "all" : stripped;
}

function hasMark(bytes: Uint8Array, type: string | null): boolean {
  return marks.concat(textMarks.get(type) ?? []).some((mark) => asBuffer(bytes).includes(mark, 0, "latin1"));
}

/**
 * Removes private data from a file of this type: locations, serial numbers, owners, thumbnails, edit histories. Pixels are
 * not changed. Returns the pieces of the cleaned file, most of them views of `bytes`; "all" if there is nothing to remove;
 * "none" if private data cannot be told apart from the rest. It takes any bytes and never fails.
 */
export function stripPrivate(bytes: Uint8Array, contentType: string): Uint8Array[] | "all" | "none" {
  const blocks = blocksOf(bytes, contentType)
    .take(maxBlocks + 1)
    .toArray();
  if (blocks.length > maxBlocks || blocks.includes(opaque)) return "none";
  return (
    applyEdits(
      bytes,
      blocks.flatMap(({ edits }) => edits),
    ) ?? "all"
  );
}

function blocksOf(bytes: Uint8Array, contentType: string): IteratorObject<Block> {
  const blocks = isRawType(contentType) ? rawBlocks : formats.get(contentType);
  return (blocks?.(bytes) ?? Iterator.from([opaque])).take(maxBlocks + 1);
}
