import type { File as StoredFile, Photo } from "../../../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { addToAlbum } from "./album-additions.ts";
import type { Known } from "./known.ts";
import { changeUpload } from "./state.ts";
import type { Upload } from "./upload.ts";

export type Stored = { file: StoredFile; photo: Photo | null };

/**
 * Stores a file, makes a photo of it and adds that to the album. Each step that was done before a reload or a failure is
 * not done again.
 */
export async function storeUpload(
  upload: Upload,
  content: File,
  known: Known | null,
  signal: AbortSignal,
): Promise<Stored> {
  const file = await storeFile(upload, content, known, signal);
  changeUpload(upload.id, { fileID: file.id, sent: upload.size });
  if (!upload.isPhoto || !/^(image|video)\//.test(file.contentType ?? "")) return { file, photo: null };
  const photo = await storePhoto(upload, file, known, signal);
  if (upload.albumID !== null) await addToAlbum(upload.albumID, photo.id);
  return { file, photo };
}

async function storeFile(
  { id, name, path, fileID, isPhoto, onConflict }: Upload,
  content: File,
  known: Known | null,
  signal: AbortSignal,
): Promise<StoredFile> {
  if (fileID !== null) return api.readFile({ id: fileID }, { signal });
  // In a directory, the same bytes at another place are wanted: a copy on the server sends none of them.
  if (known && !isPhoto)
    return api.copyFile({ id: known.fileID, path, name }, { signal, idempotencyKey: `${id} copy` });
  if (known && isPhoto) return api.readFile({ id: known.fileID }, { signal });
  return api.upload(content, {
    name,
    path,
    onConflict,
    signal,
    key: `vitrine upload ${id}`,
    onProgress: ({ sent, uploadID }) => changeUpload(id, { sent, serverID: uploadID }),
  });
}

/** The key makes sure that a photo is created once, even if its response was lost with the page. */
function storePhoto(upload: Upload, file: StoredFile, known: Known | null, signal: AbortSignal): Promise<Photo> {
  if (known && known.photoID !== null) return api.readPhoto({ id: known.photoID }, { signal });
  const title = upload.name.replace(/\.\w+$/, "") || upload.name;
  return api.createPhoto({ fileID: file.id, title }, { signal, idempotencyKey: `${upload.id} photo` });
}
