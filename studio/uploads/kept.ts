import type { Upload } from "./upload.ts";

export type UploadStorage = {
  keepUploads(uploads: readonly Upload[]): Promise<unknown>;
  forgetUploads(ids: readonly string[]): Promise<void>;
  /** False if there is not enough space. */
  keepFile(id: string, file: File): Promise<boolean>;
  readKeptFile(id: string): Promise<File | null>;
  /** Forgets how far an upload is. */
  forgetProgress(id: string): void;
};

/**
 * Unfinished uploads in IndexedDB, with their files as far as there is space. Where the browser forbids it, for example in
 * a private window, nothing is kept, and uploads end with the page.
 */
const names = { database: "vitrine-uploads", uploads: "uploads", files: "files" };

/** A browser copies the files that it keeps. More than this would take longer than it is worth. */
const maxBytes = 2 ** 31;

export async function listKept(): Promise<Upload[]> {
  return (await use(names.uploads, "readonly", (store) => store.getAll() as IDBRequest<Upload[]>)) ?? [];
}

/** All of an account, when it signs out: what it has sent so far, the server removes after a while. */
export async function forgetUploadsOf(userID: number): Promise<void> {
  const ids = (await listKept()).filter((upload) => upload.userID === userID).map(({ id }) => id);
  for (const id of ids) forgetProgress(id);
  await forgetUploads(ids);
}

/** Under which the client keeps how far an upload is. */
export const progressKey = (id: string): string => `vitrine upload ${id}`;

const forgetProgress = (id: string): void => localStorage.removeItem(progressKey(id));

export const keepUploads = (uploads: readonly Upload[]): Promise<unknown> =>
  use(names.uploads, "readwrite", (store) => {
    for (const upload of uploads) store.put(upload);
  });

async function forgetUploads(ids: readonly string[]): Promise<void> {
  for (const name of [names.uploads, names.files]) {
    await use(name, "readwrite", (store) => {
      for (const id of ids) store.delete(id);
    });
  }
}

async function keepFile(id: string, file: File): Promise<boolean> {
  const { quota = 0, usage = 0 } = (await navigator.storage?.estimate?.()) ?? {};
  if (file.size > Math.min((quota - usage) / 2, maxBytes - usage)) return false;
  return (await use(names.files, "readwrite", (store) => store.put(file, id))) !== null;
}

async function readKeptFile(id: string): Promise<File | null> {
  const file = await use(names.files, "readonly", (store) => store.get(id) as IDBRequest<File | undefined>);
  return file ?? null;
}

export const keptUploads: UploadStorage = { keepUploads, forgetUploads, keepFile, readKeptFile, forgetProgress };

let opened: Promise<IDBDatabase | null> | null = null;

/** The result once it is stored, or null if that was not possible. */
async function use<Result>(
  name: string,
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest<Result> | void,
): Promise<Result | null | undefined> {
  const database = await (opened ??= open());
  if (!database) return null;
  return new Promise((resolve) => {
    try {
      const transaction = database.transaction(name, mode);
      const request = act(transaction.objectStore(name));
      transaction.addEventListener("complete", () => resolve(request?.result));
      transaction.addEventListener("abort", () => resolve(null));
    } catch {
      resolve(null);
    }
  });
}

function open(): Promise<IDBDatabase | null> {
  return new Promise((resolve) => {
    try {
      const request = indexedDB.open(names.database, 1);
      request.addEventListener("upgradeneeded", () => {
        request.result.createObjectStore(names.uploads, { keyPath: "id" });
        request.result.createObjectStore(names.files);
      });
      request.addEventListener("success", () => resolve(request.result));
      request.addEventListener("error", () => resolve(null));
    } catch {
      resolve(null);
    }
  });
}
