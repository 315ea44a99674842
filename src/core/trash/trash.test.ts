import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Client, client } from "../../../tests/kit/client.ts";
import { png } from "../../../tests/kit/files/png.ts";
import { createPeople } from "../../../tests/kit/people.ts";
import { startServer, type TestServer } from "../../../tests/kit/server.ts";

let server: TestServer;
let people: Awaited<ReturnType<typeof createPeople>>;
let owner: Client;

beforeAll(async () => {
  server = await startServer();
  people = await createPeople(server);
  ({ owner } = people);
});
afterAll(() => server.close());

const entries = async (who = owner) => (await who.get("/api/v1/trash")).body as any[];
const restoreNewest = async () => owner.post(`/api/v1/trash/${(await entries())[0].id}/restore`);

async function makePhoto(title: string) {
  const { body: file } = await owner.upload(`${title}.png`, png(2, 2));
  return (await owner.post("/api/v1/photos", { title, fileID: file.id })).body;
}

describe("the trash", () => {
  test("shows its owner what was deleted, newest first, and until when", async () => {
    const { body: album } = await owner.post("/api/v1/albums", { name: "Gone" });
    await owner.delete(`/api/v1/albums/${album.id}`);
    const [newest] = await entries();
    expect(newest).toMatchObject({ kind: "album", recordID: album.id, name: "Gone", ownerID: owner.userID });
    expect(Date.parse(newest.expiresAt) - Date.parse(newest.deletedAt)).toBe(30 * 86_400_000);
    expect(await entries(people.stranger)).toEqual([]);
  });

  test("opens to its owner and to admins only", async () => {
    const { body: album } = await owner.post("/api/v1/albums", { name: "Mine" });
    await owner.delete(`/api/v1/albums/${album.id}`);
    const [{ id }] = (await entries()) as [any];
    for (const path of [`/api/v1/trash/${id}`, "/api/v1/trash"])
      expect((await people.guest.delete(path)).status).toBe(401);
    expect((await people.guest.get("/api/v1/trash")).status).toBe(401);
    expect((await people.stranger.post(`/api/v1/trash/${id}/restore`)).status).toBe(404);
    expect((await people.stranger.delete(`/api/v1/trash/${id}`)).status).toBe(404);
    expect((await people.stranger.post("/api/v1/trash/99999/restore")).status).toBe(404);
    expect((await people.admin.post(`/api/v1/trash/${id}/restore`)).status).toBe(200);
    expect((await client(server).get(`/api/v1/albums/${album.id}`)).status).toBe(200);
  });

  test("gives a photo back to its albums, in its place, and to the posts whose cover it was", async () => {
    const [first, second, third] = [await makePhoto("first"), await makePhoto("second"), await makePhoto("third")];
    const { body: album } = await owner.post("/api/v1/albums", { name: "In order" });
    for (const photo of [first, second, third])
      await owner.post(`/api/v1/albums/${album.id}/photos`, { photoID: photo.id });
    const { body: post } = await owner.post("/api/v1/blog", { title: "Covered", content: "x", coverID: second.id });
    await owner.delete(`/api/v1/photos/${second.id}`);
    expect((await owner.get(`/api/v1/albums/${album.id}`)).body.photoCount).toBe(2);
    expect((await owner.get(`/api/v1/blog/${post.id}`)).body.coverID).toBeNull();
    const total = Number((await owner.get("/api/v1/photos")).headers.get("x-total-count"));

    expect((await restoreNewest()).status).toBe(200);
    const { body } = await owner.get(`/api/v1/albums/${album.id}`);
    expect([body.photoCount, body.photos.map((photo: any) => photo.title)]).toEqual([3, ["first", "second", "third"]]);
    expect((await owner.get(`/api/v1/blog/${post.id}`)).body.cover.title).toBe("second");
    expect(Number((await owner.get("/api/v1/photos")).headers.get("x-total-count"))).toBe(total + 1);
  });

  test("gives a post back with its comments, but not those that were deleted before", async () => {
    const { body: post } = await owner.post("/api/v1/blog", { title: "Talk", content: "x" });
    const { body: kept } = await people.stranger.post("/api/v1/comments", { content: "kept", blogPostID: post.id });
    const { body: gone } = await people.stranger.post("/api/v1/comments", { content: "gone", blogPostID: post.id });
    await people.stranger.delete(`/api/v1/comments/${gone.id}`);
    await owner.delete(`/api/v1/blog/${post.id}`);
    const [entry] = await entries(people.stranger);
    const early = await people.stranger.post(`/api/v1/trash/${entry.id}/restore`);
    expect([early.status, early.body.error.includes("blog post")]).toEqual([400, true]);

    expect((await restoreNewest()).status).toBe(200);
    const { body } = await owner.get(`/api/v1/comments?blogPostID=${post.id}`);
    expect(body.map((comment: any) => comment.id)).toEqual([kept.id]);
    expect((await people.stranger.post(`/api/v1/trash/${entry.id}/restore`)).status).toBe(200);
    expect((await owner.get(`/api/v1/comments?blogPostID=${post.id}`)).body).toHaveLength(2);
  });

  test("gives a directory back whole; a name that is taken gets a number", async () => {
    await owner.upload("a.txt", "first", { path: "/tree/deep" });
    const { body: tree } = await owner.get("/api/v1/files/dir/tree");
    const deep = tree[0];
    const photo = (
      await owner.post("/api/v1/photos", {
        title: "x",
        fileID: (await owner.get("/api/v1/files/dir/tree/deep")).body[0].id,
        width: 1,
        height: 1,
      })
    ).body;
    await owner.delete(`/api/v1/files/${deep.id}`);
    expect((await owner.get(`/api/v1/photos/${photo.id}`)).body.file).toBeNull();
    await owner.upload("b.txt", "second", { path: "/tree/deep" });
    expect((await restoreNewest()).status).toBe(200);
    const names = (await owner.get("/api/v1/files/dir/tree")).body.map((file: any) => file.name);
    expect(names).toEqual(["deep", "deep (1)"]);
    expect((await owner.get(`/api/v1/photos/${photo.id}`)).body.file.path).toBe("/tree/deep (1)");
  });

  test("a file waits for its directory, unless that is gone for good", async () => {
    const { body: file } = await owner.upload("inner.txt", "x", { path: "/outer" });
    const outer = (await owner.get("/api/v1/files")).body.find((one: any) => one.name === "outer");
    await owner.delete(`/api/v1/files/${file.id}`);
    const [inner] = await entries();
    await owner.delete(`/api/v1/files/${outer.id}`);
    expect((await owner.post(`/api/v1/trash/${inner.id}/restore`)).status).toBe(400);
    await owner.delete(`/api/v1/trash/${(await entries())[0].id}`);
    expect((await owner.post(`/api/v1/trash/${inner.id}/restore`)).status).toBe(200);
    expect((await owner.get(`/api/v1/files/${file.id}`)).body.path).toBe("/");
  });

  test.each(["photos", "blog", "albums", "files", "comments"])(
    "of many deletions of one of the %s, one is made",
    async (resource) => {
      const { body: post } = await owner.post("/api/v1/blog", { title: "Below it", content: "x" });
      const make: Record<string, () => Promise<any>> = {
        photos: () => makePhoto("deleted"),
        blog: async () => post,
        albums: async () => (await owner.post("/api/v1/albums", { name: "Deleted" })).body,
        files: async () => (await owner.upload("deleted.txt", "x")).body,
        comments: async () => (await owner.post("/api/v1/comments", { content: "x", blogPostID: post.id })).body,
      };
      const { id } = await make[resource]!();
      const total = async () => Number((await owner.get(`/api/v1/${resource}`)).headers.get("x-total-count"));
      const [before, entriesBefore] = [await total(), (await entries()).length];
      const deletions = Array.from({ length: 8 }, () => owner.delete(`/api/v1/${resource}/${id}`));
      const statuses = (await Promise.all(deletions)).map(({ status }) => status);
      expect(statuses.toSorted((a, b) => a - b)).toEqual([200, ...Array<number>(7).fill(404)]);
      expect((await entries()).length).toBe(entriesBefore + 1);
      if (["photos", "blog", "albums"].includes(resource)) expect(await total()).toBe(before - 1);
    },
  );

  test("of many who restore or destroy an entry at once, one does", async () => {
    const { body: album } = await owner.post("/api/v1/albums", { name: "Wanted" });
    const total = async () => Number((await owner.get("/api/v1/albums")).headers.get("x-total-count"));
    const before = await total();
    await owner.delete(`/api/v1/albums/${album.id}`);
    const [{ id }] = (await entries()) as [any];
    const restores = Array.from({ length: 8 }, () => owner.post(`/api/v1/trash/${id}/restore`));
    const statuses = (await Promise.all(restores)).map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, ...Array<number>(7).fill(404)]);
    expect(await total()).toBe(before);

    await owner.delete(`/api/v1/albums/${album.id}`);
    const [again] = (await entries()) as [any];
    const [restored] = await Promise.all([
      owner.post(`/api/v1/trash/${again.id}/restore`),
      ...Array.from({ length: 4 }, () => owner.delete(`/api/v1/trash/${again.id}`)),
    ]);
    const isThere = (await owner.get(`/api/v1/albums/${album.id}`)).status === 200;
    expect([restored.status, await total()]).toEqual(isThere ? [200, before] : [404, before - 1]);
  });

  test("what is deleted for good is gone, and emptying leaves others' trash alone", async () => {
    const { body: album } = await owner.post("/api/v1/albums", { name: "One" });
    const { body: other } = await people.stranger.post("/api/v1/albums", { name: "Other" });
    await owner.delete(`/api/v1/albums/${album.id}`);
    await people.stranger.delete(`/api/v1/albums/${other.id}`);
    const [{ id }] = (await entries()) as [any];
    expect((await owner.delete(`/api/v1/trash/${id}`)).status).toBe(200);
    expect((await owner.post(`/api/v1/trash/${id}/restore`)).status).toBe(404);
    expect((await owner.delete("/api/v1/trash")).status).toBe(200);
    expect(await entries()).toEqual([]);
    expect((await entries(people.stranger)).map((entry) => entry.name)).toContain("Other");
  });
});

test("a large directory that is restored while it is deleted for good comes back whole or not at all", async () => {
  const idOf = async (path: string, name: string) =>
    (await owner.get(`/api/v1/files?path=${path}`)).body.find((file: any) => file.name === name)?.id;
  await owner.upload("0.txt", "x", { path: "/purged0" });
  for (let round = 0; round < 10; round++) {
    const id = await idOf("/", `purged${round}`);
    for (let copy = 0; copy < 2; copy++) await owner.post(`/api/v1/files/${id}/copy`, { path: `/purged${round + 1}` });
  }
  const id = await idOf("/", "purged10");
  const count = async () => (await owner.get("/api/v1/storage")).body.owners[0].files.count;
  const before = await count();
  await owner.delete(`/api/v1/files/${id}`);
  const without = await count();
  const entry = (await owner.get("/api/v1/trash")).body.find(({ recordID }: any) => recordID === id);
  const purging = owner.delete(`/api/v1/trash/${entry.id}`);
  const restored = await owner.post(`/api/v1/trash/${entry.id}/restore`);
  expect((await purging).status).toBeOneOf([200, 404]);
  expect([200, 404]).toContain(restored.status);
  expect(await count()).toBe(restored.status === 200 ? before : without);
});
