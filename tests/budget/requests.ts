import { type Client, form } from "../kit/client.ts";
import { password } from "../kit/people.ts";
import { create, type Records, uploadPicture } from "./content.ts";

/** A kind of request, or a job: one line of the budget. */
export type Line = {
  as: "guest" | "owner" | "admin";
  /** A method and a path. `:name` is a record. */
  request: string;
  /** Distinguishes lines with the same request. */
  note?: string;
  /** `number` is another one for each request. */
  body?: (number: number, records: Records) => { body: string; headers: Record<string, string> };
  /** Creates, before each request, what it then changes: `:new`. */
  prepare?: (owner: Client, number: number, records: Records) => Promise<number>;
  /** All others read the database. */
  isFromMemory?: true;
  /** It is the first request to a server that was just started on an existing site. Counted on SQLite only. */
  isFirst?: true;
  /** It moves bytes: in how many parts, and what ends before the response, differs. Objects may then differ by 15 %. */
  isOfBytes?: true;
  /** By how much statements and round trips may differ on PostgreSQL, where other work of the server is seen, too. */
  unevenBy?: number;
  /** The name of a job that runs instead. */
  job?: string;
};

const api = "/api/v1";

const reads = (as: Line["as"], prefix: string, ...paths: string[]): Line[] =>
  paths.map((path) => ({ as, request: `GET ${prefix}${path}` }));

const fromMemory = (...paths: string[]): Line[] =>
  paths.map((path) => ({ as: "guest", request: `GET ${path}`, note: "from memory", isFromMemory: true }));

const firstReads = (...paths: string[]): Line[] =>
  paths.map((path) => ({ as: "guest", request: `GET ${path}`, note: "first read", isFirst: true }));

const writes = (
  request: string,
  body?: (number: number, records: Records) => object,
  more: Partial<Line> = {},
): Line => ({
  as: "owner",
  request,
  ...(body && {
    body: (...given) => ({ body: JSON.stringify(body(...given)), headers: { "Content-Type": "application/json" } }),
  }),
  ...more,
});

/** The same request with another key each time. */
const keyed = (line: Line): Line => ({
  ...line,
  body(number, records) {
    const { body = "", headers } = line.body?.(number, records) ?? {};
    return { body, headers: { ...headers, "Idempotency-Key": `key-${number}` } };
  },
});

const uploads = (bytes: number, note: string): Line => ({
  ...writes(`POST ${api}/files`, undefined, { note, isOfBytes: true, unevenBy: 1 }),
  body: (number) =>
    form(
      { name: "path", value: "/a/b" },
      { name: "file", filename: `${number}.txt`, value: "x".repeat(bytes) + number },
    ),
});

const newPhoto = (owner: Client, _number: number, { file }: Records) =>
  create(owner, "photos", { title: "New", fileID: file });
const newPost = (owner: Client) => create(owner, "blog", { title: "New", content: "New text" });
const newAlbum = (owner: Client) => create(owner, "albums", { name: "New" });

export const lines: Line[] = [
  ...fromMemory(`${api}/photos`, `${api}/photos/:photo`, `${api}/blog/:post`, "/", "/photos"),
  ...firstReads(`${api}/photos`, `${api}/photos/:photo`, `${api}/blog`, `${api}/blog/:post`, "/", "/blog/:slug"),
  ...reads(
    "guest",
    api,
    "/photos",
    "/photos?cursor=",
    "/photos?sort=takenAt",
    "/photos?owner=:owner",
    "/photos?tag=sea&camera=X",
    "/photos?bbox=-10,38,-8,39",
    "/photos/map",
    "/photos/timeline",
    "/photos/:photo",
    "/photos/:photo/image?w=320",
    "/blog",
    "/blog?cursor=",
    "/blog/:post",
    "/blog/by-slug?slug=:slug",
    "/comments?blogPostID=:post",
    "/comments?blogPostID=:post&cursor=",
    "/albums",
    "/albums?cursor=",
    "/albums/:album",
    "/albums/:album?pageSize=10",
    "/files",
    "/files?path=/a/b",
    "/files?path=/a/b&cursor=",
    "/files/:file",
    "/files/:file/content",
    "/search?q=photo",
  ),
  ...reads(
    "guest",
    "",
    "/",
    "/blog",
    "/blog/:slug",
    "/photos",
    "/photos/:photo",
    "/albums",
    "/albums/:album-north",
    "/browse/a/b",
    "/tags/sea",
    "/people/owner",
    "/search?q=photo",
    "/feed.xml",
    "/blog/feed.xml",
    "/photos/feed.xml",
    "/sitemap.xml",
  ),
  // What the studio shows.
  ...reads(
    "owner",
    api,
    "/me",
    "/photos",
    "/photos?owner=me&cursor=",
    "/photos/timeline?owner=me",
    "/photos/on-this-day?day=2026-04-11",
    "/photos/:photo",
    "/blog?owner=me&cursor=",
    "/blog/:post",
    "/blog/:post/revisions",
    "/albums?owner=me",
    "/albums/:album/photos?cursor=",
    "/files?path=/a/b&cursor=",
    "/files/:file/versions",
    "/files/:file/uses",
    "/comments/queue",
    "/activity",
    "/attention",
    "/trash",
    "/shares",
  ),
  ...reads("admin", api, "/photos?visibility=all", "/users", "/activity", "/settings"),
  // Counted again if anything was written.
  ...[...reads("owner", api, "/storage"), ...reads("admin", api, "/storage")].map((line) => ({
    ...line,
    unevenBy: Infinity,
  })),
  writes("POST /signup", (number) => ({ username: `person${number}`, password }), { as: "guest" }),
  writes("POST /signin", () => ({ username: "owner", password }), { as: "guest" }),
  writes(`POST ${api}/photos`, (_, { file }) => ({ title: "New", fileID: file })),
  writes(`PUT ${api}/photos/:photo`, (number) => ({ title: `${number}` })),
  writes(`DELETE ${api}/photos/:new`, undefined, { prepare: newPhoto }),
  writes(`POST ${api}/blog`, () => ({ title: "New", content: "New text" })),
  writes(`POST ${api}/blog`, (_, { photo }) => ({ title: "New", content: "New text", coverID: photo }), {
    note: "with a cover",
  }),
  keyed(
    // The slug of a title that many posts have is a random number of any length.
    writes(`POST ${api}/blog`, (number) => ({ title: `New ${number}`, content: "New text" }), {
      note: "with an Idempotency-Key",
    }),
  ),
  writes(`PUT ${api}/blog/:post`, (number) => ({ title: `${number}` })),
  writes(`PUT ${api}/blog/:post`, (number) => ({ content: `Text ${number}` }), { note: "text" }),
  writes(`DELETE ${api}/blog/:new`, undefined, { prepare: newPost }),
  writes(`POST ${api}/comments`, (_, { post }) => ({ content: "Comment", blogPostID: post })),
  writes(`PUT ${api}/comments/:comment`, (number) => ({ content: `${number}` })),
  writes(`DELETE ${api}/comments/:new`, undefined, {
    prepare: (owner, _number, { post }) => create(owner, "comments", { content: "Comment", blogPostID: post }),
  }),
  writes(`POST ${api}/albums`, () => ({ name: "New" })),
  writes(`PUT ${api}/albums/:album`, (number) => ({ name: `${number}` })),
  writes(`DELETE ${api}/albums/:new`, undefined, { prepare: newAlbum }),
  writes(`POST ${api}/albums/:album/photos`, (_, { new: photoID }) => ({ photoID }), { prepare: newPhoto }),
  writes(`DELETE ${api}/albums/:album/photos/:new`, undefined, {
    async prepare(owner, number, records) {
      const photoID = await newPhoto(owner, number, records);
      await owner.post(`${api}/albums/${records.album}/photos`, { photoID });
      return photoID;
    },
  }),
  writes(`POST ${api}/directories`, (number) => ({ name: `${number}`, path: "/a" })),
  uploads(100, "100 bytes"),
  uploads(100_000, "100 KB"),
  uploads(1_000_000, "1 MB"),
  writes(`DELETE ${api}/files/:new`, undefined, { prepare: uploadPicture, isOfBytes: true }),
  writes("search index", undefined, { job: "search index", note: "after a new post", prepare: newPost }),
];
