import { beforeAll, describe, expect, test } from "bun:test";
import { isoTime } from "../../../tests/kit/client.ts";
import { png } from "../../../tests/kit/files/png.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { until } from "../../../tests/kit/until.ts";
import { testLong } from "../../../tests/kit/long.ts";

let image: any;

const photos = "/api/v1/photos";

const server = useServer();
const { guest } = server;
const owner = server.person("owner");
const stranger = server.person("stranger");
beforeAll(async () => {
  image = (await owner.upload("harbour.png", png(7, 5))).body;
});

const noFile = { file: null, thumbhash: null, variants: [] };
const createPhoto = async (fields: object = {}) =>
  (await owner.post(photos, { title: "Dusk", fileID: image.id, ...fields })).body;

describe("the size of a photo", () => {
  const api = "/api/v1";
  const sizeOf = (photo: any) => [photo.width, photo.height];

  testLong("follows the content of its file, unless a size was sent", async () => {
    const { body: file } = await owner.upload("size.png", png(20, 10));
    const { body: other } = await owner.upload("other.png", png(7, 9));
    const { body: photo } = await owner.post(`${api}/photos`, { title: "Size", fileID: file.id });
    const read = async () => sizeOf((await owner.get(`${api}/photos/${photo.id}`)).body);
    expect(sizeOf(photo)).toEqual([20, 10]);

    expect(sizeOf((await owner.put(`${api}/photos/${photo.id}`, { fileID: other.id })).body)).toEqual([7, 9]);
    await owner.request("PUT", `${api}/files/${other.id}/content`, { body: png(5, 6) });
    expect(await read()).toEqual([5, 6]);
    const { body: text } = await owner.upload("plain.txt", "no image");
    expect(sizeOf((await owner.put(`${api}/photos/${photo.id}`, { fileID: text.id })).body)).toEqual([20, 10]);
    await owner.put(`${api}/photos/${photo.id}`, { fileID: other.id });

    expect(sizeOf((await owner.put(`${api}/photos/${photo.id}`, { width: 500 })).body)).toEqual([500, 6]);
    await owner.request("PUT", `${api}/files/${other.id}/content`, { body: png(3, 4) });
    expect(await read()).toEqual([500, 6]);
    expect(sizeOf((await owner.put(`${api}/photos/${photo.id}`, { fileID: file.id })).body)).toEqual([500, 6]);
    const own = { width: 20, height: 10 };
    expect(sizeOf((await owner.put(`${api}/photos/${photo.id}`, own)).body)).toEqual([20, 10]);
    await owner.request("PUT", `${api}/files/${file.id}/content`, { body: png(8, 8) });
    expect(await read()).toEqual([8, 8]);
  });
});

describe("creating a photo", () => {
  test("a photo is returned complete, with its file, and is the same for every reader", async () => {
    const sent = { title: "Harbour", description: "The last ferry.", fileID: image.id, width: 1600, height: 1200 };
    const { status, body } = await owner.post(photos, sent);
    expect(status).toBe(201);
    expect(body).toEqual({
      ...sent,
      id: expect.any(Number),
      takenAt: null,
      edits: null,
      exif: null,
      showLocation: false,
      altText: "",
      tags: [],
      isCutOff: false,
      isFavourite: false,
      isPreparing: false,
      isUntitled: false,
      takenAtZone: null,
      place: null,
      thumbhash: expect.any(String),
      variants: [{ width: 7, height: 5, url: expect.stringContaining(`${photos}/${body.id}/image?w=320`) }],
      kind: "image",
      duration: null,
      poster: null,
      motion: null,
      ownerID: owner.userID,
      file: image,
      createdAt: expect.stringMatching(isoTime),
      visibility: "public",
      updatedAt: body.createdAt,
    });
    expect(body.id).toBePositive();
    expect((await guest.get(`${photos}/${body.id}`)).body).toEqual(body);
    expect((await guest.get(photos)).body[0]).toEqual(body);
  });

  test("omitted fields are empty, or read from the image", async () => {
    expect(await createPhoto()).toMatchObject({ description: "", width: 7, height: 5 });
    expect(await createPhoto({ width: 70 })).toMatchObject({ width: 70, height: 5 });
    expect(await createPhoto({ height: 50 })).toMatchObject({ width: 7, height: 50 });
  });

  test("any file can be shown, but the size is read only from images", async () => {
    const note = (await owner.upload("note.txt", "Not an image.")).body;
    const { status, body } = await owner.post(photos, { title: "Note", fileID: note.id });
    expect(status).toBe(400);
    expect(body.error).toMatch(/width.*height/);
    expect((await owner.post(photos, { title: "Note", fileID: note.id, width: 10 })).status).toBe(400);
    expect(await createPhoto({ fileID: note.id, width: 10, height: 20 })).toMatchObject({
      width: 10,
      height: 20,
      file: note,
    });
    expect(
      (await owner.post(photos, { title: "Named PNG", fileID: (await owner.upload("x.png", "no")).body.id })).status,
    ).toBe(400);
  });

  test("a file of another user can be shown, and still belongs to them", async () => {
    const { status, body } = await stranger.post(photos, { title: "Borrowed", fileID: image.id });
    expect(status).toBe(201);
    expect(body.ownerID).toBe(stranger.userID);
    expect(body.file).toEqual(image);
  });

  test("a photo of a missing file, a directory or a deleted file is refused and not listed", async () => {
    const directory = (await owner.post("/api/v1/directories", { name: "Not a photo" })).body;
    const deleted = (await owner.upload("gone.png", png(1, 1))).body;
    await owner.delete(`/api/v1/files/${deleted.id}`);
    const before = (await guest.get(photos)).body;
    for (const fileID of [999_999, directory.id, deleted.id]) {
      const { status, body } = await owner.post(photos, { title: "Nothing", fileID, width: 1, height: 1 });
      expect(status).toBe(400);
      expect(body.error).toContain("fileID");
    }
    expect((await guest.get(photos)).body).toEqual(before);
  });

  test("a client cannot set the id, owner or timestamps; unknown fields are ignored", async () => {
    const wish = {
      id: 4711,
      ownerID: stranger.userID,
      createdAt: "1999-01-01T00:00:00.000Z",
      updatedAt: "1999",
      file: null,
      secret: "kept?",
    };
    const made = await createPhoto(wish);
    expect(made).toMatchObject({ ownerID: owner.userID, file: image });
    const changed = (await owner.put(`${photos}/${made.id}`, { title: "Changed", ...wish })).body;
    expect(changed).toMatchObject({ id: made.id, ownerID: owner.userID, createdAt: made.createdAt, file: image });
    for (const photo of [made, changed]) {
      expect(photo.id).not.toBe(4711);
      expect(JSON.stringify(photo)).not.toMatch(/1999|secret|kept/);
    }
    expect((await guest.get(`${photos}/4711`)).status).toBe(404);
  });
});

describe("changing a photo", () => {
  test("only the fields that are sent change", async () => {
    const made = await createPhoto({ description: "Before", width: 10, height: 20 });
    // So that the time of the change is another one.
    await until(() => Date.now() > Date.parse(made.updatedAt));
    const other = (await owner.upload("other.png", png(2, 2))).body;
    let expected = made;
    const changes = [{ title: "New" }, { description: "" }, { width: 30 }, { height: 40 }, { showLocation: true }];
    for (const sent of [...changes, { fileID: other.id }] as any[]) {
      const { status, body } = await owner.put(`${photos}/${made.id}`, sent);
      expected = { ...expected, ...sent, updatedAt: body.updatedAt };
      if (body.fileID === other.id)
        expected = { ...expected, file: other, thumbhash: body.thumbhash, variants: body.variants };
      expect(status).toBe(200);
      expect(body).toEqual(expected);
    }
    expect(expected.updatedAt > made.updatedAt).toBe(true);
    expect((await guest.get(`${photos}/${made.id}`)).body).toEqual(expected);
  });

  test("a body without any known field is refused and changes nothing", async () => {
    const made = await createPhoto();
    for (const body of [{}, { colour: "blue" }, { id: 5, ownerID: stranger.userID }]) {
      const answer = await owner.put(`${photos}/${made.id}`, body);
      expect(answer.status).toBe(400);
      expect(answer.body.error).toContain("title");
    }
    expect((await guest.get(`${photos}/${made.id}`)).body).toEqual(made);
  });

  test("a photo cannot be changed to show a missing file or a directory", async () => {
    const made = await createPhoto();
    const directory = (await owner.post("/api/v1/directories", { name: "Still not a photo" })).body;
    for (const fileID of [999_999, directory.id]) {
      const { status, body } = await owner.put(`${photos}/${made.id}`, { title: "Half", fileID });
      expect(status).toBe(400);
      expect(body.error).toContain("fileID");
    }
    expect((await guest.get(`${photos}/${made.id}`)).body).toEqual(made);
  });
});

describe("deleting a photo", () => {
  test("a deleted photo disappears from reads, lists and totals; its file is kept", async () => {
    const made = await createPhoto();
    const before = Number((await guest.get(photos)).headers.get("x-total-count"));
    const { status, body } = await owner.delete(`${photos}/${made.id}`);
    expect(status).toBe(200);
    expect(body).toEqual({ message: expect.any(String) });

    expect((await guest.get(`${photos}/${made.id}`)).status).toBe(404);
    expect((await owner.put(`${photos}/${made.id}`, { title: "Back" })).status).toBe(404);
    expect((await owner.delete(`${photos}/${made.id}`)).status).toBe(404);
    const list = await guest.get(`${photos}?pageSize=1000`);
    expect(list.body.map((photo: any) => photo.id)).not.toContain(made.id);
    expect(Number(list.headers.get("x-total-count"))).toBe(before - 1);
    expect((await owner.get(`/api/v1/files/dir/${image.name}`)).body).toEqual(image);
    expect((await guest.get(image.url)).status).toBe(200);
  });

  test("a deleted photo disappears from its albums", async () => {
    const [leaving, staying] = [await createPhoto(), await createPhoto()];
    const album = (await owner.post("/api/v1/albums", { name: "Two" })).body;
    for (const photo of [leaving, staying])
      await owner.post(`/api/v1/albums/${album.id}/photos`, { photoID: photo.id });
    expect((await guest.get(`/api/v1/albums/${album.id}`)).body.photoCount).toBe(2);

    await owner.delete(`${photos}/${leaving.id}`);
    const after = (await guest.get(`/api/v1/albums/${album.id}`)).body;
    expect(after).toMatchObject({ photoCount: 1, photos: [staying] });
    const listed = (await guest.get("/api/v1/albums")).body.find((other: any) => other.id === album.id);
    expect(listed.photoCount).toBe(1);
    expect((await owner.post(`/api/v1/albums/${album.id}/photos`, { photoID: leaving.id })).status).toBe(404);
    expect((await owner.delete(`/api/v1/albums/${album.id}/photos/${leaving.id}`)).status).toBe(404);
  });

  test("posts lose it as their cover, and are otherwise not changed", async () => {
    const cover = await createPhoto();
    const post = (await owner.post("/api/v1/blog", { title: "Covered", content: "…", coverID: cover.id })).body;
    expect(post.cover).toEqual(cover);
    await owner.delete(`${photos}/${cover.id}`);
    const after = (await guest.get(`/api/v1/blog/${post.id}`)).body;
    expect(after).toEqual({ ...post, coverID: null, cover: null });
    const { html: _, ...listed } = after;
    expect((await guest.get("/api/v1/blog")).body[0]).toEqual(listed);
  });
});

describe("a photo whose file is deleted", () => {
  test("is kept, and has no file wherever it appears", async () => {
    const file = (await owner.upload("short-lived.png", png(3, 3))).body;
    const made = await createPhoto({ fileID: file.id });
    const album = (await owner.post("/api/v1/albums", { name: "Fileless" })).body;
    await owner.post(`/api/v1/albums/${album.id}/photos`, { photoID: made.id });
    expect((await owner.delete(`/api/v1/files/${file.id}`)).status).toBe(200);

    const fileless = { ...made, ...noFile };
    expect((await guest.get(`${photos}/${made.id}`)).body).toEqual(fileless);
    expect((await guest.get(photos)).body[0]).toEqual(fileless);
    expect((await guest.get(`/api/v1/albums/${album.id}`)).body.photos).toEqual([fileless]);
    expect((await owner.put(`${photos}/${made.id}`, { title: "Renamed" })).body).toMatchObject({
      file: null,
      fileID: file.id,
    });
  });

  test("is kept even if the file is deleted with its directory", async () => {
    const file = (await owner.upload("deep.png", png(3, 3), { path: "/going/soon" })).body;
    const made = await createPhoto({ fileID: file.id });
    const directory = (await guest.get("/api/v1/files")).body.find((entry: any) => entry.name === "going");
    await owner.delete(`/api/v1/files/${directory.id}`);
    expect((await guest.get(`${photos}/${made.id}`)).body).toEqual({ ...made, ...noFile });
  });

  test("has a file again when another file is assigned", async () => {
    const file = (await owner.upload("first.png", png(3, 3))).body;
    const made = await createPhoto({ fileID: file.id });
    await owner.delete(`/api/v1/files/${file.id}`);
    expect((await owner.put(`${photos}/${made.id}`, { fileID: image.id })).body.file).toEqual(image);
  });
});

describe("a photo whose file is replaced", () => {
  const seen = async (id: number) => {
    const { variants, thumbhash, file } = (await guest.get(`${photos}/${id}`)).body;
    return { width: variants[0]?.width, hasThumb: thumbhash !== null, size: file.size };
  };

  test("shows the new content as soon as the response is sent, however it was replaced, and the old one when it is restored", async () => {
    const [first, second, third] = [png(30, 20), png(40, 20), png(50, 20)];
    const file = (await owner.upload("changing.png", first)).body;
    const made = await createPhoto({ fileID: file.id });
    expect(await seen(made.id)).toEqual({ width: 30, hasThumb: true, size: first.length });
    await owner.upload("changing.png", second, { onConflict: "replace" });
    expect(await seen(made.id)).toEqual({ width: 40, hasThumb: true, size: second.length });
    expect((await owner.request("PUT", file.url, { body: third })).status).toBe(200);
    expect(await seen(made.id)).toEqual({ width: 50, hasThumb: true, size: third.length });
    const versions = (await owner.get(`/api/v1/files/${file.id}/versions`)).body;
    await owner.post(`/api/v1/files/${file.id}/versions/${versions.at(-1).id}/restore`);
    expect(await seen(made.id)).toEqual({ width: 30, hasThumb: true, size: first.length });
  });
});
