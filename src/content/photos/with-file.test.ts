import { expect, test } from "bun:test";
import type { Client } from "../../../tests/kit/client.ts";
import { png } from "../../../tests/kit/files/png.ts";
import { withDatabase } from "../../../tests/kit/server.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { sql } from "../../platform/database/sql.ts";

const api = "/api/v1";

const server = useServer();
const people = server.people();

const made = async (who: Client, path: string, body: object) => (await who.post(api + path, body)).body;
let number = 0;
const newPhoto = async (who: Client, fields = {}) => {
  // Each has bytes of its own.
  const file = (await who.upload(`taken${++number}.png`, png(4, 4 + number), fields)).body;
  return { file, photo: await made(who, "/photos", { title: `Photo ${number}`, fileID: file.id }) };
};
const remove = (who: Client, { id }: { id: number }) => who.delete(`${api}/photos/${id}?withFile=true`);
const statusOf = async (who: Client, path: string) => (await who.get(api + path)).status;
const trashOf = async (who: Client) => (await who.get(`${api}/trash`)).body;
const restore = (who: Client, { id }: { id: number }) =>
  who.post(`${api}/trash/restore`, { records: [{ kind: "photo", id }] });

test("a photo and its file go to the trash as one entry, which restores both, in their album and as covers", async () => {
  const { owner, guest } = people;
  const { file, photo } = await newPhoto(owner);
  const album = await made(owner, "/albums", { name: "Album" });
  await owner.post(`${api}/albums/${album.id}/photos`, { photoID: photo.id });
  const post = await made(owner, "/blog", { title: "Covered", content: "x", coverID: photo.id });
  const before = (await guest.get(`${api}/photos/${photo.id}`)).body;

  const deleted = await remove(owner, photo);
  expect(deleted.body).toEqual({
    message: `"${photo.title}" and its file were moved to the trash.`,
    file: "trashed",
  });
  expect(await statusOf(guest, `/files/${file.id}/content`)).toBe(404);
  expect(await statusOf(owner, `/files/${file.id}`)).toBe(404);
  expect((await guest.get(`${api}/search?q=${file.name}`)).body).toEqual([]);
  const entries = (await trashOf(owner)).map(({ kind, recordID }: any) => [kind, recordID]);
  expect(entries).toEqual([["photo", photo.id]]);
  const { body: activity } = await owner.get(`${api}/activity?cursor=&pageSize=2`);
  expect(activity.map(({ kind, recordID, action }: any) => [kind, recordID, action])).toEqual([
    ["file", file.id, "trashed"],
    ["photo", photo.id, "trashed"],
  ]);

  const [entry] = await trashOf(owner);
  expect((await owner.post(`${api}/trash/${entry.id}/restore`)).status).toBe(200);
  const restored = (await guest.get(`${api}/photos/${photo.id}`)).body;
  expect(restored).toEqual(before);
  expect(await statusOf(guest, `/files/${file.id}/content`)).toBe(200);
  expect((await guest.get(`${api}/search?q=${file.name}`)).body).toHaveLength(1);
  expect((await guest.get(`${api}/albums/${album.id}`)).body.photos.map(({ id }: any) => id)).toEqual([photo.id]);
  expect((await guest.get(`${api}/blog/${post.id}`)).body.coverID).toBe(photo.id);
  expect(await trashOf(owner)).toEqual([]);
});

test("without the parameter only the photo goes, and the response is as before", async () => {
  const { owner } = people;
  const { file, photo } = await newPhoto(owner);
  const deleted = await owner.delete(`${api}/photos/${photo.id}`);
  expect(deleted.body).toEqual({ message: `"${photo.title}" was moved to the trash.` });
  expect(await statusOf(owner, `/files/${file.id}`)).toBe(200);
  await restore(owner, photo);
  expect((await owner.delete(`${api}/photos/${photo.id}?withFile=maybe`)).status).toBe(400);
});

test("a file that something else of its owner uses stays; what others have made of it does not count", async () => {
  const { owner, stranger, admin } = people;
  const stays = async ({ file, photo }: any, who = owner) => {
    const { body } = await remove(who, photo);
    expect([body.file, body.message]).toEqual([
      "public",
      `"${photo.title}" was moved to the trash. Its file was kept, because something else uses it.`,
    ]);
    expect(await statusOf(who, `/files/${file.id}`)).toBe(200);
  };
  const twice = await newPhoto(owner);
  await made(owner, "/photos", { title: "Hidden", fileID: twice.file.id, visibility: "private", original: "keep" });
  await stays(twice);
  const embedded = await newPhoto(owner);
  await made(owner, "/blog", { title: "Draft", content: `![[file:${embedded.file.id}]]`, publishedAt: null });
  await stays(embedded);
  const icon = await newPhoto(admin);
  await admin.put(`${api}/settings`, { iconFileID: icon.file.id });
  await stays(icon, admin);
  await admin.put(`${api}/settings`, { iconFileID: null });

  const copied = await newPhoto(owner);
  const foreign = await made(stranger, "/photos", { title: "Not mine", fileID: copied.file.id });
  await made(owner, "/shares", { kind: "file", id: copied.file.id });
  expect((await remove(stranger, foreign)).body).toEqual({
    message: '"Not mine" was moved to the trash.',
    file: null,
  });
  await restore(stranger, foreign);
  expect((await remove(owner, copied.photo)).body.file).toBe("trashed");
  expect((await stranger.get(`${api}/photos/${foreign.id}`)).body.file).toBeNull();
});

test("a batch says what has become of each file; photos of one file take it along together", async () => {
  const { owner, stranger } = people;
  const [one, used] = [await newPhoto(owner), await newPhoto(owner)];
  const twin = await made(owner, "/photos", { title: "Twin", fileID: one.file.id });
  await made(owner, "/photos", { title: "Other", fileID: used.file.id });
  const theirs = await newPhoto(stranger);
  const ids = [twin.id, one.photo.id, used.photo.id, theirs.photo.id];
  const { body } = await owner.post(`${api}/photos/batch`, { ids, trash: true, withFile: true });
  expect(body.results.map(({ status, file }: any) => [status, file])).toEqual([
    [200, "trashed"],
    [200, "trashed"],
    [200, "public"],
    [403, null],
  ]);
  expect(await statusOf(owner, `/files/${one.file.id}`)).toBe(404);
  const records = ids.slice(0, 3).map((id) => ({ kind: "photo", id }));
  expect((await owner.post(`${api}/trash/restore`, { records })).body.changed).toBe(3);
  expect((await owner.get(`${api}/photos/${twin.id}`)).body.file.id).toBe(one.file.id);
  const refused = await owner.post(`${api}/photos/batch`, { ids, addTags: ["x"], withFile: true });
  expect([refused.status, refused.body.error]).toEqual([400, '"withFile" can only be sent with "trash".']);
});

test("a file whose directory is in the trash, or gone, is restored as files are", async () => {
  const { owner } = people;
  const { file, photo } = await newPhoto(owner, { path: "/going" });
  const directory = (await owner.get(`${api}/files`)).body.find(({ name }: any) => name === "going");
  await remove(owner, photo);
  await owner.delete(`${api}/files/${directory.id}`);
  const { body } = await restore(owner, photo);
  expect(body.results[0]).toMatchObject({
    status: 400,
    error: "The directory that contained it is in the trash: restore the directory first.",
  });
  expect(await statusOf(owner, `/photos/${photo.id}`)).toBe(404);
  await owner.post(`${api}/trash/delete`, { records: [{ kind: "file", id: directory.id }] });
  expect((await restore(owner, photo)).body.changed).toBe(1);
  expect((await owner.get(`${api}/photos/${photo.id}`)).body.file.path).toBe("/");
  expect(await statusOf(owner, `/files/${file.id}/content`)).toBe(200);
});

test("emptying the trash removes the photo and the file, and releases its bytes", async () => {
  const { owner } = people;
  const { file, photo } = await newPhoto(owner);
  await remove(owner, photo);
  const rows = () =>
    withDatabase(server, async (db) => [
      (await db.all(sql`SELECT id FROM files WHERE id = ${file.id}`)).length,
      (await db.all(sql`SELECT id FROM photos WHERE id = ${photo.id}`)).length,
      (await db.all(sql`SELECT id FROM trash WHERE record_id = ${photo.id} AND kind = 'photo'`)).length,
      (await db.all(sql`SELECT sha256 FROM blob_references WHERE sha256 = ${file.sha256}`)).length,
    ]);
  expect(await rows()).toEqual([1, 1, 1, 1]);
  expect((await owner.delete(`${api}/trash`)).status).toBe(200);
  expect(await rows()).toEqual([0, 0, 0, 0]);
  const { body: activity } = await owner.get(`${api}/activity?cursor=&pageSize=20`);
  const deleted = activity.filter(({ action }: any) => action === "deleted");
  expect(deleted.map(({ kind, recordID }: any) => [kind, recordID])).toEqual(
    expect.arrayContaining([
      ["file", file.id],
      ["photo", photo.id],
    ]),
  );
});
