import { beforeAll, describe, expect, test } from "bun:test";
import { measureDatabaseCost, metricsToken } from "./database-cost.ts";
import { type Answer, png, uncached } from "./kit.ts";
import { useServer } from "./use-server.ts";

const api = "/api/v1";
let file: any;
let photo: any;
let album: any;
let post: any;
let covered: any;

const server = useServer({ METRICS_TOKEN: metricsToken });
const owner = server.person("owner");
const { guest } = server;
beforeAll(async () => {
  file = (await owner.upload("image.png", png(4, 4), { path: "/a/b" })).body;
  photo = (await owner.post(`${api}/photos`, { title: "Photo", fileID: file.id })).body;
  album = (await owner.post(`${api}/albums`, { name: "Album" })).body;
  covered = (await owner.post(`${api}/blog`, { title: "Post", content: "x", coverID: photo.id })).body;
  post = (await owner.post(`${api}/blog`, { title: "Post", content: "x" })).body;
  // Jobs that run soon after the start would be counted, too.
  await owner.get(`${api}/search?q=photo`);
});

let number = 0;

/** `BEGIN` and `COMMIT` are not counted, because they are sent together with the adjacent statements. */
const most: [what: string, statements: number, roundTrips: number, send: () => Promise<Answer>][] = [
  ["a guest lists photos", 1, 1, () => guest.get(`${api}/photos`, uncached)],
  ["a guest lists photos by cursor", 2, 2, () => guest.get(`${api}/photos?cursor=`, uncached)],
  ["a guest lists photos of one owner", 2, 2, () => guest.get(`${api}/photos?owner=${owner.userID}`, uncached)],
  ["a guest lists posts by cursor", 3, 3, () => guest.get(`${api}/blog?cursor=`, uncached)],
  ["a guest lists albums by cursor", 2, 2, () => guest.get(`${api}/albums?cursor=`, uncached)],
  ["a guest lists a directory by cursor", 3, 3, () => guest.get(`${api}/files?path=/a/b&cursor=`, uncached)],
  ["a guest reads a photo", 1, 1, () => guest.get(`${api}/photos/${photo.id}`, uncached)],
  ["a guest reads a post", 1, 1, () => guest.get(`${api}/blog/${post.id}`, uncached)],
  ["a guest reads a post with a cover", 2, 2, () => guest.get(`${api}/blog/${covered.id}`, uncached)],
  ["a guest lists posts", 1, 1, () => guest.get(`${api}/blog?pageSize=1`, uncached)],
  ["a guest lists posts with covers", 2, 2, () => guest.get(`${api}/blog`, uncached)],
  ["a guest lists albums", 1, 1, () => guest.get(`${api}/albums`, uncached)],
  ["a guest reads an album with its photos", 2, 2, () => guest.get(`${api}/albums/${album.id}`, uncached)],
  ["a guest lists the root", 1, 1, () => guest.get(`${api}/files`, uncached)],
  ["a guest lists a directory", 2, 2, () => guest.get(`${api}/files?path=/a/b`, uncached)],
  ["a guest reads the comments of a post", 2, 2, () => guest.get(`${api}/comments?blogPostID=${post.id}`, uncached)],
  [
    "a guest reads a page of comments",
    2,
    2,
    () => guest.get(`${api}/comments?blogPostID=${post.id}&cursor=`, uncached),
  ],
  ["a guest reads a page of an album", 2, 2, () => guest.get(`${api}/albums/${album.id}?pageSize=10`, uncached)],
  ["a guest reads a post by its slug", 2, 2, () => guest.get(`${api}/blog/by-slug?slug=${post.slug}`, uncached)],
  ["a guest lists photos by date", 3, 3, () => guest.get(`${api}/photos?sort=takenAt`, uncached)],
  ["a guest lists photos by tag and camera", 1, 1, () => guest.get(`${api}/photos?tag=sea&camera=X`, uncached)],
  ["a guest reads the timeline", 1, 1, () => guest.get(`${api}/photos/timeline`, uncached)],
  ["a guest searches", 15, 15, () => guest.get(`${api}/search?q=photo`, uncached)],
  ["a guest reads a file", 1, 1, () => guest.get(`${api}/files/${file.id}`, uncached)],
  ["a guest downloads a file", 2, 2, () => guest.get(`${api}/files/${file.id}/content`)],
  ["a guest views a photo", 2, 2, () => guest.get(`${api}/photos/${photo.id}/image?w=320`)],
  ["an owner reads a post", 2, 2, () => owner.get(`${api}/blog/${post.id}`)],
  ["an owner lists photos", 2, 2, () => owner.get(`${api}/photos`)],
  ["an owner lists their own photos", 4, 4, () => owner.get(`${api}/photos?owner=me`)],
  ["an owner lists the trash", 2, 2, () => owner.get(`${api}/trash`)],
  ["an owner lists the versions of a file", 3, 3, () => owner.get(`${api}/files/${file.id}/versions`)],
  ["an owner reads the activity", 3, 3, () => owner.get(`${api}/activity`)],
  ["an owner writes a post", 8, 4, () => owner.post(`${api}/blog`, { title: "New", content: "x", coverID: null })],
  [
    "an owner writes a post with a cover",
    9,
    4,
    () => owner.post(`${api}/blog`, { title: "New", content: "x", coverID: photo.id }),
  ],
  ["an owner changes a post", 7, 5, () => owner.put(`${api}/blog/${post.id}`, { title: `${++number}` })],
  ["an owner comments", 4, 3, () => owner.post(`${api}/comments`, { content: "x", blogPostID: post.id })],
  ["an owner creates a photo", 9, 5, () => owner.post(`${api}/photos`, { title: "New", fileID: file.id })],
  [
    "an owner adds a photo to an album",
    10,
    3,
    () => owner.post(`${api}/albums/${album.id}/photos`, { photoID: photo.id }),
  ],
  ["an owner changes a photo", 8, 7, () => owner.put(`${api}/photos/${photo.id}`, { title: `${++number}` })],
  ["an owner renames an album", 7, 5, () => owner.put(`${api}/albums/${album.id}`, { name: `${++number}` })],
  ["an owner creates a directory", 5, 4, () => owner.post(`${api}/directories`, { name: `${++number}` })],
  ["an owner uploads a file", 9, 9, () => owner.upload(`${++number}.txt`, "x", { path: "/a/b" })],
];

describe("the number of statements and round trips per request", () => {
  test.each(most)("%s: at most %d, %d", async (_what, statements, roundTrips, send) => {
    const spent = await measureDatabaseCost(server.url, 10, async () => {
      expect((await send()).status).toBeLessThan(300);
    });
    expect(spent.statements).toBeLessThanOrEqual(statements);
    expect(spent.roundTrips).toBeLessThanOrEqual(roundTrips);
  });
});
