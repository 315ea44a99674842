import { append, create, tus } from "../../../src/features/uploads/tus.test.ts";
import type { Client } from "../client.ts";
import { png } from "../files/png.ts";
import { password } from "../people.ts";
import { newsletterRows } from "./newsletter.ts";
import { peopleRows } from "./people.ts";
import { webhookRows } from "./webhooks.ts";
import { adminOnly, all, authors, type Expected, hiddenFromOthers, members, ownerOnly, row, type Row } from "./row.ts";
import { api, fresh, made, type People, removedBy, trashedPhoto } from "./records.ts";

const restore: Row["send"] = (who, { id }) => who.post(`${api}/trash/${id}/restore`);
const destroy: Row["send"] = (who, { id }) => who.delete(`${api}/trash/${id}`);

/** A comment of the owner's that the author of the post has hidden. */
async function hidden(people: People) {
  const comment = await fresh.comment(people);
  await people.author.put(`${api}/comments/${comment.id}`, { status: "hidden" });
  return comment;
}

export const rows: Row[] = [
  row("POST /signup", all(201), fresh.unusedName, (who, { name }) => who.post("/signup", { username: name, password })),
  row("POST /signin", all(200), null, (who) => who.post("/signin", { username: "owner", password })),
  row("POST /session", all(200), null, (who) => who.post("/session", { username: "owner", password })),

  row("POST /photos", authors(201), fresh.file, (who, { id }) =>
    who.post(`${api}/photos`, { title: "New", fileID: id }),
  ),
  ...reads("/photos", fresh.photo),
  ...changes("/photos", fresh.photo, { title: "Changed" }),
  row("POST /photos/batch", authors(200), null, (who) =>
    who.post(`${api}/photos/batch`, { ids: [99_999], set: { title: "Changed" } }),
  ),
  row("POST /photos/many", authors(200), null, (who) =>
    who.post(`${api}/photos/many`, { photos: [{ title: "Many", fileID: 99_999 }] }),
  ),
  row("POST /files/batch", authors(200), null, (who) =>
    who.post(`${api}/files/batch`, { ids: [99_999], visibility: "private" }),
  ),
  row("GET /attention", members(200), null, (who) => who.get(`${api}/attention`)),
  row("GET /files/:id/uses", ownerOnly(), fresh.file, (who, { id }) => who.get(`${api}/files/${id}/uses`)),
  row("POST /files/known", authors(200), null, (who) => who.post(`${api}/files/known`, { sha256: ["0".repeat(64)] })),
  row("POST /files/known-sizes", authors(200), null, (who) => who.post(`${api}/files/known-sizes`, { size: [48_213] })),
  ...["blog", "albums"].map((kind): Row =>
    row(`POST /${kind}/batch`, authors(200), null, (who) =>
      who.post(`${api}/${kind}/batch`, { ids: [99_999], visibility: "private" }),
    ),
  ),
  ...["restore", "delete"].map((action): Row =>
    row(`POST /trash/${action}`, members(200), null, (who) =>
      who.post(`${api}/trash/${action}`, { records: [{ kind: "photo", id: 99_999 }] }),
    ),
  ),
  row("GET /photos/timeline", all(200), null, (who) => who.get(`${api}/photos/timeline`)),
  row("GET /photos/map", all(200), null, (who) => who.get(`${api}/photos/map`)),
  row("GET /photos/duplicates", authors(200), null, (who) => who.get(`${api}/photos/duplicates`)),
  row("POST /photos/duplicates", authors(404), null, (who) =>
    who.post(`${api}/photos/duplicates`, { photoIDs: [99_998, 99_999], areDuplicates: false }),
  ),
  row("GET /photos/on-this-day", members(200), null, (who) => who.get(`${api}/photos/on-this-day`)),
  row("GET /photos/:id/image", all(200), fresh.photo, (who, { id }) => who.get(`${api}/photos/${id}/image?w=320`)),
  row("GET /photos/:id/motion", all(200), fresh.motionPhoto, (who, { id }) => who.get(`${api}/photos/${id}/motion`)),
  row("PUT /photos/:id/poster", ownerOnly(), fresh.video, (who, { id }) =>
    who.request("PUT", `${api}/photos/${id}/poster`, { body: png(2, 2) }),
  ),
  row("DELETE /photos/:id/poster", ownerOnly(), fresh.video, (who, { id }) => who.delete(`${api}/photos/${id}/poster`)),

  row("POST /photos/import", authors(200), fresh.directory, (who, { name }) =>
    who.post(`${api}/photos/import`, { path: name }),
  ),
  row("GET /imports/:id", hiddenFromOthers(), fresh.import, (who, { path }) => who.get(path)),
  row("GET /imports/:id/files", hiddenFromOthers(), fresh.import, (who, { path }) => who.get(`${path}/files`)),
  row("POST /imports", authors(201), fresh.archive, (who, { id, name }) =>
    who.post(`${api}/imports`, { fileIDs: [id], to: `${name} of ${who.userID}` }),
  ),
  row("GET /imports", authors(200), null, (who) => who.get(`${api}/imports`)),
  row("GET /imports/:id/items", hiddenFromOthers(), fresh.import, (who, { path }) => who.get(`${path}/items`)),
  row("POST /imports/:id/resume", [401, 404, 404, 404, 403, 409], fresh.sourceImport, (who, { path }) =>
    who.post(`${path}/resume`, { key: "key" }),
  ),
  row("POST /imports/:id/undo", hiddenFromOthers(), fresh.sourceImport, (who, { path }) => who.post(`${path}/undo`)),
  row("DELETE /imports/:id", hiddenFromOthers(), fresh.import, (who, { path }) => who.delete(path)),

  row("POST /blog", authors(201), null, (who) => who.post(`${api}/blog`, { title: "New", content: "…" })),
  row("POST /blog/preview", authors(200), null, (who) => who.post(`${api}/blog/preview`, { content: "…" })),
  ...reads("/blog", fresh.post),
  ...changes("/blog", fresh.post, { title: "Changed" }),
  row("GET /blog/by-slug", all(200), fresh.post, (who, { slug }) => who.get(`${api}/blog/by-slug?slug=${slug}`)),
  ...["", "/:number", "/:number/restore"].map((path): Row =>
    row(
      `${path.endsWith("restore") ? "POST" : "GET"} /blog/:id/revisions${path}`,
      ownerOnly(),
      fresh.post,
      (who, { id }) => {
        const revision = `${api}/blog/${id}/revisions${path.replace(":number", "1")}`;
        return path.endsWith("restore") ? who.post(revision) : who.get(revision);
      },
    ),
  ),

  ...hearts("/photos", fresh.photo),
  ...hearts("/blog", fresh.post),
  ...hearts("/albums", fresh.album),
  row("POST /comments", members(201), fresh.post, (who, post) =>
    who.post(`${api}/comments`, { content: "New", blogPostID: post.id }),
  ),
  row("GET /comments", all(200), fresh.comment, (who, comment) =>
    who.get(`${api}/comments?blogPostID=${comment.blogPostID}`),
  ),
  row("GET /comments/queue", members(200), null, (who) => who.get(`${api}/comments/queue`)),
  row("GET /comments/:id", all(200), fresh.comment, (who, { id }) => who.get(`${api}/comments/${id}`)),
  row(
    "GET /comments/:id that is hidden, on a post of the author's",
    [404, 404, 200, 404, 200, 200],
    hidden,
    (who, { id }) => who.get(`${api}/comments/${id}`),
  ),
  row(
    "PUT /comments/:id of the status, on a post of the author's",
    [401, 403, 200, 403, 403, 200],
    fresh.comment,
    (who, { id }) => who.put(`${api}/comments/${id}`, { status: "hidden" }),
  ),
  row("POST /comments/batch", members(200), null, (who) =>
    who.post(`${api}/comments/batch`, { ids: [999_999], status: "hidden" }),
  ),
  row("PUT /comments/:id of the owner's, on a post of the author's", ownerOnly(), fresh.comment, (who, { id }) =>
    who.put(`${api}/comments/${id}`, { content: "Changed" }),
  ),
  row(
    "PUT /comments/:id of the author's, on a post of the owner's",
    [401, 403, 200, 403, 403, 200],
    fresh.post,
    (who, { comment }) => who.put(`${api}/comments/${comment.id}`, { content: "Changed" }),
  ),
  row(
    "DELETE /comments/:id of the owner's, on a post of the author's",
    [401, 403, 200, 403, 200, 200],
    fresh.comment,
    (who, { id }) => who.delete(`${api}/comments/${id}`),
  ),
  row(
    "DELETE /comments/:id of the author's, on a post of the owner's",
    [401, 403, 200, 403, 200, 200],
    fresh.post,
    (who, { comment }) => who.delete(`${api}/comments/${comment.id}`),
  ),
  row(
    "DELETE /comments/:id of the reader's, on a post of the owner's",
    [401, 200, 403, 403, 200, 200],
    async (people) => {
      const post = await fresh.post(people);
      const comment = await made(people.reader, "/comments", { content: "Mine", blogPostID: post.id });
      return { ...comment, watch: post.watch };
    },
    (who, { id }) => who.delete(`${api}/comments/${id}`),
  ),

  row("POST /albums", authors(201), null, (who) => who.post(`${api}/albums`, { name: "New" })),
  row("GET /albums/matches", authors(200), null, (who) =>
    who.get(`${api}/albums/matches?filter=${encodeURIComponent('{"favourite":true}')}`),
  ),
  ...reads("/albums", fresh.album),
  ...changes("/albums", fresh.album, { name: "Changed" }),
  row("GET /albums/:id/zip", all(200), fresh.album, (who, { id }) => who.get(`${api}/albums/${id}/zip`)),
  row("GET /albums/:id/photos", all(200), fresh.album, (who, { id }) => who.get(`${api}/albums/${id}/photos`)),
  row("GET /albums/:id/hidden", ownerOnly(), fresh.album, (who, { id }) => who.get(`${api}/albums/${id}/hidden`)),
  row(
    "POST /albums/:id/photos",
    ownerOnly(),
    async (people) => ({ ...(await fresh.album(people)), photoID: (await fresh.photo(people)).id }),
    (who, { id, photoID }) => who.post(`${api}/albums/${id}/photos`, { photoID }),
  ),
  row("PUT /albums/:id/photos", ownerOnly(), fresh.album, (who, { id }) =>
    who.put(`${api}/albums/${id}/photos`, { photoIDs: [] }),
  ),
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
  row(
    "POST /albums/:id/photos/move",
    ownerOnly(),
    async (people) => {
      const album = await fresh.album(people);
      const { id: other } = await fresh.photo(people);
      await people.owner.post(`${api}/albums/${album.id}/photos`, { photoID: other });
      return { ...album, other };
    },
    (who, { id, photoID, other }) =>
      who.post(`${api}/albums/${id}/photos/move`, { photoIDs: [other], before: photoID }),
  ),
  row(
    "POST /albums/:id/move",
    ownerOnly(),
    async (people) => ({ ...(await fresh.album(people)), other: (await fresh.album(people)).id }),
    (who, { id, other }) => who.post(`${api}/albums/${id}/move`, { before: other }),
  ),
  row(
    "DELETE /albums/:id/photos/:photoID of the author's, in an album of the owner's",
    ownerOnly(),
    fresh.album,
    (who, { id, photoID }) => who.delete(`${api}/albums/${id}/photos/${photoID}`),
  ),

  row("POST /files", authors(201), null, (who) => who.upload("new.txt", "x")),
  row("POST /files into a directory of the owner's", ownerOnly(201), fresh.directory, (who, { name }) =>
    who.upload("new.txt", "x", { path: `/${name}` }),
  ),
  row("GET /files", all(200), null, (who) => who.get(`${api}/files`)),
  row("GET /files/dir/:path", all(200), fresh.file, (who, { name }) => who.get(`${api}/files/dir/${name}`)),
  row("GET /files/:id", all(200), fresh.file, (who, { id }) => who.get(`${api}/files/${id}`)),
  row("GET /files/:id/content", all(200), fresh.file, (who, { url }) => who.get(url)),
  row("GET /files/:id/content of the original", ownerOnly(), fresh.file, (who, { url }) => who.get(`${url}?original`)),
  row("GET /files/zip", all(200), fresh.file, (who, { id }) => who.get(`${api}/files/zip?ids=${id}`)),
  row("GET /photos/zip", all(200), fresh.photo, (who, { id }) => who.get(`${api}/photos/zip?ids=${id}`)),
  row("GET /files/:id/zip", all(200), fresh.directory, (who, { id }) => who.get(`${api}/files/${id}/zip`)),
  ...changes("/files", fresh.file, { name: "changed.txt" }),
  ...changes("/files", fresh.directory, { name: "changed" }, " of a directory"),
  row("PUT /files/:id/content", ownerOnly(), fresh.file, (who, { id }) =>
    who.request("PUT", `${api}/files/${id}/content`, { body: "changed" }),
  ),
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
      row(`POST /files/:id/move${which}`, expected(200), prepare, send("move")),
      row(`POST /files/:id/copy${which}`, expected(201), prepare, send("copy")),
    ];
  }),
  row("POST /directories", authors(201), fresh.unusedName, (who, { name }) => who.post(`${api}/directories`, { name })),
  row("POST /directories in a directory of the owner's", ownerOnly(201), fresh.directory, (who, { name }) =>
    who.post(`${api}/directories`, { name: "new", path: name }),
  ),

  row("GET /files/:id/versions", ownerOnly(), fresh.file, (who, { id }) => who.get(`${api}/files/${id}/versions`)),
  row("GET /files/:id/versions/:versionID/content", ownerOnly(), fresh.version, (who, { path }) =>
    who.get(`${path}/content`),
  ),
  row("POST /files/:id/versions/:versionID/restore", ownerOnly(), fresh.version, (who, { path }) =>
    who.post(`${path}/restore`),
  ),
  row("DELETE /files/:id/versions/:versionID", ownerOnly(), fresh.version, (who, { path }) => who.delete(path)),

  row("POST /uploads", authors(201), null, (who) => create(who, 10, { filename: `${crypto.randomUUID()}.txt` })),
  row("GET /uploads", authors(200), null, (who) => who.get(`${api}/uploads`)),
  row("GET /uploads/:id", hiddenFromOthers(), fresh.upload, (who, { path }) => who.get(path, tus)),
  row("PATCH /uploads/:id", hiddenFromOthers(204), fresh.upload, (who, { path }) => append(who, path, 0, "part")),
  row("DELETE /uploads/:id", hiddenFromOthers(204), fresh.upload, (who, { path }) =>
    who.request("DELETE", path, { headers: tus }),
  ),

  row("GET /backups", adminOnly, null, (who) => who.get(`${api}/backups`)),
  // BACKUP_TO is not set.
  row("POST /backups", [401, 403, 403, 403, 403, 409], null, (who) => who.post(`${api}/backups`, {})),
  row("GET /backups/contents", [401, 403, 403, 403, 403, 409], null, (who) => who.get(`${api}/backups/contents`)),
  row("POST /backups/restore", [401, 403, 403, 403, 403, 409], null, (who) =>
    who.post(`${api}/backups/restore`, { kind: "photo", id: 1 }),
  ),
  row("POST /clock/confirmation", adminOnly, null, (who) => who.post(`${api}/clock/confirmation`)),
  row("GET /settings", adminOnly, null, (who) => who.get(`${api}/settings`)),
  row("DELETE /samples", adminOnly, null, (who) => who.delete(`${api}/samples`)),
  row("PUT /settings", adminOnly, null, (who) => who.put(`${api}/settings`, { tagline: "Changed" })),
  row("GET /trash", members(200), null, (who) => who.get(`${api}/trash`)),
  row("GET /trash/:id/image", [401, 404, 404, 404, 200, 404], trashedPhoto, (who, { id }) =>
    who.get(`${api}/trash/${id}/image`),
  ),
  row("POST /trash/:id/restore of what its owner deleted", hiddenFromOthers(), removedBy("owner"), restore),
  row(
    "POST /trash/:id/restore of what the author removed",
    [401, 404, 200, 404, 403, 200],
    removedBy("author"),
    restore,
  ),
  row("POST /trash/:id/restore of what an admin removed", [401, 404, 404, 404, 403, 200], removedBy("admin"), restore),
  row("DELETE /trash/:id that its owner deleted", hiddenFromOthers(), removedBy("owner"), destroy),
  row("DELETE /trash/:id that the author removed", [401, 404, 403, 404, 403, 200], removedBy("author"), destroy),
  row("DELETE /trash/:id that an admin removed", [401, 404, 404, 404, 403, 200], removedBy("admin"), destroy),
  {
    // The site takes none: features/openweb/openweb.test.ts switches them on.
    route: "POST /webmention",
    expected: all(403),
    send: (who) => who.post("/webmention", { source: "https://elsewhere.example/", target: who.url("/blog/post") }),
  },
  row("GET /mail", adminOnly, null, (who) => who.get(`${api}/mail`)),
  // The servers of these tests send no mail.
  row("POST /mail/test", [401, 403, 403, 403, 403, 409], null, (who) =>
    who.post(`${api}/mail/test`, { to: "ada@example.org" }),
  ),
  ...newsletterRows,
  ...webhookRows,
  ...peopleRows,
  row("GET /activity", members(200), null, (who) => who.get(`${api}/activity`)),
];

function reads(path: string, prepare: (people: People) => Promise<any>): Row[] {
  return [
    row(`GET ${path}`, all(200), null, (who) => who.get(api + path)),
    row(`GET ${path}/:id`, all(200), prepare, (who, { id }) => who.get(`${api}${path}/${id}`)),
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
    row(`DELETE ${path}/:id${which}`, ownerOnly(), prepare, (who, { id }) => who.delete(`${api}${path}/${id}`)),
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
