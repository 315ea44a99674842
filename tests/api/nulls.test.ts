// Runs on other engines only with TEST_LONG: what a body means is decided before an engine is asked.
import { beforeAll, describe, expect, test } from "bun:test";
import { png } from "../kit/files/png.ts";
import { useServer } from "../kit/use-server.ts";

const api = "/api/v1";
const server = useServer();
const { owner } = server.people();
let fileID: number;
beforeAll(async () => {
  fileID = (await owner.upload("a.png", png(30, 20))).body.id;
});

describe("null counts as not sent", () => {
  test("for the description and the size of a new photo, alone and among many", async () => {
    const sent = { title: "Dusk", fileID, description: null, width: null, height: null };
    const created = { description: "", width: 30, height: 20 };
    expect(await owner.post(`${api}/photos`, sent)).toMatchObject({ status: 201, body: created });
    const { body } = await owner.post(`${api}/photos/many`, { photos: [sent] });
    expect((await owner.get(`${api}/photos/${body.results[0].photoID}`)).body).toMatchObject(created);
  });

  test("for those of a photo that is changed, which keeps its own", async () => {
    const fields = { title: "Dusk", description: "Late", width: 300, height: 200 };
    const { body: photo } = await owner.post(`${api}/photos`, { ...fields, fileID });
    const path = `${api}/photos/${photo.id}`;
    const nulls = { description: null, width: null, height: null };
    const changed = await owner.put(path, { title: "Dawn", ...nulls });
    expect(changed).toMatchObject({ status: 200, body: { ...fields, title: "Dawn" } });
    const [nothing, onlyNulls] = [await owner.put(path, {}), await owner.put(path, nulls)];
    expect(onlyNulls.status).toBe(400);
    expect(onlyNulls.body.error).toBe(nothing.body.error);
    const many = await owner.post(`${api}/photos/batch`, { ids: [photo.id], set: { description: null } });
    expect(many.status).toBe(400);
    expect((await owner.get(path)).body).toEqual(changed.body);
  });

  test("for the path of a new directory, which is then in the root", async () => {
    const { status, body } = await owner.post(`${api}/directories`, { name: "Trips", path: null });
    expect([status, body.path, body.name]).toEqual([201, "/", "Trips"]);
  });
});

describe("null keeps its meaning", () => {
  test("where it removes something, and where nothing but a value will do", async () => {
    const fields = { takenAt: "2024-05-12T10:00:00.000Z", place: { latitude: 1, longitude: 2 } };
    const { body: photo } = await owner.post(`${api}/photos`, { title: "Dusk", fileID, ...fields });
    const path = `${api}/photos/${photo.id}`;
    expect((await owner.put(path, { takenAt: null, place: null })).body).toMatchObject({ takenAt: null, place: null });
    for (const name of ["title", "fileID", "altText", "visibility", "tags", "isFavourite"])
      expect([name, (await owner.put(path, { [name]: null })).status]).toEqual([name, 400]);
    const { body: post } = await owner.post(`${api}/blog`, { title: "Post", content: "Text", coverID: photo.id });
    const changed = await owner.put(`${api}/blog/${post.id}`, { coverID: null, publishedAt: null, excerpt: null });
    expect(changed.body).toMatchObject({ coverID: null, publishedAt: null });
    for (const name of ["title", "content", "visibility"])
      expect([name, (await owner.put(`${api}/blog/${post.id}`, { [name]: null })).status]).toEqual([name, 400]);
  });
});
