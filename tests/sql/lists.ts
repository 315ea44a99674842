import type { Module } from "../../src/module.ts";
import { client } from "../kit/client.ts";
import { png } from "../kit/files/png.ts";
import { createPeople } from "../kit/people.ts";
import { startServer, type TestServer } from "../kit/server.ts";

const api = "/api/v1";

export type People = Awaited<ReturnType<typeof createPeople>>;

/** Requests for every kind of list. `:name` is the id of a record of the owner's. */
export const lists: Record<string, [who: keyof People, path: string][]> = {
  photos: [
    ["guest", "/photos"],
    ["guest", "/photos?page=2&pageSize=1"],
    ["guest", "/photos?cursor="],
    ["guest", "/photos?sort=takenAt&cursor="],
    ["guest", "/photos?from=2020-01-01&to=2021-01-01"],
    ["guest", "/photos?tag=sea"],
    ["guest", "/photos?tag=sea&camera=X"],
    ["guest", "/photos?albumID=:album"],
    ["guest", "/photos?kind=image&order=asc"],
    ["guest", "/photos?owner=:user"],
    ["owner", "/photos?owner=me"],
    ["owner", "/photos?owner=me&tag=sea"],
    ["owner", "/photos?favourite=true"],
    ["owner", "/photos?owner=me&inAlbum=false"],
    ["owner", "/photos?owner=me&untitled=true"],
    ["admin", "/photos?visibility=all"],
    ["guest", "/photos?bbox=-10,38,-8,39"],
    ["owner", "/photos?owner=me&bbox=-10,38,-8,39&tag=sea"],
    ["guest", "/photos/map?bbox=170,-50,-170,50&zoom=4"],
    ["owner", "/photos/map?owner=me"],
    ["guest", "/photos/timeline"],
    ["owner", "/photos/timeline?owner=me"],
    ["owner", "/photos/on-this-day?day=2026-06-12"],
  ],
  blog: [
    ["guest", "/blog"],
    ["guest", "/blog?cursor="],
    ["guest", "/blog?sort=createdAt&cursor="],
    ["guest", "/blog?tag=sea"],
    ["guest", "/blog?owner=:user"],
    ["guest", "/blog?kind=page"],
    ["admin", "/blog?kind=page&visibility=all&sort=publishedAt"],
    ["owner", "/blog?owner=me&sort=publishedAt"],
    ["owner", "/blog?owner=me&status=draft"],
    ["admin", "/blog?visibility=all"],
    ["owner", "/blog/:post/revisions"],
  ],
  albums: [
    ["guest", "/albums"],
    ["guest", "/albums?cursor="],
    ["owner", "/albums?owner=me"],
    ["guest", "/albums?sort=position&parentID=none"],
    ["owner", "/albums?owner=me&sort=position"],
    ["guest", "/albums/:album"],
    ["guest", "/albums/:album/photos?cursor="],
    ["owner", "/albums/:album/photos?cursor="],
    ["guest", "/albums/:album/albums"],
  ],
  comments: [
    ["guest", "/comments?blogPostID=:post"],
    ["guest", "/comments?blogPostID=:post&cursor="],
    ["guest", "/comments?photoID=:photo"],
    ["guest", "/comments?albumID=:album&cursor="],
    ["owner", "/comments/queue"],
    ["admin", "/comments/queue"],
  ],
  files: [
    ["guest", "/files"],
    ["guest", "/files?path=/a&cursor="],
    ["owner", "/files?path=/a"],
    ["guest", "/files/:directory/entries"],
    ["owner", "/files/:file/versions"],
    ["owner", "/files/:file/uses"],
  ],
  own: [
    ["owner", "/trash"],
    ["owner", "/trash?cursor="],
    ["owner", "/activity"],
    ["admin", "/activity"],
    ["owner", "/shares"],
    ["owner", "/uploads"],
    ["owner", "/me/sessions"],
    ["owner", "/keys"],
    ["owner", "/account/passkeys"],
    ["admin", "/invitations"],
    ["admin", "/webhooks"],
    ["admin", "/redirects"],
    ["admin", "/redirects?q=old"],
  ],
};

const filters =
  "owner=me visibility=all tag=sea favourite=true from=2020-01-01 to=2021-01-01 dated=false camera=X albumID=:album inAlbum=false kind=image bbox=-10,38,-8,39";
/** More of them, on a site that also has the records of `fillLargeSite`. */
export const furtherLists: typeof lists = {
  photos: [
    ...filters.split(" ").map((filter): (typeof lists)[string][number] => ["admin", `/photos/timeline?${filter}`]),
    ["owner", "/photos/timeline?owner=me&untitled=true"],
    ["owner", "/photos"],
    ["admin", "/photos"],
    ["owner", "/photos?camera=X"],
    ["owner", "/photos?kind=video"],
    ["admin", "/photos?visibility=all&owner=:user"],
    ["guest", "/photos?dated=false"],
    ["owner", "/photos/duplicates"],
    ["owner", "/photos/:photo"],
  ],
  blog: [
    ["owner", "/blog"],
    ["admin", "/blog"],
    ["admin", "/blog?tag=sea&owner=me"],
    ["admin", "/blog?tag=sea&visibility=all"],
    ["admin", "/blog?status=draft"],
    ["admin", "/blog?status=draft&visibility=all"],
    ["admin", "/blog?status=draft&owner=:user&visibility=all"],
    ["admin", "/blog?status=published"],
    ["admin", "/blog?status=published&visibility=all"],
  ],
  albums: [
    ["owner", "/albums"],
    ["admin", "/albums"],
    ["admin", "/albums?visibility=all"],
    ["owner", "/albums/:album"],
    ["stranger", "/albums/:album"],
    ["admin", "/albums/:album"],
    ["stranger", "/albums/:album/photos?cursor="],
    ["admin", "/albums/:album/photos?cursor="],
  ],
  comments: [
    ["owner", "/comments?blogPostID=:post&status=visible"],
    ["admin", "/comments/queue?status=hidden"],
  ],
  files: [
    ["guest", "/files/dir/a"],
    ["owner", "/shares/:share/uploads"],
  ],
  own: [
    ["admin", "/activity?kind=photo"],
    ["admin", "/activity?recordID=:photo"],
    ["admin", "/activity?actor=:user&from=2020-01-01T00:00:00Z&to=2030-01-01T00:00:00Z"],
    ["owner", "/shares?kind=album&id=:album"],
    ["admin", "/shares?owner=:user"],
    ["admin", "/users"],
    ["admin", "/users?q=u"],
    ["owner", "/attention"],
    ["admin", "/attention"],
    ["owner", "/imports"],
    ["owner", "/imports?origin=elsewhere"],
    ["owner", "/imports/:import/items"],
    ["owner", "/imports/:import/items?kind=post&outcome=added"],
    ["owner", "/imports/:import/files"],
    ["owner", "/imports/:import/files?outcome=refused"],
    ["admin", "/newsletter/subscribers"],
    ["admin", "/newsletter/subscribers?state=confirmed"],
    ["admin", "/newsletter/subscribers?q=a"],
    ["admin", "/newsletter/posts"],
    ["admin", "/webhooks/:webhook/deliveries"],
  ],
  search: [
    ["guest", "/search?q=sea"],
    ["owner", "/search?q=sea&kind=photo&limit=5"],
  ],
};

export type Site = {
  server: TestServer;
  people: People;
  /** What `:name` in a path stands for. */
  ids: Record<string, number>;
  read(who: keyof People, path: string): Promise<void>;
};

/** A server with a record of each kind, after those that `fill` adds. */
export async function createSite(
  env: Record<string, string> = {},
  fill?: (server: TestServer) => Promise<void>,
  modules?: readonly Module[],
): Promise<Site> {
  const server = await startServer(env, modules);
  const people = await createPeople(server);
  await fill?.(server);
  const { owner } = people;
  const ids: Record<string, number> = { user: owner.userID, ...(await createRecords(people)) };
  return {
    server,
    people,
    ids,
    async read(who, path) {
      const filled = path.replaceAll(/:([a-z]+)/g, (_, name: string) => String(ids[name]));
      // With a token that is not valid, a guest's request is not answered from memory.
      const sender = who === "guest" ? client(server, "none") : people[who];
      const { status } = await sender.get(api + filled);
      if (status !== 200) throw new Error(`${path} returned ${status}.`);
    },
  };
}

async function createRecords({ owner, admin }: People): Promise<Record<string, number>> {
  const made = async (path: string, body: object) => (await owner.post(api + path, body)).body.id as number;
  const { body: file } = await owner.upload("a.png", png(2, 2), { path: "/a" });
  const photos: number[] = [];
  for (const title of ["One", "Two", "Three"]) {
    const place = { latitude: 38.7, longitude: -9.1 };
    const fields = { tags: ["sea"], takenAt: "2020-06-12T12:00:00Z", place, showLocation: true };
    photos.push(await made("/photos", { title, fileID: file.id, ...fields }));
  }
  const album = await made("/albums", { name: "Album" });
  const post = await made("/blog", { title: "Post", content: "Text", coverID: photos[0], tags: ["sea"] });
  const paths = ["/blog/post", `/photos/${photos[0]}`, `/albums/${album}`, `${api}/files/${file.id}/content`];
  // Two to each, so that a statement for each of them would be seen.
  for (const [index, to] of [...paths, ...paths].entries())
    await admin.post(`${api}/redirects`, { from: `/old/${index}`, to });
  for (const photoID of photos) await owner.post(`${api}/albums/${album}/photos`, { photoID });
  for (const name of ["Below", "Also below"]) await made("/albums", { name, parentID: album });
  await made("/blog", { title: "Draft", content: "Text", publishedAt: null });
  await owner.put(`${api}/blog/${post}`, { title: "Changed" });
  const comment = await made("/comments", { content: "Comment", blogPostID: post });
  await made("/shares", { kind: "album", id: album });
  await owner.request("PUT", `${api}/files/${file.id}/content`, { body: "another content" });
  await owner.delete(`${api}/photos/${await made("/photos", { title: "Gone", fileID: file.id })}`).catch(() => {});
  const directory = (await owner.get(`${api}/files`)).body[0].id as number;
  return { file: file.id, photo: photos[0] ?? 0, album, post, comment, directory };
}
