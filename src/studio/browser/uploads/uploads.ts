import type { File as StoredFile, Photo } from "../../../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { explain } from "../lib/explain.ts";
import { say } from "../lib/toasts.ts";

/** A file that a person has chosen, and the directory in it if they have chosen a whole one, such as `Lisbon/day 2`. */
export type Chosen = { file: File; directory?: string };

export type Target = {
  /** Such as `/2026`. */
  directory: string;
  /** Also creates a photo for each picture and video. */
  isPhoto: boolean;
  /** The album to which the photos are added. */
  albumID?: number;
  /** Called for each file that was stored. */
  onStored?: (result: { file: StoredFile; photo: Photo | null }) => void;
};

/** Uploads files in the background, whatever screen is open. */
export function addUploads(chosen: readonly Chosen[], target: Target): void {
  void uploadAll(chosen, target);
}

async function uploadAll(chosen: readonly Chosen[], { directory, isPhoto, albumID, onStored }: Target): Promise<void> {
  for (const { file, directory: within } of chosen) {
    try {
      const path = [directory.replace(/\/$/, ""), within].filter(Boolean).join("/") || "/";
      const stored = await api.upload(file, { path });
      const isPicture = isPhoto && /^(image|video)\//.test(stored.contentType ?? "");
      const photo = isPicture
        ? await api.createPhoto({ fileID: stored.id, title: file.name.replace(/\.\w+$/, "") })
        : null;
      if (photo && albumID !== undefined) await api.addAlbumPhoto({ id: albumID, photoID: photo.id });
      onStored?.({ file: stored, photo });
    } catch (error) {
      say({ text: `${file.name}: ${explain(error)}`, isFailure: true });
    }
  }
}
