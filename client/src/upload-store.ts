import type { UploadStore } from "./types.ts";

type WebStorage = {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
};

/** `localStorage` survives a reload of the page. */
export function openUploadStore(): UploadStore {
  const storage = findStorage();
  if (!storage) return memoryStore();
  return {
    get: (key) => storage.getItem(key),
    set(key, value) {
      try {
        storage.setItem(key, value);
      } catch {
        // It is full: this upload cannot go on after a reload, but it can be finished.
      }
    },
    delete: (key) => storage.removeItem(key),
  };
}

export function memoryStore(): UploadStore {
  const entries = new Map<string, string>();
  return {
    get: (key) => entries.get(key) ?? null,
    set: (key, value) => void entries.set(key, value),
    delete: (key) => void entries.delete(key),
  };
}

/** Elsewhere than in a browser there may be one without a file behind it, and a browser may forbid it. */
function findStorage(): WebStorage | null {
  try {
    const { window, localStorage } = globalThis as { window?: unknown; localStorage?: WebStorage };
    return (window ? localStorage : null) ?? null;
  } catch {
    return null;
  }
}
