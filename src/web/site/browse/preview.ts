import { isSafeInline } from "../../../content/files/content-type.ts";
import type { StoredFile } from "../../../content/files/file.ts";
import type { Images } from "../../../core/images/read.ts";
import { findImage } from "../../../core/images/store.ts";
import type { Photo } from "../../../content/photos/photo.ts";
import { findPhotosOfFiles } from "../../../content/photos/store.ts";
import type { Blobs } from "../../../platform/blobs/blobs.ts";
import type { Reader } from "../../../platform/database/database.ts";
import { isOwnerOrAdmin, type Viewer } from "../../../platform/http/route.ts";

export type Deps = { db: Reader; blobs: Blobs; images: Images };

/** How a file is shown on its page. */
export type Preview =
  | { kind: "photo"; photo: Photo }
  | { kind: "image"; width: number; height: number }
  | { kind: "video" | "audio" | "document" | "none" }
  | { kind: "text"; text: string; isWhole: boolean }
  /** The viewer may not download it. */
  | { kind: "withheld" };

/** How much of a text is shown. */
export const maxTextBytes = 65_536;

export async function findPreview(deps: Deps, viewer: Viewer, file: StoredFile): Promise<Preview> {
  const { db, images } = deps;
  const photo = (await findPhotosOfFiles(db, viewer, [file.id])).get(file.id);
  if (photo && photo.kind === "image" && photo.variants.length > 0) return { kind: "photo", photo };
  if (!isOwnerOrAdmin(viewer, file) && (await images.readPublic(file).catch(() => null)) === "none") {
    return { kind: "withheld" };
  }
  const type = file.contentType ?? "";
  if (isText(type)) return readText(deps, file);
  if (!isSafeInline(type)) return { kind: "none" };
  if (type === "application/pdf") return { kind: "document" };
  if (type.startsWith("video/")) return { kind: "video" };
  if (type.startsWith("audio/")) return { kind: "audio" };
  const image = shownByBrowsers.test(type) ? await findImage(db, file.sha256 ?? "") : null;
  return image?.width && image.height ? { kind: "image", width: image.width, height: image.height } : { kind: "none" };
}

const shownByBrowsers = /^image\/(jpeg|png|gif|webp|avif|bmp)$/;

const isText = (type: string) =>
  type.startsWith("text/") || /^application\/(json|xml|javascript|toml|yaml|x-sh|[\w.-]+\+(json|xml))$/.test(type);

/** The beginning of a text. A file with NUL characters is none, whatever its name says. */
async function readText({ blobs }: Deps, { sha256, size }: StoredFile): Promise<Preview> {
  const end = Math.min(size, maxTextBytes);
  const bytes = end === 0 ? new Blob([]) : await blobs.open(sha256 ?? "", { start: 0, end });
  if (!bytes) return { kind: "none" };
  // A character may be cut in half at the end.
  const text = new TextDecoder().decode(await new Response(bytes).bytes()).replace(/\uFFFD{1,3}$/, "");
  return text.includes("\0") ? { kind: "none" } : { kind: "text", text, isWhole: end === size };
}
