import { missing } from "../../platform/errors.ts";
import type { Blobs } from "../../platform/blobs/blobs.ts";
import { openClean } from "../../core/images/clean.ts";
import type { Clean } from "../../core/images/image.ts";
import type { Content } from "../../platform/http/content.ts";
import { callerHeaders } from "../../platform/http/credentials.ts";
import { isSafeInline } from "./content-type.ts";
import type { FileRecord } from "./file.ts";

/** Long enough to start a download, too short to share the URL. */
const signedSeconds = 60;

/** The statuses of content other than 200. */
export const contentStatuses = {
  206: "The requested range",
  304: "Not modified",
  416: "The range is not in the file",
};

type ContentOptions = {
  /** Whether the browser is told to save the file. */
  isDownload: boolean;
  /** Redirects the client to the storage, if the storage supports that. */
  redirect?: boolean;
  /** Sends these bytes instead of the whole blob. */
  clean?: Clean | null;
};

type ContentFile = Pick<FileRecord, "id" | "name" | "sha256" | "size" | "contentType">;

/** The bytes of a file. An uploaded file never runs as a page of this site. */
export function contentOf(blobs: Blobs, file: ContentFile, options: ContentOptions): Content {
  const { clean = null, redirect = false, isDownload } = options;
  const { sha256 } = file;
  if (sha256 === null) throw missing(`content: ${file.name} is a directory`);
  const { size } = clean ?? file;
  const contentType = safeType(typeOf(file));
  const disposition = dispositionOf(file, isDownload);
  // The storage would send a file that was cut short as if it were whole.
  const findURL = async () =>
    (await blobs.sizeOf(sha256)) === file.size
      ? blobs.signedURL(sha256, { contentType, disposition, seconds: signedSeconds })
      : null;
  return {
    headers: {
      "Content-Type": contentType,
      "Content-Disposition": disposition,
      "Content-Security-Policy":
        "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; media-src 'self'; sandbox",
      "Cache-Control": "no-cache",
      Vary: callerHeaders,
    },
    etag: `"${clean?.sha256 ?? sha256}"`,
    size,
    ...(redirect && !clean && { findURL }),
    async open(range, isHead) {
      const bytes = isHead ? null : await openClean(blobs, { sha256, size: file.size }, clean, range ?? undefined);
      if (!bytes && !(isHead && (await blobs.sizeOf(sha256)) === file.size)) {
        throw missing(`content for file ${file.id}: its bytes are missing from the storage or damaged`);
      }
      return { bytes, length: range ? range.end - range.start : size };
    },
  };
}

const typeOf = (file: ContentFile) => file.contentType ?? "application/octet-stream";

function dispositionOf(file: ContentFile, isDownload: boolean): string {
  const kind = isDownload || !isSafeInline(typeOf(file)) ? "attachment" : "inline";
  return `${kind}; ${filenameParameters(file.name)}`;
}

/** Scripts and style sheets are sent as plain text, so that no page can load them from here. */
function safeType(type: string): string {
  if (/(java|ecma)script|css/.test(type) || type === "text/plain") return "text/plain; charset=utf-8";
  return type.startsWith("text/") ? `${type}; charset=utf-8` : type;
}

/** The Content-Disposition of a download with this name. */
export const attachment = (name: string) => `attachment; ${filenameParameters(name)}`;

const filenameParameters = (name: string) => `filename="${asciiName(name)}"; filename*=UTF-8''${encodeName(name)}`;

const asciiName = (name: string) => name.replace(/[^\x20-\x7e]|["\\%]/g, "_");

const encodeName = (name: string) =>
  encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
