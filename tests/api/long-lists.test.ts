// Runs on other engines only with TEST_LONG: tests/scale/rows-read.test.ts counts the rows that they read there.
import { beforeAll, describe, expect, test } from "bun:test";
import { visitPages } from "../kit/cursors.ts";
import { png } from "../kit/files/png.ts";
import { isLong } from "../kit/long.ts";
import { useServer } from "../kit/use-server.ts";

const api = "/api/v1";
const content = "x".repeat(500_000);
/** So many of them are longer than what is kept in memory. */
const count = isLong ? 20 : 10;

const server = useServer();
const owner = server.person("owner");
const { guest } = server;
beforeAll(async () => {
  for (let number = 1; number <= count; number++) await owner.post(`${api}/blog`, { title: `Post ${number}`, content });
});

describe("a list of any length", () => {
  test("has every item in order and all headers, even if it is too long for memory", async () => {
    const { status, body, headers } = await guest.get(`${api}/blog?pageSize=1000`);
    expect(status).toBe(200);
    expect(body.map((post: any) => post.title)).toEqual(
      Array.from({ length: count }, (_, index) => `Post ${count - index}`),
    );
    expect(body.every((post: any) => post.content === content)).toBe(true);
    expect(headers.get("x-total-count")).toBe(String(count));
    expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
    const pages = await Promise.all([1, 2].map((page) => guest.get(`${api}/blog?pageSize=${count / 2}&page=${page}`)));
    expect(pages.flatMap((page) => page.body)).toEqual(body);
  });

  test("HEAD has the same headers and no body, and a client that disconnects does no harm", async () => {
    const head = await guest.request("HEAD", `${api}/blog?pageSize=1000`);
    expect([head.status, head.headers.get("x-total-count"), head.body]).toEqual([200, String(count), ""]);
    const response = await fetch(`${server.url}${api}/blog?pageSize=1000`);
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    expect((await guest.get(`${api}/blog`)).status).toBe(200);
  });

  test("is whole for readers who pause, and they keep nobody from it", async () => {
    const whole = await (await fetch(`${server.url}${api}/blog?pageSize=1000`)).text();
    const paused = await Promise.all(
      Array.from({ length: isLong ? 12 : 4 }, () => fetch(`${server.url}${api}/blog?pageSize=1000`)),
    );
    expect(await (await fetch(`${server.url}${api}/blog?pageSize=3`)).json()).toHaveLength(3);
    for (const response of paused) expect((await response.text()) === whole).toBe(true);
  });

  test("has a tag if it is short", async () => {
    const { headers } = await guest.get(`${api}/photos`);
    const tag = headers.get("etag") as string;
    expect((await guest.get(`${api}/photos`, { "If-None-Match": tag })).status).toBe(304);
  });

  test("a post longer than the limit is refused", async () => {
    const { status, body } = await owner.post(`${api}/blog`, { title: "Long", content: "x".repeat(1_000_001) });
    expect([status, body.field]).toEqual([400, "content"]);
  });

  test("a thread and an album of more than one slice, and a directory, are complete and in order", async () => {
    const { body: post } = await owner.post(`${api}/blog`, { title: "Talk", content: "…" });
    const { body: album } = await owner.post(`${api}/albums`, { name: "Album" });
    const { body: file } = await owner.upload("image.png", png(2, 2));
    const numbers = Array.from({ length: 130 }, (_, index) => index);
    const photoIDs: number[] = [];
    for (const number of numbers) {
      await owner.post(`${api}/comments`, { content: `${number}`, blogPostID: post.id });
      await owner.post(`${api}/directories`, { name: `d${number}`, path: "/many" });
      photoIDs.unshift((await owner.post(`${api}/photos`, { title: `${number}`, fileID: file.id })).body.id);
    }
    await owner.put(`${api}/albums/${album.id}/photos`, { photoIDs });
    const comments = await guest.get(`${api}/comments?blogPostID=${post.id}`);
    expect(comments.body.map((comment: any) => Number(comment.content))).toEqual(numbers);
    const entries = await guest.get(`${api}/files?path=/many`);
    expect(entries.body.map((entry: any) => entry.name)).toEqual(numbers.map((number) => `d${number}`));
    expect(entries.body.every((entry: any) => entry.path === "/many")).toBe(true);
    const idsOf = ({ body }: { body: any }) => body.photos.map((photo: any) => photo.id);
    expect(idsOf(await guest.get(`${api}/albums/${album.id}`))).toEqual(photoIDs);
    expect(idsOf(await guest.get(`${api}/albums/${album.id}?page=2&pageSize=80`))).toEqual(photoIDs.slice(80));
  });
});

describe("a list by cursor", () => {
  const sizesOf = (pages: any[][]) => pages.map((page) => Buffer.byteLength(JSON.stringify(page)));
  const maxOfPage = 4_100_000;

  test("ends at 4 MB, and its next link leads to the rest", async () => {
    const { body: whole } = await guest.get(`${api}/blog?pageSize=1000`);
    const pages = await visitPages(guest, `${api}/blog`, 1000);
    expect(pages.flat()).toEqual(whole);
    expect(Math.max(...sizesOf(pages))).toBeLessThan(maxOfPage);
    expect(pages.map(({ length }) => length)).toEqual(isLong ? [8, 7, 6] : [8, 3]);
  });

  test("does so with long texts of comments, photos and albums", async () => {
    const { body: talk } = await owner.post(`${api}/blog`, { title: "Talk", content: "…" });
    const { body: image } = await owner.upload("long.png", png(3, 2));
    const { body: long } = await owner.post(`${api}/albums`, { name: "Long" });
    const create = async (count: number, path: string, record: object) => {
      const records = Array.from({ length: count }, () => owner.post(`${api}${path}`, record));
      return (await Promise.all(records)).map(({ body }) => body.id as number).toSorted((one, other) => one - other);
    };
    const description = "€".repeat(20_000);
    const comments = await create(150, "/comments", { blogPostID: talk.id, content: "€".repeat(10_000) });
    // Those of albums, in the long run.
    const albums = await create(isLong ? 75 : 0, "/albums", { name: "A", parentID: long.id, description });
    const photos = await create(110, "/photos", { title: "P", fileID: image.id, description });
    await owner.put(`${api}/albums/${long.id}/photos`, { photoIDs: photos });
    const lists = {
      [`/comments?blogPostID=${talk.id}`]: comments,
      [`/albums?parentID=${long.id}`]: albums.toReversed(),
      [`/albums/${long.id}/photos`]: photos,
      "/photos?sort=takenAt&order=desc": photos.toReversed(),
    };
    for (const [path, ids] of Object.entries(lists).filter(([, { length }]) => length > 0)) {
      const pages = await visitPages(guest, `${api}${path}`, 1000);
      const seen = pages.flat().map(({ id }) => id);
      expect([path, seen.filter((id) => ids.includes(id))]).toEqual([path, ids]);
      expect([path, pages.length]).toEqual([path, 2]);
      expect(Math.max(...sizesOf(pages))).toBeLessThan(maxOfPage);
    }
  });
});

describe("a response that needs a token", () => {
  test("is not cached, nor is one that depends on the caller", async () => {
    const own = [
      await owner.get(`${api}/me`),
      await owner.get(`${api}/trash`),
      await owner.get(`${api}/storage`),
      await owner.get(`${api}/photos`),
      await owner.get(`${api}/me/nothing`),
      await owner.post(`${api}/albums`, { name: "New" }),
    ];
    expect(own.map(({ headers }) => headers.get("cache-control")).toSpliced(4, 1)).toEqual(
      Array(5).fill("private, no-store"),
    );
    expect(own[4]?.headers.get("cache-control")).toBe("no-store");
    const { body: file } = await owner.upload("a.txt", "x");
    expect((await owner.get(file.url)).headers.get("cache-control")).toBe("private, no-store");
    expect((await guest.get(file.url)).headers.get("cache-control")).toBe("no-cache");
    const open = await guest.get(`${api}/photos`);
    expect(open.headers.get("cache-control")).toBe("no-cache");
    expect(open.headers.get("vary")).toContain("Authorization");
    expect((await guest.get(`${api}/me`)).headers.get("cache-control")).toBe("private, no-store");
  });
});
