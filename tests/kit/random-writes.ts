import { api } from "./permissions/records.ts";
import type { Client } from "./client.ts";
import { png } from "./files/png.ts";
import type { Made } from "./visibility.ts";

/** The same numbers for the same seed: each call returns an integer below `limit`. */
export function numbersFrom(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

/** Sends one write of a random kind, which may be refused. Returns what it was. */
export async function changeSomething(
  writer: Client,
  records: Made[],
  next: (limit: number) => number,
): Promise<string> {
  const idOf = (kind: Made["kind"]) => {
    const some = records.filter((record) => record.kind === kind);
    return some[next(some.length)]?.id ?? 1;
  };
  const [word, visibility] = [`word${next(40)}x`, next(2) ? "public" : "private"];
  const [photo, album, post, comment, file] = (["photo", "album", "post", "comment", "file"] as const).map(idOf);
  const directory = idOf("directory");
  const some = (kind: Made["kind"]) => [...new Set([idOf(kind), idOf(kind)])];
  const put = (path: string, body: object) => () => writer.put(`${api}/${path}`, body);
  const send = (path: string, body: object) => () => writer.post(`${api}/${path}`, body);
  const remove = (path: string) => () => writer.delete(`${api}/${path}`);
  const writes = [
    put(`photos/${photo}`, { title: word }),
    put(`photos/${photo}`, { visibility }),
    put(`photos/${photo}`, { fileID: file }),
    put(`photos/${photo}`, {
      tags: next(2) ? ["sea"] : [word],
      takenAt: next(2) ? null : `20${10 + next(3)}-01-01T00:00:00Z`,
    }),
    put(`photos/${photo}`, {
      isFavourite: next(2) === 0,
      place: next(2) ? null : { latitude: next(90), longitude: 1 },
    }),
    put(`photos/${photo}`, { showLocation: next(2) === 0, width: 1 + next(9), height: 1 + next(9), altText: word }),
    send("photos/batch", { ids: some("photo"), set: { visibility }, addTags: [word] }),
    send("photos/batch", { ids: some("photo"), retitle: { title: `${word} {n}` } }),
    send("photos/batch", { ids: some("photo"), albumID: album, trash: next(2) === 0 }),
    send("photos/many", { photos: [{ title: word, fileID: file, visibility }] }),
    send("photos", { title: word, fileID: file, visibility }),
    remove(`photos/${photo}`),
    put(`blog/${post}`, { title: word, tags: next(2) ? ["sea"] : [word] }),
    put(`blog/${post}`, { visibility }),
    put(`blog/${post}`, { coverID: next(2) ? photo : null, content: `![[photo:${photo}]] ![[album:${album}]]` }),
    put(`blog/${post}`, { publishedAt: next(2) ? null : new Date().toISOString() }),
    send("blog", { title: word, content: word, coverID: photo }),
    remove(`blog/${post}`),
    send("comments", { blogPostID: post, content: word }),
    put(`comments/${comment}`, { status: next(2) ? "visible" : "hidden" }),
    remove(`comments/${comment}`),
    put(`albums/${album}`, { name: word, visibility }),
    put(`albums/${album}/photos`, { photoIDs: [...new Set([photo, idOf("photo")])] }),
    send(`albums/${album}/photos`, { photoID: photo }),
    remove(`albums/${album}/photos/${photo}`),
    remove(`albums/${album}`),
    send("albums/batch", { ids: some("album"), visibility }),
    send("blog/batch", { ids: some("post"), visibility, trash: next(2) === 0 }),
    send("files/batch", { ids: some("file"), visibility }),
    send("files/batch", { ids: some("file"), move: { path: `/${word}` } }),
    put(`files/${file}`, { visibility }),
    put(`files/${directory}`, { visibility }),
    put(`files/${file}`, { name: `${word}.png` }),
    send(`files/${file}/move`, { path: "/" }),
    send("directories", { name: word }),
    () => writer.upload(`${word}.png`, png(1 + next(50), 3), { onConflict: "replace" }),
    remove(`files/${file}`),
    remove(`files/${directory}`),
    restore,
    restore,
    restore,
    async () => writer.delete(`${api}/trash/${await trashed()}`),
    restoreAll,
    restoreAll,
  ];
  const number = next(writes.length);
  const { status } = await (writes[number] as () => Promise<{ status: number }>)();
  return `${number}: ${status}`;

  async function trashed(): Promise<number> {
    const { body } = await writer.get(`${api}/trash`);
    return body[next(Math.max(1, body.length))]?.id ?? 1;
  }

  async function restoreAll() {
    const { body } = await writer.get(`${api}/trash`);
    const all = (body as { kind: string; recordID: number }[]).map(({ kind, recordID }) => ({ kind, id: recordID }));
    return writer.post(`${api}/trash/restore`, { records: all.slice(0, 50) });
  }

  async function restore() {
    return writer.post(`${api}/trash/${await trashed()}/restore`);
  }
}
