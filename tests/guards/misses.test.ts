// Runs on the embedded engines only: what ends which response does not depend on the engines.
import { expect, test } from "bun:test";
import { client } from "../kit/client.ts";
import { metricsToken } from "../kit/database-cost.ts";
import { png } from "../kit/files/png.ts";
import { admin, person } from "../kit/people.ts";
import { api, made } from "../kit/permissions/records.ts";
import { startServer } from "../kit/server.ts";
import { withoutJobs } from "../kit/without-jobs.ts";

async function countHits(server: { url: string }): Promise<number> {
  const response = await fetch(`${server.url}/metrics`, { headers: { Authorization: `Bearer ${metricsToken}` } });
  return Number(/^vitrine_response_cache_hits_total (\d+)/m.exec(await response.text())?.[1]);
}

/** What each write ends of the responses that are kept: lists and pages that can show what is new, and no others. */
const endedBy: Record<string, string[]> = {
  "an upload": ["the list of files"],
  "a photo": [
    "the list of photos",
    "the home page",
    "photos",
    "the photo's page",
    "the feed",
    "the sitemap",
    "the person",
  ],
  "a post": [
    "the list of posts",
    "the home page",
    "the blog",
    "the post's page",
    "the feed",
    "the sitemap",
    "the person",
  ],
  "a comment on another post": ["the comments", "the post's page"],
  "an album": [
    "the list of albums",
    "the home page",
    "the photo's page",
    "albums",
    "the album's page",
    "the sitemap",
    "the person",
  ],
  "an account": ["the sitemap"],
};

test("a new record ends the responses that can show it, and leaves the others in memory", async () => {
  await using server = await startServer({ METRICS_TOKEN: metricsToken }, withoutJobs());
  await admin(server);
  const [owner, guest] = [await person(server, "owner"), client(server)];
  let count = 0;
  const upload = async () => (await owner.upload(`${++count}.png`, png(8 + count, 6))).body;
  const files = [await upload(), await upload()];
  const photo = await made(owner, "/photos", { title: "Harbour", fileID: files[0].id, tags: ["sea"] });
  const album = await made(owner, "/albums", { name: "Lisbon" });
  await owner.post(`${api}/albums/${album.id}/photos`, { photoID: photo.id });
  const post = await made(owner, "/blog", { title: "Trains", content: `![[photo:${photo.id}]]`, tags: ["travel"] });
  const otherPost = await made(owner, "/blog", { title: "Ships", content: "x" });
  await made(owner, "/comments", { blogPostID: post.id, content: "Yes" });
  const reads: Record<string, string> = {
    "the list of photos": `${api}/photos`,
    "the photo": `${api}/photos/${photo.id}`,
    "the list of albums": `${api}/albums`,
    "the album": `${api}/albums/${album.id}`,
    "the album's photos": `${api}/albums/${album.id}/photos`,
    "the list of posts": `${api}/blog`,
    "the post": `${api}/blog/${post.id}`,
    "the comments": `${api}/comments?blogPostID=${post.id}`,
    "the list of files": `${api}/files`,
    "the file": `${api}/files/${files[0].id}`,
    "the home page": "/",
    photos: "/photos",
    "the photo's page": `/photos/${photo.id}`,
    albums: "/albums",
    "the album's page": `/albums/${album.id}-lisbon`,
    "the blog": "/blog",
    "the post's page": `/blog/${post.slug}`,
    "the feed": "/feed.xml",
    "the sitemap": "/sitemap.xml",
    "the person": "/people/owner",
  };
  const writes: Record<string, () => Promise<unknown>> = {
    "an upload": upload,
    "a photo": () => made(owner, "/photos", { title: "New", fileID: files[1].id }),
    "a post": () => made(owner, "/blog", { title: "New", content: "x" }),
    "a comment on another post": () => made(owner, "/comments", { blogPostID: otherPost.id, content: "x" }),
    "an album": () => made(owner, "/albums", { name: "New" }),
    "an account": () => person(server, `person${++count}`),
  };
  const ended: Record<string, string[]> = {};
  for (const [name, write] of Object.entries(writes)) {
    let found = await findEnded(write);
    // On a busy machine, something else may end a response meanwhile. What a write ends, it ends every time.
    for (let more = 0; more < 2 && found.length > endedBy[name]!.length; more++) {
      const again = await findEnded(write);
      found = found.filter((what) => again.includes(what));
    }
    ended[name] = found;
  }
  expect(ended).toEqual(endedBy);

  async function findEnded(write: () => Promise<unknown>): Promise<string[]> {
    for (let time = 0; time < 3; time++)
      for (const path of Object.values(reads)) expect([path, (await guest.get(path)).status]).toEqual([path, 200]);
    await write();
    const found: string[] = [];
    for (const [what, path] of Object.entries(reads)) {
      const before = await countHits(server);
      await guest.get(path);
      if ((await countHits(server)) === before) found.push(what);
    }
    return found;
  }
});
