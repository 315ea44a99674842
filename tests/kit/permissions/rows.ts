import { append, create, tus } from "../../../src/features/uploads/tus.test.ts";
import type { Answer, Client } from "../client.ts";
import { png } from "../files/png.ts";
import { password } from "../people.ts";
import { newsletterRows } from "./newsletter.ts";
import { peopleRows } from "./people.ts";
import { webhookRows } from "./webhooks.ts";
import { api, fresh, made, type People, removedBy, trashedPhoto } from "./records.ts";

export type Row = {
  /** Method and path, and what is special about the record. */
  route: string;
  expected: Expected;
  /** What a guest gets through a share link to the record; by default, what every guest gets. */
  link?: number;
  /** A record: one for all who are refused, and a new one for everybody else. `watch` lists what the admin can read of it, to check that it has not changed. */
  prepare?: (people: People) => Promise<any>;
  send: (who: Client, record: any) => Promise<Answer>;
};

export type Expected = [guest: number, reader: number, author: number, stranger: number, owner: number, admin: number];

export const all = (status: number): Expected => [status, status, status, status, status, status];
export const members = (status: number): Expected => [401, status, status, status, status, status];
const authors = (status: number): Expected => [401, 403, status, status, status, status];
export const ownerOnly = (status = 200): Expected => [401, 403, 403, 403, status, status];
/** Others must not learn that the record exists. */
export const hiddenFromOthers = (status = 200): Expected => [401, 404, 404, 404, status, status];
const adminOnly: Expected = [401, 403, 403, 403, 403, 200];

const restore: Row["send"] = (who, { id }) => who.post(`${api}/trash/${id}/restore`);
const destroy: Row["send"] = (who, { id }) => who.delete(`${api}/trash/${id}`);

/** A comment of the owner's that the author of the post has hidden. */
async function hidden(people: People) {
  const comment = await fresh.comment(people);
  await people.author.put(`${api}/comments/${comment.id}`, { status: "hidden" });
  return comment;
}

export const rows: Row[] = [
  {
    route: "POST /signup",
    expected: all(201),
    prepare: fresh.unusedName,
    send: (who, { name }) => who.post("/signup", { username: name, password }),
  },
  { route: "POST /signin", expected: all(200), send: (who) => who.post("/signin", { username: "owner", password }) },
  { route: "POST /session", expected: all(200), send: (who) => who.post("/session", { username: "owner", password }) },

  {
    route: "POST /photos",
    expected: authors(201),
    prepare: fresh.file,
    send: (who, { id }) => who.post(`${api}/photos`, { title: "New", fileID: id }),
  },
  ...reads("/photos", fresh.photo),
  ...changes("/photos", fresh.photo, { title: "Changed" }),
  {
    route: "POST /photos/batch",
    expected: authors(200),
    send: (who) => who.post(`${api}/photos/batch`, { ids: [99_999], set: { title: "Changed" } }),
  },
  {
    route: "POST /photos/many",
    expected: authors(200),
    send: (who) => who.post(`${api}/photos/many`, { photos: [{ title: "Many", fileID: 99_999 }] }),
  },
  {
    route: "POST /files/batch",
    expected: authors(200),
    send: (who) => who.post(`${api}/files/batch`, { ids: [99_999], visibility: "private" }),
  },
  { route: "GET /attention", expected: members(200), send: (who) => who.get(`${api}/attention`) },
  {
    route: "GET /files/:id/uses",
    expected: ownerOnly(),
    prepare: fresh.file,
    send: (who, { id }) => who.get(`${api}/files/${id}/uses`),
  },
  {
    route: "POST /files/known",
    expected: authors(200),
    send: (who) => who.post(`${api}/files/known`, { sha256: ["0".repeat(64)] }),
  },
  {
    route: "POST /files/known-sizes",
    expected: authors(200),
    send: (who) => who.post(`${api}/files/known-sizes`, { size: [48_213] }),
  },
  ...["blog", "albums"].map((kind): Row => ({
    route: `POST /${kind}/batch`,
    expected: authors(200),
    send: (who) => who.post(`${api}/${kind}/batch`, { ids: [99_999], visibility: "private" }),
  })),
  ...["restore", "delete"].map((action): Row => ({
    route: `POST /trash/${action}`,
    expected: members(200),
    send: (who) => who.post(`${api}/trash/${action}`, { records: [{ kind: "photo", id: 99_999 }] }),
  })),
  { route: "GET /photos/timeline", expected: all(200), send: (who) => who.get(`${api}/photos/timeline`) },
  { route: "GET /photos/map", expected: all(200), send: (who) => who.get(`${api}/photos/map`) },
  { route: "GET /photos/duplicates", expected: authors(200), send: (who) => who.get(`${api}/photos/duplicates`) },
  {
    route: "POST /photos/duplicates",
    expected: authors(404),
    send: (who) => who.post(`${api}/photos/duplicates`, { photoIDs: [99_998, 99_999], areDuplicates: false }),
  },
  { route: "GET /photos/on-this-day", expected: members(200), send: (who) => who.get(`${api}/photos/on-this-day`) },
  {
    route: "GET /photos/:id/image",
    expected: all(200),
    prepare: fresh.photo,
    send: (who, { id }) => who.get(`${api}/photos/${id}/image?w=320`),
  },
  {
    route: "GET /photos/:id/motion",
    expected: all(200),
    prepare: fresh.motionPhoto,
    send: (who, { id }) => who.get(`${api}/photos/${id}/motion`),
  },
  {
    route: "PUT /photos/:id/poster",
    expected: ownerOnly(),
    prepare: fresh.video,
    send: (who, { id }) => who.request("PUT", `${api}/photos/${id}/poster`, { body: png(2, 2) }),
  },
  {
    route: "DELETE /photos/:id/poster",
    expected: ownerOnly(),
    prepare: fresh.video,
    send: (who, { id }) => who.delete(`${api}/photos/${id}/poster`),
  },

  {
    route: "POST /photos/import",
    expected: authors(200),
    prepare: fresh.directory,
    send: (who, { name }) => who.post(`${api}/photos/import`, { path: name }),
  },
  {
    route: "GET /imports/:id",
    expected: hiddenFromOthers(),
    prepare: fresh.import,
    send: (who, { path }) => who.get(path),
  },
  {
    route: "GET /imports/:id/files",
    expected: hiddenFromOthers(),
    prepare: fresh.import,
    send: (who, { path }) => who.get(`${path}/files`),
  },
  {
    route: "POST /imports",
    expected: authors(201),
    prepare: fresh.archive,
    send: (who, { id, name }) => who.post(`${api}/imports`, { fileIDs: [id], to: `${name} of ${who.userID}` }),
  },
  { route: "GET /imports", expected: authors(200), send: (who) => who.get(`${api}/imports`) },
  {
    route: "GET /imports/:id/items",
    expected: hiddenFromOthers(),
    prepare: fresh.import,
    send: (who, { path }) => who.get(`${path}/items`),
  },
  {
    route: "POST /imports/:id/resume",
    expected: [401, 404, 404, 404, 403, 409],
    prepare: fresh.sourceImport,
    send: (who, { path }) => who.post(`${path}/resume`, { key: "key" }),
  },
  {
    route: "POST /imports/:id/undo",
    expected: hiddenFromOthers(),
    prepare: fresh.sourceImport,
    send: (who, { path }) => who.post(`${path}/undo`),
  },
  {
    route: "DELETE /imports/:id",
    expected: hiddenFromOthers(),
    prepare: fresh.import,
    send: (who, { path }) => who.delete(path),
  },

  {
    route: "POST /blog",
    expected: authors(201),
    send: (who) => who.post(`${api}/blog`, { title: "New", content: "…" }),
  },
  {
    route: "POST /blog/preview",
    expected: authors(200),
    send: (who) => who.post(`${api}/blog/preview`, { content: "…" }),
  },
  ...reads("/blog", fresh.post),
  ...changes("/blog", fresh.post, { title: "Changed" }),
  {
    route: "GET /blog/by-slug",
    expected: all(200),
    prepare: fresh.post,
    send: (who, { slug }) => who.get(`${api}/blog/by-slug?slug=${slug}`),
  },
  ...["", "/:number", "/:number/restore"].map((path): Row => ({
    route: `${path.endsWith("restore") ? "POST" : "GET"} /blog/:id/revisions${path}`,
    expected: ownerOnly(),
    prepare: fresh.post,
    send: (who, { id }) => {
      const revision = `${api}/blog/${id}/revisions${path.replace(":number", "1")}`;
      return path.endsWith("restore") ? who.post(revision) : who.get(revision);
    },
  })),

  ...hearts("/photos", fresh.photo),
  ...hearts("/blog", fresh.post),
  ...hearts("/albums", fresh.album),
  {
    route: "POST /comments",
    expected: members(201),
    prepare: fresh.post,
    send: (who, post) => who.post(`${api}/comments`, { content: "New", blogPostID: post.id }),
  },
  {
    route: "GET /comments",
    expected: all(200),
    prepare: fresh.comment,
    send: (who, comment) => who.get(`${api}/comments?blogPostID=${comment.blogPostID}`),
  },
  { route: "GET /comments/queue", expected: members(200), send: (who) => who.get(`${api}/comments/queue`) },
  {
    route: "GET /comments/:id",
    expected: all(200),
    prepare: fresh.comment,
    send: (who, { id }) => who.get(`${api}/comments/${id}`),
  },
  {
    route: "GET /comments/:id that is hidden, on a post of the author's",
    expected: [404, 404, 200, 404, 200, 200],
    prepare: hidden,
    send: (who, { id }) => who.get(`${api}/comments/${id}`),
  },
  {
    route: "PUT /comments/:id of the status, on a post of the author's",
    expected: [401, 403, 200, 403, 403, 200],
    prepare: fresh.comment,
    send: (who, { id }) => who.put(`${api}/comments/${id}`, { status: "hidden" }),
  },
  {
    route: "POST /comments/batch",
    expected: members(200),
    send: (who) => who.post(`${api}/comments/batch`, { ids: [999_999], status: "hidden" }),
  },
  {
    route: "PUT /comments/:id of the owner's, on a post of the author's",
    expected: ownerOnly(),
    prepare: fresh.comment,
    send: (who, { id }) => who.put(`${api}/comments/${id}`, { content: "Changed" }),
  },
  {
    route: "PUT /comments/:id of the author's, on a post of the owner's",
    expected: [401, 403, 200, 403, 403, 200],
    prepare: fresh.post,
    send: (who, { comment }) => who.put(`${api}/comments/${comment.id}`, { content: "Changed" }),
  },
  {
    route: "DELETE /comments/:id of the owner's, on a post of the author's",
    expected: [401, 403, 200, 403, 200, 200],
    prepare: fresh.comment,
    send: (who, { id }) => who.delete(`${api}/comments/${id}`),
  },
  {
    route: "DELETE /comments/:id of the author's, on a post of the owner's",
    expected: [401, 403, 200, 403, 200, 200],
    prepare: fresh.post,
    send: (who, { comment }) => who.delete(`${api}/comments/${comment.id}`),
  },
  {
    route: "DELETE /comments/:id of the reader's, on a post of the owner's",
    expected: [401, 200, 403, 403, 200, 200],
    prepare: async (people) => {
      const post = await fresh.post(people);
      const comment = await made(people.reader, "/comments", { content: "Mine", blogPostID: post.id });
      return { ...comment, watch: post.watch };
    },
    send: (who, { id }) => who.delete(`${api}/comments/${id}`),
  },

  { route: "POST /albums", expected: authors(201), send: (who) => who.post(`${api}/albums`, { name: "New" }) },
  {
    route: "GET /albums/matches",
    expected: authors(200),
    send: (who) => who.get(`${api}/albums/matches?filter=${encodeURIComponent('{"favourite":true}')}`),
  },
  ...reads("/albums", fresh.album),
  ...changes("/albums", fresh.album, { name: "Changed" }),
  {
    route: "GET /albums/:id/zip",
    expected: all(200),
    prepare: fresh.album,
    send: (who, { id }) => who.get(`${api}/albums/${id}/zip`),
  },
  {
    route: "GET /albums/:id/photos",
    expected: all(200),
    prepare: fresh.album,
    send: (who, { id }) => who.get(`${api}/albums/${id}/photos`),
  },
  {
    route: "POST /albums/:id/photos",
    expected: ownerOnly(),
    prepare: async (people) => ({ ...(await fresh.album(people)), photoID: (await fresh.photo(people)).id }),
    send: (who, { id, photoID }) => who.post(`${api}/albums/${id}/photos`, { photoID }),
  },
  {
    route: "PUT /albums/:id/photos",
    expected: ownerOnly(),
    prepare: fresh.album,
    send: (who, { id }) => who.put(`${api}/albums/${id}/photos`, { photoIDs: [] }),
  },
  {
    route: "POST /albums/:id/uploads",
    expected: ownerOnly(201),
    prepare: fresh.album,
    send(who, { id }) {
      const body = new FormData();
      body.set("file", new File([png(7, 3)], "sent.png"));
      return who.request("POST", `${api}/albums/${id}/uploads`, { body });
    },
  },
  {
    route: "POST /albums/:id/photos/move",
    expected: ownerOnly(),
    prepare: async (people) => {
      const album = await fresh.album(people);
      const { id: other } = await fresh.photo(people);
      await people.owner.post(`${api}/albums/${album.id}/photos`, { photoID: other });
      return { ...album, other };
    },
    send: (who, { id, photoID, other }) =>
      who.post(`${api}/albums/${id}/photos/move`, { photoIDs: [other], before: photoID }),
  },
  {
    route: "POST /albums/:id/move",
    expected: ownerOnly(),
    prepare: async (people) => ({ ...(await fresh.album(people)), other: (await fresh.album(people)).id }),
    send: (who, { id, other }) => who.post(`${api}/albums/${id}/move`, { before: other }),
  },
  {
    route: "DELETE /albums/:id/photos/:photoID of the author's, in an album of the owner's",
    expected: ownerOnly(),
    prepare: fresh.album,
    send: (who, { id, photoID }) => who.delete(`${api}/albums/${id}/photos/${photoID}`),
  },

  { route: "POST /files", expected: authors(201), send: (who) => who.upload("new.txt", "x") },
  {
    route: "POST /files into a directory of the owner's",
    expected: ownerOnly(201),
    prepare: fresh.directory,
    send: (who, { name }) => who.upload("new.txt", "x", { path: `/${name}` }),
  },
  { route: "GET /files", expected: all(200), send: (who) => who.get(`${api}/files`) },
  {
    route: "GET /files/dir/:path",
    expected: all(200),
    prepare: fresh.file,
    send: (who, { name }) => who.get(`${api}/files/dir/${name}`),
  },
  {
    route: "GET /files/:id",
    expected: all(200),
    prepare: fresh.file,
    send: (who, { id }) => who.get(`${api}/files/${id}`),
  },
  { route: "GET /files/:id/content", expected: all(200), prepare: fresh.file, send: (who, { url }) => who.get(url) },
  {
    route: "GET /files/:id/content of the original",
    expected: ownerOnly(),
    prepare: fresh.file,
    send: (who, { url }) => who.get(`${url}?original`),
  },
  {
    route: "GET /files/zip",
    expected: all(200),
    prepare: fresh.file,
    send: (who, { id }) => who.get(`${api}/files/zip?ids=${id}`),
  },
  {
    route: "GET /photos/zip",
    expected: all(200),
    prepare: fresh.photo,
    send: (who, { id }) => who.get(`${api}/photos/zip?ids=${id}`),
  },
  {
    route: "GET /files/:id/zip",
    expected: all(200),
    prepare: fresh.directory,
    send: (who, { id }) => who.get(`${api}/files/${id}/zip`),
  },
  ...changes("/files", fresh.file, { name: "changed.txt" }),
  ...changes("/files", fresh.directory, { name: "changed" }, " of a directory"),
  {
    route: "PUT /files/:id/content",
    expected: ownerOnly(),
    prepare: fresh.file,
    send: (who, { id }) => who.request("PUT", `${api}/files/${id}/content`, { body: "changed" }),
  },
  ...["", " into a directory of the author's"].flatMap((which): Row[] => {
    const prepare = async (people: People) => {
      const file = await fresh.file(people);
      const { name } = await made(which ? people.author : people.owner, "/directories", { name: crypto.randomUUID() });
      return { ...file, destination: `/${name}`, watch: [...file.watch, `${api}/files?path=${name}`] };
    };
    const send =
      (verb: string) =>
      (who: Client, { id, destination }: any) =>
        who.post(`${api}/files/${id}/${verb}`, { path: destination });
    const expected = (status: number) => (which ? [...adminOnly.slice(0, 5), status] : ownerOnly(status)) as Expected;
    return [
      { route: `POST /files/:id/move${which}`, expected: expected(200), prepare, send: send("move") },
      { route: `POST /files/:id/copy${which}`, expected: expected(201), prepare, send: send("copy") },
    ];
  }),
  {
    route: "POST /directories",
    expected: authors(201),
    prepare: fresh.unusedName,
    send: (who, { name }) => who.post(`${api}/directories`, { name }),
  },
  {
    route: "POST /directories in a directory of the owner's",
    expected: ownerOnly(201),
    prepare: fresh.directory,
    send: (who, { name }) => who.post(`${api}/directories`, { name: "new", path: name }),
  },

  {
    route: "GET /files/:id/versions",
    expected: ownerOnly(),
    prepare: fresh.file,
    send: (who, { id }) => who.get(`${api}/files/${id}/versions`),
  },
  {
    route: "GET /files/:id/versions/:versionID/content",
    expected: ownerOnly(),
    prepare: fresh.version,
    send: (who, { path }) => who.get(`${path}/content`),
  },
  {
    route: "POST /files/:id/versions/:versionID/restore",
    expected: ownerOnly(),
    prepare: fresh.version,
    send: (who, { path }) => who.post(`${path}/restore`),
  },
  {
    route: "DELETE /files/:id/versions/:versionID",
    expected: ownerOnly(),
    prepare: fresh.version,
    send: (who, { path }) => who.delete(path),
  },

  {
    route: "POST /uploads",
    expected: authors(201),
    send: (who) => create(who, 10, { filename: `${crypto.randomUUID()}.txt` }),
  },
  { route: "GET /uploads", expected: authors(200), send: (who) => who.get(`${api}/uploads`) },
  {
    route: "GET /uploads/:id",
    expected: hiddenFromOthers(),
    prepare: fresh.upload,
    send: (who, { path }) => who.get(path, tus),
  },
  {
    route: "PATCH /uploads/:id",
    expected: hiddenFromOthers(204),
    prepare: fresh.upload,
    send: (who, { path }) => append(who, path, 0, "part"),
  },
  {
    route: "DELETE /uploads/:id",
    expected: hiddenFromOthers(204),
    prepare: fresh.upload,
    send: (who, { path }) => who.request("DELETE", path, { headers: tus }),
  },

  { route: "GET /backups", expected: adminOnly, send: (who) => who.get(`${api}/backups`) },
  // BACKUP_TO is not set.
  { route: "POST /backups", expected: [401, 403, 403, 403, 403, 409], send: (who) => who.post(`${api}/backups`, {}) },
  {
    route: "GET /backups/contents",
    expected: [401, 403, 403, 403, 403, 409],
    send: (who) => who.get(`${api}/backups/contents`),
  },
  {
    route: "POST /backups/restore",
    expected: [401, 403, 403, 403, 403, 409],
    send: (who) => who.post(`${api}/backups/restore`, { kind: "photo", id: 1 }),
  },
  { route: "GET /settings", expected: adminOnly, send: (who) => who.get(`${api}/settings`) },
  { route: "DELETE /samples", expected: adminOnly, send: (who) => who.delete(`${api}/samples`) },
  { route: "PUT /settings", expected: adminOnly, send: (who) => who.put(`${api}/settings`, { tagline: "Changed" }) },
  { route: "GET /trash", expected: members(200), send: (who) => who.get(`${api}/trash`) },
  {
    route: "GET /trash/:id/image",
    expected: [401, 404, 404, 404, 200, 404],
    prepare: trashedPhoto,
    send: (who, { id }) => who.get(`${api}/trash/${id}/image`),
  },
  {
    route: "POST /trash/:id/restore of what its owner deleted",
    expected: hiddenFromOthers(),
    prepare: removedBy("owner"),
    send: restore,
  },
  {
    route: "POST /trash/:id/restore of what the author removed",
    expected: [401, 404, 200, 404, 403, 200],
    prepare: removedBy("author"),
    send: restore,
  },
  {
    route: "POST /trash/:id/restore of what an admin removed",
    expected: [401, 404, 404, 404, 403, 200],
    prepare: removedBy("admin"),
    send: restore,
  },
  {
    route: "DELETE /trash/:id that its owner deleted",
    expected: hiddenFromOthers(),
    prepare: removedBy("owner"),
    send: destroy,
  },
  {
    route: "DELETE /trash/:id that the author removed",
    expected: [401, 404, 403, 404, 403, 200],
    prepare: removedBy("author"),
    send: destroy,
  },
  {
    route: "DELETE /trash/:id that an admin removed",
    expected: [401, 404, 404, 404, 403, 200],
    prepare: removedBy("admin"),
    send: destroy,
  },
  {
    // The site takes none: features/openweb/openweb.test.ts switches them on.
    route: "POST /webmention",
    expected: all(403),
    send: (who) => who.post("/webmention", { source: "https://elsewhere.example/", target: who.url("/blog/post") }),
  },
  { route: "GET /mail", expected: adminOnly, send: (who) => who.get(`${api}/mail`) },
  // The servers of these tests send no mail.
  {
    route: "POST /mail/test",
    expected: [401, 403, 403, 403, 403, 409],
    send: (who) => who.post(`${api}/mail/test`, { to: "ada@example.org" }),
  },
  ...newsletterRows,
  ...webhookRows,
  ...peopleRows,
  { route: "GET /activity", expected: members(200), send: (who) => who.get(`${api}/activity`) },
];

function reads(path: string, prepare: (people: People) => Promise<any>): Row[] {
  return [
    { route: `GET ${path}`, expected: all(200), send: (who) => who.get(api + path) },
    { route: `GET ${path}/:id`, expected: all(200), prepare, send: (who, { id }) => who.get(`${api}${path}/${id}`) },
  ];
}

function changes(path: string, prepare: (people: People) => Promise<any>, body: object, which = ""): Row[] {
  return [
    {
      route: `PUT ${path}/:id${which}`,
      expected: ownerOnly(),
      prepare,
      async send(who, { id }) {
        const answer = await who.put(`${api}${path}/${id}`, body);
        // The name that one of them sets must be free for the next one.
        if (path === "/files" && answer.status === 200) await who.delete(`${api}/files/${id}`);
        return answer;
      },
    },
    {
      route: `DELETE ${path}/:id${which}`,
      expected: ownerOnly(),
      prepare,
      send: (who, { id }) => who.delete(`${api}${path}/${id}`),
    },
  ];
}

/** The site has none: features/hearts/hearts.test.ts switches them on. */
function hearts(path: string, prepare: Row["prepare"]): Row[] {
  const methods = [
    ["GET", all(200)],
    ["PUT", all(403)],
    ["DELETE", all(403)],
  ] as const;
  return methods.map(([method, expected]) => ({
    route: `${method} ${path}/:id/heart`,
    expected,
    ...(prepare && { prepare }),
    send: (who, { id }) => who.request(method, `${api}${path}/${id}/heart`, {}),
  }));
}
