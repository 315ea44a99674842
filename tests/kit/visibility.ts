import fc from "fast-check";
import { api, made } from "./permissions/records.ts";
import type { Client } from "./client.ts";
import { png } from "./files/png.ts";
import { admin, person } from "./people.ts";
import type { TestServer } from "./server.ts";

/** Whether a record is public, and by which numbers it refers to others. */
export type Choice = { kind: Kind; isPrivate: boolean; one: number; other: number };
export const recordKinds = ["directory", "file", "photo", "album", "entry", "post", "comment"] as const;
type Kind = (typeof recordKinds)[number];

export const anyChoice: fc.Arbitrary<Choice> = fc.record({
  kind: fc.constantFrom(...recordKinds),
  isPrivate: fc.boolean(),
  one: fc.nat(99),
  other: fc.nat(99),
});
/** Some of each kind, half of them private: others that come after them have something of both to refer to. */
export const someOfEach = recordKinds.flatMap((kind): Choice[] =>
  [0, 1, 2, 3].map((number) => ({ kind, isPrivate: number % 2 === 1, one: number >> 1, other: number >> 1 })),
);

export type Made = { kind: Kind; id: number; isPrivate: boolean; path: string; words: string };
export type World = { owner: Client; stranger: Client; root: Client; guest: Client; records: Made[] };

/** A site of one owner with the chosen records. Each has a word of its own as its name. */
export async function createWorld(server: TestServer, guest: Client, choices: Choice[]): Promise<World> {
  const [owner, stranger, root] = [
    await person(server, "owner"),
    await person(server, "stranger"),
    await admin(server),
  ];
  const records: Made[] = [];
  for (const [index, choice] of choices.entries()) {
    const record = await create(owner, records, choice, `word${index}x`);
    const { kind, isPrivate } = choice;
    if (record) records.push({ ...record, kind, isPrivate, words: `word${index}x` });
  }
  return { owner, stranger, root, guest, records };
}

async function create(owner: Client, records: Made[], { kind, isPrivate, one, other }: Choice, word: string) {
  const visibility = isPrivate ? "private" : "public";
  const choose = (wanted: Kind, number: number): Made | undefined => {
    // A public photo of a private file shows its picture: that is another test.
    const some = records.filter(
      (record) => record.kind === wanted && (wanted !== "file" || isPrivate || !isHidden(records, record)),
    );
    return some[number % Math.max(1, some.length)];
  };
  const idOf = (body: any) => ({ id: body.id as number, path: "" });
  const parent = choose("directory", one)?.path ?? "/";
  switch (kind) {
    case "directory": {
      const { id } = await made(owner, "/directories", { name: word, path: parent, visibility });
      return { id, path: `${parent === "/" ? "" : parent}/${word}` };
    }
    case "file": {
      const { body } = await owner.upload(`${word}.png`, png(2 + (one % 50), 2), { path: parent, visibility });
      return { id: body.id, path: `${parent === "/" ? "" : parent}/${word}.png` };
    }
    case "photo": {
      const file = choose("file", other);
      const takenAt = one % 3 === 0 ? null : `20${10 + (other % 3)}-06-01T00:00:00Z`;
      const more = { takenAt, tags: one % 2 === 0 ? ["sea"] : [], isFavourite: one % 4 === 0 };
      return file
        ? idOf(await made(owner, "/photos", { title: word, fileID: file.id, visibility, original: "keep", ...more }))
        : null;
    }
    case "album":
      return idOf(await made(owner, "/albums", { name: word, visibility, ...parentOf(choose("album", other)) }));
    case "entry": {
      const [album, photo] = [choose("album", one), choose("photo", other)];
      if (album && photo) await owner.post(`${api}/albums/${album.id}/photos`, { photoID: photo.id });
      return null;
    }
    case "post": {
      const coverID = choose("photo", other)?.id ?? null;
      const embedded = (["photo", "album", "file"] as const).map(
        (some) => `![[${some}:${choose(some, one)?.id ?? 1}]]`,
      );
      const content = `About ${word}. ${embedded.join(" ")}`;
      // Some posts are private because they are drafts.
      const state = isPrivate && one % 2 === 1 ? { publishedAt: null } : { visibility };
      return idOf(await made(owner, "/blog", { title: word, content, coverID, tags: ["sea"], ...state }));
    }
    case "comment": {
      const post = choose("post", one);
      const comment = post && (await made(owner, "/comments", { content: `On ${word}.`, blogPostID: post.id }));
      if (comment && isPrivate) await owner.put(`${api}/comments/${comment.id}`, { status: "hidden" });
      return comment ? idOf(comment) : null;
    }
  }
}

const parentOf = (album: Made | undefined) => (album ? { parentID: album.id } : {});

/** Whether it is private, or lies in a private directory. */
export const isHidden = (records: Made[], { path, isPrivate }: Made): boolean =>
  isPrivate ||
  (path !== "" && records.some((one) => one.kind === "directory" && one.isPrivate && path.startsWith(`${one.path}/`)));

/** Deletes the private records permanently: what is left is the same site without them. */
export async function removePrivate({ owner, records }: World): Promise<void> {
  const paths: Partial<Record<Kind, string>> = {
    directory: "files",
    file: "files",
    photo: "photos",
    album: "albums",
    post: "blog",
  };
  for (const { kind, id, isPrivate } of records) {
    // What lies in a directory that was deleted before is gone.
    if (isPrivate) await owner.delete(`${api}/${paths[kind] ?? "comments"}/${id}`);
  }
  for (;;) {
    const { body } = await owner.get(`${api}/trash`);
    if (body.length === 0) return;
    for (const { id } of body) await owner.delete(`${api}/trash/${id}`);
  }
}

/** Requests to everything that there is, by ids, paths and words. Those that change something are refused in both worlds. */
export function listRequests({ records, stranger }: World): { method: string; path: string; body?: object }[] {
  const highest = Math.max(3, ...records.map(({ id }) => id)) + 1;
  const ids = Array.from({ length: highest }, (_, index) => index + 1);
  const get = (path: string) => ({ method: "GET", path: `${api}/${path}` });
  const perID = ids.flatMap((id) => [
    get(`photos/${id}`),
    get(`photos/${id}/image?w=320`),
    get(`photos/${id}/motion`),
    { method: "DELETE", path: `${api}/photos/${id}/poster` },
    get(`blog/${id}`),
    get(`albums/${id}`),
    get(`albums/${id}?page=1&pageSize=1`),
    get(`albums/${id}/albums`),
    get(`albums/${id}/photos?pageSize=1`),
    get(`albums/${id}/zip`),
    get(`files/${id}`),
    get(`files/${id}/content`),
    get(`files/${id}/zip`),
    get(`files/${id}/versions`),
    get(`comments?blogPostID=${id}`),
    get(`comments?blogPostID=${id}&cursor=&pageSize=1`),
    get(`comments/${id}`),
    get(`blog/${id}/revisions`),
    get(`blog/${id}/revisions/1`),
    { method: "POST", path: `${api}/comments/batch`, body: { ids: [id], status: "hidden", trash: true } },
    ...["photos", "blog", "albums", "files", "comments"].flatMap((kind) => [
      { method: "PUT", path: `${api}/${kind}/${id}`, body: { title: "x", name: "x", content: "x" } },
      { method: "DELETE", path: `${api}/${kind}/${id}` },
    ]),
    { method: "POST", path: `${api}/albums/${id}/photos`, body: { photoID: id } },
    { method: "DELETE", path: `${api}/albums/${id}/photos/${id}` },
    { method: "POST", path: `${api}/files/${id}/copy`, body: { path: "/" } },
    { method: "POST", path: `${api}/files/${id}/move`, body: { path: "/" } },
    { method: "PUT", path: `${api}/albums/${id}/photos`, body: { photoIDs: ids } },
  ]);
  const lists = ["photos", "blog", "albums"].flatMap((kind) => [
    get(kind),
    get(`${kind}?pageSize=1`),
    get(`${kind}?page=2&pageSize=2`),
    get(`${kind}?cursor=&pageSize=2`),
    get(`${kind}?owner=1`),
    get(`${kind}?owner=1&order=asc`),
    get(`${kind}?owner=${stranger.userID}`),
    get(`${kind}?owner=me`),
    get(`${kind}?visibility=all`),
  ]);
  const filters = [
    "sort=takenAt",
    "sort=takenAt&order=asc&pageSize=2",
    "tag=sea",
    "tag=sea&sort=takenAt&pageSize=1",
    "favourite=true",
    "favourite=false&pageSize=2",
    "from=2000-01-01&to=2100-01-01",
    "camera=none",
    "kind=image&pageSize=3",
    "kind=video",
    "bbox=-180,-90,180,90",
    "owner=1&tag=sea&kind=image",
    "owner=me&tag=sea",
    ...ids.map((id) => `albumID=${id}`),
    ...ids.map((id) => `albumID=${id}&sort=takenAt&tag=sea`),
  ];
  const filtered = [
    ...filters.map((filter) => get(`photos?${filter}`)),
    ...filters.filter((filter) => !filter.includes("sort")).map((filter) => get(`photos/timeline?${filter}`)),
    get("photos/map"),
    get("photos/map?owner=me&zoom=9"),
    ...["", "?owner=1", "?owner=me", "?visibility=all", "?cursor="].map((query) => get(`photos/timeline${query}`)),
    { method: "POST", path: `${api}/photos/batch`, body: { ids, set: { title: "x" }, trash: true } },
    { method: "POST", path: `${api}/files/batch`, body: { ids, visibility: "public", move: { path: "/" } } },
    ...ids.map((id) => ({ method: "POST", path: `${api}/photos/batch`, body: { ids, albumID: id } })),
    ...ids.map((id) => ({ method: "POST", path: `${api}/albums`, body: { name: "x", parentID: id } })),
    ...["none", ...ids].map((id) => get(`albums?parentID=${id}`)),
    ...["none", ...ids].map((id) => get(`albums?parentID=${id}&order=asc&pageSize=1`)),
  ];
  const trees = records.flatMap(({ path }) => (path ? [get(`files/dir${path}`), get(`files?path=${path}`)] : []));
  const searches = records.flatMap(({ words }) => [
    get(`search?q=${words}`),
    get(`search?q=${words}&kind=photo`),
    get(`search?q=${words}&cursor=&pageSize=1`),
    get(`blog/by-slug?slug=${words}`),
  ]);
  const posts = ["tag=sea", "sort=publishedAt", "status=draft", "status=published", "tag=sea&owner=1"];
  const more = [
    ...posts.map((query) => `blog?${query}`),
    "comments?status=hidden",
    "files",
    "files?cursor=",
    "trash",
    "storage",
    "search?q=word*",
    "search?q=about",
    "search?q=about&cursor=&pageSize=2",
    "search?q=png",
  ];
  return [...lists, ...filtered, ...more.map(get), ...trees, ...searches, ...perID];
}
