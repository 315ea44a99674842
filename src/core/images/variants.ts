import { missing } from "../../platform/errors.ts";
import type { Blobs } from "../../platform/blobs/blobs.ts";
import { parseAccept } from "../../platform/http/accept.ts";
import type { Content } from "../../platform/http/content.ts";
import type { Decoder, Format, Size } from "../../platform/images/decoder.ts";
import { UnreadableImage } from "../../platform/images/unreadable.ts";
import { createShared } from "../../platform/once.ts";
import { type Image, isWaiting, masterName, scaleSize, type Width } from "./image.ts";
import { stillWorking, withTimeout } from "./read.ts";

/** Increase this when the encoding changes: variants of an older recipe are created again. */
const recipe = 2;
/** How long a variant that could not be created is not tried again. */
const failureMilliseconds = 600_000;
const maxFailures = 10_000;
/** The limit of WebP and AVIF. */
const maxHeight = 16_383;

/**
 * How long a browser or a shared cache may show a public picture without asking again. A photo that was made private is
 * forgotten everywhere after this time.
 */
const publicSeconds = 86_400;

/** `version` is the current version of the picture, and `known` the one in the URL. */
type Wanted = { accept: string | null; version: string; known: string | undefined };

export type Variants = {
  /** The picture at this width, in the best format of an Accept header. */
  find(image: Image, width: Width, wanted: Wanted): Content;
};

/** Scaled pictures: created on the first request, once for all concurrent requests, and stored with the original. */
export function createVariants(blobs: Blobs, decoder: Decoder): Variants {
  const once = createShared<Uint8Array<ArrayBuffer>>();
  const failed = new Map<string, { reason: string; at: number }>();

  async function scaleAndKeep({ sha256, duration }: Image, size: Size, format: Format, name: string) {
    // Another request may have created it in the meantime.
    const existing = await blobs.openDerived(sha256, name);
    if (existing) return readBytes(existing);
    const master = await blobs.openDerived(sha256, masterName);
    const scaled = master
      ? await decoder.scale(await readBytes(master), size, format)
      : await blobs.withLocalFile(sha256, async (path) =>
          decoder.scale(duration === null ? path : await decoder.readFrame(path, duration), size, format),
        );
    if (!scaled) throw missing("content: its bytes are missing from the storage");
    // A variant that cannot be stored now is created again next time.
    await blobs.keepDerived(sha256, name, scaled.bytes).catch(() => {});
    return scaled.bytes;
  }

  return {
    find(image, width, { accept, version, known }) {
      if (isWaiting(image)) throw stillWorking();
      if (!image.width || !image.height || image.thumbhash === null)
        throw missing(`picture of this photo: ${image.failure}`);
      const size = scaleSize(width, { width: image.width, height: image.height });
      const format = chooseFormat(accept, size);
      const name = `${width}-${recipe}.${format}`;
      const key = `${image.sha256} ${name}`;
      const isCurrent = known === version;
      return {
        headers: {
          "Content-Type": `image/${format}`,
          "Cache-Control": isCurrent ? `public, max-age=${publicSeconds}, must-revalidate` : "no-cache",
          Vary: "Accept",
        },
        etag: `"${version}-${name}"`,
        async open() {
          const found = (await blobs.openDerived(image.sha256, name)) ?? toFound(await createOrFail());
          // The runtime sends a stream without Content-Length, and a picture is small enough for memory.
          const bytes = found.bytes instanceof ReadableStream ? await readBytes(found) : found.bytes;
          return { bytes, length: found.size };
        },
      };

      async function createOrFail() {
        const failure = failed.get(key);
        if (failure && failure.at > Date.now() - failureMilliseconds)
          throw missing(`picture in this size: ${failure.reason}`);
        try {
          return await withTimeout(once(key, () => scaleAndKeep(image, size, format, name)));
        } catch (error) {
          if (!(error instanceof UnreadableImage)) throw error;
          if (failed.size > maxFailures) failed.clear();
          failed.set(key, { reason: error.message, at: Date.now() });
          throw missing(`picture in this size: ${error.message}`);
        }
      }
    },
  };
}

const readBytes = async ({ bytes }: { bytes: Blob | ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> }) =>
  new Uint8Array(await new Response(bytes).arrayBuffer());

const toFound = (bytes: Uint8Array<ArrayBuffer>) => ({ bytes, size: bytes.length });

/** Whether a variant was created by an earlier recipe and is no longer used. */
export const isOutdatedVariant = (name: string) =>
  /^\d+-\d+\.(avif|webp|jpeg)$/.test(name) && !name.includes(`-${recipe}.`);

/** The format with the highest weight; among equals, the smallest. A wildcard means JPEG, which every client can show. */
function chooseFormat(accept: string | null, { height }: Size): Format {
  if (accept === null || height > maxHeight) return "jpeg";
  const ranges = parseAccept(accept);
  const weightOf = (type: string) => {
    const weights = ranges.filter((range) => range.type === type).map(({ weight }) => weight);
    return weights.length > 0 ? Math.max(...weights) : null;
  };
  const jpeg = weightOf("image/jpeg") ?? weightOf("image/*") ?? weightOf("*/*") ?? 0;
  const [avif, webp] = [weightOf("image/avif") ?? 0, weightOf("image/webp") ?? 0];
  if (avif > 0 && avif >= Math.max(webp, jpeg)) return "avif";
  return webp > 0 && webp >= jpeg ? "webp" : "jpeg";
}
