import { typeOfBytes } from "../../platform/images/kinds.ts";
import { typeOfName } from "../../platform/media.ts";

/**
 * The content type of a file, by its first bytes, or else by its name. The type that a client sends is ignored. Images, audio
 * and video are only recognized by their bytes.
 */
export function detectContentType(head: Uint8Array, name: string): string {
  const found = typeOfBytes(head, name);
  if (found) return found;
  const typeByName = typeOfName(name);
  const isProvable = /^(image|audio|video)\//.test(typeByName) && typeByName !== "image/svg+xml";
  return isProvable || (isSafeInline(typeByName) && typeByName !== "text/plain")
    ? "application/octet-stream"
    : typeByName;
}

const inlineTypes =
  /^(image\/(jpeg|png|gif|webp|avif|heic|heif|tiff|bmp)|video\/(mp4|quicktime|webm|ogg|x-matroska)|audio\/[\w.+-]+|text\/plain|application\/pdf)$/;

/** Whether a browser shows this type without running anything. All other types are sent as downloads. */
export const isSafeInline = (contentType: string) => inlineTypes.test(contentType);
