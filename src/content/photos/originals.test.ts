// Runs on other engines only with TEST_LONG: who gets an original is decided by the same statements as in variants.test.ts.
import { expect, test } from "bun:test";
import type { Client } from "../../../tests/kit/client.ts";
import { png } from "../../../tests/kit/files/png.ts";
import { useServer } from "../../../tests/kit/use-server.ts";

const api = "/api/v1";

const server = useServer();
const people = server.people();

const made = async (who: Client, path: string, body: object) => (await who.post(api + path, body)).body;
let names = 0;
const newFile = async (who: Client, fields = {}) =>
  (await who.upload(`original${++names}x.png`, png(4, 4), fields)).body;
const newPhoto = async (who: Client, more = {}) => {
  const file = await newFile(who);
  const photo = await made(who, "/photos", { title: `Photo of ${file.name}`, fileID: file.id, ...more });
  return { file, photo };
};
const visibilityOf = async (id: number) => (await people.admin.get(`${api}/files/${id}`)).body.visibility;
const statusFor = async (who: Client, { id }: { id: number }) => (await who.get(`${api}/files/${id}/content`)).status;
const show = (who: Client, { id }: { id: number }, changes: object) => who.put(`${api}/photos/${id}`, changes);

test("making a photo private makes its file private, for everything that shows files, and making it public undoes that", async () => {
  const { owner, guest, admin } = people;
  const { file, photo } = await newPhoto(owner);
  const listed = async () => (await guest.get(`${api}/files`)).body.some(({ id }: any) => id === file.id);
  const found = async () =>
    (await guest.get(`${api}/search?q=${file.name}`)).body.some(({ record }: any) => record.id === file.id);
  expect([await statusFor(guest, file), await listed(), await found()]).toEqual([200, true, true]);

  const closed = await show(owner, photo, { visibility: "private" });
  expect([closed.status, closed.body.visibility, closed.body.file.visibility]).toEqual([200, "private", "private"]);
  expect([await statusFor(guest, file), await listed(), await found()]).toEqual([404, false, false]);
  const { body: activity } = await admin.get(`${api}/activity?cursor=&pageSize=5`);
  expect(activity.map(({ kind, recordID, action }: any) => [kind, recordID, action])).toContainEqual([
    "file",
    file.id,
    "changed",
  ]);

  const opened = await show(owner, photo, { visibility: "public" });
  expect([opened.body.visibility, opened.body.file.visibility]).toEqual(["public", "public"]);
  expect([await statusFor(guest, file), await listed(), await found()]).toEqual([200, true, true]);
});

test("a request can leave the file as it is", async () => {
  const { owner, guest } = people;
  const { file, photo } = await newPhoto(owner);
  const kept = await show(owner, photo, { visibility: "private", original: "keep" });
  expect([kept.body.visibility, kept.body.file.visibility]).toEqual(["private", "public"]);
  expect(await statusFor(guest, file)).toBe(200);
  const bad = await show(owner, photo, { original: "keep" });
  expect([bad.status, bad.body.error]).toEqual([400, '"original" can only be sent with "visibility".']);
  expect((await show(owner, photo, { visibility: "private", original: "hide" })).status).toBe(400);
  // Sending the same visibility again closes what an earlier version has left open.
  expect((await show(owner, photo, { visibility: "private" })).body.file.visibility).toBe("private");
});

test("a client that sends a whole photo back does not publish its private file", async () => {
  const { owner, guest } = people;
  const { file, photo } = await newPhoto(owner);
  await owner.put(`${api}/files/${file.id}`, { visibility: "private" });
  const { body } = await owner.get(`${api}/photos/${photo.id}`);
  const sent = await show(owner, photo, { ...body, title: "Renamed" });
  expect([sent.status, sent.body.visibility, sent.body.file.visibility]).toEqual([200, "public", "private"]);
  expect(await statusFor(guest, file)).toBe(404);
});

test("a file that another public record of its owner uses stays public, until the last one is private", async () => {
  const { owner, admin, guest } = people;
  const { file, photo } = await newPhoto(owner);
  const other = await made(owner, "/photos", { title: "Other", fileID: file.id });
  expect((await show(owner, photo, { visibility: "private" })).body.file.visibility).toBe("public");
  expect((await show(owner, other, { visibility: "private" })).body.file.visibility).toBe("private");

  const embedded = await newPhoto(owner);
  const post = await made(owner, "/blog", { title: "Post", content: `![[file:${embedded.file.id}]]` });
  expect((await show(owner, embedded.photo, { visibility: "private" })).body.file.visibility).toBe("public");
  await owner.put(`${api}/blog/${post.id}`, { visibility: "private" });
  expect((await show(owner, embedded.photo, { visibility: "private" })).body.file.visibility).toBe("private");

  const icon = await newPhoto(admin);
  await admin.put(`${api}/settings`, { iconFileID: icon.file.id });
  expect((await show(admin, icon.photo, { visibility: "private" })).body.file.visibility).toBe("public");
  await admin.put(`${api}/settings`, { iconFileID: null });
  expect(await statusFor(guest, icon.file)).toBe(200);
});

test("two photos of one file that are made private at the same time make it private", async () => {
  const { owner, guest } = people;
  for (let round = 0; round < 5; round++) {
    const { file, photo } = await newPhoto(owner);
    const other = await made(owner, "/photos", { title: "Other", fileID: file.id });
    await Promise.all([photo, other].map((one) => show(owner, one, { visibility: "private" })));
    expect(await statusFor(guest, file)).toBe(404);
  }
});

test("a photo by somebody else neither changes a file nor keeps it public", async () => {
  const { owner, stranger, admin, guest } = people;
  const { file, photo } = await newPhoto(owner);
  const copied = await made(stranger, "/photos", { title: "Not mine", fileID: file.id });
  expect((await show(stranger, copied, { visibility: "private" })).body.file.visibility).toBe("public");
  expect((await show(admin, copied, { visibility: "public" })).body.file.visibility).toBe("public");
  expect((await show(owner, photo, { visibility: "private" })).body.file.visibility).toBe("private");
  expect(await statusFor(guest, file)).toBe(404);
  expect((await show(admin, photo, { visibility: "public" })).body.file.visibility).toBe("public");
});

test("a photo that is created private makes its file private; one that is created public publishes nothing", async () => {
  const { owner } = people;
  const [first, second, third, hidden] = await Promise.all([
    newFile(owner),
    newFile(owner),
    newFile(owner),
    newFile(owner, { visibility: "private" }),
  ]);
  const closed = await made(owner, "/photos", { title: "A", fileID: first.id, visibility: "private" });
  expect([closed.visibility, closed.file.visibility]).toEqual(["private", "private"]);
  const photos = [
    { title: "B", fileID: second.id, visibility: "private" },
    { title: "C", fileID: third.id, visibility: "private", original: "keep" },
    { title: "D", fileID: hidden.id, visibility: "public" },
  ];
  expect((await made(owner, "/photos/many", { photos })).created).toBe(3);
  expect(await Promise.all([second, third, hidden].map(({ id }) => visibilityOf(id)))).toEqual([
    "private",
    "public",
    "private",
  ]);
});

test("with private as the default, new photos leave public files as they are", async () => {
  const { owner, admin } = people;
  const file = await newFile(owner);
  await admin.put(`${api}/settings`, { defaultVisibility: "private" });
  try {
    const photo = await made(owner, "/photos", { title: "By default", fileID: file.id });
    expect([photo.visibility, photo.file.visibility]).toEqual(["private", "public"]);
    const { file: own, photo: usual } = await newPhoto(owner);
    expect([own.visibility, usual.visibility, usual.file.visibility]).toEqual(["private", "private", "private"]);
    const opened = await show(owner, usual, { visibility: "public" });
    expect([opened.body.visibility, opened.body.file.visibility]).toEqual(["public", "public"]);
  } finally {
    await admin.put(`${api}/settings`, { defaultVisibility: "public" });
  }
});

test("a batch changes the files of its photos, and says what they are", async () => {
  const { owner, stranger, guest } = people;
  const [one, other, used] = [await newPhoto(owner), await newPhoto(owner), await newPhoto(owner)];
  const twin = await made(owner, "/photos", { title: "Twin", fileID: one.file.id });
  await made(owner, "/photos", { title: "Public", fileID: used.file.id });
  const foreign = await made(owner, "/photos", { title: "Foreign", fileID: (await newFile(stranger)).id });
  const ids = [one.photo.id, other.photo.id, used.photo.id, foreign.id, twin.id];
  const { body } = await owner.post(`${api}/photos/batch`, { ids, set: { visibility: "private" } });
  expect(body.results.map(({ file }: any) => file)).toEqual(["private", "private", "public", null, "private"]);
  expect([await statusFor(guest, one.file), await statusFor(guest, other.file)]).toEqual([404, 404]);
  const back = { ids, set: { visibility: "public", original: "keep" } };
  const { body: kept } = await owner.post(`${api}/photos/batch`, back);
  expect(kept.results.map(({ file }: any) => file)).toEqual(["private", "private", "public", null, "private"]);
  const { body: tagged } = await owner.post(`${api}/photos/batch`, { ids, addTags: ["sea"] });
  expect(tagged.results.map(({ file }: any) => file)).toEqual([null, null, null, null, null]);
});

test("a file that more photos of a batch show than are changed at once is as all of them are", async () => {
  const { owner, guest } = people;
  const file = await newFile(owner);
  const photos = Array.from({ length: 70 }, (_, number) => ({ title: `Photo ${number}`, fileID: file.id }));
  const ids = (await made(owner, "/photos/many", { photos })).results.map(({ photoID }: any) => photoID as number);
  for (const [visibility, status] of [
    ["private", 404],
    ["public", 200],
  ] as const) {
    const { body } = await owner.post(`${api}/photos/batch`, { ids, set: { visibility } });
    expect([body.changed, new Set(body.results.map(({ file }: any) => file))]).toEqual([70, new Set([visibility])]);
    expect(await statusFor(guest, file)).toBe(status);
  }
});

test("a file in a private directory stays private with it", async () => {
  const { owner, guest } = people;
  await made(owner, "/directories", { name: "closed", visibility: "private" });
  const file = await newFile(owner, { path: "/closed", visibility: "public" });
  const photo = await made(owner, "/photos", { title: "Inside", fileID: file.id });
  await show(owner, photo, { visibility: "private" });
  expect((await show(owner, photo, { visibility: "public" })).body.file.visibility).toBe("public");
  expect(await statusFor(guest, file)).toBe(404);
  expect((await guest.get(`${api}/photos/${photo.id}`)).body.file).toBeNull();
});

test("a site can keep all originals private", async () => {
  const { owner, admin, guest } = people;
  const earlier = await newPhoto(owner);
  const { body: settings } = await admin.put(`${api}/settings`, { originalVisibility: "private" });
  expect(settings.originalVisibility).toBe("private");
  try {
    const { file, photo } = await newPhoto(owner);
    expect([photo.visibility, photo.file.visibility, await statusFor(guest, file)]).toEqual(["public", "private", 404]);
    expect((await guest.get(`${api}/photos/${photo.id}/image?w=320`)).status).toBe(200);
    await show(owner, photo, { visibility: "private" });
    expect((await show(owner, photo, { visibility: "public" })).body.file.visibility).toBe("private");
    // A second photo of the file shows its picture as well.
    const second = await made(owner, "/photos", { title: "Second", fileID: file.id, visibility: "public" });
    expect(second.file.visibility).toBe("private");

    const path = `/set${++names}`;
    const imported = await newFile(owner, { path });
    await owner.post(`${api}/photos/import`, { path });
    expect(await visibilityOf(imported.id)).toBe("private");

    const album = await made(owner, "/albums", { name: "Guests" });
    const share = await made(owner, "/shares", { kind: "album", id: album.id, allowUpload: true });
    const form = new FormData();
    form.set("file", new File([png(5, 4)], "sent.png"));
    const headers = { "X-Share-Token": share.token };
    await guest.request("POST", `${api}/shared/uploads`, { body: form, headers });
    const [waiting] = (await owner.get(`${api}/shares/${share.id}/uploads`)).body;
    const approval = `/shares/${share.id}/uploads/${waiting.id}/approve`;
    const approved = await made(owner, approval, { visibility: "public" });
    expect(await visibilityOf(approved.fileID)).toBe("private");
    expect((await guest.get(`${api}/photos/${approved.photoID}/image?w=320`)).status).toBe(200);

    expect(await visibilityOf(earlier.file.id)).toBe("public");
    expect((await show(owner, earlier.photo, { visibility: "public" })).body.file.visibility).toBe("private");
    expect((await show(owner, earlier.photo, { fileID: (await newFile(owner)).id })).body.file.visibility).toBe(
      "private",
    );
  } finally {
    await admin.put(`${api}/settings`, { originalVisibility: "same" });
  }
});
