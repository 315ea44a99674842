import { beforeAll, describe, expect, test } from "bun:test";
import type { Client } from "../../../tests/kit/client.ts";
import { useServer } from "../../../tests/kit/use-server.ts";

const api = "/api/v1";
let fileID: number;
let album: { id: number };

const server = useServer();
const { owner, stranger } = server.people();
beforeAll(async () => {
  fileID = (await owner.upload("a.txt", "a")).body.id;
  album = await createAlbum(owner);
});

const createAlbum = async (who: Client, more: object = {}) =>
  (await who.post(`${api}/albums`, { name: "Album", ...more })).body;
const createPhoto = async (more: object = {}): Promise<number> =>
  (await owner.post(`${api}/photos`, { title: "Photo", fileID, width: 1, height: 1, ...more })).body.id;
/** Whether the photo is in no album, as both lists say. */
async function isWithout(id: number): Promise<boolean> {
  const [without, within] = await Promise.all(
    ["false", "true"].map(async (value) => {
      const { body } = await owner.get(`${api}/photos?owner=me&inAlbum=${value}&pageSize=1000`);
      return body.some((photo: any) => photo.id === id) as boolean;
    }),
  );
  expect(within).toBe(!without);
  return without ?? false;
}

describe("photos that are in no album", () => {
  test("are those that were not added to one, or were removed from it in any way", async () => {
    const id = await createPhoto({ visibility: "private", takenAt: "2020-05-01T00:00:00Z" });
    expect(await isWithout(id)).toBe(true);
    const photosOfAlbum = `${api}/albums/${album.id}/photos`;
    const ways: [add: () => Promise<unknown>, remove: () => Promise<unknown>][] = [
      [() => owner.post(photosOfAlbum, { photoID: id }), () => owner.delete(`${photosOfAlbum}/${id}`)],
      [
        () => owner.post(`${api}/photos/batch`, { ids: [id], albumID: album.id }),
        () => owner.post(`${api}/photos/batch`, { ids: [id], removeFromAlbumID: album.id }),
      ],
      [() => owner.put(photosOfAlbum, { photoIDs: [id] }), () => owner.put(photosOfAlbum, { photoIDs: [] })],
    ];
    for (const [add, remove] of ways) {
      await add();
      expect(await isWithout(id)).toBe(false);
      await owner.put(`${api}/photos/${id}`, { tags: ["sea"] });
      expect(await isWithout(id)).toBe(false);
      await remove();
      expect(await isWithout(id)).toBe(true);
    }
    const { body: months } = await owner.get(`${api}/photos/timeline?owner=me&inAlbum=false`);
    expect(months).toEqual([{ month: "2020-05", count: 1 }]);
    const { body } = await owner.post(`${api}/photos/many`, {
      albumID: album.id,
      photos: [{ title: "New", fileID, width: 1, height: 1 }],
    });
    expect(await isWithout(body.results[0].photoID)).toBe(false);
  });

  test("stay out of the list as long as one of their albums is not in the trash", async () => {
    const id = await createPhoto();
    const [one, other] = [await createAlbum(owner), await createAlbum(owner)];
    for (const { id: albumID } of [one, other]) await owner.post(`${api}/albums/${albumID}/photos`, { photoID: id });
    await owner.delete(`${api}/albums/${one.id}/photos/${id}`);
    expect(await isWithout(id)).toBe(false);
    await owner.delete(`${api}/albums/${other.id}`);
    expect(await isWithout(id)).toBe(true);
    await owner.put(`${api}/photos/${id}`, { isFavourite: true });
    expect(await isWithout(id)).toBe(true);
    const { body: entries } = await owner.get(`${api}/trash`);
    const entry = entries.find(({ kind, recordID }: any) => kind === "album" && recordID === other.id);
    await owner.post(`${api}/trash/${entry.id}/restore`);
    expect(await isWithout(id)).toBe(false);
    await owner.delete(`${api}/albums/${other.id}`);
    await owner.delete(`${api}/trash`);
    expect(await isWithout(id)).toBe(true);
  });

  test("are not those in albums of others, which may be private", async () => {
    const id = await createPhoto();
    for (const visibility of ["public", "private"]) {
      const { id: albumID } = await createAlbum(stranger, { visibility });
      expect((await stranger.post(`${api}/albums/${albumID}/photos`, { photoID: id })).status).toBe(200);
      expect(await isWithout(id)).toBe(true);
    }
    for (const query of ["", `&owner=${owner.userID}`]) {
      const { status, body } = await stranger.get(`${api}/photos?inAlbum=false${query}`);
      expect([status, body.error]).toEqual([400, `"inAlbum" needs "owner=me".`]);
    }
  });
});
