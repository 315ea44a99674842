import { type Answer, type Client, client, uncached } from "../kit/client.ts";
import { png } from "../kit/files/png.ts";
import { password, person } from "../kit/people.ts";

export type Site = {
  owner: Client;
  guest: Client;
  posts: number[];
  photos: number[];
  files: number[];
  album: number;
  token: string;
};

/** A site with posts, photos with files, an album of photos, and a link to it. */
export async function fill(url: string): Promise<Site> {
  const owner = await person({ url }, "owner");
  const { id: album } = await expectStatus(owner.post(`${api}/albums`, { name: "Harbour" }), 201);
  const { token } = await expectStatus(owner.post(`${api}/shares`, { kind: "album", id: album }), 201);
  const site: Site = { owner, guest: client({ url }), posts: [], photos: [], files: [], album, token };
  for (let number = 0; number < 100; number++) {
    await operations.writePost(site);
    await operations.uploadPhoto(site);
  }
  return site;
}

const api = "/api/v1";
const pages = ["/", "/blog", "/photos", "/albums", "/people/owner", "/tags/sea", "/search?q=harbour", "/signin"];
const forPrograms = ["/feed.xml", "/feed.json", "/sitemap.xml", "/site.webmanifest", "/robots.txt", "/llms.txt"];
const own = ["photos?owner=me", "trash", "activity", "storage", "attention", "shares", "me/sessions", "uploads"];

/** What people and programs do on a site, mostly reading. Each returns when the server has done it, or throws. */
export const operations = {
  list: ({ guest }: Site) => expectStatus(guest.get(`${api}/photos?page=${below(3) + 1}`), 200),
  trueMiss: ({ guest }: Site) => expectStatus(guest.get(`${api}/blog`, uncached), 200),
  read: ({ guest, posts }: Site) => expectStatus(guest.get(`${api}/blog/${anyOf(posts)}`), 200),
  thread: ({ guest, posts }: Site) => expectStatus(guest.get(`${api}/comments?blogPostID=${anyOf(posts)}`), 200),
  timeline: ({ guest }: Site) => expectStatus(guest.get(`${api}/photos/timeline`), 200),
  album: ({ guest, album }: Site) => expectStatus(guest.get(`${api}/albums/${album}`), 200),
  download: ({ guest, files }: Site) => expectStatus(guest.get(`${api}/files/${anyOf(files)}/content`), 200),
  range: ({ guest, files }: Site) =>
    expectStatus(guest.get(`${api}/files/${anyOf(files)}/content`, { Range: "bytes=10-49" }), 206),
  image: ({ guest, photos }: Site) => expectStatus(guest.get(`${api}/photos/${anyOf(photos)}/image?w=320`), 200),
  search: ({ guest }: Site) => expectStatus(guest.get(`${api}/search?q=harbour`), 200),
  page: ({ guest }: Site) => expectStatus(guest.get(oneOf(pages)), 200),
  photoPage: ({ guest, photos }: Site) => expectStatus(guest.get(`/photos/${anyOf(photos)}`), 200),
  ownPage: ({ owner }: Site) => expectStatus(owner.get(oneOf(pages)), 200),
  forPrograms: ({ guest }: Site) => expectStatus(guest.get(oneOf(forPrograms)), 200),
  asset: ({ guest }: Site) => expectStatus(guest.get("/studio/worker.js"), 200),
  shared: ({ guest, token }: Site) => expectStatus(guest.get(`${api}/shared`, { "X-Share-Token": token }), 200),
  mine: ({ owner }: Site) => expectStatus(owner.get(`${api}/${oneOf(own)}`), 200),
  events: ({ owner }: Site) => expectStatus(owner.get(`${api}/events`), 200),
  archive: ({ guest, photos }: Site) =>
    expectStatus(guest.get(`${api}/photos/zip?ids=${anyOf(photos)},${anyOf(photos)}`), 200),
  refused: ({ guest }: Site) => expectStatus(guest.post(`${api}/blog`, { title: "No" }), 401),
  invalid: ({ owner }: Site) => expectStatus(owner.post(`${api}/blog`, { title: 5, surplus: [] }), 400),
  missing: ({ guest }: Site) => expectStatus(guest.get(`${api}/photos/999999999`), 404),
  missingPage: ({ guest }: Site) => expectStatus(guest.get("/nothing"), 404),
  signIn: ({ guest }: Site) => expectStatus(guest.post("/signin", { username: "owner", password }), 200),
  preview: ({ owner }: Site) => expectStatus(owner.post(`${api}/blog/preview`, { content: "A **walk**." }), 200),
  async unchanged({ guest, posts }: Site) {
    const path = `${api}/blog/${anyOf(posts)}`;
    const { headers } = await guest.get(path);
    const { status } = await guest.get(path, { "If-None-Match": headers.get("etag") ?? "" });
    // It may have been changed in the meantime.
    if (status !== 304 && status !== 200) throw new Error(`The status was ${status} instead of 304.`);
  },
  async comment({ owner, posts }: Site) {
    await expectStatus(owner.post(`${api}/comments`, { blogPostID: anyOf(posts), content: "By the water." }), 201);
  },
  async writePost(site: Site) {
    const content = "We walked down to the **harbour**. ".repeat(20);
    const { id } = await expectStatus(site.owner.post(`${api}/blog`, { title: "A walk", content }), 201);
    site.posts.push(id as number);
    const oldest = site.posts.length > 200 ? site.posts.shift() : undefined;
    if (oldest) await expectStatus(site.owner.delete(`${api}/blog/${oldest}`), 200);
  },
  async editPost({ owner, posts }: Site) {
    await expectStatus(owner.put(`${api}/blog/${anyOf(posts)}`, { content: `Low tide at ${below(24)}.` }), 200);
  },
  async editPhoto({ owner, photos }: Site) {
    await expectStatus(owner.put(`${api}/photos/${anyOf(photos)}`, { title: `Harbour ${below(100)}` }), 200);
  },
  async tagPhotos({ owner, photos }: Site) {
    const ids = [...new Set([anyOf(photos), anyOf(photos)])];
    const change = { ids, addTags: ["Sea"], removeTags: ["Sky"] };
    await expectStatus(owner.post(`${api}/photos/batch`, change), 200);
  },
  async fillAlbum({ owner, photos, album }: Site) {
    await expectStatus(owner.put(`${api}/albums/${album}/photos`, { photoIDs: photos.slice(30, 50) }), 200);
  },
  async replaceContent({ owner, files }: Site) {
    await expectStatus(owner.request("PUT", `${api}/files/${anyOf(files)}/content`, { body: picture() }), 200);
  },
  async uploadInParts({ owner }: Site) {
    const bytes = picture();
    const headers = { "Tus-Resumable": "1.0.0", "Upload-Length": String(bytes.length) };
    const name = { "Upload-Metadata": `filename ${btoa("parts.png")}` };
    const { id } = await expectStatus(owner.post(`${api}/uploads`, undefined, { ...headers, ...name }), 201);
    for (const [offset, end] of [
      [0, 10_000],
      [10_000, bytes.length],
    ] as const) {
      const part = { "Content-Type": "application/offset+octet-stream", "Upload-Offset": String(offset) };
      const body = bytes.subarray(offset, end);
      await expectStatus(
        owner.request("PATCH", `${api}/uploads/${id}`, { headers: { ...headers, ...part }, body }),
        204,
      );
    }
    const { file } = await expectStatus(owner.get(`${api}/uploads/${id}`), 200);
    await expectStatus(owner.delete(`${api}/files/${file.id}`), 200);
  },
  async uploadPhoto(site: Site) {
    const file = await expectStatus(site.owner.upload("photo.png", picture()), 201);
    const photo = await expectStatus(
      site.owner.post(`${api}/photos`, { title: "Harbour", fileID: file.id, tags }),
      201,
    );
    site.files.push(file.id as number);
    site.photos.push(photo.id as number);
    const [oldFile, oldPhoto] = site.files.length > 200 ? [site.files.shift(), site.photos.shift()] : [];
    if (!oldFile) return;
    await expectStatus(site.owner.delete(`${api}/photos/${oldPhoto}`), 200);
    await expectStatus(site.owner.delete(`${api}/files/${oldFile}`), 200);
  },
  emptyTrash: ({ owner }: Site) => expectStatus(owner.delete(`${api}/trash`), 200),
};

/** How often each is done, in relation to the others. */
const shares: Record<keyof typeof operations, number> = {
  list: 25,
  trueMiss: 10,
  read: 20,
  thread: 3,
  timeline: 3,
  album: 4,
  download: 8,
  range: 2,
  image: 8,
  search: 3,
  page: 8,
  photoPage: 4,
  ownPage: 2,
  forPrograms: 2,
  asset: 2,
  shared: 2,
  mine: 6,
  events: 0.5,
  archive: 0.5,
  refused: 2,
  invalid: 1,
  missing: 2,
  missingPage: 1,
  signIn: 0.1,
  preview: 1,
  unchanged: 3,
  comment: 3,
  writePost: 2,
  editPost: 2,
  editPhoto: 2,
  tagPhotos: 1,
  fillAlbum: 0.3,
  replaceContent: 0.5,
  uploadInParts: 0.5,
  uploadPhoto: 2,
  emptyTrash: 0.05,
};

const names = Object.keys(operations) as (keyof typeof operations)[];
const allShares = names.reduce((sum, name) => sum + shares[name], 0);

/** One of the operations, by its share. */
export function choose(): (site: Site) => Promise<unknown> {
  let point = Math.random() * allShares;
  return operations[names.find((name) => (point -= shares[name]) < 0) ?? "list"];
}

async function expectStatus(answering: Promise<Answer>, expected: number): Promise<any> {
  const { status, body } = await answering;
  if (status !== expected) throw new Error(`The status was ${status} instead of ${expected}: ${JSON.stringify(body)}`);
  return body;
}

const tags = ["Sea"];
const picture = () => Buffer.concat([png(64, 48), crypto.getRandomValues(new Uint8Array(20_000))]);
const below = (limit: number) => Math.floor(Math.random() * limit);
const oneOf = <Item>(items: Item[]) => items[below(items.length)] as Item;
/** Not one of the oldest, which are deleted next. */
const anyOf = (ids: number[]) => ids[below(ids.length - 20) + 20];
