// Runs on the embedded engines only: what is read of other servers does not depend on the engines.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { type FakeRequest, type FakeResponse, startFake } from "../../../tests/kit/servers/fake-servers.ts";
import { type Client, client } from "../../../tests/kit/client.ts";
import { admin, member, password } from "../../../tests/kit/people.ts";
import { runBeside, startServer, type TestServer } from "../../../tests/kit/server.ts";
import { bytesOf, plain } from "../../../tests/kit/files/pictures.ts";
import { createRemote } from "../../../src/platform/outgoing/remote.ts";
import { findServer } from "./find-server.ts";
import { readMultistatus } from "./propfind.ts";
import { until } from "../../../tests/kit/until.ts";
import { testLong } from "../../../tests/kit/long.ts";

let server: TestServer;
let root: Client;
let pictures: Uint8Array<ArrayBuffer>[];
beforeAll(async () => {
  server = await startServer();
  root = await admin(server);
  pictures = await Promise.all(
    ["red", "green", "blue"].map((colour) => bytesOf(plain(60, 40, colour).jpeg({ quality: 90 }))),
  );
});
afterAll(() => server.close());

/** Runs the command beside the server. `done` waits for the photos, which the server looks for every ten seconds. */
async function importFrom(url: string, key: string, ...more: string[]) {
  const file = join(server.dataDir, "key");
  writeFileSync(file, `${key}\n`);
  const { code, stdout, stderr } = await runBeside(server, ["import", url, "--key-file", file, ...more]);
  expect(stderr).toBe("");
  const id = /^Import (\d+)/m.exec(stdout)?.[1];
  const done = () =>
    until(
      () => root.get(`/api/v1/imports/${id}`),
      ({ body }) => body.status !== "running",
    );
  const lines = stdout.split("\n");
  return { code, lines, summary: lines.find((line) => line.startsWith("Import ")), done };
}

const list = async (path: string): Promise<any[]> => (await root.get(path)).body;
const named = (all: any[], name: string) => all.find((one) => one.name === name || one.title === name);
const idOf = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;
const sha1 = (bytes: Uint8Array) => new Bun.CryptoHasher("sha1").update(bytes).digest("base64");

describe("Immich", () => {
  /** As its API is documented, with pages of two. The first time, requests fail in several ways. */
  function createImmich() {
    const [one, two, three] = pictures as [Uint8Array, Uint8Array, Uint8Array];
    const movie = new TextEncoder().encode("moving");
    const asset = (n: number, visibility: string, name: string, bytes: Uint8Array, more: object = {}) => ({
      id: idOf(n),
      ownerId: "me",
      originalFileName: name,
      checksum: sha1(bytes),
      createdAt: `2024-01-0${n}T00:00:00.000Z`,
      fileModifiedAt: "2023-07-05T10:00:00.000Z",
      localDateTime: "2023-07-05T23:30:00.000Z",
      visibility,
      isFavorite: false,
      exifInfo: { fileSizeInByte: bytes.length, description: "" },
      bytes,
      ...more,
    });
    const assets = [
      asset(1, "timeline", "IMG_1.jpg", one, {
        isFavorite: true,
        livePhotoVideoId: idOf(4),
        exifInfo: { fileSizeInByte: one.length, description: "Ferry", latitude: 38.7, longitude: -9.1, city: "Lisbon" },
        people: [{ name: "Grace" }],
      }),
      asset(2, "archive", "IMG_2.jpg", two, { libraryId: idOf(9), checksum: sha1(new Uint8Array(3)) }),
      asset(3, "timeline", "img_1.JPG", three),
      asset(4, "hidden", "IMG_1.mov", movie),
      asset(5, "timeline", "theirs.jpg", one, { ownerId: "other" }),
    ];
    const once = new Set<string>();
    const isFirst = (what: string) => !once.has(what) && once.add(what);
    return ({ path, headers, body }: FakeRequest): FakeResponse => {
      if (path === "/api/server/version") return { body: { major: 3, minor: 1, patch: 0 } };
      if (headers.get("x-api-key") !== "secret") return { status: 401 };
      if (path === "/api/users/me") return { body: { id: "me" } };
      if (path === "/api/tags")
        return {
          body: [
            { id: idOf(6), value: "sea" },
            { id: idOf(7), value: "sea/ferry" },
          ],
        };
      if (path === "/api/stacks")
        return { body: [{ primaryAssetId: idOf(1), assets: [{ id: idOf(1) }, { id: idOf(3) }] }] };
      if (path === "/api/shared-links") return { status: 403 };
      if (path === "/api/albums") {
        const album = { id: idOf(8), albumName: "Harbours", description: "By the water", order: "asc" };
        return { body: [{ ...album, albumThumbnailAssetId: idOf(2), albumUsers: [{ user: { id: "me" } }] }] };
      }
      if (path === "/api/search/metadata") {
        if (isFirst("search")) return { status: 429, headers: { "Retry-After": "0" } };
        const query = JSON.parse(body);
        const found = assets.filter(({ id, visibility }) => {
          if (query.visibility !== visibility) return false;
          return !query.tagIds || id === idOf(1);
        });
        const start = (query.page - 1) * 2;
        const items = found.slice(start, start + 2).map(({ bytes: _, ...one }) => one);
        return { body: { assets: { items, nextPage: start + 2 < found.length ? String(query.page + 1) : null } } };
      }
      const bytes = assets.find(({ id }) => path === `/api/assets/${id}/original`)?.bytes;
      if (!bytes) return { status: 404 };
      if (bytes === one && isFirst("cut")) return { body: bytes, cutAfter: 100 };
      if (bytes === three && isFirst("wrong")) return { body: bytes.with(50, 1) };
      return { body: bytes };
    };
  }

  testLong("a library becomes private photos and albums with all that Immich knows of them, once", async () => {
    await using fake = await startFake(createImmich());
    const { code, lines, summary, done } = await importFrom(fake.url, "secret", "--people");
    fake.takeSeen();
    expect((await importFrom(fake.url, "secret", "--people")).summary).toContain("0 added (0.0 MB), 5 known already");
    expect(fake.takeSeen().filter((request) => request.includes("original"))).toEqual([]);
    await done();
    expect([code, summary]).toEqual([
      1,
      expect.stringContaining("5 added (0.0 MB), 0 known already, 0 changed, 1 refused, 1 note"),
    ]);
    expect(lines.filter((line) => /^(Not imported|Note)/.test(line))).toEqual([
      'Not imported: "shared links": The key has no permission sharedLink.read.',
      'Note: "pictures of others": 1 that belongs to somebody else is left out.',
    ]);
    const photos = await list("/api/v1/photos?owner=me&cursor=");
    expect(photos).toHaveLength(2);
    expect(named(photos, "IMG 1")).toMatchObject({
      description: "Ferry",
      isFavourite: true,
      tags: ["sea/ferry", "Grace"],
      takenAt: "2023-07-05T23:30:00.000Z",
      place: { latitude: 38.7, longitude: -9.1, name: "Lisbon" },
      visibility: "private",
    });
    const [album] = await list("/api/v1/albums?owner=me&cursor=");
    expect(album).toMatchObject({
      name: "Harbours",
      description: "By the water",
      photoOrder: "oldestFirst",
      photoCount: 2,
      coverPhotoID: named(photos, "IMG 2").id,
      visibility: "private",
    });
    const files = await list("/api/v1/files?path=/Immich/2023/07");
    expect(files.map(({ name }) => name)).toEqual(["img_1 00000000.JPG", "IMG_1.jpg", "IMG_1.mov", "IMG_2.jpg"]);
    expect(await client(server).get("/api/v1/photos")).toMatchObject({ body: [] });
  });
});

type Entry = { href: string; id?: number; folder?: true; size?: number; favourite?: 1 };
const multistatus = (entries: Entry[]) => `<?xml version="1.0"?>
  <D:multistatus xmlns:D="DAV:" xmlns:x="http://owncloud.org/ns">${entries
    .map(
      ({ href, id = 0, folder, size = 0, favourite = 0 }) => `<D:response><D:href>${href}</D:href>
      <D:propstat><D:prop><D:resourcetype>${folder ? "<D:collection/>" : ""}</D:resourcetype>
        <D:getetag>"e${id}"</D:getetag><D:getcontentlength>${size}</D:getcontentlength>
        <D:getlastmodified>Wed, 05 Jul 2023 10:00:00 GMT</D:getlastmodified>
        <x:fileid>${id}</x:fileid><x:favorite>${favourite}</x:favorite></D:prop>
        <D:status>HTTP/1.1 200 OK</D:status></D:propstat>
      <D:propstat><D:prop><D:getcontentlength>9</D:getcontentlength></D:prop><D:status>HTTP/1.1 404 Not Found</D:status></D:propstat>
      </D:response>`,
    )
    .join("")}</D:multistatus>`;

describe("Nextcloud", () => {
  const files = "/remote.php/dav/files/ada";
  const albums = "/remote.php/dav/photos/ada/albums";

  testLong(
    "the files of a person become files and photos, with favourites and albums, once; odd entries are refused",
    async () => {
      const picture = await bytesOf(plain(60, 41, "red").jpeg());
      const folders: Record<string, Entry[]> = {
        [`${files}/`]: [
          { href: `${files}/`, id: 1, folder: true },
          { href: `${files}/Sea%20%C3%BC/`, id: 2, folder: true },
          { href: "http://elsewhere.example/x.jpg", id: 8 },
          { href: `${files}/a/b.txt`, id: 9 },
        ],
        [`${files}/Sea ü/`]: [
          { href: `${files}/Sea%20%C3%BC/`, id: 2, folder: true },
          { href: `${files}/Sea%20%C3%BC/ferry.jpg`, id: 3, size: picture.length, favourite: 1 },
          { href: `${files}/Sea%20%C3%BC/again/`, id: 2, folder: true },
        ],
        [`${albums}/`]: [
          { href: `${albums}/`, folder: true },
          { href: `${albums}/Ferries/`, folder: true },
        ],
        [`${albums}/Ferries/`]: [{ href: `${albums}/Ferries/3-ferry.jpg`, id: 3 }],
      };
      let isFirst = true;
      const respond = ({ method, path, headers }: FakeRequest): FakeResponse => {
        if (path === "/status.php") return { body: { installed: true, productname: "Nextcloud" } };
        if (path === "/api/server/version") return { status: 404 };
        if (headers.get("Authorization") !== `Basic ${btoa("ada:app-password")}`) return { status: 401 };
        if (method === "GET") return { body: picture, headers: { ETag: '"e3"' } };
        const body = folders[path];
        if (!body || headers.get("Depth") !== "1") return { status: 404 };
        const cut = isFirst ? { cutAfter: 200 } : {};
        isFirst = false;
        return { status: 207, body: multistatus(body), ...cut };
      };
      await using fake = await startFake(respond);
      const url = fake.url.replace("://", "://ada@");
      const { lines, summary, done } = await importFrom(url, "app-password", "--photos", "--to", "/cloud");
      fake.takeSeen();
      expect((await importFrom(url, "app-password", "--photos", "--to", "/cloud")).summary).toContain(
        "2 known already",
      );
      expect(fake.takeSeen().filter((request) => request.includes("ferry.jpg"))).toEqual([]);
      await done();
      expect(summary).toContain("2 added (0.0 MB), 0 known already, 0 changed, 3 refused");
      expect(lines.filter((line) => line.startsWith("Not imported"))).toEqual([
        expect.stringContaining("Its address leads to another server."),
        expect.stringContaining("It does not lie in the folder that lists it."),
        'Not imported: "Sea ü/again": It contains itself.',
      ]);
      const [file] = await list(`/api/v1/files?path=${encodeURIComponent("/cloud/Sea ü")}`);
      expect(file).toMatchObject({ name: "ferry.jpg", size: picture.length, visibility: "private" });
      expect(named(await list("/api/v1/albums?owner=me&cursor="), "Ferries")).toMatchObject({
        photoCount: 1,
        photoOrder: "newestFirst",
      });
      expect(
        findServer({ url, user: "", key: "wrong", isGuarded: false }).then((kind) => Array.fromAsync(kind.list(wish))),
      ).rejects.toThrow("does not accept the key.");
    },
  );

  const wish = { hasPhotos: true, hasAlbums: false, hasPeople: false, visibility: "public" as const };
  const parse = (text: string) => readMultistatus(chunksOf(text));
  async function* chunksOf(text: string) {
    yield new TextEncoder().encode(text);
  }

  test("a list of 20,000 entries is read; one with entities of its own, or endless depth, is refused", async () => {
    const many = Array.from({ length: 20_000 }, (_, id) => ({ href: `/f/${id}.jpg`, id, size: 5 }));
    const found = await parse(multistatus(many));
    expect([found.length, found.at(-1)]).toEqual([
      20_000,
      expect.objectContaining({ href: "/f/19999.jpg", size: 5, etag: '"e19999"', isDirectory: false }),
    ]);
    expect(parse(`<!DOCTYPE x [<!ENTITY a "aaaa">]><x>&a;</x>`)).rejects.toThrow("not valid");
    expect(parse("<x>".repeat(100_000))).rejects.toThrow("nested too deeply");
  });

  test("a key for any WebDAV server is never sent to another one", async () => {
    await using other = await startFake(() => ({ body: "bytes" }));
    await using fake = await startFake(({ method }) =>
      method === "GET"
        ? { status: 302, headers: { Location: `${other.url}/x` } }
        : { status: 207, body: multistatus([{ href: "/x", id: 1, size: 5 }]) },
    );
    const kind = await findServer({ url: fake.url, user: "ada", key: "secret", isGuarded: false });
    expect(kind.title).toBe("WebDAV");
    const [file] = await Array.fromAsync(kind.list(wish));
    if (file?.kind !== "file") throw new Error("There is no file.");
    const failure = await Array.fromAsync(file.open()).catch(String);
    expect(failure).toContain("It leads to another server");
    expect(other.takeSeen()).toEqual([]);
  });
});

testLong("another Vitrine: files, photos, albums, posts and comments are as they were there, once", async () => {
  await using there = await startServer();
  const ada = await admin(there, "ada");
  const [one, two] = await Promise.all(
    ["white", "black"].map(async (colour, index) => {
      const bytes = await bytesOf(plain(50 + index, 30, colour).jpeg());
      const { body: file } = await ada.upload(`${colour}.jpg`, bytes, { path: "/2026/sea" });
      const details = {
        title: `The ${colour} one`,
        altText: colour,
        tags: [colour],
        takenAt: "2020-01-02T03:04:05.000Z",
      };
      const place = { latitude: 1, longitude: 2, name: "There" };
      return (await ada.post("/api/v1/photos", { ...details, place, showLocation: true, fileID: file.id })).body;
    }),
  );
  await ada.upload("diary.txt", "dear diary", { path: "/2026" });
  const diary = (await ada.get("/api/v1/files?path=/2026")).body.find((file: any) => file.name === "diary.txt");
  await ada.put(`/api/v1/files/${diary.id}`, { visibility: "private" });
  const { body: above } = await ada.post("/api/v1/albums", { name: "Above" });
  const { body: album } = await ada.post("/api/v1/albums", { name: "By hand", parentID: above.id });
  for (const { id } of [one, two]) await ada.post(`/api/v1/albums/${album.id}/photos`, { photoID: id });
  await ada.put(`/api/v1/albums/${album.id}`, { coverPhotoID: two.id });
  await ada.post("/api/v1/albums", { name: "Smart", filter: { tags: ["white"] } });

  const content = `Look: ![[photo:${one.id}]] and [this](/albums/${album.id}-by-hand), [there](${there.url}/photos/${two.id}).`;
  const sent = { title: "A trip", content, coverID: two.id, tags: ["sea"], publishedAt: "2021-01-01T00:00:00.000Z" };
  const { body: post } = await ada.post("/api/v1/blog", sent);
  await ada.post("/api/v1/blog", { title: "Not yet", content: "Draft", publishedAt: null });
  await ada.post("/api/v1/blog", { kind: "page", title: "About", content: "Me" });
  const eve = await member(there, "eve", "reader");
  const { body: comment } = await eve.post("/api/v1/comments", { blogPostID: post.id, content: "Nice" });
  await ada.post("/api/v1/comments", { blogPostID: post.id, content: "Thanks", parentID: comment.id });

  const { code, summary, done } = await importFrom(there.url, ada.token ?? "", "--visibility", "public");
  await done();
  expect([code, summary]).toEqual([0, expect.stringContaining("13 added")]);
  const photos = await list("/api/v1/photos?owner=me&cursor=");
  const white = named(photos, "The white one");
  expect(white).toMatchObject({
    altText: "white",
    tags: ["white"],
    takenAt: "2020-01-02T03:04:05.000Z",
    place: { latitude: 1, longitude: 2, name: "There" },
    showLocation: true,
    visibility: "public",
    file: { path: "/Vitrine/2026/sea", sha256: one.file.sha256 },
  });
  const albums = await list("/api/v1/albums?owner=me&cursor=");
  const byHand = named(albums, "By hand");
  expect(byHand).toMatchObject({
    parentID: named(albums, "Above").id,
    coverPhotoID: named(photos, "The black one").id,
  });
  const inside = await list(`/api/v1/albums/${byHand.id}/photos?cursor=`);
  expect(inside.map(({ title }) => title)).toEqual(["The white one", "The black one"]);
  expect(named(albums, "Smart")).toMatchObject({ photoCount: 1, filter: { tags: ["white"] } });
  const [, text] = await list("/api/v1/files?path=/Vitrine/2026");
  expect(text).toMatchObject({ name: "diary.txt", visibility: "private" });
  const posts = await list("/api/v1/blog?owner=me&cursor=");
  const trip = named(posts, "A trip");
  expect(trip).toMatchObject({
    slug: "a-trip",
    publishedAt: "2021-01-01T00:00:00.000Z",
    tags: ["sea"],
    cover: { title: "The black one" },
    content: `Look: ![[photo:${white.id}]] and [this](/albums/${byHand.id}), [there](/photos/${trip.coverID}).`,
  });
  expect(named(posts, "Not yet")).toMatchObject({ publishedAt: null });
  expect(await list("/api/v1/blog?owner=me&kind=page&cursor=")).toMatchObject([{ slug: "about", content: "Me" }]);
  const [first, reply] = await list(`/api/v1/comments?blogPostID=${trip.id}`);
  expect(first).toMatchObject({ content: "Nice", author: { username: "eve" }, status: "visible" });
  expect(reply).toMatchObject({ content: "Thanks", parentID: first.id });
  expect((await importFrom(there.url, ada.token ?? "", "--visibility", "public")).summary).toContain(
    "0 added (0.0 MB), 13 known already",
  );
});

testLong("another Vitrine with a narrow rate limit is read as it allows, and completely", async () => {
  await using there = await startServer({
    RATE_LIMIT_PER_SECOND: "2",
    RATE_LIMIT_BURST: "5",
    TRUST_PROXY: "loopback",
  });
  const titles = ["one", "two", "three", "four"];
  // From an address each, and none of them that of the import.
  const from = (index: number) => ({ "X-Forwarded-For": `192.0.2.${index}` });
  const guest = client(there, null, 0, from(0));
  await guest.post("/signup", { username: "ada", password });
  const { token } = (await guest.post("/signin", { username: "ada", password })).body;
  for (const [index, title] of titles.entries()) {
    const ada = client(there, token, 0, from(index));
    const { body: post } = await ada.post("/api/v1/blog", { title, content: "x" });
    await ada.post("/api/v1/comments", { blogPostID: post.id, content: `on ${title}` });
  }
  const { code, summary, done } = await importFrom(there.url.replace("://", "://ada@"), password);
  await done();
  expect([code, summary]).toEqual([0, expect.stringContaining("8 added")]);
  const posts = (await list("/api/v1/blog?owner=me&cursor=")).filter(({ title }) => titles.includes(title));
  const comments = await Promise.all(posts.map(({ id }) => list(`/api/v1/comments?blogPostID=${id}`)));
  expect(comments.flat().map(({ content }) => content)).toEqual(posts.map(({ title }) => `on ${title}`));
  expect(there.logged()).toContain('"status":429');
});

test("a download goes on where the connection was cut", async () => {
  const cut = Promise.withResolvers<void>();
  const bytes = new Uint8Array(1000).fill(7);
  let isFirst = true;
  await using fake = await startFake(() => {
    const more = isFirst ? { cutAfter: 100, cutWhen: cut.promise } : {};
    isFirst = false;
    return { body: bytes, ...more };
  });
  const received: Uint8Array[] = [];
  for await (const chunk of createRemote(fake.url, {}).download("/x", 1000)) {
    received.push(chunk);
    cut.resolve();
  }
  expect(Buffer.concat(received).equals(bytes)).toBe(true);
  expect(fake.takeSeen()).toEqual(["GET /x", "GET /x bytes=100-"]);
});

test("a request goes to the address that was checked, however its name is answered the next time", async () => {
  await using fake = await startFake(({ path }) =>
    path === "/moved" ? { status: 302, headers: { Location: "/there" } } : { body: `read ${path}` },
  );
  const { port } = new URL(fake.url);
  const answers = ["127.0.0.1", "127.0.0.1", "127.0.0.1", "::169.254.169.254", "127.0.0.1"];
  const asked: string[] = [];
  const findAddresses = async (name: string) => [{ address: answers[asked.push(name) - 1] ?? "", family: 4 }];
  const remote = createRemote(`http://nas.example:${port}`, {}, { isGuarded: true, attempts: 1, findAddresses });
  expect(await remote.text("/one", 100)).toBe("read /one");
  // Each request of a redirect is looked up, checked and sent.
  expect(await remote.text("/moved", 100)).toBe("read /there");
  const refused = await remote.text("/two", 100).catch(({ message }: Error) => message);
  expect(refused).toBe("nas.example is an address that no server of yours can have.");
  expect(asked).toEqual(Array(4).fill("nas.example"));
  expect(fake.takeSeen()).toEqual(["GET /one", "GET /moved", "GET /there"]);
});

test("a list may come compressed", async () => {
  await using fake = await startFake(({ headers }) => {
    const encoding = headers.get("Accept-Encoding") ?? "";
    return { body: gzipSync(`asked for ${encoding}`), headers: { "Content-Encoding": "gzip" } };
  });
  expect(await createRemote(fake.url, {}).text("/", 100)).toBe("asked for gzip");
});
