import { missing } from "../../platform/errors.ts";
import type { Blobs } from "../../platform/blobs/blobs.ts";
import { parseAccept } from "../../platform/http/accept.ts";
import type { Content } from "../../platform/http/content.ts";
import type { Decoder, Format, Size } from "../../platform/images/decoder.ts";
import { type Edits, sizeAfter } from "../../platform/images/edits.ts";
import { UnreadableImage } from "../../platform/images/unreadable.ts";
import { createShared } from "../../platform/once.ts";
import { type Image, isWaiting, masterName, scaleSize, type Width } from "./image.ts";
import { stillWorking, withTimeout } from "./read.ts";
import { nameOf, namesOf } from "./variant-names.ts";

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

/** `version` is the current version of the picture as it is edited, and `known` the one in the URL. */
type Wanted = { accept: string | null; version: string; known: string | undefined; edits?: Edits | null };

export type Variants = {
  /** The picture at this width, in the best format of an Accept header. */
  find(image: Image, width: Width, wanted: Wanted): Content;
  /** The thumbhash of the picture with these edits. */
  preview(image: Image, edits: Edits): Promise<string>;
  /** Removes the stored variants with these edits, which are no longer used. What is left over goes with the original. */
  forget(image: Pick<Image, "sha256">, edits: Edits): Promise<void>;
};

/** Scaled pictures: created on the first request, once for all concurrent requests, and stored with the original. */
export function createVariants(blobs: Blobs, decoder: Decoder): Variants {
  const once = createShared<Uint8Array<ArrayBuffer>>();
  const failed = new Map<string, { reason: string; at: number }>();

  type Rendering = { size: Size; format: Format; name: string; edits: Edits | null };

  async function scaleAndKeep(image: Image, { size, format, name, edits }: Rendering) {
    const { sha256 } = image;
    // Another request may have created it in the meantime.
    const existing = await blobs.openDerived(sha256, name);
    if (existing) return readBytes(existing);
    const { bytes } = await withSource(image, (source) => decoder.scale(source, size, format, edits));
    // A variant that cannot be stored now is created again next time.
    await blobs.keepDerived(sha256, name, bytes).catch(() => {});
    return bytes;
  }

  /** Calls `work` with what variants are made from: the master, the original, or a frame of a video. */
  async function withSource<Result>(
    { sha256, duration }: Image,
    work: (source: string | Uint8Array) => Promise<Result>,
  ): Promise<Result> {
    const master = await blobs.openDerived(sha256, masterName);
    if (master) return work(await readBytes(master));
    const result = await blobs.withLocalFile(sha256, async (path) => ({
      done: await work(duration === null ? path : await decoder.readFrame(path, duration)),
    }));
    if (!result) throw missing("content: its bytes are missing from the storage");
    return result.done;
  }

  return {
    async preview(image, edits) {
      const { thumbhash } = await withTimeout(withSource(image, (source) => decoder.measure(source, edits)));
      return thumbhash;
    },

    async forget({ sha256 }, edits) {
      await Promise.all(namesOf(edits).map((name) => blobs.removeDerived(sha256, name).catch(() => {})));
    },

    find(image, width, { accept, version, known, edits = null }) {
      if (isWaiting(image)) throw stillWorking();
      if (!image.width || !image.height || image.thumbhash === null)
        throw missing(`picture of this photo: ${image.failure}`);
      const whole = { width: image.width, height: image.height };
      const size = scaleSize(width, edits ? sizeAfter(edits, whole) : whole);
      const format = chooseFormat(accept, size);
      const name = nameOf(width, format, edits);
      const key = `${image.sha256} ${name}`;
      const isCurrent = known === version;
      return {
        headers: {
          "Content-Type": `image/${format}`,
          "Cache-Control": isCurrent ? `public, max-age=${publicSeconds}, must-revalidate` : "no-cache",
          Vary: "Accept",
        },
        etag: `"${version}-${nameOf(width, format, null)}"`,
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
          return await withTimeout(once(key, () => scaleAndKeep(image, { size, format, name, edits })));
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
