import { missing } from "../errors.ts";
import type { Blobs } from "../platform/blobs/blobs.ts";
import { parseAccept } from "../platform/http/accept.ts";
import { corsHeaders } from "../platform/http/answer.ts";
import { matches } from "../platform/http/conditional.ts";
import type { Exchange } from "../platform/http/exchange.ts";
import { type Decoder, type Format, type Size, UnreadableImage } from "../platform/images/decoder.ts";
import { createShared } from "../platform/share.ts";
import { type Image, masterName, scaledTo, versionOf, type Width } from "./image.ts";
import { inTime } from "./read.ts";

/** Goes up when the same picture would become other bytes: those made before are then made again. */
const recipe = 2;
/** A picture that could not be made is not tried again for so long. */
const failuresKept = 600_000;
const mostFailures = 10_000;
/** What WebP and AVIF can hold. */
const tallest = 16_383;

export type Variants = {
  /** The picture in this width, in the best format that the client takes. */
  send(image: Image, width: Width, exchange: Exchange): Promise<Response>;
};

/** Pictures in handy sizes: made when first asked for, once however many ask, and kept beside the original. */
export function createVariants(blobs: Blobs, decoder: Decoder): Variants {
  const once = createShared<Uint8Array<ArrayBuffer>>();
  const failed = new Map<string, { reason: string; at: number }>();

  async function scaleAndKeep(sha256: string, size: Size, format: Format, name: string) {
    // Another may have made it between the look of whoever asks and now.
    const made = await blobs.openDerived(sha256, name);
    if (made) return bytesOf(made);
    const master = await blobs.openDerived(sha256, masterName);
    const scaled = master
      ? await decoder.scale(await bytesOf(master), size, format)
      : await blobs.withFile(sha256, (path) => decoder.scale(path, size, format));
    if (!scaled) throw missing("content: its bytes are lost from the storage");
    // What cannot be kept now is made again next time.
    await blobs.keepDerived(sha256, name, scaled.bytes).catch(() => {});
    return scaled.bytes;
  }

  return {
    async send(image, width, exchange) {
      const { headers } = exchange.request;
      if (!image.width || !image.height) throw missing(`picture of this photo: ${image.failure}`);
      const size = scaledTo(width, { width: image.width, height: image.height });
      const format = chooseFormat(headers.get("accept"), size);
      const name = `${width}-${recipe}.${format}`;
      const etag = `"${image.sha256.slice(0, 32)}-${name}"`;
      const isPinned = new URLSearchParams(exchange.search).get("v") === versionOf(image.sha256);
      const answered: Record<string, string> = {
        "Content-Type": `image/${format}`,
        "Cache-Control": isPinned ? "public, max-age=31536000, immutable" : "no-cache",
        "X-Content-Type-Options": "nosniff",
        Vary: "Accept",
        ETag: etag,
        ...corsHeaders,
      };
      if (matches(headers.get("if-none-match"), etag)) return new Response(null, { status: 304, headers: answered });
      const found = (await blobs.openDerived(image.sha256, name)) ?? toFound(await makeOrFail());
      // The runtime tells no length of a stream, and a picture is small enough to be held.
      const bytes = found.bytes instanceof ReadableStream ? await bytesOf(found) : found.bytes;
      answered["Content-Length"] = String(found.size);
      return new Response(exchange.request.method === "HEAD" ? null : bytes, { headers: answered });

      async function makeOrFail() {
        const before = failed.get(etag);
        if (before && before.at > Date.now() - failuresKept) throw missing(`picture in this size: ${before.reason}`);
        try {
          return await inTime(once(etag, () => scaleAndKeep(image.sha256, size, format, name)));
        } catch (error) {
          if (!(error instanceof UnreadableImage)) throw error;
          if (failed.size > mostFailures) failed.clear();
          failed.set(etag, { reason: error.message, at: Date.now() });
          throw missing(`picture in this size: ${error.message}`);
        }
      }
    },
  };
}

const bytesOf = async ({ bytes }: { bytes: Blob | ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> }) =>
  new Uint8Array(await new Response(bytes).arrayBuffer());

const toFound = (bytes: Uint8Array<ArrayBuffer>) => ({ bytes, size: bytes.length });

/** A variant that an earlier recipe made: it is not used any more. */
export const isOutdatedVariant = (name: string) =>
  /^\d+-\d+\.(avif|webp|jpeg)$/.test(name) && !name.includes(`-${recipe}.`);

/** What the client wants most; of equals, the smallest. A wildcard stands for JPEG, which every client can show. */
function chooseFormat(accept: string | null, { height }: Size): Format {
  if (accept === null || height > tallest) return "jpeg";
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
