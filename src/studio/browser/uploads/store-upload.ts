import { type File as StoredFile, type Photo, VitrineError } from "../../../../client/src/index.ts";
import { api, isStatus } from "../lib/api.ts";
import { addToAlbum } from "./album-additions.ts";
import type { Known } from "./known.ts";
import { changeUpload } from "./state.ts";
import { uploadTexts as t } from "./texts.ts";
import type { Upload } from "./upload.ts";

/** `isNew` if bytes were sent. */
type Stored = { file: StoredFile; photo: Photo | null; isNew: boolean };

/** What is sent: the content, and the files with the same content that the server has. */
export type Source = { content: File; known: readonly Known[]; signal: AbortSignal };

/**
 * Stores a file, makes a photo of it and adds that to the album. Each step that was done before a reload or a failure is
 * not done again.
 */
export async function storeUpload(upload: Upload, source: Source): Promise<Stored> {
  const { signal } = source;
  const known = upload.isPhoto
    ? (source.known.find(({ photoID }) => photoID !== null) ?? source.known[0])
    : (source.known.find(({ path, name }) => path === upload.path && name === upload.name) ?? source.known[0]);
  const file = await storeFile(upload, known, source);
  changeUpload(upload.id, { fileID: file.id, sent: upload.size });
  const isNew = !known;
  if (!upload.isPhoto || !/^(image|video)\//.test(file.contentType ?? "")) return { file, photo: null, isNew };
  const photo =
    known && known.photoID !== null
      ? await api.readPhoto({ id: known.photoID }, { signal })
      : await createPhoto(upload, file, signal);
  if (upload.albumID !== null) await addToAlbum(upload.albumID, photo.id);
  return { file, photo, isNew };
}

async function storeFile(upload: Upload, known: Known | undefined, { content, signal }: Source): Promise<StoredFile> {
  const { id, name, path, fileID, isPhoto, onConflict } = upload;
  if (fileID !== null) return api.readFile({ id: fileID }, { signal });
  if (known && (isPhoto || (known.path === path && known.name === name))) {
    return api.readFile({ id: known.fileID }, { signal });
  }
  // In a directory, the same bytes are wanted at another place: a copy on the server sends none of them.
  if (known && onConflict === "rename") {
    return api.copyFile({ id: known.fileID, path, name }, { signal, idempotencyKey: `${id}-copy` });
  }
  return api.upload(content, {
    name,
    path,
    onConflict,
    signal,
    key: `vitrine upload ${id}`,
    onProgress: ({ sent, uploadID }) => changeUpload(id, { sent, serverID: uploadID }),
  });
}

/** A picture that cannot be read stays a file. */
async function createPhoto(upload: Upload, file: StoredFile, signal: AbortSignal): Promise<Photo> {
  try {
    return await sendPhoto(upload, file, signal);
  } catch (error) {
    if (isStatus(error, 400)) throw new VitrineError(t.noPhoto(file.path), { status: 400, code: "invalid" });
    throw error;
  }
}

/** The key makes sure that a photo is created once, even if its response was lost with the page. */
function sendPhoto({ id, name }: Upload, file: StoredFile, signal: AbortSignal): Promise<Photo> {
  const title = name.replace(/\.\w+$/, "") || name;
  return api.createPhoto({ fileID: file.id, title }, { signal, idempotencyKey: `${id}-photo` });
}
