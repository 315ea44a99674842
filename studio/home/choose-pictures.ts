import { chooseFiles } from "../uploads/choose-files.ts";
import { photoTypes } from "../uploads/upload-button.tsx";
import { addUploads, type ChosenFile, photoDirectory } from "../uploads/uploads.ts";

/** Opens the dialog of the browser, and uploads what was chosen as photos. */
export async function choosePictures(): Promise<void> {
  uploadPictures(await chooseFiles({ accept: photoTypes }));
}

export const uploadPictures = (chosen: ChosenFile[]): void =>
  addUploads(chosen, { directory: photoDirectory, isPhoto: true });
