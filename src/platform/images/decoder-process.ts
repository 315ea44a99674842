/*
 * A separate process that decodes untrusted pictures, so that a malicious picture can crash only its own decoder. It
 * takes one task at a time from its parent, and exits with it.
 */
import { writeFileSync } from "node:fs";
import { setPriority } from "node:os";
import type sharp from "sharp";
import type { ResizeOptions, Sharp, SharpOptions } from "sharp";
import { rgbaToThumbHash } from "thumbhash";
import { nothing } from "./bytes.ts";
import { draw } from "./draw.ts";
import type { Cleaned, Compared, Inspected, Outcome, Piece, Pixels, Scaled, Size, Task } from "./decoder.ts";
import { inSRGB } from "./deep-profile.ts";
import { areaOf, type Edits, turnSize } from "./edits.ts";
import { encode } from "./encode.ts";
import { isTooLong, viewFile } from "./file-view.ts";
import { decodeHEIC, NotInstalled, Refusal } from "./heic.ts";
import { isAV1 } from "./iso-picture.ts";
import { headLength, isPictureType, typeOfBytes } from "./kinds.ts";
import { lookOf } from "./look.ts";
import { lacksEnd, openCutOff } from "./cut-off.ts";
import { makeMaster } from "./master.ts";
import { publicBytes, readMetadata, stripPrivate } from "./metadata.ts";
import { findMotion } from "./motion.ts";
import { openPicture } from "./open-picture.ts";
import { readVideo } from "./read-video.ts";
import { findSlow } from "./slow.ts";
import { explainFailure, explainFormat, explainSize } from "./refusal.ts";
import { isSurelySame, writeCopy } from "./cleaned-copy.ts";

const maxPixels = 100_000_000;
const loaders = ["Jpeg", "Png", "Webp", "Nsgif", "Tiff", "Heif"].map((name) => `VipsForeignLoad${name}`);
const maxWritten = 2 ** 23;
const thumbSide = 100;
const videoType = "video/mp4";

process.on("message", (task: Task) => {
  void perform(task).then((outcome) => process.send?.(outcome));
});
process.on("disconnect", () => process.exit());
makeWay();

async function perform(task: Task): Promise<Outcome> {
  try {
    if (task.action === "inspect") return { result: inspect(task.path) };
    if (task.action === "compare") return { result: await compare(task) };
    if (task.action === "measure") return { result: await measure(task) };
    if (task.action === "icon") return { result: await makeIcon(task.path, task.side) };
    if (task.action === "draw") return { result: { bytes: await draw(await loadLibrary(), task.drawing) } };
    return { result: await scale(task) };
  } catch (error) {
    if (error instanceof NotInstalled) return { failure: error.message, isPermanent: false };
    const failure = error instanceof Refusal ? error.message : await explain((error as Error).message, task);
    return { failure, isPermanent: true };
  }
}

/** Reads the metadata of a file, and which of its bytes the public may read. A file that is too long is not public. */
function inspect(path: string): Inspected {
  if (isTooLong(path))
    return {
      metadata: readMetadata(nothing, ""),
      isPicture: false,
      refusal: null,
      public: "none",
      isProven: true,
      motion: null,
      slow: null,
    };
  const bytes = viewFile(path);
  const type = typeOfBytes(bytes.subarray(0, headLength)) ?? "";
  const stripped = publicBytes(bytes);
  return {
    metadata: readMetadata(bytes, type),
    isPicture: isPictureType(type),
    refusal: explainFormat(type),
    public: typeof stripped === "string" ? stripped : describe(bytes, stripped),
    isProven: !isPictureType(type) || typeof stripped === "string" || isSurelySame(bytes, stripped),
    motion: inspectMotion(bytes, type),
    slow: findSlow(bytes, type),
  };
}

/** A video that cannot be cleaned, or has no duration, is ignored. */
function inspectMotion(bytes: Uint8Array, type: string): Inspected["motion"] {
  const video = findMotion(bytes, type);
  const duration = video && readVideo(video, videoType)?.duration;
  const stripped = video && stripPrivate(video, videoType);
  if (!video || !duration || !stripped || stripped === "none") return null;
  const cleaned = describe(bytes, stripped === "all" ? [video] : stripped);
  return typeof cleaned === "string" ? null : { ...cleaned, duration };
}

/** A cleaned file is stored as ranges of the original and what replaces the rest. If that is too much, nothing is public. */
function describe(bytes: Uint8Array, stripped: Uint8Array[]): Cleaned | "none" {
  const hasher = new Bun.CryptoHasher("sha256");
  let size = 0;
  let written = 0;
  const pieces = stripped.map((piece): Piece => {
    hasher.update(piece);
    size += piece.length;
    const start = piece.byteOffset - bytes.byteOffset;
    if (piece.buffer === bytes.buffer) return { start, end: start + piece.length };
    const [fill = 0] = piece;
    if (Buffer.compare(piece.subarray(1), piece.subarray(0, -1)) === 0) return { fill, length: piece.length };
    written += piece.length;
    return written > maxWritten ? "" : Buffer.from(piece).toString("base64");
  });
  return written > maxWritten ? "none" : { pieces, size, sha256: hasher.digest("hex") };
}

/** Both are decoded in the same way, and at full size. */
async function compare({ path, pieces, copy }: Extract<Task, { action: "compare" }>): Promise<Compared> {
  const before = await fingerprint(path);
  writeCopy(copy, path, pieces);
  return { isSame: (await fingerprint(copy)) === before };
}

async function fingerprint(path: string): Promise<string> {
  return withPicture(path, async ({ picture, size, master }) => {
    const pixels = master ?? (await picture.autoOrient().toColourspace("srgb").raw().toBuffer());
    return `${size.width} ${size.height} ${Bun.hash(pixels)}`;
  });
}

async function measure({ source, edits }: Extract<Task, { action: "measure" }>): Promise<Pixels> {
  return withPicture(source, async ({ picture, size, master, isCutOff }) => {
    const small: ResizeOptions = { width: thumbSide, height: thumbSide, fit: "inside", withoutEnlargement: true };
    const shown = edits ? await edit(picture, edits, small) : picture.autoOrient().resize(small);
    const { data, info } = await shown.toColourspace("srgb").ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    const thumbhash = Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString("base64");
    const look = lookOf(info.width, info.height, data);
    return { ...size, thumbhash, look, master, isCutOff: isCutOff || (typeof source === "string" && lacksEnd(source)) };
  });
}

async function scale({ source, size, format, edits }: Extract<Task, { action: "scale" }>): Promise<Scaled> {
  // By default, the library is sometimes off by one pixel.
  const exactly: ResizeOptions = { ...(edits ? turnSize(edits, size) : size), fit: "fill" };
  return withPicture(source, async ({ picture }) => {
    const scaled = edits ? await edit(picture, edits, exactly) : picture.autoOrient().resize(exactly);
    return { bytes: await encode(scaled, format).toBuffer() };
  });
}

/**
 * Crops and scales the upright picture, and then turns and mirrors what is left: in one go, the library would do that in
 * another order. `size` is the size before turning.
 */
async function edit(picture: Sharp, edits: Edits, size: ResizeOptions): Promise<Sharp> {
  const { autoOrient: upright } = await picture.metadata();
  const whole = picture.autoOrient();
  const { data, info } = await (edits.crop ? whole.extract(areaOf(edits, upright)) : whole)
    .resize(size)
    .toColourspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true });
  const library = await loadLibrary();
  const { width, height, channels } = info;
  // The library mirrors before it turns, so a mirrored picture is turned the other way.
  const turn = edits.flip ? (360 - edits.turn) % 360 : edits.turn;
  return library(data, { raw: { width, height, channels } }).flop(edits.flip).rotate(turn);
}

async function makeIcon(path: string, side: number): Promise<Scaled> {
  return withPicture(path, async ({ picture }) => {
    const square = picture.autoOrient().resize({ width: side, height: side, fit: "cover" });
    return { bytes: new Uint8Array(await square.toColourspace("srgb").png({ compressionLevel: 9 }).toBuffer()) };
  });
}

/**
 * `size` is the size of the upright original. `master` is what `picture` was made from, if that is not the original.
 */
type Opened = { picture: Sharp; size: Size; master: Pixels["master"]; isCutOff: boolean };

const options: SharpOptions = { limitInputPixels: maxPixels, failOn: "error", sequentialRead: true };

/** Works with the picture, or with what is there of it if that is cut off. */
async function withPicture<Result>(
  source: string | Uint8Array,
  work: (opened: Opened) => Promise<Result>,
): Promise<Result> {
  const library = await loadLibrary();
  try {
    return await work(await open(library, source));
  } catch (error) {
    const found = error instanceof Refusal ? null : await openCutOff(library, source, options).catch(() => null);
    if (!found) throw error;
    const { master, size } = found;
    return work({ picture: library(master, options), size, master, isCutOff: true });
  }
}

async function open(library: typeof sharp, source: string | Uint8Array): Promise<Opened> {
  const { picture: found, iso, colours } = await openPicture(library, source, options);
  const metadata = await found.metadata();
  const { width, height, icc, autoOrient } = metadata;
  if (width * height > maxPixels) throw new Refusal(explainSize(width * height, maxPixels));
  const crop = iso?.crop ?? null;
  const size = sizeOf(crop ?? autoOrient);
  if (!iso || isAV1(iso)) {
    const picture = colours ? found : inSRGB(found, metadata);
    if (!colours && !crop) return { picture, size, master: null, isCutOff: false };
    const master = await makeMaster(library, picture.autoOrient(), { colours, crop });
    return { picture: library(master, options), size, master, isCutOff: false };
  }
  return decodeHEIC(iso.bytes, colours !== null, async ({ data, ...raw }) => {
    const decoded = library(data, { raw, limitInputPixels: false });
    const master = await makeMaster(library, decoded, { colours, crop, profile: icc });
    return {
      picture: library(master, options),
      size: sizeOf(crop ?? raw),
      master,
      isCutOff: false,
    };
  });
}

const sizeOf = ({ width, height }: Size): Size => ({ width, height });

/** Loaded for the first picture. Only the formats that we support can be opened, whatever type a file claims to have. */
async function loadLibrary(): Promise<typeof sharp> {
  const { default: library } = await import("sharp").catch(() => {
    const reason = Bun.isStandaloneExecutable
      ? "the library sharp cannot be loaded"
      : "the package sharp is not installed";
    throw new NotInstalled(`Pictures cannot be decoded here: ${reason}.`);
  });
  library.cache(false);
  library.concurrency(1);
  library.block({ operation: ["VipsForeignLoad"] });
  library.unblock({ operation: loaders });
  return library;
}

async function explain(message: string, task: Task): Promise<string> {
  const source = "path" in task ? task.path : "source" in task ? task.source : nothing;
  if (!message.includes("pixel limit")) return explainFailure(message, source);
  const library = await loadLibrary();
  const { width, height } = await library(source, { limitInputPixels: false })
    .metadata()
    .catch(() => ({ width: 0, height: 0 }));
  return explainSize(width * height, maxPixels);
}

/** Requests take precedence over pictures, and this process is killed first if memory runs out. */
function makeWay(): void {
  try {
    setPriority(10);
    writeFileSync("/proc/self/oom_score_adj", "1000");
  } catch {
    // Not supported on this system; it works without.
  }
}
