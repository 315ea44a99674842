// Runs only with TEST_LONG: it measures large sites or several copies of the server, which takes minutes.
// Runs on the embedded engines only: it measures the time of the server's own code.
import { beforeAll, describe, expect, test } from "bun:test";
import { BlockList } from "node:net";
import { albumOrderSchema, newAlbumSchema } from "../../src/content/albums/album.ts";
import { newPostSchema } from "../../src/content/blog/post.ts";
import { newCommentSchema } from "../../src/content/comments/comment.ts";
import { attachment } from "../../src/content/files/content.ts";
import { checkName, fileNameFrom, nameKey, addNumber, orderKey, parsePath } from "../../src/content/files/names.ts";
import { newPhotoSchema } from "../../src/content/photos/photo.ts";
import { createTokens } from "../../src/platform/auth/tokens.ts";
import { clientAddress, limitKey } from "../../src/platform/http/address.ts";
import { matches, readRange } from "../../src/platform/http/conditional.ts";
import { chooseEncoding } from "../../src/platform/http/encoding.ts";
import { readTarget, requestID } from "../../src/platform/http/exchange.ts";
import { validate } from "../../src/platform/http/validate.ts";
import { kindsOf } from "../../src/module.ts";
import { modules } from "../../src/modules.ts";
import { isTermIn, parseQuery } from "../../src/platform/search/query.ts";
import { listWords, wordsOf } from "../../src/platform/search/words.ts";
import { fold, naturalOrderKey, truncateUTF8 } from "../../src/platform/text.ts";
import { excerpt, highlight } from "../../src/features/search/highlight.ts";
import { score } from "../../src/features/search/rank.ts";
import { searchQueryOf } from "../../src/features/search/schemas.ts";
import { parseMetadata, readChecksum, readNumber } from "../../src/features/uploads/protocol.ts";
import { credentialsSchema, signInSchema, usernameKey } from "../../src/core/users/user.ts";
import { clearlyLinear, expectLinear, type Sizes } from "../kit/growth.ts";
import { hostileQueries } from "../kit/hostile-search.ts";
import { client } from "../kit/client.ts";
import { png } from "../kit/files/png.ts";
import { isLong } from "../kit/long.ts";
import { fill, type TextParameter, textParametersOf, type Sent } from "../kit/text-parameters.ts";
import { useServer } from "../kit/use-server.ts";
import { worstHeaders, worstStrings, type Writers } from "../kit/worst-strings.ts";

/** The range of text sizes in bytes. Longer names, titles and search terms are refused. */
const nameSizes: Sizes = [12, 1200];
const textSizes: Sizes = [400, 400_000];
const headerSizes: Sizes = [150, 15_000];
const bodySizes: Sizes = [1000, 100_000];
/** In a short run, each parameter gets some of the texts, and the next one others. */
const some = (writers: Writers, turn: number): Writers =>
  Object.fromEntries(Object.entries(writers).filter((_, index) => isLong || index % 3 === turn % 3));
const sizesByLocation: Record<TextParameter["isIn"], Sizes> = {
  // Each byte may become three.
  path: [50, 5000],
  query: [50, 5000],
  form: [600, 60_000],
  body: bodySizes,
};

describe("the time of a function is linear in the length of its text", () => {
  const queries = ['a 漢 "a b" b* 1a', ...Object.values(hostileQueries)].map(parseQuery);
  const terms = queries.flatMap((query) => query.terms);
  const tokens = createTokens("a secret of thirty-two characters");
  const trusted = new BlockList();
  trusted.addSubnet("127.0.0.0", 8, "ipv4");

  const ofTexts: Record<string, (text: string) => unknown> = {
    parsePath,
    checkName,
    truncateUTF8: (text) => truncateUTF8(text, 200),
    listWords,
    wordsOf: (text) => [...wordsOf(text)],
    excerpt: (text) => excerpt(text, terms),
    isTermIn: (text) => terms.map((term) => isTermIn(term, text)),
    score: (text) => queries.map((query) => score({ title: text, text }, query)),
    signUp: (text) => validate(credentialsSchema, { username: text, password: text }),
    signIn: (text) => validate(signInSchema, { username: text, password: text }),
    newPhoto: (text) => validate(newPhotoSchema, { title: text, description: text, fileID: 1 }),
    newPost: (text) => validate(newPostSchema, { title: text, content: text }),
    newComment: (text) => validate(newCommentSchema, { content: text, blogPostID: 1 }),
    newAlbum: (text) => validate(newAlbumSchema, { name: text }),
    searchQuery: (text) => validate(searchQueryOf(kindsOf(modules)), { q: text, limit: text }),
  };
  for (const [name, run] of Object.entries(ofTexts)) {
    test(name, () => expectLinear(worstStrings, textSizes, run), 30_000);
  }

  const ofNames: Record<string, (name: string) => unknown> = {
    nameKey,
    orderKey: (name) => orderKey(name, false),
    addNumber: (name) => addNumber(name, 2),
    attachment,
    fileNameFrom,
    fold,
    naturalOrderKey,
    usernameKey,
    parseQuery,
    highlight: (name) => highlight(name, terms),
  };
  for (const [name, run] of Object.entries(ofNames)) {
    test(name, () => expectLinear(worstStrings, nameSizes, run));
  }

  const ofHeaders: Record<string, (text: string) => unknown> = {
    "If-None-Match": (text) => matches(text, '"a"'),
    Range: (text) => readRange(text, null, '"a"', 1000),
    "Accept-Encoding": (text) => chooseEncoding(text, 5000),
    "X-Forwarded-For": (text) => limitKey(clientAddress("127.0.0.1", text, trusted)),
    "X-Request-Id": (text) => requestID(new Request("http://a/", { headers: { "X-Request-Id": text } })),
    "Upload-Metadata": parseMetadata,
    "Upload-Checksum": (text) => readChecksum(new Headers({ "Upload-Checksum": text })),
    "Upload-Length": (text) => readNumber(new Headers({ "Upload-Length": text }), "Upload-Length"),
    Authorization: (text) => tokens.verify(text),
    Host: (text) => readTarget("http://a/", text),
  };
  for (const [name, run] of Object.entries(ofHeaders)) {
    test(name, () => expectLinear(worstHeaders, textSizes, run));
  }

  const lists: Writers = {
    "wrong ids": (length) => JSON.stringify(Array(Math.ceil(length / 40)).fill("")),
    "right ids": (length) => JSON.stringify(Array.from({ length: Math.ceil(length / 40) }, (_, index) => index + 1)),
  };
  test("albumOrder", () =>
    expectLinear(lists, textSizes, (text) => validate(albumOrderSchema, { photoIDs: JSON.parse(text) })));
});

describe("the time of a request is linear in its length", () => {
  const server = useServer({ TRUST_PROXY: "loopback", LOG_LEVEL: "silent" });
  const owner = server.person("owner");
  let parameters: TextParameter[];
  let content: string;
  let image: string;
  const ids: Record<string, number> = {};

  beforeAll(async () => {
    const { body: file } = await owner.upload("a.png", png(2, 2));
    const { body: photo } = await owner.post("/api/v1/photos", { title: "a", fileID: file.id });
    const { body: post } = await owner.post("/api/v1/blog", { title: "a", content: "a" });
    const { body: comment } = await owner.post("/api/v1/comments", { content: "a", blogPostID: post.id });
    const { body: album } = await owner.post("/api/v1/albums", { name: "a" });
    Object.assign(ids, {
      "/api/v1/photos": photo.id,
      "/api/v1/blog": post.id,
      "/api/v1/comments": comment.id,
      "/api/v1/albums": album.id,
      "/api/v1/files": file.id,
    });
    [content, image] = [file.url, photo.variants[0].url];
    parameters = textParametersOf((await owner.get("/openapi.json")).body);
  });

  for (const [where, sizes] of Object.entries(sizesByLocation)) {
    test(`in its ${where}`, async () => {
      const found = parameters.filter(({ isIn }) => isIn === where);
      expect(found.length).toBeGreaterThan(2);
      for (const [index, parameter] of found.entries()) {
        const run = (text: string) => send(fill(parameter, text, ids));
        await expectLinear(some(worstStrings, index), sizes, run, { where: parameter.name });
      }
    });
  }

  test("in its headers", async () => {
    const tus = { "Tus-Resumable": "1.0.0", "Upload-Length": "1", "Upload-Metadata": "filename YQ==" };
    const cases: [method: string, path: string, headers: Record<string, string>, names: string[]][] = [
      [
        "GET",
        "/api/v1/photos",
        {},
        ["Accept", "Accept-Encoding", "If-None-Match", "X-Forwarded-For", "X-Request-Id", "Origin", "Cookie"],
      ],
      ["GET", content, {}, ["Range", "If-None-Match", "If-Range"]],
      ["GET", image, {}, ["Accept", "If-None-Match"]],
      ["GET", "/api/v1/me", {}, ["Authorization"]],
      ["POST", "/api/v1/blog", {}, ["Content-Type", "X-HTTP-Method-Override"]],
      ["POST", "/api/v1/files", {}, ["Content-Type"]],
      ["PUT", content, {}, ["If-Match", "Content-Type"]],
      ["POST", "/api/v1/uploads", tus, [...Object.keys(tus), "Upload-Checksum", "Content-Type"]],
    ];
    const beginnings: Record<string, string> = {
      Authorization: "Bearer ",
      Range: "bytes=",
      "Upload-Checksum": "sha1 ",
      "Upload-Metadata": "filename ",
      "Content-Type": "multipart/form-data; boundary=",
    };
    for (const [method, path, headers, names] of cases) {
      for (const name of names) {
        const body = method === "GET" ? null : "x";
        const run = (text: string) =>
          send({ method, path, headers: { ...headers, [name]: (beginnings[name] ?? "") + text }, body });
        await expectLinear(worstHeaders, headerSizes, run, { where: `${method} ${path} ${name}` });
      }
    }
  });

  test("in the parts of a JSON body", async () => {
    const bodies: Writers = {
      keys: (length) => `{${Array.from({ length: length / 10 }, (_, index) => `"k${index}":0`).join()}}`,
      "the same key": (length) =>
        `{${Array(Math.ceil(length / 6))
          .fill('"a":0')
          .join()}}`,
      "keys of numbers": (length) =>
        `{${Array.from({ length: length / 10 }, (_, index) => `"${index * 7}":0`).join()}}`,
      arrays: (length) =>
        `{"photoIDs":[${Array(Math.ceil(length / 3))
          .fill("[]")
          .join()}]}`,
      objects: (length) =>
        `{"photoIDs":[${Array(Math.ceil(length / 3))
          .fill("{}")
          .join()}]}`,
      nesting: (length) => `{"a":${"[".repeat(length)}`,
      escapes: (length) => `{"name":"${"\\u0061".repeat(length / 6)}"}`,
      surrogates: (length) => `{"name":"${"\\ud800".repeat(length / 6)}"}`,
      numbers: (length) => `{"photoIDs":[${"1".repeat(length)}]}`,
    };
    const headers = { "Content-Type": "application/json" };
    const path = `/api/v1/albums/${ids["/api/v1/albums"]}/photos`;
    await expectLinear(bodies, bodySizes, (body) => send({ method: "PUT", path, headers, body }));
  });

  test("in the parts of a form", async () => {
    const part = (head: string, value: string) => `--x\r\nContent-Disposition: form-data; ${head}\r\n\r\n${value}\r\n`;
    const forms: Writers = {
      parts: (length) => part('name="a"', "").repeat(length / 50),
      "parts without a name": (length) => "--x\r\n\r\n\r\n".repeat(length / 9),
      "a part header": (length) => part(`name="${"a".repeat(length)}"`, ""),
      "part headers": (length) => `--x\r\n${"A: b\r\n".repeat(length / 6)}\r\n\r\n`,
      "folded part headers": (length) => `--x\r\nA: b\r\n${" c\r\n".repeat(length / 4)}\r\n\r\n`,
      parameters: (length) => part(`name="a"${'; b="c"'.repeat(length / 7)}`, ""),
      escapes: (length) => part(`name="${'\\"'.repeat(length / 2)}"`, ""),
      "almost boundaries": (length) => part('name="file"; filename="a"', "\r\n--".repeat(length / 4)),
      "line ends": (length) => part('name="file"; filename="a"', "\r\n".repeat(length / 2)),
      preamble: (length) => "\r\n-".repeat(length / 3),
    };
    const post = (type: string, body: string) =>
      send({ method: "POST", path: "/api/v1/files", headers: { "Content-Type": type }, body });
    await expectLinear(forms, bodySizes, (text) => post("multipart/form-data; boundary=x", `${text}--x--\r\n`));
    const pairs: Writers = { fields: (length) => "a=b&".repeat(length / 4), ...worstStrings };
    await expectLinear(pairs, bodySizes, (text) => post("application/x-www-form-urlencoded", `path=${text}`));
  });

  async function send({ method, path, headers, body }: Sent): Promise<void> {
    const who = headers.Authorization ? client(server) : owner;
    const { status } = await who.request(method, path, { headers, body });
    expect(status).toBeLessThan(500);
  }
});

describe("the time of a request is linear in the number of records", () => {
  const counts = [100, 1000] as const;
  const most = 1000;
  const server = useServer({ LOG_LEVEL: "silent" });
  const owner = server.person("owner");
  let photoIDs: number[];
  const albums = new Map<number, string>();
  const directories = new Map<number, string>();
  const posts = new Map<number, number>();
  const shown = new Map<number, string>();

  beforeAll(async () => {
    const { body: file } = await owner.upload("a.txt", "a");
    const photo = { title: "a", fileID: file.id, width: 1, height: 1 };
    photoIDs = await each(most, async () => (await owner.post("/api/v1/photos", photo)).body.id);
    for (const count of counts) {
      const { body: shared } = await owner.upload(`${count}.png`, png(1, 1));
      shown.set(count, `/api/v1/files/${shared.id}/content`);
      await each(count, () => owner.post("/api/v1/photos", { title: "a", fileID: shared.id }));
    }
    for (const count of counts) {
      albums.set(count, `/api/v1/albums/${(await owner.post("/api/v1/albums", { name: "a" })).body.id}`);
      await owner.post("/api/v1/albums", { name: "empty" });
      directories.set(
        count,
        `/api/v1/files/${(await owner.post("/api/v1/directories", { name: `${count}` })).body.id}`,
      );
      await each(count, (number) => owner.upload(`${number}.png`, png(1, 1), { path: `/${count}` }));
      const { body: post } = await owner.post("/api/v1/blog", { title: "a", content: "a" });
      posts.set(count, post.id);
      await each(count, () => owner.post("/api/v1/comments", { content: "a", blogPostID: post.id }));
    }
  });

  testGrowth("sorting an album", (count) =>
    owner.put(`${albums.get(count)}/photos`, { photoIDs: photoIDs.slice(0, count) }),
  );
  testGrowth("reading an album", (count) => owner.get(`${albums.get(count)}`));
  testGrowth("downloading an album of photos that share a file name", (count) => owner.get(`${albums.get(count)}/zip`));
  testGrowth("listing a directory", (count) => owner.get(`/api/v1/files?path=/${count}`));
  testGrowth("downloading a directory", (count) => owner.get(`${directories.get(count)}/zip`));
  testGrowth("copying a directory", (count) => owner.post(`${directories.get(count)}/copy`, { path: "/copies" }));
  testGrowth("moving a directory", async (count) => {
    await owner.post(`${directories.get(count)}/move`, { path: "/moved" });
    return owner.post(`${directories.get(count)}/move`, { path: "/" });
  });
  testGrowth("importing the pictures of a directory", (count) =>
    owner.post("/api/v1/photos/import", { path: `/${count}` }),
  );
  testGrowth("replacing a picture that photos share", async (count) => {
    await owner.request("PUT", `${shown.get(count)}`, { body: png(2, 2) });
    return owner.request("PUT", `${shown.get(count)}`, { body: png(1, 1) });
  });
  testGrowth("reading comments", (count) => owner.get(`/api/v1/comments?blogPostID=${posts.get(count)}`));

  test("the photos of the albums are deleted", async () => {
    const deleted = await each(most, (number) => owner.delete(`/api/v1/photos/${photoIDs[number]}`));
    for (const { status } of deleted) expect(status).toBe(200);
  });
  // Newest first: each page has an empty album and one of the others.
  testGrowth("listing albums whose photos are in the trash", (count) =>
    owner.get(`/api/v1/albums?pageSize=2&page=${count === most ? 1 : 2}`),
  );

  function testGrowth(name: string, request: (count: number) => Promise<{ status: number }>): void {
    const run = async (count: string) => expect((await request(Number(count))).status).toBeLessThan(300);
    test(name, () => expectLinear({ records: String }, counts, run, { limit: clearlyLinear }), 60_000);
  }
});

/** Runs for 0, 1, … up to `count`, a few at a time, and returns the results. */
async function each<Result>(count: number, run: (number: number) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < count; start += 20) {
    results.push(...(await Promise.all(Array.from({ length: 20 }, (_, index) => run(start + index)))));
  }
  return results;
}
