import { chooseFiles } from "../uploads/choose-files.ts";
import { photoTypes } from "../uploads/upload-button.tsx";
import { addUploads, photoDirectory } from "../uploads/uploads.ts";

/** Opens the dialog of the browser, and uploads what was chosen as photos. */
export async function choosePictures(): Promise<void> {
  addUploads(await chooseFiles({ accept: photoTypes }), { directory: photoDirectory(), isPhoto: true });
}
