import { beforeAll, describe, expect, test } from "bun:test";
import { isoTime } from "../../../tests/kit/client.ts";
import { png } from "../../../tests/kit/files/png.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { until } from "../../../tests/kit/until.ts";

let photos: any[];

const albums = "/api/v1/albums";

const server = useServer();
const { guest } = server;
const owner = server.person("owner");
const stranger = server.person("stranger");
beforeAll(async () => {
  const image = (await owner.upload("image.png", png(2, 2))).body;
  photos = [];
  for (const title of ["First", "Second", "Third"]) {
    photos.push((await owner.post("/api/v1/photos", { title, fileID: image.id })).body);
  }
});

const createAlbum = async (...inside: any[]) => {
  const album = (await owner.post(albums, { name: "Lisbon" })).body;
  for (const photo of inside) await attach(album, photo.id);
  return (await read(album)).body;
};
const attach = (album: any, photoID: number) => owner.post(`${albums}/${album.id}/photos`, { photoID });
const detach = (album: any, photoID: number | string) => owner.delete(`${albums}/${album.id}/photos/${photoID}`);
const read = (album: any) => guest.get(`${albums}/${album.id}`);

describe("creating an album", () => {
  test("a new album is returned complete and empty; only a single read includes its photos, lists do not", async () => {
    const { status, body } = await owner.post(albums, { name: "Lisbon 2026" });
    expect(status).toBe(201);
    const album = {
      id: expect.any(Number),
      name: "Lisbon 2026",
      ownerID: owner.userID,
      photoCount: 0,
      coverPhotoID: null,
      cover: null,
      description: "",
      parentID: null,
      photoOrder: "manual",
      filter: null,
      createdAt: expect.stringMatching(isoTime),
      visibility: "public",
      updatedAt: body.createdAt,
    };
    expect(body).toEqual({ ...album, photos: [] });
    expect(body.id).toBePositive();
    expect((await read(body)).body).toEqual(body);
    expect((await guest.get(albums)).body[0]).toEqual(album);
  });

  test("two albums may have the same name", async () => {
    const [one, two] = [await createAlbum(), await createAlbum()];
    expect(one.name).toBe(two.name);
    expect(one.id).not.toBe(two.id);
  });

  test("a client cannot set the id, owner, count or photos; unknown fields are ignored", async () => {
    const wish = { id: 4711, ownerID: stranger.userID, photoCount: 9, photos, createdAt: "1999", secret: "kept?" };
    const made = (await owner.post(albums, { name: "Wish", ...wish })).body;
    const changed = (await owner.put(`${albums}/${made.id}`, { name: "Wished", ...wish })).body;
    for (const album of [made, changed]) {
      expect(album).toMatchObject({ ownerID: owner.userID, photoCount: 0, createdAt: made.createdAt });
      expect(album.id).not.toBe(4711);
      expect(JSON.stringify(album)).not.toMatch(/1999|secret|kept/);
    }
    expect((await read(made)).body.photos).toEqual([]);
  });
});

describe("changing an album", () => {
  test("renaming an album does not change its photos", async () => {
    const made = await createAlbum(photos[0]);
    // So that the time of the change is another one.
    await until(() => Date.now() > Date.parse(made.updatedAt));
    const { status, body } = await owner.put(`${albums}/${made.id}`, { name: "Porto" });
    expect(status).toBe(200);
    const { photos: inside, ...album } = made;
    expect(body).toEqual({ ...album, name: "Porto", updatedAt: body.updatedAt });
    expect(body.updatedAt > made.createdAt).toBe(true);
    expect((await read(made)).body).toEqual({ ...body, photos: inside });
  });

  test("a body without a name is refused and changes nothing", async () => {
    const made = await createAlbum();
    for (const body of [{}, { title: "?" }, { photos: [] }]) {
      const answer = await owner.put(`${albums}/${made.id}`, body);
      expect(answer.status).toBe(400);
      expect(answer.body.error).toContain("name");
    }
    expect((await read(made)).body).toEqual(made);
  });
});

describe("photos in an album", () => {
  test("are listed in the order in which they were added, as complete photos", async () => {
    const [first, second, third] = photos;
    const made = await createAlbum(third, first, second);
    expect(made).toMatchObject({ photoCount: 3 });
    expect(made.photos).toEqual([third, first, second]);
    expect((await guest.get(albums)).body[0]).toMatchObject({ id: made.id, photoCount: 3 });
    expect((await guest.get(albums)).body[0]).not.toHaveProperty("photos");
  });

  test("adding and removing a photo return a message", async () => {
    const made = await createAlbum();
    const attached = await attach(made, photos[0].id);
    expect(attached.status).toBe(200);
    expect(attached.body).toEqual({ message: expect.any(String) });
    const detached = await detach(made, photos[0].id);
    expect(detached.status).toBe(200);
    expect(detached.body).toEqual({ message: expect.any(String) });
    expect((await read(made)).body).toMatchObject({ photoCount: 0, photos: [] });
  });

  test("a photo that is added twice is in the album once, at its first position", async () => {
    const made = await createAlbum(photos[0], photos[1]);
    expect((await attach(made, photos[0].id)).status).toBe(200);
    expect((await read(made)).body).toEqual(made);
  });

  test("a photo that is added by many concurrent requests is counted once", async () => {
    const made = await createAlbum();
    const answers = await Promise.all(Array.from({ length: 20 }, () => attach(made, photos[0].id)));
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    expect((await read(made)).body).toMatchObject({ photoCount: 1, photos: [photos[0]] });
  });

  test("adding or removing a photo that does not exist is 404", async () => {
    const made = await createAlbum(photos[0]);
    for (const answer of [
      await attach(made, 999_999),
      await detach(made, 999_999),
      await detach(made, photos[1].id),
      await attach({ id: 999_999 }, photos[0].id),
      await detach({ id: 999_999 }, photos[0].id),
    ]) {
      expect(answer.status).toBe(404);
      expect(answer.body.error).toBeString();
    }
    expect((await detach(made, "first")).status).toBe(400);
    expect((await read(made)).body).toEqual(made);
  });

  test("a photo removed from one album stays in others, and can be added again at the end", async () => {
    const [one, two] = [await createAlbum(photos[0], photos[1]), await createAlbum(photos[0])];
    await detach(one, photos[0].id);
    expect((await detach(one, photos[0].id)).status).toBe(404);
    expect((await read(one)).body).toMatchObject({ photoCount: 1, photos: [photos[1]] });
    expect((await read(two)).body.photos).toEqual([photos[0]]);
    await attach(one, photos[0].id);
    expect((await read(one)).body.photos).toEqual([photos[1], photos[0]]);
  });

  test("an album may contain a photo of another user", async () => {
    const theirs = (await stranger.post("/api/v1/photos", { title: "Theirs", fileID: photos[0].fileID })).body;
    const made = await createAlbum(theirs);
    expect(made.photos).toEqual([theirs]);
  });
});

describe("deleting an album", () => {
  test("does not delete its photos", async () => {
    const made = await createAlbum(photos[0]);
    const before = Number((await guest.get(albums)).headers.get("x-total-count"));
    const { status, body } = await owner.delete(`${albums}/${made.id}`);
    expect(status).toBe(200);
    expect(body).toEqual({ message: expect.any(String) });

    expect((await read(made)).status).toBe(404);
    expect((await owner.put(`${albums}/${made.id}`, { name: "Back" })).status).toBe(404);
    expect((await owner.delete(`${albums}/${made.id}`)).status).toBe(404);
    expect((await attach(made, photos[1].id)).status).toBe(404);
    const list = await guest.get(`${albums}?pageSize=1000`);
    expect(list.body.map((album: any) => album.id)).not.toContain(made.id);
    expect(Number(list.headers.get("x-total-count"))).toBe(before - 1);
    expect((await guest.get(`/api/v1/photos/${photos[0].id}`)).body).toEqual(photos[0]);
  });
});
