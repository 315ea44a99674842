import { expect, test } from "bun:test";
import type { Client } from "../../../tests/kit/client.ts";
import { png } from "../../../tests/kit/files/png.ts";
import { useServer } from "../../../tests/kit/use-server.ts";

const api = "/api/v1";

const server = useServer();
const people = server.people();

const made = async (who: Client, path: string, body: object) => (await who.post(api + path, body)).body;
const usesOf = async (who: Client, { id }: { id: number }) => (await who.get(`${api}/files/${id}/uses`)).body;
const byKind = (uses: any[]) => uses.toSorted((a, b) => `${a.kind}${a.as}`.localeCompare(`${b.kind}${b.as}`));

test("the owner of a file sees what uses it and its photos, and nothing that they may not see", async () => {
  const { owner, stranger, admin } = people;
  const { body: file } = await owner.upload("used.png", png(4, 4), { path: "/shared" });
  expect(await usesOf(owner, file)).toEqual({ uses: [], isComplete: true });
  const directory = (await owner.get(`${api}/files`)).body.find(({ name }: any) => name === "shared");
  const photo = await made(owner, "/photos", { title: "Mine", fileID: file.id });
  const album = await made(owner, "/albums", { name: "Album" });
  await made(owner, `/albums/${album.id}/photos`, { photoID: photo.id });
  const content = `![[photo:${photo.id}]]\n\n![[file:${file.id}]]`;
  const post = await made(owner, "/blog", { title: "Post", content, coverID: photo.id, publishedAt: null });
  const toPhoto = await made(owner, "/shares", { kind: "photo", id: photo.id });
  const toDirectory = await made(owner, "/shares", { kind: "directory", id: directory.id });
  await admin.put(`${api}/settings`, { iconFileID: file.id, logoPhotoID: photo.id });
  const hidden = await made(stranger, "/photos", { title: "Hidden", fileID: file.id, visibility: "private" });
  const secret = await made(stranger, "/albums", { name: "Secret", visibility: "private" });
  await made(stranger, `/albums/${secret.id}/photos`, { photoID: photo.id });
  await made(stranger, "/blog", { title: "Draft", content: `![[photo:${photo.id}]]`, publishedAt: null });

  const [ofFile, ofPhoto] = [
    { kind: "file", id: file.id },
    { kind: "photo", id: photo.id },
  ];
  const { uses, isComplete } = await usesOf(owner, file);
  expect(isComplete).toBe(true);
  expect(uses).toHaveLength(9);
  const expected = [
    { kind: "photo", id: photo.id, name: "Mine", as: "picture", of: ofFile },
    { kind: "post", id: post.id, name: "Post", as: "embed", of: ofFile },
    { kind: "post", id: post.id, name: "Post", as: "embed", of: ofPhoto },
    { kind: "post", id: post.id, name: "Post", as: "cover", of: ofPhoto },
    { kind: "album", id: album.id, name: "Album", as: "entry", of: ofPhoto },
    { kind: "share", id: toPhoto.id, name: "photo", as: "link", of: ofPhoto },
    {
      kind: "share",
      id: toDirectory.id,
      name: "directory",
      as: "link",
      of: { kind: "directory", id: directory.id },
    },
    { kind: "settings", id: null, name: "", as: "icon", of: ofFile },
    { kind: "settings", id: null, name: "", as: "logo", of: ofPhoto },
  ];
  expect(uses).toEqual(expect.arrayContaining(expected));
  const all = await usesOf(admin, file);
  expect(all.uses).toHaveLength(12);
  expect(all.uses.map(({ id }: any) => id)).toContain(hidden.id);

  await owner.delete(`${api}/photos/${photo.id}`);
  await owner.delete(`${api}/shares/${toDirectory.id}`);
  const left = byKind((await usesOf(owner, file)).uses).map(({ kind, as }: any) => [kind, as]);
  expect(left).toEqual([
    ["post", "embed"],
    ["settings", "icon"],
  ]);
});

test("a file that is used very often has a list that says that it is not complete", async () => {
  const { owner } = people;
  const { body: file } = await owner.upload("often.png", png(4, 4));
  for (let index = 0; index < 101; index++) await made(owner, "/photos", { title: `${index}`, fileID: file.id });
  const { uses, isComplete } = await usesOf(owner, file);
  expect([uses.length, isComplete]).toEqual([100, false]);
});

test("only its owner and admins ask, and to others a private file does not exist", async () => {
  const { owner, stranger, guest } = people;
  const { body: shown } = await owner.upload("shown.txt", "x");
  const { body: hidden } = await owner.upload("hidden.txt", "x", { visibility: "private" });
  const statusOf = async (who: Client, { id }: any) => (await who.get(`${api}/files/${id}/uses`)).status;
  expect(await Promise.all([statusOf(stranger, shown), statusOf(stranger, hidden)])).toEqual([403, 404]);
  expect(await statusOf(guest, shown)).toBe(401);
});
