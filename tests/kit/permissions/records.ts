import { zipOf } from "../../bad-sources/write-archives.ts";
import { create } from "../../../src/features/uploads/tus.test.ts";
import { motionPhoto, readVideoFile } from "../files/videos.ts";
import { type Client, client } from "../client.ts";
import { png } from "../files/png.ts";
import { createPeople, member } from "../people.ts";
import type { TestServer } from "../server.ts";
import { bytesOf, quadrants } from "../files/pictures.ts";

/** `author` owns something that the record is connected with; `stranger` owns nothing. */
export const everybody = ["guest", "reader", "author", "stranger", "owner", "admin"] as const;
export type People = Record<(typeof everybody)[number], Client>;

export async function createEverybody(server: TestServer): Promise<People> {
  const [four, reader, author] = await Promise.all([
    createPeople(server),
    member(server, "reader", "reader"),
    member(server, "author", "author"),
  ]);
  return { ...four, reader, author };
}

export const api = "/api/v1";
export const made = async (who: Client, path: string, body: object) => (await who.post(api + path, body)).body;

type Link = { kind: string; id: number };

/** A guest with a share link to the record, or to any record if it cannot be shared. */
export async function linkTo(server: TestServer, { owner }: People, record?: { link?: Link }): Promise<Client> {
  const link = record?.link ?? { kind: "album", id: (await made(owner, "/albums", { name: "Shared" })).id };
  const { token } = await made(owner, "/shares", link);
  return client(server, null, 0, { "X-Share-Token": token });
}

/** Records of the owner, each connected with a record of the author. `link` is what a share link to it refers to. */
export const fresh = {
  photo: async ({ owner, author }: People) => {
    const { body: file } = await owner.upload("image.png", png(2, 2));
    const photo = await made(owner, "/photos", { title: "Photo", fileID: file.id });
    await made(author, "/blog", { title: "With a cover", content: "…", coverID: photo.id });
    return { ...photo, link: { kind: "photo", id: photo.id } };
  },
  /** With a poster. */
  video: async ({ owner }: People) => {
    const { body: file } = await owner.upload("video.mp4", readVideoFile("plain.mp4"));
    const photo = await made(owner, "/photos", { title: "Video", fileID: file.id });
    await owner.request("PUT", `${api}/photos/${photo.id}/poster`, { body: png(4, 2) });
    return photo;
  },
  motionPhoto: async ({ owner }: People) => {
    const jpeg = await bytesOf(quadrants(96, 64).jpeg());
    const { body: file } = await owner.upload("motion.jpg", motionPhoto(jpeg, readVideoFile("plain.mp4"), "google"));
    return made(owner, "/photos", { title: "Motion", fileID: file.id });
  },
  post: async ({ owner, author }: People) => {
    const post = await made(owner, "/blog", { title: "Post", content: "…" });
    const comment = await made(author, "/comments", { content: "Below it", blogPostID: post.id });
    const link = { kind: "post", id: post.id };
    return { ...post, watch: [`${api}/comments?blogPostID=${post.id}`], comment, link };
  },
  comment: async ({ owner, author }: People) => {
    const post = await made(author, "/blog", { title: "Theirs", content: "…" });
    const comment = await made(owner, "/comments", { content: "Mine", blogPostID: post.id });
    return { ...comment, watch: [`${api}/comments?blogPostID=${post.id}`] };
  },
  /** With a photo of the author in it. */
  album: async ({ owner, author }: People) => {
    const album = await made(owner, "/albums", { name: "Album" });
    const { body: file } = await author.upload("theirs.png", png(2, 2));
    const photo = await made(author, "/photos", { title: "Theirs", fileID: file.id });
    await made(owner, `/albums/${album.id}/photos`, { photoID: photo.id });
    const link = { kind: "album", id: album.id };
    return { ...album, photoID: photo.id, watch: [`${api}/albums/${album.id}`], link };
  },
  /** Used by a photo of the author. */
  file: async ({ owner, author }: People) => {
    const { body: file } = await owner.upload(`${crypto.randomUUID()}.png`, png(2, 2));
    await made(author, "/photos", { title: "Of their file", fileID: file.id });
    return { ...file, watch: [file.url], link: { kind: "file", id: file.id } };
  },
  directory: async ({ owner, author }: People) => {
    const directory = await made(owner, "/directories", { name: crypto.randomUUID() });
    const { body: file } = await owner.upload("inner.png", png(2, 2), { path: `/${directory.name}` });
    await made(author, "/photos", { title: "Of a file in it", fileID: file.id });
    const link = { kind: "directory", id: directory.id };
    return { ...directory, watch: [`${api}/files?path=${directory.name}`], link };
  },
  version: async (people: People) => {
    const file = await fresh.file(people);
    const versions = `${api}/files/${file.id}/versions`;
    await people.owner.request("PUT", `${api}/files/${file.id}/content`, { body: "another content" });
    const [version] = (await people.owner.get(versions)).body;
    return { ...version, path: `${versions}/${version.id}`, watch: [file.url, versions, `${api}/files/${file.id}`] };
  },
  upload: async ({ owner }: People) => {
    const { body: upload } = await create(owner, 10, { filename: `${crypto.randomUUID()}.txt` });
    return { ...upload, path: `${api}/uploads/${upload.id}`, watch: [`${api}/uploads/${upload.id}`] };
  },
  import: async (people: People) => {
    const { name } = await fresh.directory(people);
    const started = await made(people.owner, "/photos/import", { path: `/${name}` });
    return { ...started, path: `${api}/imports/${started.id}` };
  },
  /** A public file with one file in it. */
  archive: async ({ owner }: People) => {
    const archive = zipOf([{ name: `${crypto.randomUUID()}.txt`, data: "one file" }]);
    return (await owner.upload(`${crypto.randomUUID()}.zip`, new Uint8Array(archive))).body;
  },
  sourceImport: async (people: People) => {
    const { owner } = people;
    const { id } = await fresh.archive(people);
    const begun = await made(owner, "/imports", { fileIDs: [id], to: crypto.randomUUID() });
    return { ...begun, path: `${api}/imports/${begun.id}` };
  },
  /** Of an album, with a picture that waits for approval. */
  share: async (people: People) => {
    const { id } = await made(people.owner, "/albums", { name: "Shared", visibility: "private" });
    const { token, ...share } = await made(people.owner, "/shares", { kind: "album", id, allowUpload: true });
    const form = new FormData();
    form.set("file", new File([png(2, 2)], "waiting.png"));
    const init = { body: form, headers: { "X-Share-Token": token } };
    const { body: upload } = await people.guest.request("POST", `${api}/shared/uploads`, init);
    const path = `${api}/shares/${share.id}`;
    const link = { kind: "album", id };
    return { ...share, path, upload: `${path}/uploads/${upload.id}`, watch: [`${path}/uploads`], link };
  },
  unusedName: async () => ({ name: crypto.randomUUID() }),
};

/** The same record, hidden from everyone but its owner, admins, and whoever has a link. */
export const hidden =
  (prepare: (people: People) => Promise<any>, path: string) =>
  async (people: People): Promise<any> => {
    const record = await prepare(people);
    await people.owner.put(`${api}${path}/${record.id}`, { visibility: "private" });
    return { ...record, visibility: "private" };
  };

/** The trash entry of a photo of the owner. */
export const trashedPhoto = async (people: People) => {
  const photo = await fresh.photo(people);
  await people.owner.delete(`${api}/photos/${photo.id}`);
  const entries = (await people.owner.get(`${api}/trash`)).body as any[];
  return entries.find(({ kind, recordID }) => kind === "photo" && recordID === photo.id);
};

/** The trash entry of a comment by the owner on a post of the author. */
export const removedBy = (who: "owner" | "author" | "admin") => async (people: People) => {
  const comment = await fresh.comment(people);
  await people[who].delete(`${api}/comments/${comment.id}`);
  const entries = (await people[who].get(`${api}/trash`)).body as any[];
  const entry = entries.find(({ kind, recordID }) => kind === "comment" && recordID === comment.id);
  return { ...entry, watch: comment.watch, trashOf: people[who] };
};
