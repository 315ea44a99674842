import { describe, expect, test } from "bun:test";
import { begin, partType, tus } from "../../src/features/uploads/tus.test.ts";
import type { Client } from "../kit/client.ts";
import { png } from "../kit/files/png.ts";
import { api, made } from "../kit/permissions/records.ts";
import { useServer } from "../kit/use-server.ts";

const server = useServer();
const people = server.people();
const { owner, stranger, guest } = people;

const others = () => [guest, stranger];
const statusOf = async (who: Client, path: string) => (await who.get(path)).status;

/** A photo of a new file, each with its own visibility. */
async function createPhoto(photo: "public" | "private", file: "public" | "private" = "public") {
  const { body } = await owner.upload(`${crypto.randomUUID()}.png`, png(40, 30), { visibility: file });
  return made(owner, "/photos", { title: "Photo", fileID: body.id, visibility: photo });
}

describe("a photo", () => {
  test("of a private file shows its picture to everyone, and its file to nobody else", async () => {
    const photo = await createPhoto("public", "private");
    for (const who of others()) {
      const { body } = await who.get(`${api}/photos/${photo.id}`);
      expect(body).toMatchObject({ fileID: null, file: null, width: 40, height: 30 });
      expect(body.variants).toEqual(photo.variants);
      const picture = await fetch(who.url(body.variants[0].url));
      expect([picture.status, picture.headers.get("cache-control")]).toEqual([200, expect.stringContaining("public")]);
      expect(await statusOf(who, photo.file.url)).toBe(404);
      expect(await statusOf(who, `${api}/files/${photo.fileID}`)).toBe(404);
    }
    expect((await owner.get(`${api}/photos/${photo.id}`)).body.file.id).toBe(photo.fileID);
  });

  test("of somebody else's file shows nothing of it once that file is private", async () => {
    const { body: file } = await owner.upload("theirs.png", png(8, 6));
    const photo = await made(stranger, "/photos", { title: "Of their file", fileID: file.id });
    expect(photo.variants).not.toEqual([]);
    await owner.put(`${api}/files/${file.id}`, { visibility: "private" });
    for (const who of others()) {
      const { body } = await who.get(`${api}/photos/${photo.id}`);
      expect(body).toMatchObject({
        fileID: null,
        file: null,
        variants: [],
        exif: null,
        thumbhash: null,
        takenAt: null,
      });
      expect(await statusOf(who, `${api}/photos/${photo.id}/image`)).toBe(404);
    }
  });

  test("cannot be made from a private file of somebody else", async () => {
    const { body: file } = await owner.upload("hidden.png", png(8, 6), { visibility: "private" });
    const [refused, unknown] = await Promise.all(
      [file.id, 999_999].map((fileID) => stranger.post(`${api}/photos`, { title: "x", fileID })),
    );
    expect(refused?.status).toBe(400);
    expect(refused?.body.error).toBe(unknown?.body.error.replace("999999", String(file.id)));
  });

  test("that is private sends its picture to its owner and admins only, and no cache keeps it", async () => {
    const photo = await createPhoto("private");
    const [{ url }] = photo.variants;
    for (const who of others()) expect(await statusOf(who, url)).toBe(404);
    for (const who of [owner, people.admin]) {
      const picture = await who.get(url);
      expect([picture.status, picture.headers.get("cache-control")]).toEqual([200, "private, no-store"]);
    }
  });

  test("that is public has the same picture for everyone, but no cache keeps what a link or an error shows", async () => {
    const photo = await createPhoto("public");
    const [{ url }] = photo.variants;
    const { token } = await made(owner, "/shares", { kind: "photo", id: photo.id });
    const cacheOf = async (who: Client, path: string, headers = {}) => {
      const { status, headers: sent } = await who.get(path, headers);
      return [status, sent.get("cache-control")];
    };
    const link = { "X-Share-Token": token };
    for (const who of [guest, stranger, owner]) {
      expect(await cacheOf(who, url)).toEqual([200, expect.stringContaining("public")]);
      expect(await cacheOf(who, url, link)).toEqual([200, "private, no-store"]);
    }
    await owner.delete(`${api}/files/${photo.fileID}`);
    for (const who of [stranger, owner]) expect(await cacheOf(who, url)).toEqual([404, "private, no-store"]);
    for (const who of [guest, owner]) expect(await cacheOf(who, url, link)).toEqual([404, "private, no-store"]);
    expect(await cacheOf(guest, url)).toEqual([404, "no-store"]);
  });

  test("is gone at once when it is made private, and back at once when it is made public", async () => {
    const photo = await createPhoto("public");
    const path = `${api}/photos/${photo.id}`;
    const seen = async () => {
      const listed = ((await guest.get(`${api}/photos`)).body as { id: number }[]).some(({ id }) => id === photo.id);
      return [await statusOf(guest, path), await statusOf(guest, photo.variants[0].url), listed];
    };
    for (let round = 0; round < 3; round++) {
      expect(await seen()).toEqual([200, 200, true]);
      await owner.put(path, { visibility: "private" });
      expect(await seen()).toEqual([404, 404, false]);
      await owner.put(path, { visibility: "public" });
    }
  });

  test("that is private stays private in the trash and when it is restored", async () => {
    const photo = await createPhoto("private");
    await owner.delete(`${api}/photos/${photo.id}`);
    expect((await stranger.get(`${api}/trash`)).body).toEqual([]);
    const [entry] = (await owner.get(`${api}/trash`)).body;
    await owner.post(`${api}/trash/${entry.id}/restore`);
    for (const who of others()) expect(await statusOf(who, `${api}/photos/${photo.id}`)).toBe(404);
    expect((await owner.get(`${api}/photos/${photo.id}`)).body.visibility).toBe("private");
  });
});

describe("an album", () => {
  test("has the photos, the count and the cover that its viewer may see", async () => {
    const [hidden, shown] = [await createPhoto("private"), await createPhoto("public")];
    const { id } = await made(owner, "/albums", { name: "Mixed" });
    for (const photo of [hidden, shown]) await owner.post(`${api}/albums/${id}/photos`, { photoID: photo.id });
    await owner.put(`${api}/albums/${id}`, { coverPhotoID: hidden.id });
    for (const who of others()) {
      const { body } = await who.get(`${api}/albums/${id}`);
      expect([body.photoCount, body.photos.length, body.coverPhotoID, body.cover.id]).toEqual([1, 1, null, shown.id]);
    }
    const { body } = await owner.get(`${api}/albums/${id}`);
    expect([body.photoCount, body.photos.length, body.coverPhotoID, body.cover.id]).toEqual([
      2,
      2,
      hidden.id,
      hidden.id,
    ]);
  });

  test("keeps the private photos of others when its owner sets its photos", async () => {
    const theirs = await createPhoto("public");
    const album = await made(stranger, "/albums", { name: "Theirs" });
    await stranger.post(`${api}/albums/${album.id}/photos`, { photoID: theirs.id });
    await owner.put(`${api}/photos/${theirs.id}`, { visibility: "private" });
    const count = async () => (await stranger.get(`${api}/albums/${album.id}`)).body.photoCount;
    expect(await count()).toBe(0);
    expect((await stranger.delete(`${api}/albums/${album.id}/photos/${theirs.id}`)).status).toBe(404);
    await stranger.put(`${api}/albums/${album.id}/photos`, { photoIDs: [] });
    await owner.put(`${api}/photos/${theirs.id}`, { visibility: "public" });
    expect(await count()).toBe(1);
  });

  test("takes no private photo of somebody else", async () => {
    const hidden = await createPhoto("private");
    const album = await made(stranger, "/albums", { name: "Greedy" });
    expect((await stranger.post(`${api}/albums/${album.id}/photos`, { photoID: hidden.id })).status).toBe(404);
    expect((await stranger.put(`${api}/albums/${album.id}/photos`, { photoIDs: [hidden.id] })).status).toBe(404);
  });
});

describe("a private directory", () => {
  test("hides all that lies in it, and nobody else can add to it or find it", async () => {
    await made(owner, "/directories", { name: "secret", visibility: "private" });
    const { body: inner } = await owner.upload("inner.png", png(4, 4), { path: "/secret/deep" });
    expect(inner.visibility).toBe("public");
    const { body: own } = await stranger.upload("own.txt", "x");
    for (const who of others()) {
      for (const path of [
        `files/${inner.id}`,
        "files?path=/secret",
        "files/dir/secret/deep/inner.png",
        inner.url.slice(8),
      ])
        expect([path, await statusOf(who, `${api}/${path}`)]).toEqual([path, 404]);
    }
    expect((await stranger.upload("mine.txt", "x", { path: "/secret" })).status).toBe(404);
    expect((await stranger.upload("mine.txt", "x", { path: "/secret/new" })).status).toBe(404);
    expect((await stranger.post(`${api}/files/${own.id}/move`, { path: "/secret" })).status).toBe(404);
    expect((await stranger.post(`${api}/directories`, { name: "new", path: "/secret" })).status).toBe(404);
    expect((await stranger.post(`${api}/photos/import`, { path: "/secret" })).status).toBe(404);
    const taken = await stranger.post(`${api}/directories`, { name: "SECRET" });
    expect([taken.status, taken.body.error]).toEqual([
      400,
      `There is already a file or directory named "SECRET" here.`,
    ]);
    expect((await owner.get(`${api}/files?path=/secret/deep`)).body).toHaveLength(1);
  });

  test("shows what lies in it again when it is made public", async () => {
    const { body: directory } = await owner.post(`${api}/directories`, { name: "opening", visibility: "private" });
    const { body: inner } = await owner.upload("inner.txt", "words", { path: "/opening" });
    const { body: hidden } = await owner.upload("hidden.txt", "words", { path: "/opening", visibility: "private" });
    expect((await guest.get(`${api}/search?q=inner.txt`)).body.map(({ id }: any) => id)).not.toContain(inner.id);
    await owner.put(`${api}/files/${directory.id}`, { visibility: "public" });
    expect(await statusOf(guest, inner.url)).toBe(200);
    expect(await statusOf(guest, hidden.url)).toBe(404);
    expect((await guest.get(`${api}/files?path=/opening`)).body.map(({ id }: any) => id)).toEqual([inner.id]);
    expect((await guest.get(`${api}/search?q=inner.txt`)).body.map(({ id }: any) => id)).toContain(inner.id);
  });
});

describe("a private file", () => {
  test("is not replaced by an upload of somebody else, who learns only that the name is taken", async () => {
    await owner.upload("taken.txt", "mine", { visibility: "private" });
    for (const onConflict of ["replace", "fail"]) {
      const { status, body } = await stranger.upload("Taken.txt", "theirs", { onConflict });
      expect([status, body.error]).toEqual([400, `There is already a file or directory named "Taken.txt" here.`]);
    }
    expect((await stranger.upload("taken.txt", "theirs")).body.name).toBe("taken (1).txt");
  });

  test("stays private as a copy; an upload that replaces a file can make it private", async () => {
    const { body: file } = await owner.upload("original.txt", "one", { visibility: "private" });
    const { body: copy } = await owner.post(`${api}/files/${file.id}/copy`, { path: "/", name: "copy.txt" });
    expect([copy.visibility, await statusOf(guest, copy.url)]).toEqual(["private", 404]);
    const { body: open } = await owner.upload("open.txt", "one");
    await owner.upload("open.txt", "two", { onConflict: "replace" });
    expect(await statusOf(guest, open.url)).toBe(200);
    const { body: closed } = await owner.upload("open.txt", "three", { onConflict: "replace", visibility: "private" });
    expect([closed.id, closed.visibility, await statusOf(guest, open.url)]).toEqual([open.id, "private", 404]);
  });

  test("can be sent by a resumable upload, into directories that become private, too", async () => {
    const path = await begin(owner, 4, { filename: "tus.txt", path: "/resumed/deep", visibility: "private" });
    const headers = { ...tus, "Upload-Offset": "0", "Content-Type": partType };
    const sent = await owner.request("PATCH", path, { headers, body: "text" });
    const id = sent.headers.get("upload-file-id");
    expect((await owner.get(`${api}/files/${id}`)).body).toMatchObject({
      visibility: "private",
      path: "/resumed/deep",
    });
    for (const hidden of [`files/${id}`, "files?path=/resumed", "files?path=/resumed/deep"])
      expect(await statusOf(stranger, `${api}/${hidden}`)).toBe(404);
  });
});

test("lists show what is public; owner=me adds one's own, and visibility=all everything for admins", async () => {
  for (const name of ["photos", "blog", "albums"]) {
    const create = async (visibility: "public" | "private") => {
      if (name === "photos") return createPhoto(visibility);
      return made(owner, `/${name}`, { title: "T", name: "N", content: "C", visibility });
    };
    const [hidden, shown] = [await create("private"), await create("public")];
    const idsOf = async (who: Client, query: string) =>
      ((await who.get(`${api}/${name}?pageSize=1000&${query}`)).body as { id: number }[]).map(({ id }) => id);
    for (const who of Object.values(people)) {
      for (const query of ["", `owner=${owner.userID}`, "cursor="]) {
        expect(await idsOf(who, query)).toContain(shown.id);
        expect(await idsOf(who, query)).not.toContain(hidden.id);
      }
    }
    expect(await idsOf(owner, "owner=me")).toEqual(expect.arrayContaining([hidden.id, shown.id]));
    expect(await idsOf(people.admin, "visibility=all")).toEqual(expect.arrayContaining([hidden.id, shown.id]));
    expect(await idsOf(people.admin, `visibility=all&owner=${owner.userID}`)).toContain(hidden.id);
    expect(await statusOf(guest, `${api}/${name}?owner=me`)).toBe(401);
    expect(await statusOf(stranger, `${api}/${name}?visibility=all`)).toBe(403);
    expect(await statusOf(guest, `${api}/${name}?owner=nobody`)).toBe(400);
    const total = async () => Number((await guest.get(`${api}/${name}`)).headers.get("x-total-count"));
    const before = await total();
    await owner.put(`${api}/${name}/${shown.id}`, { visibility: "private" });
    expect(await total()).toBe(before - 1);
  }
});

test.each(["hidden", "", null, 1])("visibility %j is refused, and nothing is stored", async (visibility) => {
  const { body: file } = await owner.upload(`${crypto.randomUUID()}.png`, png(4, 4));
  const bodies: [string, object][] = [
    ["/photos", { title: "x", fileID: file.id, visibility }],
    ["/blog", { title: "x", content: "x", visibility }],
    ["/albums", { name: "x", visibility }],
    ["/directories", { name: crypto.randomUUID(), visibility }],
  ];
  for (const [path, body] of bodies) {
    const { status, body: problem } = await owner.post(api + path, body);
    expect([path, status, problem.field]).toEqual([path, 400, "visibility"]);
  }
  expect((await owner.put(`${api}/files/${file.id}`, { visibility })).status).toBe(400);
  if (typeof visibility === "string") {
    expect((await owner.upload("refused.txt", "x", { visibility })).status).toBe(400);
    expect(await statusOf(owner, `${api}/files/dir/refused.txt`)).toBe(404);
  }
});
