import { VitrineError } from "../../../../client/src/index.ts";
import { api } from "../lib/api.ts";

type Creation = {
  fileID: number;
  title: string;
  attempts: number;
  resolve: (photoID: number) => void;
  reject: (error: unknown) => void;
};

/** By the album to which they are added. */
const waiting = new Map<number | null, Creation[]>();
const [milliseconds, mostAtOnce, mostAttempts] = [300, 100, 10];

/** Photos of files that are stored at about the same time are created by one request, which also adds them to the album. */
export function createPhoto(fileID: number, title: string, albumID: number | null): Promise<number> {
  return new Promise((resolve, reject) => add(albumID, { fileID, title, attempts: 1, resolve, reject }));
}

function add(albumID: number | null, creation: Creation): void {
  const group = waiting.get(albumID);
  if (!group) {
    const started = [creation];
    waiting.set(albumID, started);
    setTimeout(() => void send(albumID, started), milliseconds);
    return;
  }
  group.push(creation);
  if (group.length >= mostAtOnce) waiting.delete(albumID);
}

async function send(albumID: number | null, group: Creation[]): Promise<void> {
  if (waiting.get(albumID) === group) waiting.delete(albumID);
  try {
    const photos = group.map(({ fileID, title }) => ({ fileID, title }));
    const { results } = await api.createPhotos({ photos, ...(albumID !== null && { albumID }) });
    for (const [index, { photoID, status, error }] of results.entries()) {
      const creation = group[index] as Creation;
      if (photoID !== null) creation.resolve(photoID);
      else if (status === 503 && creation.attempts < mostAttempts) {
        // The server is still reading other pictures.
        setTimeout(() => add(albumID, { ...creation, attempts: creation.attempts + 1 }), 3000);
      } else creation.reject(new VitrineError(error ?? "", { status }));
    }
  } catch (error) {
    for (const { reject } of group) reject(error);
  }
}
