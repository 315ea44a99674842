import { beforeAll, describe, expect, test } from "bun:test";
import type { Client } from "../../../tests/kit/client.ts";
import { png } from "../../../tests/kit/files/png.ts";
import { useServer } from "../../../tests/kit/use-server.ts";

let photos: number[];

const server = useServer();
const people = server.people();
const { owner } = people;
beforeAll(async () => {
  photos = [];
  const { body: file } = await owner.upload("a.png", png(2, 2));
  for (let number = 1; number <= 5; number++) {
    photos.push((await owner.post("/api/v1/photos", { title: `Photo ${number}`, fileID: file.id })).body.id);
  }
});

async function createAlbum(...photoIDs: number[]): Promise<number> {
  const { id } = (await owner.post("/api/v1/albums", { name: "Album" })).body;
  expect((await owner.put(`/api/v1/albums/${id}/photos`, { photoIDs })).status).toBe(200);
  return id;
}
const read = async (id: number, query = "") => (await owner.get(`/api/v1/albums/${id}${query}`)).body;
const order = async (id: number) => (await read(id)).photos.map((photo: any) => photo.id);

describe("the order of an album", () => {
  test("is replaced as a whole: the album then has exactly the listed photos, in that order", async () => {
    const [a, b, c, d] = photos as [number, number, number, number];
    const id = await createAlbum(c, a, b);
    expect(await order(id)).toEqual([c, a, b]);
    expect((await owner.put(`/api/v1/albums/${id}/photos`, { photoIDs: [b, d] })).status).toBe(200);
    expect(await order(id)).toEqual([b, d]);
    expect((await read(id)).photoCount).toBe(2);
    await owner.post(`/api/v1/albums/${id}/photos`, { photoID: a });
    expect(await order(id)).toEqual([b, d, a]);
    await owner.put(`/api/v1/albums/${id}/photos`, { photoIDs: [] });
    expect((await read(id)).photos).toEqual([]);
  });

  test("an unknown photo is 404, a photo listed twice is 400, and the order is not changed", async () => {
    const [a, b] = photos as [number, number];
    const id = await createAlbum(a, b);
    const put = (who: Client, photoIDs: unknown) => who.put(`/api/v1/albums/${id}/photos`, { photoIDs });
    expect((await put(owner, [b, 99_999])).status).toBe(404);
    for (const wrong of [[a, a], [0], ["1"], "1", null, [1.5]]) expect((await put(owner, wrong)).status).toBe(400);
    expect((await put(people.guest, [b])).status).toBe(401);
    expect((await put(people.stranger, [b])).status).toBe(403);
    expect(await order(id)).toEqual([a, b]);
  });

  test("a photo in the trash keeps its position and returns to the album when it is restored", async () => {
    const [a, b, , , e] = photos as [number, number, number, number, number];
    const id = await createAlbum(a, e, b);
    await owner.delete(`/api/v1/photos/${e}`);
    await owner.put(`/api/v1/albums/${id}/photos`, { photoIDs: [b, a] });
    expect((await read(id)).photoCount).toBe(2);
    const [entry] = (await owner.get("/api/v1/trash")).body;
    await owner.post(`/api/v1/trash/${entry.id}/restore`);
    expect(await order(id)).toEqual([b, a, e]);
    expect((await read(id)).photoCount).toBe(3);
  });
});

describe("the pages of an album", () => {
  test("are returned on request, with the headers of a list; by default all photos are returned", async () => {
    const id = await createAlbum(...photos);
    const { body, headers } = await owner.get(`/api/v1/albums/${id}?page=2&pageSize=2`);
    expect(body.photos.map((photo: any) => photo.id)).toEqual(photos.slice(2, 4));
    expect(headers.get("x-total-count")).toBe("5");
    expect(headers.get("link")).toContain('rel="next"');
    expect((await read(id, "?page=9")).photos).toEqual([]);
    expect((await read(id)).photos).toHaveLength(5);
    expect(headers.get("vary")).toContain("Authorization");
    for (const query of ["?page=0", "?pageSize=1001", "?page=x"]) {
      expect((await owner.get(`/api/v1/albums/${id}${query}`)).status).toBe(400);
    }
  });
});

describe("the cover of an album", () => {
  test("is the first photo until one is chosen, and again when the choice is removed", async () => {
    const [a, b, c] = photos as [number, number, number];
    const id = await createAlbum(a, b);
    const put = (body: object) => owner.put(`/api/v1/albums/${id}`, body);
    expect((await read(id)).cover.id).toBe(a);
    const chosen = (await put({ coverPhotoID: b })).body;
    expect([chosen.coverPhotoID, chosen.cover.id, chosen.name]).toEqual([b, b, "Album"]);
    const listed = (await owner.get("/api/v1/albums")).body.find((album: any) => album.id === id);
    expect(listed.cover.id).toBe(b);
    expect((await put({ coverPhotoID: c })).status).toBe(400);
    expect((await put({ coverPhotoID: null })).body.cover.id).toBe(a);
    await put({ coverPhotoID: b });
    await owner.delete(`/api/v1/albums/${id}/photos/${b}`);
    expect((await read(id)).coverPhotoID).toBeNull();
    expect((await read(await createAlbum())).cover).toBeNull();
  });
});
