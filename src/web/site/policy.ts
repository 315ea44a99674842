import type { Blobs } from "../../platform/blobs/blobs.ts";

/** Where browsers read files if the server redirects to its blob store; null if it does not. */
export const mediaOriginOf = (blobs: Blobs, redirectDownloads: boolean): string | null =>
  redirectDownloads ? blobs.signedOrigin : null;

/**
 * The Content-Security-Policy of pages: only media are loaded from elsewhere, and no script or style is written into a
 * page. Tiles of a map come from the server that the settings name. What has a `blob:` URL are files that were not uploaded yet. `changed` are other directives.
 */
export function policyOf(
  mediaOrigin: string | null,
  changed: Record<string, string> = {},
  tilesOrigin: string | null = null,
): string {
  const media = mediaOrigin === null ? "'self'" : `'self' ${mediaOrigin}`;
  const directives = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": `${media}${tilesOrigin === null ? "" : ` ${tilesOrigin}`} data: blob:`,
    "media-src": `${media} blob:`,
    "font-src": "'self'",
    "connect-src": "'self'",
    "manifest-src": "'self'",
    "form-action": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
    ...changed,
  };
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources}`)
    .join("; ");
}
