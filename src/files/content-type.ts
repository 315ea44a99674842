import { typeOfBytes } from "../platform/images/kinds.ts";
import { typeOfName } from "../platform/media.ts";

/**
 * What a file is, by its first bytes where they tell, else by its name. What the client says of it is not believed.
 * Names are only a hint: the type of a picture, of sound or of a film is given to bytes that prove it.
 */
export function detectContentType(head: Uint8Array, name: string): string {
  const found = typeOfBytes(head, name);
  if (found) return found;
  const named = typeOfName(name);
  const isProvable = /^(image|audio|video)\//.test(named) && named !== "image/svg+xml";
  return isProvable || (isSafeInline(named) && named !== "text/plain") ? "application/octet-stream" : named;
}

const inlineTypes =
  /^(image\/(jpeg|png|gif|webp|avif|heic|heif|tiff|bmp)|video\/(mp4|quicktime|webm|ogg|x-matroska)|audio\/[\w.+-]+|text\/plain|application\/pdf)$/;

/** Types that a browser shows in place without running anything. All others are offered as a download. */
export const isSafeInline = (contentType: string) => inlineTypes.test(contentType);
