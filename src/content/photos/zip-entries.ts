import type { StoredFile } from "../files/file.ts";
import { createOpener, type Opener } from "../files/zip.ts";
import type { Images } from "../../core/images/read.ts";
import type { Variants } from "../../core/images/variants.ts";
import type { Blobs } from "../../platform/blobs/blobs.ts";
import type { Edits } from "../../platform/images/edits.ts";
import type { Viewer } from "../../platform/http/route.ts";
import { type FoundPhotoRow, toStoredPhoto } from "./rows.ts";

/** With `edits`, the file is a picture of which the viewer may see only what these leave. */
export type PhotoFile = StoredFile & { edits?: Edits };

/** What the viewer can download of a photo: its file, or if that shows more than the photo, the picture as it is cropped. */
export function toPhotoFile(row: FoundPhotoRow, viewer: Viewer): PhotoFile | null {
  const { file, shown, edited } = toStoredPhoto(row, viewer);
  if (file || !shown || !edited?.edits.crop) return file;
  return { ...shown, name: `${shown.name.replace(/(?<=.)\.[^.]{1,10}$/, "")}.jpg`, edits: edited.edits };
}

type Deps = { blobs: Blobs; images: Images; variants: Variants };

/** Opens the files of photos for an archive. */
export function createPhotoOpener({ blobs, images, variants }: Deps, viewer: Viewer): Opener {
  const openFile = createOpener(blobs, images, viewer);
  return async (file: PhotoFile) => {
    if (!file.edits) return openFile(file);
    const image = await images.read(file);
    if (!image) return null;
    const wanted = { accept: "image/jpeg", version: "", known: undefined, edits: file.edits };
    const { bytes, length } = await variants.find(image, 2560, wanted).open(null, false);
    return { input: bytes instanceof Uint8Array ? new Blob([bytes]) : bytes, size: length };
  };
}
