import { describe, expect, test } from "bun:test";
import { png } from "../../../tests/kit/files/png.ts";
import { useServer } from "../../../tests/kit/use-server.ts";

const api = "/api/v1";

const server = useServer();
const { guest, owner, stranger, admin } = server.people();

const made = async (path: string, body: object, who = owner) => {
  const { status, body: record } = await who.post(api + path, body);
  expect([path, status < 300, record.error]).toEqual([path, true, undefined]);
  return record;
};
const upload = async (path: string, visibility = "public", width = 3) => {
  const name = path.split("/").at(-1) as string;
  const { body } = await owner.upload(name, png(width, 2), { path: path.slice(0, -name.length), visibility });
  return body;
};
const photoOf = (fileID: number, visibility = "private") => made("/photos", { title: "Photo", fileID, visibility });

/** Reads as a guest with a link. */
async function linkTo(kind: string, id: number, options: object = {}) {
  const { token } = await made("/shares", { kind, id, ...options });
  return (path: string) => guest.get(api + path, { "X-Share-Token": token });
}

describe("a link to a photo", () => {
  test("shows the picture and, if downloads are allowed, its file without the names of directories", async () => {
    const directory = crypto.randomUUID();
    const file = await upload(`/${directory}/inner/secret.png`, "private");
    const photo = await photoOf(file.id);
    const other = await photoOf(file.id);
    const get = await linkTo("photo", photo.id);
    const { body } = await get(`/photos/${photo.id}`);
    expect(body.file).toMatchObject({ id: file.id, name: "secret.png", path: "/" });
    expect(JSON.stringify(body)).not.toContain(directory);
    expect((await get(`/photos/${photo.id}/image?w=320`)).status).toBe(200);
    const { status, headers } = await get(`/files/${file.id}/content`);
    expect([status, headers.get("cache-control")]).toEqual([200, "private, no-store"]);
    expect((await get(`/files/${file.id}/content?original`)).status).toBe(401);
    expect((await get(`/photos/${other.id}`)).status).toBe(404);
    expect((await get(`/files/dir/${directory}`)).status).toBe(404);
    expect((await get("/photos")).body).toEqual((await guest.get(`${api}/photos`)).body);
    expect((await get("/photos?owner=me")).status).toBe(401);
    expect((await get("/search?q=photo")).body).toEqual([]);
    const shown = await photoOf((await upload(`/${crypto.randomUUID()}.png`)).id, "public");
    const picture = await get(`/photos/${shown.id}/image?w=320`);
    expect([picture.status, picture.headers.get("cache-control")]).toEqual([200, "private, no-store"]);
  });

  test("shows no file if downloads are not allowed", async () => {
    const file = await upload(`/${crypto.randomUUID()}.png`, "private");
    const photo = await photoOf(file.id);
    const get = await linkTo("photo", photo.id, { allowDownload: false });
    const { body } = await get(`/photos/${photo.id}`);
    expect([body.id, body.file, body.fileID]).toEqual([photo.id, null, null]);
    expect(body.variants).not.toEqual([]);
    const { status, headers } = await get(`/photos/${photo.id}/image?w=320&v=${body.variants[0].url.split("v=")[1]}`);
    expect([status, headers.get("cache-control")]).toEqual([200, "private, no-store"]);
    expect((await get(`/files/${file.id}`)).status).toBe(404);
    expect((await get(`/files/${file.id}/content`)).status).toBe(404);
  });

  test("shows no metadata if its owner does not want that", async () => {
    const camera = await Bun.file(new URL("../../../docs/harbour.jpg", import.meta.url)).bytes();
    const { body: file } = await owner.upload("harbour.jpg", camera, { visibility: "private" });
    const photo = await photoOf(file.id);
    expect(photo.exif).not.toBeNull();
    expect(photo.takenAt).not.toBeNull();
    const get = await linkTo("photo", photo.id, { showMetadata: false });
    const { body } = await get(`/photos/${photo.id}`);
    expect(body).toMatchObject({ exif: null, takenAt: null, file: null, ownerID: owner.userID });
    const whole = await linkTo("photo", photo.id);
    expect((await whole(`/photos/${photo.id}`)).body.exif).toMatchObject({ place: null, model: photo.exif.model });
  });
});

describe("a link to an album", () => {
  test("shows the photos that its owner sees, in order, with their count and cover", async () => {
    const album = await made("/albums", { name: "Album", visibility: "private" });
    const [hidden, shown] = [
      await photoOf((await upload("/a.png", "private")).id),
      await photoOf((await upload("/b.png")).id, "public"),
    ];
    const { body: theirs } = await stranger.upload("theirs.png", png(5, 5));
    const foreign = await made("/photos", { title: "Foreign", fileID: theirs.id }, stranger);
    for (const { id } of [hidden, shown, foreign]) await made(`/albums/${album.id}/photos`, { photoID: id });
    // From now on, the owner of the album does not see it either.
    await stranger.put(`${api}/photos/${foreign.id}`, { visibility: "private" });
    const get = await linkTo("album", album.id);
    const { body } = await get(`/albums/${album.id}`);
    expect(body.photos.map((one: any) => one.id)).toEqual([hidden.id, shown.id]);
    expect([body.photoCount, body.cover.id]).toEqual([2, hidden.id]);
    expect(body.photos[0].file.name).toBe("a.png");
    const page = await get(`/albums/${album.id}?page=2&pageSize=1`);
    expect([page.body.photos[0].id, page.headers.get("x-total-count")]).toEqual([shown.id, "2"]);
    expect(page.headers.get("link")).not.toContain("oken");
    expect((await get(`/photos/${foreign.id}`)).status).toBe(404);
    expect((await get(`/photos/${hidden.id}`)).status).toBe(200);
    expect((await get(`/albums/${album.id}/zip`)).status).toBe(200);
    await owner.delete(`${api}/photos/${hidden.id}`);
    expect((await get(`/albums/${album.id}`)).body.photoCount).toBe(1);
    expect((await get(`/photos/${hidden.id}`)).status).toBe(404);
  });

  test("reaches the albums in it, and not the one above it", async () => {
    const top = await made("/albums", { name: "Top", visibility: "private" });
    const shared = await made("/albums", { name: "Shared", visibility: "private", parentID: top.id });
    const inner = await made("/albums", { name: "Inner", visibility: "private", parentID: shared.id });
    const beside = await made("/albums", { name: "Beside", visibility: "private", parentID: top.id });
    const photo = await photoOf((await upload("/inner.png", "private")).id);
    await made(`/albums/${inner.id}/photos`, { photoID: photo.id });
    const get = await linkTo("album", shared.id);
    expect((await get(`/albums/${shared.id}`)).body.parentID).toBeNull();
    expect((await get(`/albums/${shared.id}/albums`)).body.map(({ id }: any) => id)).toEqual([inner.id]);
    const { body } = await get(`/albums/${inner.id}`);
    expect([body.parentID, body.photoCount, body.photos[0].file.name]).toEqual([shared.id, 1, "inner.png"]);
    expect((await get(`/photos/${photo.id}`)).status).toBe(200);
    for (const { id } of [top, beside]) expect((await get(`/albums/${id}`)).status).toBe(404);
    await owner.delete(`${api}/albums/${inner.id}`);
    expect((await get(`/photos/${photo.id}`)).status).toBe(404);
  });

  test("changes nothing about other albums with the same photos", async () => {
    const photo = await photoOf((await upload("/c.png", "private")).id);
    const [shared, other] = [
      await made("/albums", { name: "Shared", visibility: "private" }),
      await made("/albums", { name: "Other" }),
    ];
    for (const { id } of [shared, other]) await made(`/albums/${id}/photos`, { photoID: photo.id });
    const get = await linkTo("album", shared.id);
    expect((await get(`/albums/${shared.id}`)).body.photoCount).toBe(1);
    expect((await get(`/albums/${other.id}`)).body).toMatchObject({ photoCount: 0, photos: [], cover: null });
  });

  test("has no archive and no files if downloads are not allowed", async () => {
    const album = await made("/albums", { name: "Album", visibility: "private" });
    const photo = await photoOf((await upload("/d.png", "private")).id);
    await made(`/albums/${album.id}/photos`, { photoID: photo.id });
    const get = await linkTo("album", album.id, { allowDownload: false });
    expect((await get(`/albums/${album.id}`)).body.photos[0]).toMatchObject({ id: photo.id, file: null });
    expect((await get(`/albums/${album.id}/zip`)).status).toBe(404);
  });
});

describe("a link to a directory", () => {
  test("reaches all below it, by paths that begin with it", async () => {
    const [above, name] = [crypto.randomUUID(), crypto.randomUUID()];
    const secret = await made("/directories", { name: above, visibility: "private" });
    const directory = await made("/directories", { name, path: `/${above}` });
    const sibling = await upload(`/${above}/sibling.png`);
    const file = await upload(`/${above}/${name}/deep/deeper/inner.png`, "private");
    const get = await linkTo("directory", directory.id);
    expect((await get(`/files/${directory.id}`)).body).toMatchObject({ name, path: "/" });
    const [deep] = (await get(`/files/${directory.id}/entries`)).body;
    expect(deep).toMatchObject({ name: "deep", path: `/${name}` });
    const [deeper] = (await get(`/files/${deep.id}/entries?cursor=`)).body;
    expect(deeper).toMatchObject({ name: "deeper", path: `/${name}/deep` });
    const [inner] = (await get(`/files/${deeper.id}/entries`)).body;
    expect(inner).toMatchObject({ id: file.id, path: `/${name}/deep/deeper` });
    expect((await get(`/files/${file.id}`)).body).toMatchObject({ path: `/${name}/deep/deeper` });
    expect((await get(`/files/${file.id}/content`)).status).toBe(200);
    const zip = await get(`/files/${directory.id}/zip`);
    expect([zip.status, zip.body.includes("inner.png")]).toEqual([200, true]);
    for (const id of [secret.id, sibling.id]) expect((await get(`/files/${id}`)).status).toBe(404);
    expect((await get(`/files/${secret.id}/entries`)).status).toBe(404);
    expect((await get(`/files/${file.id}/entries`)).status).toBe(400);
    expect((await get(`/files/${secret.id}/zip`)).status).toBe(404);
    expect((await get(`/files?path=/${above}`)).status).toBe(404);
    await owner.delete(`${api}/files/${secret.id}`);
    for (const id of [directory.id, file.id]) expect((await get(`/files/${id}`)).status).toBe(404);
    expect((await get("/shared")).status).toBe(404);
  });

  test("does not reach what another user keeps private in it", async () => {
    const name = crypto.randomUUID();
    const directory = await made("/directories", { name });
    await upload(`/${name}/own.png`, "private");
    const get = await linkTo("directory", directory.id);
    const { body: theirs } = await admin.upload("theirs.png", png(2, 2), { path: `/${name}`, visibility: "private" });
    expect((await admin.get(`${api}/files/${theirs.id}`)).body.path).toBe(`/${name}`);
    expect((await get(`/files/${theirs.id}`)).status).toBe(404);
    // What is public in a private directory is not, for anyone but the owner of that directory.
    const closed = await made("/directories", { name: "closed", path: `/${name}`, visibility: "private" }, admin);
    const { body: inside } = await admin.upload("inside.png", png(2, 2), { path: `/${name}/closed` });
    for (const { id } of [closed, inside]) expect((await get(`/files/${id}`)).status).toBe(404);
    const entries = (await get(`/files/${directory.id}/entries`)).body;
    expect(entries.map((one: any) => [one.name, one.path])).toEqual([["own.png", `/${name}`]]);
    expect((await get(`/files?path=${name}`)).body).toEqual(entries);
  });
});

describe("a link to a post", () => {
  test("shows a draft, its cover and its comments", async () => {
    const cover = await photoOf((await upload("/e.png", "private")).id);
    const [post, other] = await Promise.all(
      ["Draft", "Another"].map((title) => made("/blog", { title, content: "…", coverID: cover.id, publishedAt: null })),
    );
    await made("/comments", { content: "Hello", blogPostID: post.id });
    const get = await linkTo("post", post.id);
    const { body } = await get(`/blog/${post.id}`);
    expect(body).toMatchObject({ title: "Draft", coverID: cover.id, cover: { id: cover.id, file: null } });
    expect((await get(`/photos/${cover.id}/image?w=320`)).status).toBe(200);
    expect((await get(`/comments?blogPostID=${post.id}`)).body).toHaveLength(1);
    expect((await get(`/blog/${other.id}`)).status).toBe(404);
    expect((await get("/blog")).body).toEqual([]);
  });
});

describe("a link to a file", () => {
  test("reaches this file, and stops at its earlier versions", async () => {
    const file = await upload(`/${crypto.randomUUID()}/file.png`, "private");
    const get = await linkTo("file", file.id);
    expect((await get(`/files/${file.id}`)).body).toMatchObject({ name: "file.png", path: "/" });
    expect((await get(`/files/${file.id}/content`)).status).toBe(200);
    expect((await get(`/files/${file.id}/versions`)).status).toBe(401);
  });
});
