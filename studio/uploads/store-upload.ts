import { type Client, type File as StoredFile, type NewPhotoOfFile, VitrineError } from "../../client/src/index.ts";
import { isStatus } from "../lib/api.ts";
import { keepsOriginalsPrivate, type Visibility } from "../lib/default-visibility.ts";
import { createGatherer } from "../lib/gather.ts";
import { failureTexts } from "./failure-texts.ts";
import { progressKey } from "./kept.ts";
import type { Known } from "./known.ts";
import { createPhotoDirectories, directoryOf } from "./photo-directory.ts";
import type { UploadList } from "./state.ts";
import type { Upload } from "./upload.ts";

/** A file of which no picture can be made. The message is for a person, in their language. */
export class NoPhoto extends Error {}

/** `isNew` if bytes were sent. */
type Stored = { file: StoredFile; photoID: number | null; isNew: boolean };

/** What is sent: the content, and the files with the same content that the server has. */
type Source = {
  content: File;
  known: readonly Known[];
  signal: AbortSignal;
  /** Called when the server has the file: its photo is created together with others. */
  onSent: () => void;
};

export function createStore(api: Client, list: UploadList) {
  const createPhoto = createPhotoCreations(api, list.hasUnsent);
  const addToAlbum = createAlbumAdditions(api, list.hasUnsent);
  const openPhotoDirectory = createPhotoDirectories(api);
  return storeUpload;

  /**
   * Stores a file, makes a photo of it and adds that to the album. Each step that was done before a reload or a failure is
   * not done again.
   */
  async function storeUpload(upload: Upload, source: Source): Promise<Stored> {
    const known = chooseKnown(upload, source.known);
    const file = await storeFile(upload, known, source);
    list.change(upload.id, { fileID: file.id, sent: upload.size });
    const isNew = !known || upload.fileID !== null;
    if (!upload.isPhoto || !/^(image|video)\//.test(file.contentType ?? "")) return { file, photoID: null, isNew };
    source.onSent();
    if (!known || known.photoID === null) return { file, photoID: await showFile(upload, file), isNew };
    if (upload.albumID !== null) await addToAlbum(upload.albumID, known.photoID);
    return { file, photoID: known.photoID, isNew };
  }

  /**
   * As it was chosen last, even if the choice was made while it was being sent. A file that was there before, and was found
   * although it was not known, is not made public.
   */
  async function makePrivate(upload: Upload, file: StoredFile): Promise<StoredFile> {
    const isWanted = wantedOf(upload) === "private" && file.visibility === "public";
    return isWanted ? api.changeFile({ id: file.id, visibility: "private" }) : file;
  }

  /** Null if nothing was chosen. */
  function wantedOf({ id, visibility }: Upload): Visibility | null {
    return list.find(id)?.visibility ?? visibility;
  }

  async function storeFile(upload: Upload, known: Known | undefined, { content, signal }: Source): Promise<StoredFile> {
    const { id, name, fileID, isPhoto, onConflict } = upload;
    if (fileID !== null) return makePrivate(upload, await api.readFile({ id: fileID }, { signal }));
    const path = await directoryOf(upload.path, content);
    if (known && (isPhoto || (known.path === path && known.name === name))) {
      return api.readFile({ id: known.fileID }, { signal });
    }
    // In a directory, the same bytes are wanted at another place: a copy on the server sends none of them.
    if (known && onConflict !== "replace" && !isNumbered(upload, known)) {
      const copy = await api.copyFile({ id: known.fileID, path, name }, { signal, idempotencyKey: `${id}-copy` });
      const visibility = wantedOf(upload) ?? copy.visibility;
      return copy.visibility === visibility ? copy : api.changeFile({ id: copy.id, visibility });
    }
    const visibility = isPhoto && keepsOriginalsPrivate() ? "private" : wantedOf(upload);
    if (isPhoto && visibility === "private") await openPhotoDirectory(path);
    const stored = await api.upload(content, {
      name,
      path,
      onConflict,
      ...(visibility && { visibility }),
      signal,
      key: progressKey(id),
      onProgress: ({ sent, uploadID }) => list.change(id, { sent, serverID: uploadID }),
    });
    return makePrivate(upload, stored);
  }

  /** A picture that cannot be read stays a file. */
  async function showFile(upload: Upload, file: StoredFile): Promise<number> {
    const { albumID } = upload;
    const visibility = wantedOf(upload);
    try {
      return await createPhoto({ fileID: file.id, ...(visibility && { visibility }) }, albumID);
    } catch (error) {
      if (isStatus(error, 400)) {
        throw new NoPhoto(failureTexts.noPhoto(file.path, (error as Error).message));
      }
      throw error;
    }
  }
}

/** Of the files with the same content, the one that serves best instead of the upload. */
function chooseKnown(upload: Upload, known: readonly Known[]): Known | undefined {
  if (upload.isPhoto) return known.find(({ photoID }) => photoID !== null) ?? known[0];
  const isHere = ({ path, name }: Known) => path === upload.path && name === upload.name;
  return known.find(isHere) ?? known.find((one) => isNumbered(upload, one)) ?? known[0];
}

/** Whether the file may be the result of this upload, whose name was taken. */
const isNumbered = (upload: Upload, { path, name }: Known): boolean =>
  path === upload.path && name.replace(/ \(\d+\)(?=(\.[^.]*)?$)/, "") === upload.name;

/** `hasUnsent`: whether more photos will be ready soon. */
function createAlbumAdditions(api: Client, hasUnsent: () => boolean) {
  const add = createGatherer(
    async (albumID: number, ids: number[]) => (await api.changePhotos({ ids, albumID })).results,
    { milliseconds: 300, max: 100, isLast: () => !hasUnsent() },
  );

  /** Photos that are ready at about the same time are added by one request. */
  return async (albumID: number, photoID: number): Promise<void> => {
    const { status, error } = await add(albumID, photoID);
    if (status !== 200) throw new Error(error ?? "");
  };
}

const maxAttempts = 10;

/** `hasUnsent`: whether more files will be stored soon. */
function createPhotoCreations(api: Client, hasUnsent: () => boolean) {
  const create = createGatherer(
    async (albumID: number | null, photos: NewPhotoOfFile[]) =>
      (await api.createPhotos({ photos, ...(albumID !== null && { albumID }) })).results,
    { milliseconds: 300, max: 100, isLast: () => !hasUnsent() },
  );

  /** Photos of files that are stored at about the same time are created by one request, which also adds them to the album. */
  return async (photo: NewPhotoOfFile, albumID: number | null): Promise<number> => {
    for (let attempts = 1; ; attempts++) {
      const { photoID, status, error, reason } = await create(albumID, photo);
      if (photoID !== null) return photoID;
      if (status !== 503 || attempts === maxAttempts) throw new VitrineError(reason ?? error ?? "", { status });
      // The server is still reading other pictures.
      await new Promise((resolve) => setTimeout(resolve, 3000));
    }
  };
}
