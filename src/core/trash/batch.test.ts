import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Client } from "../../../tests/kit/client.ts";
import { png } from "../../../tests/kit/files/png.ts";
import { createPeople } from "../../../tests/kit/people.ts";
import { startServer, type TestServer } from "../../../tests/kit/server.ts";
import { isLong } from "../../../tests/kit/long.ts";

let server: TestServer;
let owner: Client;
let stranger: Client;
let admin: Client;
let guest: Client;

beforeAll(async () => {
  server = await startServer();
  ({ owner, stranger, admin, guest } = await createPeople(server));
});
afterAll(() => server.close());

const api = "/api/v1";
const restore = (who: Client, ...records: object[]) => who.post(`${api}/trash/restore`, { records });
const destroy = (who: Client, ...records: object[]) => who.post(`${api}/trash/delete`, { records });
const statuses = ({ body }: { body: any }) => body.results.map(({ status }: any) => status);
const made = async (who: Client, path: string, body: object) => (await who.post(api + path, body)).body;

async function createPhotos(count: number, more: object = {}): Promise<number[]> {
  const { body: file } = await owner.upload("a.png", png(2, 2));
  const some = Array.from({ length: count }, () => made(owner, "/photos", { title: "P", fileID: file.id, ...more }));
  return (await Promise.all(some)).map(({ id }) => id);
}

describe("many records of the trash", () => {
  test("are restored in one request, which undoes a batch by what the batch was sent", async () => {
    const ids = await createPhotos(3);
    const { id: postID } = await made(owner, "/blog", { title: "Post", content: "…" });
    const { id: albumID } = await made(owner, "/albums", { name: "Album" });
    await made(owner, `/albums/${albumID}/photos`, { photoID: ids[0] as number });
    await owner.post(`${api}/photos/batch`, { ids, trash: true });
    await owner.delete(`${api}/blog/${postID}`);
    await owner.delete(`${api}/albums/${albumID}`);
    const photos = ids.map((id) => ({ kind: "photo", id }));
    const records = [...photos, { kind: "post", id: postID }, { kind: "album", id: albumID }];
    const { status, body } = await restore(owner, ...records);
    expect([status, body]).toEqual([
      200,
      { changed: 5, results: records.map((record) => ({ ...record, status: 200, error: null })) },
    ]);
    for (const id of ids) expect((await guest.get(`${api}/photos/${id}`)).status).toBe(200);
    expect((await guest.get(`${api}/albums/${albumID}`)).body.photoCount).toBe(1);
    expect((await owner.get(`${api}/trash`)).body).toEqual([]);
    const again = await restore(owner, ...records);
    expect([again.body.changed, new Set(statuses(again))]).toEqual([0, new Set([404])]);
  });

  test("what was deleted before its directory or its post is restored after it", async () => {
    const { body: file } = await owner.upload("inner.txt", "x", { path: "/outer" });
    const directory = (await owner.get(`${api}/files`)).body.find(({ name }: any) => name === "outer");
    const post = await made(owner, "/blog", { title: "Post", content: "…" });
    const comment = await made(stranger, "/comments", { content: "Hi", blogPostID: post.id });
    for (const path of [`files/${file.id}`, `files/${directory.id}`, `comments/${comment.id}`, `blog/${post.id}`]) {
      expect((await owner.delete(`${api}/${path}`)).status).toBe(200);
    }
    const inner = [
      { kind: "file", id: file.id },
      { kind: "comment", id: comment.id },
    ];
    const alone = await restore(owner, ...inner);
    expect(statuses(alone)).toEqual([400, 400]);
    expect((await owner.get(`${api}/trash`)).body).toHaveLength(4);
    const outer = [
      { kind: "file", id: directory.id },
      { kind: "post", id: post.id },
    ];
    expect(statuses(await restore(owner, ...inner, ...outer))).toEqual([200, 200, 200, 200]);
    expect((await guest.get(`${api}/files/${file.id}`)).body.path).toBe("/outer");
    expect((await guest.get(`${api}/comments?blogPostID=${post.id}`)).body).toHaveLength(1);
  });

  test("are restored and deleted by those who may, and to others they do not exist", async () => {
    const [own, removed] = (await createPhotos(2, { visibility: "private" })) as [number, number];
    await owner.delete(`${api}/photos/${own}`);
    await admin.delete(`${api}/photos/${removed}`);
    const records = [own, removed].map((id) => ({ kind: "photo", id }));
    for (const act of [restore, destroy]) {
      expect(statuses(await act(stranger, ...records))).toEqual([404, 404]);
      expect(statuses(await act(owner, records[1] as object))).toEqual([403]);
    }
    expect((await restore(stranger, ...records)).body.results[0].error).toBe(`There is no photo ${own} in the trash.`);
    expect(statuses(await destroy(owner, ...records))).toEqual([200, 403]);
    expect(statuses(await restore(owner, ...records))).toEqual([404, 403]);
    expect(statuses(await restore(admin, ...records))).toEqual([404, 200]);
    expect((await owner.get(`${api}/photos/${removed}`)).status).toBe(200);
  });

  test.skipIf(!isLong)("a thousand are restored together, and then deleted permanently", async () => {
    const ids: number[] = [];
    while (ids.length < 1000) ids.push(...(await createPhotos(100)));
    const records = ids.map((id) => ({ kind: "photo", id }));
    await owner.post(`${api}/photos/batch`, { ids, trash: true });
    expect((await restore(owner, ...records)).body.changed).toBe(1000);
    expect((await owner.get(`${api}/photos?owner=me&pageSize=1000`)).body.length).toBeGreaterThanOrEqual(1000);
    await owner.post(`${api}/photos/batch`, { ids, trash: true });
    // Each is deleted on its own, which takes longer.
    while (records.length > 0) expect((await destroy(owner, ...records.splice(0, 200))).body.changed).toBe(200);
    expect((await owner.get(`${api}/trash`)).body).toEqual([]);
  });
});

test.each([
  [{}, '"records" is required.'],
  [{ records: [] }, '"records" must not be empty.'],
  [{ records: [{ kind: "user", id: 1 }] }, expect.stringContaining('"records.0.kind" must be one of')],
  [{ records: [{ kind: "photo", id: 0 }] }, '"records.0.id" must be at least 1.'],
  [
    { records: Array.from({ length: 2 }, () => ({ kind: "photo", id: 1 })) },
    '"records" must list each record only once.',
  ],
  [
    { records: Array.from({ length: 1001 }, (_, index) => ({ kind: "photo", id: index + 1 })) },
    '"records" must have at most 1000 entries.',
  ],
])("%# is refused", async (body, error) => {
  for (const action of ["restore", "delete"]) {
    const refused = await owner.post(`${api}/trash/${action}`, body);
    expect([refused.status, refused.body.error]).toEqual([400, error]);
  }
});
