/** The types of what a copy has, by the ends of names: a web server without headers of ours goes by these. */
const types: Record<string, string> = {
  html: "text/html; charset=utf-8",
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  json: "application/json",
  xml: "application/xml",
  txt: "text/plain; charset=utf-8",
  conf: "text/plain; charset=utf-8",
  webmanifest: "application/manifest+json",
  svg: "image/svg+xml",
  ico: "image/x-icon",
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  webp: "image/webp",
  avif: "image/avif",
  gif: "image/gif",
  heic: "image/heic",
  tif: "image/tiff",
  mp4: "video/mp4",
  mov: "video/quicktime",
  webm: "video/webm",
  mp3: "audio/mpeg",
  m4a: "audio/mp4",
  ogg: "audio/ogg",
  wav: "audio/wav",
  flac: "audio/flac",
  pdf: "application/pdf",
  woff2: "font/woff2",
  bin: "application/octet-stream",
};

export const extensionOf = (name: string): string => /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? "";

export const typeOf = (file: string): string => types[extensionOf(file)] ?? "application/octet-stream";

export const allTypes = (): [extension: string, type: string][] =>
  Object.entries(types).map(([extension, type]) => [extension, type.split(";")[0] ?? type]);

/** Uploaded files that browsers may show. Everything else could be run as a page of the site, and is only downloaded. */
const shown = /^(image\/(?!svg)|video\/|audio\/|application\/pdf$|text\/plain$)/;

/**
 * A name under which any web server sends an uploaded file with this type, or one that no browser runs. `isAttachment` is
 * what the server says.
 */
export function nameForType(name: string, contentType: string, isAttachment: boolean): string {
  const type = contentType.split(";")[0]?.trim() ?? "";
  if (isAttachment || !shown.test(type)) return `${name}.bin`;
  if (typeOf(name).split(";")[0] === type) return name;
  const extension = Object.keys(types).find((one) => types[one]?.split(";")[0] === type);
  return `${name}.${extension ?? "bin"}`;
}

const day = 86_400;
/** How long caches may keep what has the same name with every content, what never has another content, and pictures. */
export const caching = {
  short: "public, max-age=300",
  immutable: `public, max-age=${365 * day}, immutable`,
  // A photo that was made private is forgotten after this time, as those of the server are.
  pictures: `public, max-age=${day}`,
};

export function cachingOf(file: string): string {
  if (file.startsWith("media/photos/")) return caching.pictures;
  return /^assets\/|~v-[^/]*$/.test(file) ? caching.immutable : caching.short;
}
