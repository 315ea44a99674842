import { zipOf } from "../bad-sources/write-archives.ts";
import { api, makerOf, everyKind, uploadPicture } from "./every-kind.ts";
import { readVideoFile } from "./files/videos.ts";
import type { Answer, Client } from "./client.ts";
import { png } from "./files/png.ts";
import { takenPicture } from "./files/pictures.ts";
import { until } from "./until.ts";

/** Owner, a second author, and an admin; `guest` has no token. */
export type Actors = { owner: Client; other: Client; admin: Client; guest: Client };

const made = async (answer: Promise<Answer>): Promise<any> => {
  const { status, body } = await answer;
  if (status !== 200 && status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body;
};

const create = (kind: string, owner: Client): Promise<number> => {
  const found = everyKind.find(({ name }) => name === kind);
  if (!found) throw new Error(`There is no kind ${kind}.`);
  return makerOf(found).create(owner);
};

let number = 0;
const uploadTaken = async (who: Client): Promise<number> =>
  (await made(who.upload(`${++number}.jpg`, await takenPicture("2012:01:31 23:59:59", `Camera ${number}`)))).id;

/** Pictures in folders, which become albums. Returns the path of the import. */
async function importArchive(owner: Client): Promise<string> {
  const pictures = [png(8, ++number), png(8, ++number)];
  const archive = zipOf(pictures.map((data, index) => ({ name: `journey/day ${index}/picture.png`, data })));
  const { id: fileID } = await made(owner.upload(`${++number}.zip`, new Uint8Array(archive)));
  const { id } = await made(owner.post(`${api}/imports`, { fileIDs: [fileID], to: `/${number}`, albums: true }));
  const path = `${api}/imports/${id}`;
  await untilStatus(owner, path, "finished");
  return path;
}

async function untilStatus(who: Client, path: string, status: string): Promise<void> {
  await until(
    () => made(who.get(path)),
    (found: any) => found.status === status,
  );
}

/** A record, and what depends on it. */
const prepared: Record<string, (actors: Actors) => Promise<number>> = {
  async photo({ owner, other }) {
    const id = await create("photo", owner);
    await attach(owner, await create("album", owner), id);
    await attach(other, await create("album", other), id);
    await made(owner.post(`${api}/blog`, { title: "x", content: `![[photo:${id}]]`, coverID: id }));
    return id;
  },
  async album({ owner }) {
    const id = await create("album", owner);
    await attach(owner, id, await create("photo", owner));
    const hidden = await create("photo", owner);
    await made(owner.put(`${api}/photos/${hidden}`, { visibility: "private", isFavourite: true }));
    await attach(owner, id, hidden);
    return id;
  },
  async post({ owner, other }) {
    const id = await create("post", owner);
    await made(other.post(`${api}/comments`, { content: "Hello", blogPostID: id }));
    return id;
  },
  async file({ owner, other }) {
    const id = await uploadTaken(owner);
    for (const who of [owner, other]) await made(who.post(`${api}/photos`, { title: "x", fileID: id }));
    return id;
  },
};
export const prepare = (kind: string, actors: Actors): Promise<number> =>
  prepared[kind]?.(actors) ?? create(kind, actors.owner);

const attach = (who: Client, albumID: number, photoID: number) =>
  made(who.post(`${api}/albums/${albumID}/photos`, { photoID }));

type Values = (actors: Actors, id: number) => unknown[] | Promise<unknown[]>;
const visibility = () => ["private", "private", "public"];
const tags = () => [[], ["Sea", "Harbour"], ["harbour", "New"]];
const yesAndNo = () => [true, false];
const texts = () => ["cormorant", "A gannet, and a gull"];

/** Values of each field that a PUT of this kind takes, one after the other. */
export const values: Record<string, Record<string, Values>> = {
  photo: {
    title: texts,
    description: texts,
    altText: texts,
    tags,
    isFavourite: yesAndNo,
    takenAt: () => ["2012-01-31T23:59:59.000Z", "2013-05-01T00:00:00.000Z", null],
    place: () => [{ latitude: 1, longitude: 2, name: "Pier" }, null],
    showLocation: yesAndNo,
    visibility,
    fileID: async ({ owner, other }) => [
      await uploadTaken(owner),
      await uploadTaken(other),
      await uploadPicture(owner),
    ],
    width: () => [7, 9],
    height: () => [7, 9],
    edits: () => [{ turn: 90, crop: { x: 0, y: 0, width: 1, height: 0.8 } }, { turn: 90, flip: true }, null],
  },
  post: {
    title: texts,
    content: () => ["A gannet", "![[album:1]]"],
    coverID: async ({ owner }) => [await create("photo", owner), null],
    slug: () => [`slug-${++number}`, `slug-${++number}`],
    excerpt: texts,
    tags,
    visibility,
    publishedAt: () => [null, new Date(Date.now() + 3_600_000).toISOString(), new Date().toISOString()],
    commentsOpen: () => [false, true],
  },
  comment: { content: texts, status: () => ["hidden", "waiting", "visible"] },
  album: {
    name: texts,
    description: texts,
    parentID: async ({ owner }) => [await create("album", owner), null],
    photoOrder: () => ["oldestFirst", "newestFirst", "manual"],
    // Only smart albums have one.
    filter: () => [],
    coverPhotoID: async ({ owner }, id) => [(await owner.get(`${api}/albums/${id}`)).body.photos[0].id, null],
    visibility,
  },
  note: { text: texts, visibility },
  file: { name: () => [`cormorant ${++number}.jpg`, `gannet ${++number}.jpg`], visibility },
};

type Change = (actors: Actors) => Promise<unknown>;
const batch = (who: Client, path: string, body: object) => made(who.post(`${api}/${path}/batch`, body));
const send = (who: Client, path: string, picture: Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) => {
  const form = new FormData();
  form.set("file", new File([picture], "party.png"));
  return made(who.request("POST", `${api}/${path}`, { body: form, headers }));
};
const uploadGuest = (guest: Client, token: string) =>
  send(guest, "shared/uploads", png(4, 3), { "X-Share-Token": token });

/** Every other way to change records. */
export const changes: Record<string, Change> = {
  async "a photo and its file follow each other"({ owner }) {
    const id = await create("photo", owner);
    await made(owner.put(`${api}/photos/${id}`, { visibility: "private" }));
    await made(owner.put(`${api}/photos/${id}`, { visibility: "public", original: "keep" }));
  },
  async "photos are changed by batches"(actors) {
    const { owner } = actors;
    const ids = [await prepare("photo", actors), await create("photo", owner), await create("photo", owner)];
    const [albumID, otherID] = [await create("album", owner), await create("album", owner)];
    await batch(owner, "photos", { ids, set: { visibility: "private" }, albumID, addTags: ["Sky"] });
    await batch(owner, "photos", { ids, set: { takenAt: "2011-01-01T00:00:00.000Z", isFavourite: true } });
    await batch(owner, "photos", {
      ids,
      set: { takenAtShift: 86_400 * 40, visibility: "public" },
      removeTags: ["sky"],
    });
    await batch(owner, "photos", { ids, albumID: otherID, removeFromAlbumID: albumID, retitle: { title: "Gull {n}" } });
    await batch(owner, "photos", { ids, set: { visibility: "private" }, trash: true, withFile: true });
    await made(owner.post(`${api}/trash/restore`, { records: ids.map((id) => ({ kind: "photo", id })) }));
    await batch(owner, "photos", { ids, set: { tags: ["Last"] }, trash: true });
    await made(owner.post(`${api}/trash/delete`, { records: ids.map((id) => ({ kind: "photo", id })) }));
  },
  async "hearts are given and taken back"(actors) {
    const { owner, other, admin } = actors;
    await made(admin.put(`${api}/settings`, { hearts: true }));
    for (const [kind, path] of [
      ["photo", "photos"],
      ["album", "albums"],
      ["post", "blog"],
    ] as const) {
      const heart = `${api}/${path}/${await create(kind, owner)}/heart`;
      for (const who of [owner, other, other]) await made(who.put(heart, {}));
      await made(owner.delete(heart));
    }
  },
  async "many photos are created"({ owner }) {
    const photos = [{ title: "One", fileID: await uploadTaken(owner), visibility: "private", tags: ["Many"] }];
    const albumID = await create("album", owner);
    await made(owner.post(`${api}/photos/many`, { photos, albumID }));
  },
  async "a directory is imported"({ owner }) {
    await uploadPicture(owner, { path: "/imported" });
    const { id } = await made(owner.post(`${api}/photos/import`, { path: "/imported" }));
    await made(owner.delete(`${api}/imports/${id}`));
  },
  async "an archive is imported"({ owner }) {
    await importArchive(owner);
  },
  async "the import of an archive is undone"({ owner }) {
    const path = await importArchive(owner);
    await made(owner.post(`${path}/undo`));
    await untilStatus(owner, path, "undone");
  },
  async "a video gets a poster"({ owner }) {
    const { id: fileID } = await made(owner.upload("video.mp4", readVideoFile("plain.mp4")));
    const { id } = await made(owner.post(`${api}/photos`, { title: "Video", fileID }));
    await made(owner.request("PUT", `${api}/photos/${id}/poster`, { body: png(40, 30) }));
    await made(owner.delete(`${api}/photos/${id}/poster`));
    await made(owner.put(`${api}/photos/${id}`, { fileID: await uploadPicture(owner) }));
  },
  async "a note gets an attachment"({ owner }) {
    const id = await create("note", owner);
    for (const body of ["one", "another"]) {
      await made(owner.request("PUT", `${api}/notes/${id}/attachment`, { body: Buffer.from(body) }));
    }
    await made(owner.delete(`${api}/notes/${id}/attachment`));
  },
  async "photos of an album are added, ordered, moved and removed"({ owner, other }) {
    const id = await create("album", owner);
    const [one, two, three] = [
      await create("photo", owner),
      await create("photo", owner),
      await create("photo", other),
    ];
    for (const photoID of [one, two, three, one]) await attach(owner, id, photoID);
    await made(owner.post(`${api}/albums/${id}/photos/move`, { photoIDs: [three], before: one }));
    await send(owner, `albums/${id}/uploads`, png(9, ++number));
    await made(owner.put(`${api}/albums/${id}`, { coverPhotoID: two }));
    await made(owner.delete(`${api}/albums/${id}/photos/${two}`));
    await made(owner.delete(`${api}/photos/${one}`));
    await made(owner.put(`${api}/albums/${id}/photos`, { photoIDs: [two, three] }));
    await made(owner.post(`${api}/trash/restore`, { records: [{ kind: "photo", id: one }] }));
    await made(owner.put(`${api}/albums/${id}/photos`, { photoIDs: [] }));
  },
  async "smart albums, and albums in the order of dates, follow their photos"({ owner, other }) {
    const filter = { tags: ["Sea"], from: "2012-01-01" };
    const albums = [
      await made(owner.post(`${api}/albums`, { name: "Smart", filter })),
      await made(owner.post(`${api}/albums`, { name: "Favourites", filter: { favourite: true, kind: "image" } })),
      await made(owner.post(`${api}/albums`, { name: "By date", photoOrder: "newestFirst" })),
    ];
    const id = await made(owner.post(`${api}/photos`, { title: "x", fileID: await uploadTaken(owner), tags: ["Sea"] }));
    await attach(owner, albums[2].id, id.id);
    for (const changed of [{ isFavourite: true }, { takenAt: "2011-01-01T00:00:00.000Z" }, { takenAt: null }]) {
      await made(owner.put(`${api}/photos/${id.id}`, changed));
    }
    await made(owner.put(`${api}/photos/${id.id}`, { fileID: await uploadTaken(other), visibility: "private" }));
    await made(owner.put(`${api}/albums/${albums[0].id}`, { filter: { tags: ["sea"], bbox: "0,0,2,2" } }));
    await made(owner.put(`${api}/photos/${id.id}`, { place: { latitude: 1, longitude: 1 } }));
    await made(owner.post(`${api}/albums/${albums[0].id}/move`, { after: albums[1].id }));
    await made(owner.delete(`${api}/photos/${id.id}`));
  },
  async "albums and posts are changed by batches"(actors) {
    const { owner } = actors;
    for (const [path, kind] of [
      ["albums", "album"],
      ["blog", "post"],
    ] as const) {
      const ids = [await prepare(kind, actors), await prepare(kind, actors)];
      await batch(owner, path, { ids, visibility: "private" });
      await batch(owner, path, { ids, visibility: "public", trash: true });
      await made(owner.post(`${api}/trash/restore`, { records: ids.map((id) => ({ kind, id })) }));
    }
  },
  async "a post is published at its time, and a revision is restored"({ owner }) {
    const publishedAt = new Date(Date.now() + 300).toISOString();
    const draft = { title: "Later", content: "Gull", tags: ["Later"], publishedAt };
    const { id } = await made(owner.post(`${api}/blog`, draft));
    await made(owner.post(`${api}/blog`, { ...draft, visibility: "private" }));
    const scheduled = () => made(owner.get(`${api}/blog?status=scheduled`));
    await until(scheduled, (posts: any) =>
      posts.every((post: any) => Date.parse(post.publishedAt) >= Date.now() + 1000),
    );
    await made(owner.put(`${api}/blog/${id}`, { content: "Gannet", tags: ["Other"] }));
    await made(owner.post(`${api}/blog/${id}/revisions/1/restore`));
  },
  async "comments are changed and deleted by batches"({ owner }) {
    const ids = [await create("comment", owner), await create("comment", owner)];
    await batch(owner, "comments", { ids, status: "hidden" });
    await batch(owner, "comments", { ids, status: "visible", trash: true });
  },
  async "a file gets other contents"(actors) {
    const { owner } = actors;
    const id = await prepare("file", actors);
    const send = async (time: string) =>
      made(owner.request("PUT", `${api}/files/${id}/content`, { body: await takenPicture(time, `C${++number}`) }));
    await send("2014:02:01 00:00:00");
    await send("2015:02:01 00:00:00");
    const [version, other] = await made(owner.get(`${api}/files/${id}/versions`));
    await made(owner.post(`${api}/files/${id}/versions/${version.id}/restore`));
    await made(owner.delete(`${api}/files/${id}/versions/${other.id}`));
    const { name } = await made(owner.get(`${api}/files/${id}`));
    const replacement = { onConflict: "replace", visibility: "private" };
    await made(owner.upload(name, await takenPicture("2016:02:01 00:00:00", "C0"), replacement));
  },
  async "files and directories are moved, copied, renamed and hidden"({ owner }) {
    const { id } = await made(owner.post(`${api}/directories`, { name: `gulls ${++number}` }));
    const path = `/gulls ${number}`;
    const [one, two] = [await uploadPicture(owner, { path }), await uploadPicture(owner, { path: `${path}/deep` })];
    await made(owner.post(`${api}/photos`, { title: "x", fileID: two }));
    await made(owner.post(`${api}/files/${one}/move`, { path: `${path}/deep`, name: "cormorant.png" }));
    await made(owner.post(`${api}/files/${id}/copy`, { path: "/", name: `copy ${number}` }));
    await batch(owner, "files", { ids: [one], move: { path }, visibility: "private" });
    await batch(owner, "files", { ids: [one, two], copy: { path: `/copies ${number}` } });
    await made(owner.put(`${api}/files/${id}`, { visibility: "private", name: `terns ${number}` }));
    await batch(owner, "files", { ids: [two], trash: true });
    await made(owner.delete(`${api}/files/${id}`));
    await made(owner.post(`${api}/trash/restore`, { records: [{ kind: "file", id }] }));
    await made(owner.delete(`${api}/files/${id}`));
    await made(owner.post(`${api}/trash/delete`, { records: [{ kind: "file", id }] }));
  },
  async "a guest adds a picture to a shared album"({ owner, guest }) {
    const albumID = await create("album", owner);
    const share = await made(owner.post(`${api}/shares`, { kind: "album", id: albumID, allowUpload: true }));
    await made(owner.put(`${api}/albums/${albumID}`, { visibility: "private" }));
    for (const visibility of ["public", "private"]) {
      const { id } = await uploadGuest(guest, share.token);
      await made(owner.post(`${api}/shares/${share.id}/uploads/${id}/approve`, { path: "/guests", visibility }));
    }
  },
  async "originals stay private"({ owner, admin }) {
    await made(admin.put(`${api}/settings`, { originalVisibility: "private" }));
    const id = await create("photo", owner);
    await made(owner.put(`${api}/photos/${id}`, { fileID: await uploadTaken(owner) }));
    await made(admin.put(`${api}/settings`, { originalVisibility: "same" }));
  },
  async "the trash is emptied"(actors) {
    const { owner } = actors;
    for (const { name } of everyKind) {
      const { path } = makerOf(everyKind.find((kind) => kind.name === name)!);
      await made(owner.delete(`${path}/${await prepare(name, actors)}`));
    }
    await made(owner.delete(`${api}/trash`));
  },
};
