import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Client } from "../../../tests/kit/client.ts";
import { png } from "../../../tests/kit/files/png.ts";
import { createPeople, member } from "../../../tests/kit/people.ts";
import { startServer, type TestServer, withDatabase } from "../../../tests/kit/server.ts";
import { sql } from "../../platform/database/sql.ts";

let server: TestServer;
let people: Awaited<ReturnType<typeof createPeople>> & { reader: Client };

beforeAll(async () => {
  server = await startServer({ QUOTA_BYTES: "1000" });
  const [four, reader] = await Promise.all([createPeople(server), member(server, "reader", "reader")]);
  people = { ...four, reader };
});
afterAll(() => server.close());

const api = "/api/v1";
const entries = async (who: Client) => (await who.get(`${api}/trash`)).body as any[];
const made = async (who: Client, path: string, body: object) => (await who.post(api + path, body)).body;
const find = async (who: Client, recordID: number, kind: string) =>
  (await entries(who)).find((entry) => entry.recordID === recordID && entry.kind === kind);

/** One record of the owner's of each kind, by the path under which it is read and deleted. */
const records: Record<string, () => Promise<{ path: string; id: number }>> = {
  photo: async () => {
    const { body: file } = await people.owner.upload("photo.png", png(2, 2));
    const { id } = await made(people.owner, "/photos", { title: "Photo", fileID: file.id });
    return { path: `${api}/photos/${id}`, id };
  },
  post: async () => {
    const { id } = await made(people.owner, "/blog", { title: "Post", content: "…" });
    return { path: `${api}/blog/${id}`, id };
  },
  album: async () => {
    const { id } = await made(people.owner, "/albums", { name: "Album" });
    return { path: `${api}/albums/${id}`, id };
  },
  file: async () => {
    const { id } = (await people.owner.upload("file.txt", "x")).body;
    return { path: `${api}/files/${id}`, id };
  },
};

async function comment() {
  const post = await made(people.owner, "/blog", { title: "Talk", content: "…" });
  const { id } = await made(people.reader, "/comments", { content: "Buy this", blogPostID: post.id });
  const isShown = async () => (await people.guest.get(`${api}/comments?blogPostID=${post.id}`)).body.length === 1;
  return { id, postID: post.id, path: `${api}/comments/${id}`, isShown };
}

describe("what somebody else has removed", () => {
  test.each(["owner", "admin"] as const)("a comment removed by %s is not restored by its writer", async (who) => {
    const { id, path, isShown } = await comment();
    expect((await people[who].delete(path)).status).toBe(200);
    const entry = await find(people[who], id, "comment");
    expect(entry).toMatchObject({ ownerID: people.reader.userID, deletedByID: people[who].userID });
    expect(await find(people.reader, id, "comment")).toBeUndefined();

    const refused = await people.reader.post(`${api}/trash/${entry.id}/restore`);
    expect([refused.status, refused.body.error]).toEqual([403, expect.stringContaining("restore")]);
    expect((await people.reader.delete(`${api}/trash/${entry.id}`)).status).toBe(403);
    // Others must not learn that there is such an entry.
    expect((await people.stranger.post(`${api}/trash/${entry.id}/restore`)).status).toBe(404);
    expect((await people.stranger.delete(`${api}/trash/${entry.id}`)).status).toBe(404);
    for (const other of [people.reader, people.stranger]) {
      expect((await other.delete(`${api}/trash`)).status).toBe(200);
    }
    expect(await isShown()).toBe(false);
    expect(await find(people[who], id, "comment")).toEqual(entry);
    expect((await people[who].post(`${api}/trash/${entry.id}/restore`)).status).toBe(200);
    expect(await isShown()).toBe(true);
  });

  test("a comment that its writer has deleted is theirs to restore, and not the post author's", async () => {
    const { id, path, isShown } = await comment();
    expect((await people.reader.delete(path)).status).toBe(200);
    const entry = await find(people.reader, id, "comment");
    expect(entry.deletedByID).toBe(people.reader.userID);
    expect(await find(people.owner, id, "comment")).toBeUndefined();
    expect((await people.owner.post(`${api}/trash/${entry.id}/restore`)).status).toBe(404);
    expect((await people.owner.delete(`${api}/trash/${entry.id}`)).status).toBe(404);
    expect((await people.reader.post(`${api}/trash/${entry.id}/restore`)).status).toBe(200);
    expect(await isShown()).toBe(true);
  });

  test("the author of a post restores what they removed from it, but cannot destroy it", async () => {
    const { id, path, isShown } = await comment();
    await people.owner.delete(path);
    const { id: entryID } = await find(people.owner, id, "comment");
    expect((await people.owner.delete(`${api}/trash/${entryID}`)).status).toBe(403);
    expect((await people.owner.delete(`${api}/trash`)).status).toBe(200);
    expect((await entries(people.owner)).map((entry) => entry.id)).toContain(entryID);
    expect((await people.admin.delete(`${api}/trash/${entryID}`)).status).toBe(200);
    expect((await people.owner.post(`${api}/trash/${entryID}/restore`)).status).toBe(404);
    expect(await isShown()).toBe(false);
  });

  test.each(Object.keys(records))("a %s removed by an admin is theirs to restore or to destroy", async (kind) => {
    const { path, id } = await records[kind]!();
    expect((await people.admin.delete(path)).status).toBe(200);
    const entry = await find(people.admin, id, kind);
    expect(entry).toMatchObject({ ownerID: people.owner.userID, deletedByID: people.admin.userID });
    expect(await find(people.owner, id, kind)).toBeUndefined();
    expect((await people.owner.post(`${api}/trash/${entry.id}/restore`)).status).toBe(403);
    expect((await people.owner.delete(`${api}/trash/${entry.id}`)).status).toBe(403);
    expect((await people.owner.delete(`${api}/trash`)).status).toBe(200);
    // Emptying is for one's own records: an admin destroys those of others one by one.
    expect((await people.admin.delete(`${api}/trash`)).status).toBe(200);
    expect(await find(people.admin, id, kind)).toEqual(entry);
    expect((await people.guest.get(path)).status).toBe(404);

    expect((await people.admin.post(`${api}/trash/${entry.id}/restore`)).status).toBe(200);
    expect((await people.guest.get(path)).status).toBe(200);
    await people.admin.delete(path);
    const again = await find(people.admin, id, kind);
    expect((await people.admin.delete(`${api}/trash/${again.id}`)).status).toBe(200);
    expect(await find(people.admin, id, kind)).toBeUndefined();
  });

  test("it stays removed when its directory or its post is deleted and restored by the owner", async () => {
    const { body: file } = await people.owner.upload("inner.txt", "x", { path: "/kept" });
    const directory = (await people.owner.get(`${api}/files`)).body.find((one: any) => one.name === "kept");
    await people.admin.delete(`${api}/files/${file.id}`);
    const { postID, path, isShown } = await comment();
    await people.admin.delete(path);
    for (const [kind, id, resource] of [
      ["file", directory.id, "files"],
      ["post", postID, "blog"],
    ]) {
      expect((await people.owner.delete(`${api}/${resource}/${id}`)).status).toBe(200);
      const entry = await find(people.owner, id, kind);
      expect((await people.owner.post(`${api}/trash/${entry.id}/restore`)).status).toBe(200);
    }
    expect((await people.guest.get(`${api}/files/${file.id}`)).status).toBe(404);
    expect(await isShown()).toBe(false);
  });

  test("a file that an admin removed outlives its directory", async () => {
    const { body: file } = await people.owner.upload("evidence.txt", "x", { path: "/destroyed" });
    const directory = (await people.owner.get(`${api}/files`)).body.find((one: any) => one.name === "destroyed");
    await people.admin.delete(`${api}/files/${file.id}`);
    await people.owner.delete(`${api}/files/${directory.id}`);
    expect((await people.owner.delete(`${api}/trash`)).status).toBe(200);
    const { id } = await find(people.admin, file.id, "file");
    expect((await people.admin.post(`${api}/trash/${id}/restore`)).status).toBe(200);
    expect((await people.guest.get(`${api}/files/${file.id}/content`)).body).toBe("x");
  });

  test("its bytes still count for its owner", async () => {
    const { body: file } = await people.stranger.upload("large.txt", "x".repeat(900));
    await people.admin.delete(`${api}/files/${file.id}`);
    expect((await people.stranger.upload("more.txt", "x".repeat(200))).status).toBe(400);
    const { id } = await find(people.admin, file.id, "file");
    await people.admin.delete(`${api}/trash/${id}`);
    expect((await people.stranger.upload("more.txt", "x".repeat(200))).status).toBe(201);
  });

  test("what was in the trash before it knew who deleted is its owner's", async () => {
    const { path, id } = await records.album!();
    await people.owner.delete(path);
    await withDatabase(server, (db) => db.transaction((tx) => tx.run(sql`UPDATE trash SET deleted_by = NULL`)));
    const entry = await find(people.owner, id, "album");
    expect(entry.deletedByID).toBe(people.owner.userID);
    expect((await people.owner.post(`${api}/trash/${entry.id}/restore`)).status).toBe(200);
  });
});
