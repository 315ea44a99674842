import type { Photo } from "../../../client/src/index.ts";
import { api } from "../../lib/api.ts";
import { explain } from "../../lib/explain.ts";
import { showToast } from "../../lib/toasts.ts";
import { chooseFiles } from "../../uploads/choose-files.ts";
import { photoTypes } from "../../uploads/upload-button.tsx";
import { reloadPhotos } from "../change-many.ts";
import { viewerTexts as t } from "./texts.ts";

/** Gives the file of a photo new content. What it had is kept as a version. */
export async function replaceFile({ id, fileID }: Photo): Promise<void> {
  if (fileID === null) return;
  const [chosen] = await chooseFiles({ accept: photoTypes });
  if (!chosen) return;
  try {
    showToast({ text: t.replacing });
    await api.replaceContent({ id: fileID, body: chosen.file });
    await takeSize(id, chosen.file);
    showToast({ text: t.replaced });
  } catch (error) {
    showToast({ text: explain(error), isFailure: true });
  }
  await reloadPhotos();
}

/** A photo keeps the size of its first picture, unless the new one is sent. */
async function takeSize(id: number, file: File): Promise<void> {
  const size = await createImageBitmap(file).catch(() => null);
  if (size) await api.changePhoto({ id, width: size.width, height: size.height });
}
