import { png } from "../../tests/kit/files/png.ts";
import { type Attempt, asJSON, attempt, type Input, input } from "./input.ts";
import { longName, type Site } from "./site.ts";

/** Requests that a guest can send. */
export function guestInputs(site: Site): Input[] {
  const search = (label: string, q: string) =>
    attempt(label, "GET", `/api/v1/search?limit=100&q=${encodeURIComponent(q)}`);
  const read = (label: string, path: string, times = 3) =>
    // With such a header, the response does not come from memory.
    Array.from({ length: times }, () => attempt(label, "GET", path, { headers: { Authorization: "none" } }));
  return [
    input("a path of slashes", () => [
      attempt("in the query", "GET", `/api/v1/files?path=a${"/".repeat(15_000)}b`),
      attempt("in the path", "GET", `/api/v1/files/dir/a${"/".repeat(15_000)}b`),
      attempt("in a body", "POST", "/api/v1/directories", { json: { name: "a", path: `a${"/".repeat(80_000)}b` } }),
    ]),
    input("search", () => [
      search("a phrase of 95 words", `"${"a ".repeat(95)}"`),
      search("95 words", "a ".repeat(95)),
      search("66 different words", Array.from({ length: 66 }, (_, index) => index.toString(36)).join(" ")),
      search("66 prefixes", "aa ".repeat(66)),
      search("39 phrases of two words", '"a a"'.repeat(39)),
      search("Han", "漢".repeat(199)),
      search("combining marks", `a${"\u0316\u0315".repeat(99)}`),
      search("quotes", '"'.repeat(199)),
    ]),
    input(
      "search, 8 at once",
      () => Array.from({ length: 16 }, (_, number) => search("words", `${"a ".repeat(90)}${number}`)),
      8,
    ),
    input("the longest posts", () => read("1000 per page", "/api/v1/blog?pageSize=1000"), 3),
    input("the longest photos", () => read("1000 per page", "/api/v1/photos?pageSize=1000&page=11"), 3),
    input("a list of albums, one with 2,000 photos in the trash", () => read("list", "/api/v1/albums"), 3),
    input("an album of 10,000 photos", () => read("whole", `/api/v1/albums/${site.album}`), 3),
    input("a thread of 2,000 comments", () => read("thread", `/api/v1/comments?blogPostID=${site.discussed}`), 3),
    input("a directory of 20,000 entries", () => read("list", "/api/v1/files?path=/crowded"), 3),
    input("a directory with a path of 15,000 characters", () =>
      read("list", `/api/v1/files/dir${`/${longName}`.repeat(62)}`),
    ),
    input("zip archives", () => [
      attempt("10,000 files of one name", "GET", `/api/v1/albums/${site.album}/zip`, { seconds: 8 }),
      attempt("9,000 files", "GET", `/api/v1/files/${site.copied}/zip`, { seconds: 4 }),
    ]),
    input("JSON bodies", () =>
      bodies().map(([label, body]) => attempt(label, "POST", "/signup", { ...asJSON(body), isGuest: true })),
    ),
    input(
      "sign-ins, 100 at once",
      () =>
        Array.from({ length: 100 }, (_, number) =>
          attempt("sign-in", "POST", "/signin", { json: { username: `n${number}`, password: "wrong" }, isGuest: true }),
        ),
      100,
    ),
  ];
}

const file = (id: number) => `/api/v1/files/${id}`;

/** Requests that only an author can send. */
export function authorInputs(site: Site): Input[] {
  const post = (label: string, path: string, json: unknown) => attempt(label, "POST", path, { json });
  return [
    input("forms", () =>
      forms().map(([label, body]) => attempt(label, "POST", "/api/v1/files", { ...multipart, body })),
    ),
    input("an order of 10,000 photos", () => [
      attempt("ids", "PUT", `/api/v1/albums/${site.other}/photos`, { json: { photoIDs: site.photoIDs } }),
      attempt("not ids", "PUT", `/api/v1/albums/${site.other}/photos`, { json: { photoIDs: Array(10_000).fill("") } }),
      attempt("unknown ids", "PUT", `/api/v1/albums/${site.other}/photos`, {
        json: { photoIDs: Array.from({ length: 10_000 }, (_, index) => 1e9 + index) },
      }),
    ]),
    input("copy 9,000 files", () => [post("copy", `${file(site.copied)}/copy`, { path: "/copies" })]),
    input("move 5,000 directories", () => [post("move", `${file(site.tree)}/move`, { path: "/moved" })]),
    input("import 2,000 pictures", () => [post("import", "/api/v1/photos/import", { path: "/import" })]),
    input("replace the picture of 10,000 photos", () =>
      [1, 2].map((side) => attempt("replace", "PUT", `${file(site.shared)}/content`, { body: png(side, side) })),
    ),
    input("an upload in 300 parts", () => parts(300)),
    input("the storage report", () => [attempt("report", "GET", "/api/v1/storage", { isGuest: false })]),
    input("a name with every power of two taken", () => [
      attempt("upload", "POST", "/api/v1/files", {
        ...multipart,
        body: `${part('name="file"; filename="x.txt"', "a")}--x--\r\n`,
      }),
    ]),
  ];
}

/** Requests that delete records which other attacks need. */
export function deletingInputs(site: Site): Input[] {
  const emptyTrash = attempt("empty the trash", "DELETE", "/api/v1/trash");
  return [
    input("delete 5,000 directories permanently", () => [attempt("delete", "DELETE", file(site.tree)), emptyTrash]),
    input("delete 2,000 comments permanently", () => [
      attempt("delete", "DELETE", `/api/v1/blog/${site.discussed}`),
      emptyTrash,
    ]),
    input("delete an album of 10,000 photos permanently", () => [
      attempt("delete", "DELETE", `/api/v1/albums/${site.album}`),
      emptyTrash,
    ]),
  ];
}

/** Posts of the longest content that the API accepts; other attacks search and list them. */
export function longPosts(longest: number): Attempt[] {
  const texts: Record<string, string> = {
    "one-letter words": "a ",
    "words of two letters": "aa ab ",
    Han: "漢",
    ligatures: "ﷺ ",
  };
  const write = (label: string, content: string) =>
    attempt(label, "POST", "/api/v1/blog", { json: { title: "Long", content } });
  const attempts = Object.entries(texts).map(([label, unit]) => {
    const most = Math.min(longest, Math.floor(3_900_000 / Buffer.byteLength(unit)) * unit.length);
    return write(label, unit.repeat(most / unit.length));
  });
  const words = attempts[0] as Attempt;
  return [
    ...attempts,
    ...Array.from({ length: 36 }, () => words),
    attempt("search afterwards", "GET", "/api/v1/search?q=zz"),
  ];
}

/** Posts that are as costly to show as their length allows. Others read their pages, and the feeds that have them. */
export function costlyPosts(longest: number): Input[] {
  const write = (title: string, unit: string, count: number) => {
    const content = unit.repeat(Math.min(count, Math.floor(longest / unit.length)));
    return attempt(title, "POST", "/api/v1/blog", { json: { title, content } });
  };
  const titles = ["headings", "most-headings", "links", "addresses", "tasks", "pictures", "tables", "paragraphs"];
  const [first = "", second = "", ...others] = titles.map((title) => `/blog/costly-${title}`);
  const units = [
    "# a\n",
    "# a\n",
    "[a](b)\n",
    "www.a.b ",
    "- [ ] a\n",
    "![](http://a.b/c)\n",
    "|a|b|\n|-|-|\n",
    "a\n\n",
  ];
  const read = (paths: string[], times: number, headers = {}) =>
    Array.from({ length: times }, () => paths.map((path) => attempt(path, "GET", path, { headers }))).flat();
  // With such a header, the response does not come from memory.
  const fresh = { Authorization: "none" };
  const posts = titles.map((title) => `/api/v1/blog/by-slug?slug=costly-${title}`);
  const lists = ["/api/v1/blog?pageSize=1", "/api/v1/blog?cursor="];
  const feeds = ["/feed.xml", "/feed.json", "/blog/feed.xml"];
  const hosts = Array.from({ length: 300 }, (_, number) => ({ Host: `h${number}.example` }));
  const atHosts = (path: string) => hosts.map((headers) => attempt(`${path} at many hosts`, "GET", path, { headers }));
  return [
    input("costly posts", () => [
      write("costly headings", "# a\n", 99_000),
      // As many as are shown as HTML.
      write("costly most headings", "# a\n", 65_000),
      write("costly links", "[a](b)\n", 100_000),
      ...titles.slice(3).map((title, index) => write(`costly ${title}`, units[index + 3] as string, Infinity)),
    ]),
    input("a costly page of 99,000 headings", () => read([first, second], 10, fresh)),
    input("pages of costly posts, 10 at once", () => read([first, second, ...others], 5, fresh), 10),
    input("pages of costly posts from memory, 10 at once", () => read([first, second, ...others], 5), 10),
    input("costly posts by the API, 10 at once", () => read(posts, 5, fresh), 10),
    input("lists of costly posts by the API, 10 at once", () => read(lists, 10, fresh), 10),
    input("40 costly posts of links", () => Array.from({ length: 40 }, () => write("many links", "[a](b)\n", 4600))),
    input("feeds of costly posts, 10 at once", () => read(feeds, 10, fresh), 10),
    input("feeds of costly posts from memory, 10 at once", () => read(feeds, 10), 10),
    input("a costly page at 300 hosts, 10 at once", () => atHosts(first), 10),
    input("a list of costly posts at 300 hosts, 10 at once", () => atHosts("/blog"), 10),
    input("feeds of costly posts at 300 hosts, 10 at once", () => atHosts("/feed.xml"), 10),
  ];
}

/** Of the first upload of the site. */
function parts(count: number): Attempt[] {
  const tus = { "Tus-Resumable": "1.0.0" };
  const create = attempt("create", "POST", "/api/v1/uploads", {
    headers: { ...tus, "Upload-Length": String(count), "Upload-Metadata": "filename YQ==" },
  });
  const patches = Array.from({ length: count }, (_, offset) =>
    attempt("part", "PATCH", "/api/v1/uploads/1", {
      headers: { ...tus, "Upload-Offset": String(offset), "Content-Type": "application/offset+octet-stream" },
      body: "a",
    }),
  );
  return [create, ...patches];
}

function bodies(): [label: string, body: string][] {
  const numbers = Array.from({ length: 250_000 }, (_, index) => index);
  return [
    ["250,000 keys", `{${numbers.map((number) => `"k${number}":0`).join()}}`],
    ["250,000 numbers as keys", `{${numbers.map((number) => `"${number * 7}":0`).join()}}`],
    ["one key 600,000 times", `{${Array(600_000).fill('"a":0').join()}}`],
    ["a million empty objects", `{"username":[${Array(1_000_000).fill("{}").join()}]}`],
    ["2,000,000 levels", `{"a":${"[".repeat(2_000_000)}`],
    ["escapes", `{"username":"${"\\u0061".repeat(600_000)}"}`],
    ["a number of 3,900,000 digits", `{"username":${"1".repeat(3_900_000)}}`],
    ["one string", `{"username":"${"a".repeat(3_900_000)}"}`],
  ];
}

/** All requests that a guest can send, over several connections. */
export function everything(site: Site): Input {
  return input("all guest requests, 8 at once", () => guestInputs(site).flatMap(({ attempts }) => [...attempts()]), 8);
}

const multipart = { headers: { "Content-Type": "multipart/form-data; boundary=x" } };
const part = (head: string, value: string) => `--x\r\nContent-Disposition: form-data; ${head}\r\n\r\n${value}\r\n`;

function forms(): [label: string, body: string][] {
  const file = 'name="file"; filename="form.txt"';
  const written: [string, string][] = [
    ["60,000 parts", part('name="a"', "").repeat(60_000)],
    ["400,000 parts without a header", "--x\r\n\r\n\r\n".repeat(400_000)],
    ["a part header of 1 MB", part(`name="${"a".repeat(1_000_000)}"`, "")],
    ["100,000 part headers", `--x\r\n${"A: b\r\n".repeat(100_000)}\r\n\r\n`],
    ["100,000 parameters", part(`name="a"${'; b="c"'.repeat(100_000)}`, "")],
    ["a part header of escapes", part(`name="${'\\"'.repeat(500_000)}"`, "")],
    ["almost boundaries", part(file, "\r\n--".repeat(1_000_000))],
    ["a preamble of 4 MB", "\r\n-".repeat(1_300_000)],
    ["16 fields of 60,000 combining marks", part('name="name"', "\u0316\u0315".repeat(15_000)).repeat(15)],
  ];
  return written.map(([label, body]) => [label, `${body}--x--\r\n`]);
}
