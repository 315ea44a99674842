import { Database as Sqlite } from "bun:sqlite";
import { join } from "node:path";
import type { Client } from "../kit/client.ts";
import { png } from "../kit/files/png.ts";

/** What `:name` in a request stands for. */
export type Records = Record<string, number | string>;

/** Returns the id of the new record. */
export async function create(owner: Client, list: string, body: object): Promise<number> {
  const { status, body: created } = await owner.post(`/api/v1/${list}`, body);
  if (status !== 201) throw new Error(`POST ${list} returned ${status}: ${created.error}`);
  return created.id;
}

export async function uploadPicture(owner: Client, number: number): Promise<number> {
  const { body } = await owner.upload(`picture-${number}.png`, png(400 + number, 300), { path: "/a/b" });
  return body.id;
}

const text = `A paragraph with *emphasis*, a [link](https://example.org/), and \`code\`.

## A heading

- one
- two

> The second paragraph is a quotation of some length, so that the text is longer than its excerpt.

`;

/** Creates the same records every time. */
export async function fillSite(owner: Client): Promise<Records> {
  const photos: number[] = [];
  for (let day = 10; day < 30; day++) {
    const fileID = await uploadPicture(owner, day);
    const takenAt = `2025-04-${day}T12:00:00Z`;
    photos.push(await create(owner, "photos", { title: `Photo ${day}`, fileID, takenAt, tags: ["sea"] }));
  }
  const [photo = 0] = photos;
  for (let day = 10; day < 20; day++) {
    const publishedAt = `2025-05-${day}T12:00:00Z`;
    const coverID = day % 2 ? photo : null;
    await create(owner, "blog", { title: `Post ${day}`, content: text.repeat(6), publishedAt, coverID, tags: ["sea"] });
  }
  const album = await create(owner, "albums", { name: "North" });
  for (const photoID of photos) await owner.post(`/api/v1/albums/${album}/photos`, { photoID });
  await create(owner, "albums", { name: "South", parentID: album });
  const { id: post, slug } = (await owner.get("/api/v1/blog")).body[0];
  let comment = 0;
  for (const content of ["One", "Two", "Three"])
    comment = await create(owner, "comments", { content, blogPostID: post });
  await create(owner, "shares", { kind: "album", id: album });
  const file = (await owner.get(`/api/v1/photos/${photo}`)).body.file.id;
  return { owner: owner.userID, photo, post, slug, album, comment, file };
}

/** The days that pages show would be longer or shorter tomorrow. */
export function setDays(dataDir: string): void {
  using database = new Sqlite(join(dataDir, "vitrine.db"));
  database.run("UPDATE posts SET updated_at = published_at");
  database.run("UPDATE comments SET created_at = (SELECT MAX(published_at) FROM posts)");
}
