import { lists, type People } from "../sql/lists.ts";

/** The most that a request may cost, however many records there are. */
export type Limits = { rows: number; statements: number };

export type MeasuredRequest = {
  who: keyof People;
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** `:name` is the id of a record. */
  path: string;
  body?: object;
  /** For the number of photos, if others than those of most requests. */
  limits?: (photos: number) => Partial<Limits>;
};

export const usualLimits: Limits = { rows: 2000, statements: 60 };

const api = "/api/v1";
const reads = (who: keyof People, prefix: string, paths: string[], limits?: MeasuredRequest["limits"]) =>
  paths.map((path): MeasuredRequest => ({ who, method: "GET", path: prefix + path, ...(limits && { limits }) }));

/** Not by pages: all of an album, a thread, a directory, the versions of a file, the trash and the links of a person. */
const isWhole = (path: string) =>
  /^\/(albums\/:album|comments\?(blogPostID=:post|photoID=:photo)|files(\?path=\/a|\/:directory\/entries)?|files\/:file\/\w+|trash|shares)$/.test(
    path,
  );
/** With several filters, a page examines up to 10,000 photos, each of which is two rows. */
const isFiltered = (path: string) => /camera=|from=|bbox=/.test(path);

const listed = Object.values(lists)
  .flat()
  .filter(([, path]) => !isWhole(path))
  .flatMap(([who, path]) => reads(who, api, [path], isFiltered(path) ? () => ({ rows: 21_000 }) : undefined));

const searches = ["photo", "picture", "comment", "sea", "nothing", "photo%20picture", "photo%2077", "photo&kind=photo"];
/** Matches are read from the newest blocks of 2048 documents that have enough of them, once by title and once by text. */
const searchLimits = () => ({ rows: 15_000 });
const searchPaths = searches.map((words) => `/search?q=${words}`);

const writes = (
  who: keyof People,
  method: "POST" | "PUT" | "DELETE",
  path: string,
  body?: object,
): MeasuredRequest => ({
  who,
  method,
  path: api + path,
  ...(body && { body }),
});

export const requests: MeasuredRequest[] = [
  ...listed,
  ...reads("guest", api, searchPaths, searchLimits),
  ...reads("owner", api, searchPaths.slice(0, 2), searchLimits),
  ...reads("admin", api, searchPaths.slice(0, 2), searchLimits),
  ...reads("guest", api, [
    "/photos/:photo",
    "/blog/:post",
    "/comments/:comment",
    "/albums/:album?pageSize=10",
    "/albums/:album?page=100&pageSize=10",
    "/photos?page=100",
    "/comments?photoID=:photo&cursor=",
  ]),
  ...reads("owner", api, ["/photos/:photo", "/albums/:album?pageSize=10", "/shares?cursor=", "/photos/duplicates"]),
  ...reads("admin", api, ["/albums/:album?pageSize=10", "/me", "/settings", "/imports", "/activity?kind=photo"]),
  // Users, and comments that wait, are counted.
  ...reads("admin", api, ["/users", "/attention"], (photos) => ({ rows: 2000 + photos / 4 })),
  // All records are counted, at most once a minute if there are many.
  ...reads("admin", api, ["/storage"], (photos) => ({ rows: 20 * photos, statements: 80 })),
  ...reads("guest", "", [
    "/blog",
    "/blog/post-11",
    "/photos",
    "/photos/:photo",
    "/albums/1013-album-13",
    "/browse/a",
    "/tags/sea",
    "/map",
    "/feed.xml",
    "/feed.json",
    "/blog/feed.xml",
    "/photos/feed.xml",
    "/albums/:album-album/feed.xml",
    "/robots.txt",
    "/llms.txt",
  ]),
  ...reads("guest", "", ["/search?q=photo"], searchLimits),
  // The albums in an album are counted: one of these has a twentieth as many as there are photos.
  ...reads("guest", "", ["/", "/albums", "/albums/:album-album", "/people/owner"], (photos) => ({
    rows: 2000 + photos / 2,
  })),
  ...reads("guest", "", ["/sitemap.xml", "/sitemap-1.xml", "/sitemap-2.xml"], (photos) => ({
    rows: 10 * photos,
    statements: 40 + photos / 200,
  })),
  writes("owner", "PUT", "/photos/1005", { title: "Changed", tags: ["sea", "sun"] }),
  writes("owner", "PUT", "/photos/1007", { visibility: "private" }),
  writes("owner", "DELETE", "/photos/1006"),
  writes("owner", "POST", "/blog", { title: "New", content: "Text" }),
  writes("owner", "PUT", "/blog/1005", { content: "Changed", visibility: "private" }),
  writes("owner", "DELETE", "/blog/1006"),
  writes("owner", "POST", "/comments", { content: "New", blogPostID: ":post" }),
  writes("stranger", "POST", "/comments", { content: "New", photoID: ":photo" }),
  writes("owner", "PUT", "/comments/1005", { status: "hidden" }),
  writes("owner", "DELETE", "/comments/1007"),
  writes("owner", "POST", "/albums", { name: "New" }),
  writes("owner", "PUT", "/albums/:album", { coverPhotoID: 1020 }),
  writes("owner", "POST", "/albums/1010/photos", { photoID: 1020 }),
  writes("owner", "DELETE", "/albums/:album/photos/1031"),
  // The cover of the album.
  writes("owner", "DELETE", "/albums/:album/photos/1020"),
  writes("owner", "POST", "/albums/:album/photos", { photoID: 1031 }),
  writes("owner", "DELETE", "/albums/1011"),
  writes("owner", "POST", "/directories", { name: "New", path: "/a" }),
  writes("owner", "PUT", "/files/1032", { name: "changed.png" }),
  writes("owner", "DELETE", "/files/1033"),
  writes("owner", "DELETE", "/trash/1010"),
  writes("owner", "POST", "/trash/1012/restore"),
  writes("owner", "POST", "/shares", { kind: "album", id: ":album" }),
];
