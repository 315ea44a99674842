import type { z } from "zod";
import { invalid } from "../../platform/errors.ts";
import type { StoredFile } from "../files/file.ts";
import type { Images } from "../../core/images/read.ts";
import type { Variants } from "../../core/images/variants.ts";
import type { Reader } from "../../platform/database/database.ts";
import type { Size } from "../../platform/images/decoder.ts";
import { type Edits, sizeAfter } from "../../platform/images/edits.ts";
import { isWaiting } from "../../core/images/image.ts";
import { stillWorking } from "../../core/images/read.ts";
import { UnreadableImage } from "../../platform/images/unreadable.ts";
import type { Caller } from "../../platform/http/route.ts";
import { type editsSchema, normalizeEdits, type StoredEdits } from "./edits.ts";
import { findSubject, getStoredPhoto } from "./store.ts";

const smallestSide = 16;

type Deps = { db: Reader; images: Images; variants: Variants };
type Sent = { edits?: z.output<typeof editsSchema> | null | undefined; fileID?: number | undefined };

/** `after` is what will be stored: null if the picture is shown as it is in the file. */
type Prepared = { after: StoredEdits | null; forgetBefore(): Promise<void> };

/** Null if the request does not change the edits. Throws if the picture cannot be edited like this. */
export async function prepareEdits(deps: Deps, caller: Caller, id: number, sent: Sent): Promise<Prepared | null> {
  if (sent.edits === undefined) return null;
  const { shown, edited, image } = await getStoredPhoto(deps.db, caller, id);
  const edits = sent.edits && normalizeEdits(sent.edits);
  const file = sent.fileID === undefined ? shown : (await findSubject(deps.db, caller, sent.fileID)).file;
  const isSame = edited !== null && JSON.stringify(edits) === JSON.stringify(edited.edits);
  return {
    after: edits && (await renderEdits(deps, id, file, edits)),
    async forgetBefore() {
      if (edited && image && !isSame) await deps.variants.forget(image, edited.edits);
    },
  };
}

async function renderEdits({ images, variants }: Deps, id: number, file: StoredFile | null, edits: Edits) {
  if (!file) throw invalid(`Photo ${id} cannot be edited: its file is in the trash.`, "edits");
  const image = await images.read(file);
  if (!image || image.duration !== null)
    throw invalid(`Only a picture can be edited: photo ${id} shows ${image ? "a video" : "another file"}.`, "edits");
  if (isWaiting(image)) throw stillWorking();
  if (!image.width || !image.height || image.thumbhash === null)
    throw invalid(`The picture of photo ${id} cannot be edited. ${image.failure}`, "edits");
  checkSize(edits, { width: image.width, height: image.height });
  try {
    return { edits, thumbhash: await variants.preview(image, edits), of: image.sha256 };
  } catch (error) {
    if (!(error instanceof UnreadableImage)) throw error;
    throw invalid(`The picture of photo ${id} cannot be edited. ${error.message}`, "edits");
  }
}

const leastOf = (whole: Size) => Math.min(smallestSide, whole.width, whole.height);

/** Whether enough of the picture is left. */
export function leavesEnough(edits: Edits, whole: Size): boolean {
  const { width, height } = sizeAfter(edits, whole);
  return edits.crop === null || Math.min(width, height) >= leastOf(whole);
}

function checkSize(edits: Edits, whole: Size): void {
  const { width, height } = sizeAfter(edits, whole);
  const least = leastOf(whole);
  if (!leavesEnough(edits, whole))
    throw invalid(
      `"edits.crop" must leave at least ${least} × ${least} pixels: this one leaves ${width} × ${height}.`,
      "edits.crop",
    );
}
