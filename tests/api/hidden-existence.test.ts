import { beforeAll, expect, test } from "bun:test";
import { insertPasskey } from "../../src/core/passkeys/store.ts";
import type { Client } from "../kit/client.ts";
import { withDatabase } from "../kit/server.ts";
import { createSubscriber } from "../kit/permissions/newsletter.ts";
import { api, fresh, hidden, made } from "../kit/permissions/records.ts";
import { useServer } from "../kit/use-server.ts";

/** Records of the owner that nobody else may know of, by the first part of their path. */
let records: Record<string, number[]>;

const server = useServer({ WEBHOOK_ALLOW_PRIVATE: "true" });
const people = server.everybody();
beforeAll(async () => {
  const { owner, admin } = people;
  const post = await hidden(fresh.post, "/blog")(people);
  const trashed = await fresh.album(people);
  await owner.delete(`${api}/albums/${trashed.id}`);
  const [entry] = (await owner.get(`${api}/trash`)).body;
  const { id: versioned } = await fresh.file(people);
  await owner.request("PUT", `${api}/files/${versioned}/content`, { body: "another content" });
  await owner.put(`${api}/files/${versioned}`, { visibility: "private" });
  records = {
    photos: [(await hidden(fresh.photo, "/photos")(people)).id],
    blog: [post.id],
    comments: [(await made(owner, "/comments", { content: "Hidden", blogPostID: post.id })).id],
    albums: [(await hidden(fresh.album, "/albums")(people)).id, trashed.id],
    files: [versioned, (await hidden(fresh.directory, "/files")(people)).id],
    imports: [(await fresh.import(people)).id],
    uploads: [(await fresh.upload(people)).id],
    shares: [(await fresh.share(people)).id],
    trash: [entry.id],
    webhooks: [(await made(admin, "/webhooks", { url: "http://127.0.0.1:1/", events: ["nothing.happened"] })).id],
    users: [owner.userID],
    // Somebody who has published nothing.
    people: [people.reader.userID],
    me: [(await owner.get(`${api}/me/sessions`)).body[0].id],
    account: [(await addPasskey(owner)).id],
    keys: [(await made(owner, "/keys", { name: "x", scopes: ["read"] })).id],
    redirects: [(await made(admin, "/redirects", { from: "/old", to: "/blog" })).id],
    newsletter: [await createSubscriber(admin)],
    invitations: [(await made(admin, "/invitations", { role: "reader" })).id],
  };
});

const addPasskey = ({ userID }: Client) => {
  const texts = { credentialID: "x", publicKey: "x", userHandle: "x", site: "x", name: "x" };
  const passkey = { ...texts, userID, counter: 0, transports: [], isSynced: false };
  return withDatabase(server, (db) => db.transaction((tx) => insertPasskey(tx, passkey)));
};

const absent = 987_654;

test("no response to a stranger depends on whether a hidden record exists", async () => {
  const { paths } = (await people.guest.get("/openapi.json")).body as { paths: Record<string, object> };
  const asked = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path })),
  );
  const about = asked.filter(({ path }) => path.startsWith(`${api}/`) && path.includes("{id}"));
  const kinds = new Set(about.map(({ path }) => path.split("/")[3] as string));
  expect([...kinds].toSorted()).toEqual(Object.keys(records).toSorted());

  const told: object[] = [];
  for (const { method, path } of about) {
    for (const [who, sender] of Object.entries({
      guest: people.guest,
      reader: people.reader,
      stranger: people.stranger,
    })) {
      const ask = async (id: number, body?: string) => {
        const filled = path.replace("{id}", String(id)).replace(/\{\w+\}/g, "1");
        return describe(await send(sender, method, filled, body), id);
      };
      for (const id of records[path.split("/")[3] as string] as number[]) {
        for (const body of method === "GET" ? [undefined] : [undefined, "{}"]) {
          const [there, notThere] = [await ask(id, body), await ask(absent, body)];
          if (!Bun.deepEquals(there, notThere)) told.push({ method, path, who, there, notThere });
        }
      }
    }
  }
  expect(told).toEqual([]);
});

test("nor does it where a hidden record is named in a query or a body", async () => {
  const { stranger, guest, reader } = people;
  const album = await made(stranger, "/albums", { name: "Own" });
  const post = await made(stranger, "/blog", { title: "Own", content: "…" });
  const photo = await made(stranger, "/photos", {
    title: "Own",
    fileID: (await stranger.upload("a.txt", "x")).body.id,
    width: 1,
    height: 1,
  });
  const [file = 0, directory = 0] = records.files as number[];
  const [photoID = 0, postID = 0, albumID = 0] = [records.photos?.[0], records.blog?.[0], records.albums?.[0]];
  const [comment = 0] = records.comments as number[];
  type Request = [id: number, method: string, path: (id: number) => string, body?: (id: number) => object];
  const requests: Request[] = [
    ...[file, directory].map((id): Request => [id, "POST", () => "/photos", (fileID) => ({ title: "x", fileID })]),
    [file, "PUT", () => `/photos/${photo.id}`, (fileID) => ({ fileID })],
    [file, "POST", () => "/photos/many", (fileID) => ({ photos: [{ title: "x", fileID }] })],
    [file, "GET", (id) => `/files/zip?ids=${id}`],
    [directory, "GET", (id) => `/files/zip?ids=${id}`],
    [photoID, "GET", (id) => `/photos/zip?ids=${id}`],
    [photoID, "PUT", () => `/blog/${post.id}`, (coverID) => ({ coverID })],
    [photoID, "PUT", () => "/me/profile", (portraitID) => ({ portraitID })],
    [photoID, "POST", () => `/albums/${album.id}/photos`, (id) => ({ photoID: id })],
    [photoID, "PUT", () => `/albums/${album.id}/photos`, (id) => ({ photoIDs: [id] })],
    [photoID, "DELETE", (id) => `/albums/${album.id}/photos/${id}`],
    [photoID, "PUT", () => `/albums/${album.id}`, (id) => ({ coverPhotoID: id })],
    [albumID, "PUT", () => `/albums/${album.id}`, (id) => ({ parentID: id })],
    [albumID, "POST", () => "/albums", (id) => ({ name: "x", parentID: id })],
    [albumID, "GET", (id) => `/photos?albumID=${id}`],
    [albumID, "GET", (id) => `/photos/timeline?albumID=${id}`],
    [postID, "GET", (id) => `/comments?blogPostID=${id}`],
    [photoID, "GET", (id) => `/comments?photoID=${id}`],
    [albumID, "GET", (id) => `/comments?albumID=${id}`],
    [photoID, "POST", () => "/comments", (id) => ({ content: "x", photoID: id })],
    [albumID, "POST", () => "/comments", (id) => ({ content: "x", albumID: id })],
    [postID, "POST", () => "/comments", (blogPostID) => ({ content: "x", blogPostID })],
    [comment, "POST", () => "/comments", (parentID) => ({ content: "x", blogPostID: post.id, parentID })],
    ...(["photos", "blog", "albums", "files"] as const).flatMap((kind): Request[] =>
      (records[kind] as number[]).map((id) => [
        id,
        "POST",
        () => `/${kind}/batch`,
        (one) => ({ ids: [one], visibility: "private", ...(kind === "photos" && { set: { title: "x" } }) }),
      ]),
    ),
    [comment, "POST", () => "/comments/batch", (id) => ({ ids: [id], status: "hidden" })],
    ...Object.entries({ photo: photoID, post: postID, album: albumID, file, directory }).map(([kind, id]): Request => [
      id,
      "POST",
      () => "/shares",
      (one) => ({ kind, id: one }),
    ]),
    ...["restore", "delete"].map((action): Request => {
      const trashed = records.albums?.[1] as number;
      return [trashed, "POST", () => `/trash/${action}`, (id) => ({ records: [{ kind: "album", id }] })];
    }),
    ...["photo", "post", "album", "file"].map((kind): Request => {
      const id = { photo: photoID, post: postID, album: albumID, file }[kind] as number;
      return [id, "GET", (one) => `/activity?kind=${kind}&recordID=${one}`];
    }),
  ];
  const told: object[] = [];
  for (const [id, method, path, body] of requests) {
    for (const [who, sender] of Object.entries({ guest, reader, stranger })) {
      const ask = async (one: number) =>
        describe(await send(sender, method, api + path(one), body && JSON.stringify(body(one))), one);
      const [there, notThere] = [await ask(id), await ask(absent)];
      if (!Bun.deepEquals(there, notThere))
        told.push({ method, path: path(id), body: body?.(id), who, there, notThere });
    }
  }
  expect(told).toEqual([]);
});

const send = (who: Client, method: string, path: string, body?: string) =>
  who.request(method, path, body === undefined ? {} : { body, headers: { "Content-Type": "application/json" } });

/** The response, without the id that was sent. */
function describe({ status, body, headers }: Awaited<ReturnType<Client["get"]>>, id: number) {
  const text = JSON.stringify(body).replace(/"requestID":"[^"]*"/, "");
  const names = [...headers.keys()].filter((name) => !name.startsWith("ratelimit"));
  return { status, text: text.replace(new RegExp(`\\b${id}\\b`, "g"), "…"), names };
}
