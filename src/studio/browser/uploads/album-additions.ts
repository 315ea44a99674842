import { api } from "../lib/api.ts";

type Waiting = { photoID: number; resolve: () => void; reject: (error: unknown) => void };
const waiting = new Map<number, Waiting[]>();

/** Photos that are ready at about the same time are added by one request. */
export function addToAlbum(albumID: number, photoID: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const others = waiting.get(albumID);
    if (others) others.push({ photoID, resolve, reject });
    else {
      waiting.set(albumID, [{ photoID, resolve, reject }]);
      setTimeout(() => void send(albumID), 300);
    }
  });
}

async function send(albumID: number): Promise<void> {
  const group = waiting.get(albumID) ?? [];
  waiting.delete(albumID);
  try {
    const { results } = await api.changePhotos({ ids: group.map(({ photoID }) => photoID), albumID });
    const refused = results.find(({ status }) => status !== 200);
    if (refused) throw new Error(refused.error ?? "");
    for (const { resolve } of group) resolve();
  } catch (error) {
    for (const { reject } of group) reject(error);
  }
}
