import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Answer, type Client, client, person, png, startServer, type TestServer } from "./kit.ts";

const metricsToken = "a token for the metrics";
const api = "/api/v1";
let server: TestServer;
let owner: Client;
let guest: Client;
let file: any;
let photo: any;
let album: any;
let post: any;

beforeAll(async () => {
  server = await startServer({ METRICS_TOKEN: metricsToken });
  [owner, guest] = [await person(server, "owner"), client(server)];
  file = (await owner.upload("image.png", png(4, 4), { path: "/a/b" })).body;
  photo = (await owner.post(`${api}/photos`, { title: "Photo", fileID: file.id })).body;
  album = (await owner.post(`${api}/albums`, { name: "Album" })).body;
  post = (await owner.post(`${api}/blog`, { title: "Post", content: "x" })).body;
  // Jobs that run soon after the start would be counted, too.
  await owner.get(`${api}/search?q=photo`);
});
afterAll(() => server.close());

async function countStatements(): Promise<number> {
  const response = await fetch(`${server.url}/metrics`, { headers: { Authorization: `Bearer ${metricsToken}` } });
  return Number(/^vitrine_database_statements_total (\d+)/m.exec(await response.text())?.[1]);
}

/** The fewest statements of a few tries: background work can only add to them. */
async function cost(send: () => Promise<Answer>): Promise<number> {
  const counts: number[] = [];
  for (let round = 0; round < 3; round++) {
    const before = await countStatements();
    expect((await send()).status).toBeLessThan(300);
    counts.push((await countStatements()) - before);
  }
  return Math.min(...counts);
}

let number = 0;
const fresh = (path: string) => `${path}${path.includes("?") ? "&" : "?"}n=${++number}`;

/** `BEGIN` and `COMMIT` are not counted: they are sent along with the statements next to them. */
const most: [what: string, statements: number, send: () => Promise<Answer>][] = [
  ["a guest lists photos", 5, () => guest.get(fresh(`${api}/photos`))],
  ["a guest reads a photo", 4, () => guest.get(fresh(`${api}/photos/${photo.id}`))],
  ["a guest reads a post", 1, () => guest.get(fresh(`${api}/blog/${post.id}`))],
  ["a guest lists posts", 3, () => guest.get(fresh(`${api}/blog`))],
  ["a guest reads the comments of a post", 2, () => guest.get(fresh(`${api}/comments?blogPostID=${post.id}`))],
  ["an owner reads a post", 2, () => owner.get(`${api}/blog/${post.id}`)],
  ["an owner writes a post", 4, () => owner.post(`${api}/blog`, { title: "New", content: "x" })],
  ["an owner changes a post", 4, () => owner.put(`${api}/blog/${post.id}`, { title: `${++number}` })],
  ["an owner comments", 3, () => owner.post(`${api}/comments`, { content: "x", blogPostID: post.id })],
  ["an owner adds a photo to an album", 5, () => owner.post(`${api}/albums/${album.id}/photos`, { photoID: photo.id })],
  ["an owner makes a directory", 7, () => owner.post(`${api}/directories`, { name: `${++number}` })],
];

describe("the number of statements of a request does not grow", () => {
  test.each(most)("%s: at most %d", async (_what, statements, send) => {
    expect(await cost(send)).toBeLessThanOrEqual(statements);
  });
});
