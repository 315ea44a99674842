import { beforeAll, describe, expect, test } from "bun:test";
import { gunzipSync, zstdDecompressSync } from "node:zlib";
import { type Client, isoTime } from "../kit/client.ts";
import { password, person } from "../kit/people.ts";
import { startServer } from "../kit/server.ts";
import { sendRaw, statusesIn, statusOf } from "../kit/files/raw.ts";
import { useServer } from "../kit/use-server.ts";

const server = useServer();
const { guest } = server;
const owner = server.person("owner");
const stranger = server.person("stranger");
beforeAll(async () => {
  for (const number of [1, 2, 3, 4, 5]) {
    await owner.post("/api/v1/blog", { title: `Post ${number}`, content: "Lorem ipsum. ".repeat(60) });
  }
});

describe("malformed requests", () => {
  const get = (host: string) => `GET /api/v1/blog HTTP/1.1\r\n${host}\r\n`;

  test.each([
    ["two Host headers", get("Host: a\r\nHost: b\r\n")],
    ["an invalid Host", get("Host: a b/<x>@c\r\n")],
    ["no Host", get("")],
    [
      "both a length and chunks",
      "POST /signin HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ],
    ["two lengths", "POST /signin HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello"],
    ["a signed length", "POST /signin HTTP/1.1\r\nHost: a\r\nContent-Length: +5\r\n\r\nhello"],
    ["a hexadecimal length", "POST /signin HTTP/1.1\r\nHost: a\r\nContent-Length: 0x5\r\n\r\nhello"],
    ["an unknown coding", "POST /signin HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n"],
    ["a blank before the colon", "POST /signin HTTP/1.1\r\nHost: a\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n"],
    ["a folded header", "GET / HTTP/1.1\r\nHost: a\r\nX-A: b\r\n c\r\n\r\n"],
    ["NUL in a header", "GET / HTTP/1.1\r\nHost: a\r\nX-A: b\0c\r\n\r\n"],
  ])("%s: 400", async (_name, text) => {
    expect(statusOf(await sendRaw(server.url, text))).toBe(400);
  });

  test("data after a malformed last chunk is never treated as a second request", async () => {
    const smuggled = "GET /livez HTTP/1.1\r\nHost: a\r\n\r\n";
    const answer = await sendRaw(
      server.url,
      `POST /signin HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nXX${smuggled}`,
    );
    expect(statusesIn(answer)).not.toContain(200);
  });

  test("very long headers and URLs are refused", async () => {
    const many = Array.from({ length: 300 }, (_, index) => `X-${index}: 1\r\n`).join("");
    expect(statusOf(await sendRaw(server.url, `GET / HTTP/1.1\r\nHost: a\r\n${many}\r\n`))).toBe(431);
    expect(statusOf(await sendRaw(server.url, `GET /${"a".repeat(100_000)} HTTP/1.1\r\nHost: a\r\n\r\n`))).toBe(431);
  });

  test.each(["TRACE", "CONNECT"])("%s is not allowed, and the response lists the allowed methods", async (method) => {
    const answer = await sendRaw(server.url, `${method} / HTTP/1.1\r\nHost: a\r\n\r\n`);
    expect(statusOf(answer)).toBe(405);
    expect(answer).toMatch(/allow: GET/i);
  });

  test.each([
    "//evil.example/x",
    "/%00",
    "/api/v1/files/dir/%zz",
    "/api/v1/photos/%31",
    "/api/v1/files/dir/%2e%2e%2fetc",
    "/api/v1/blog/1;x",
    "/\\\\x",
  ])("GET %s never causes a redirect or a server error", async (path) => {
    const status = statusOf(await sendRaw(server.url, `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`));
    expect([400, 404]).toContain(status);
  });
});

describe("routes", () => {
  test("an unknown route or method is a 404 with a sentence", async () => {
    for (const [method, path] of [
      ["GET", "/api/v1/nothing"],
      ["PATCH", "/api/v1/photos"],
      ["DELETE", "/signup"],
      ["GET", "/x"],
    ] as const) {
      const { status, body } = await guest.request(method, path);
      expect(status).toBe(404);
      expect(body.error).toBeString();
    }
  });

  test("a method that no route of a path of the API has is a 404, whoever asks", async () => {
    for (const [method, path, allow] of [
      ["PATCH", "/api/v1/me", "GET, HEAD, OPTIONS"],
      ["DELETE", "/api/v1/photos", "POST, GET, HEAD, OPTIONS"],
      ["POST", "/api/v1/files/1/content", "GET, HEAD, PUT, OPTIONS"],
      ["PUT", "/api/v1/trash/1", "DELETE, OPTIONS"],
      ["PUT", "/api/v1/files/dir", "GET, HEAD, OPTIONS"],
      ["DELETE", "/api/v1/photos/zip", "GET, HEAD, OPTIONS"],
      ["PUT", "/api/v1/files/batch", "POST, OPTIONS"],
    ] as const) {
      for (const who of [guest, owner]) {
        const { status, body } = await who.request(method, path, { body: "{}" });
        expect([method, path, status]).toEqual([method, path, 404]);
        expect(body.error).toBe(`Not found: ${method} ${path}. See /docs for the available endpoints.`);
      }
      expect([path, (await guest.request("OPTIONS", path)).headers.get("allow")]).toEqual([path, allow]);
    }
  });

  test("a word in the place of an id is a 400, one that begins another path a 404", async () => {
    for (const [method, path, status] of [
      ["PUT", "/api/v1/files/dir/", 404],
      ["DELETE", "/api/v1/files/dir", 404],
      ["PUT", "/api/v1/files/dir/a/b", 404],
      ["PUT", "/api/v1/files/directory", 400],
      ["PUT", "/api/v1/files/DIR", 400],
      ["PUT", "/api/v1/files/0", 400],
      ["DELETE", "/api/v1/photos/abc", 400],
      ["DELETE", "/api/v1/albums/1/photos/abc", 400],
      ["GET", "/api/v1/files/dir/", 200],
    ] as const) {
      const sent = await owner.request(method, path, method === "GET" ? {} : { body: '{"name":"x"}' });
      expect([method, path, sent.status]).toEqual([method, path, status]);
    }
  });

  test("pages and resumable uploads respond to an unknown method with a 405 that lists the allowed ones", async () => {
    for (const [method, path, allow] of [
      ["PUT", "/api/v1/uploads", "POST, GET, HEAD, OPTIONS"],
      ["PUT", "/api/v1/uploads/1", "GET, HEAD, DELETE, PATCH, OPTIONS"],
      ["POST", "/docs", "GET, HEAD, OPTIONS"],
    ] as const) {
      const { status, body, headers } = await guest.request(method, path);
      expect([path, status, headers.get("allow")]).toEqual([path, 405, allow]);
      expect(body.error).toContain(allow);
      expect((await guest.request("OPTIONS", path)).headers.get("allow")).toBe(allow);
    }
  });

  test("for a missing page, a browser gets HTML and other clients get JSON", async () => {
    const accept = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    const page = await guest.get("/missing/page", { Accept: accept });
    expect([page.status, page.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
    expect(page.body).toContain("Page not found");
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(page.headers.get("referrer-policy")).toBe("same-origin");
    for (const [path, wanted] of [
      ["/missing/page", "*/*"],
      ["/missing/page", "application/json, text/html;q=0"],
      ["/api/v1/missing", accept],
      ["/api/v1/photos/999", accept],
    ] as const) {
      const { status, body } = await guest.get(path, { Accept: wanted });
      expect([path, status, typeof body.error]).toEqual([path, 404, "string"]);
    }
  });

  test("links between pages are absolute if the public URL of the server is known", async () => {
    await using known = await startServer({ BASE_URL: "https://photos.example.org/" });
    const author = await person(known, "author");
    for (const title of ["a", "b"]) await author.post("/api/v1/blog", { title, content: "x" });
    const { headers } = await author.get("/api/v1/blog?pageSize=1");
    expect(headers.get("link")).toContain('<https://photos.example.org/api/v1/blog?page=2&pageSize=1>; rel="next"');
    expect((await guest.get("/api/v1/blog?pageSize=1")).headers.get("link")).toContain("</api/v1/blog?page=2");
  });

  test("of two values of a parameter the last one counts, whoever asks, and whether or not the response is kept", async () => {
    for (const who of [guest, guest, owner]) {
      for (const [query, count] of [
        ["pageSize=1&pageSize=2", 2],
        ["pageSize=2&pageSize=1", 1],
        ["pageSize=1&%70ageSize=2", 2],
      ] as const) {
        expect([query, (await who.get(`/api/v1/blog?${query}`)).body.length]).toEqual([query, count]);
      }
      expect((await who.get("/api/v1/blog?pageSize=1&pageSize=x")).status).toBe(400);
    }
  });

  test("a trailing slash makes no difference", async () => {
    expect((await guest.get("/api/v1/blog/")).body).toEqual((await guest.get("/api/v1/blog")).body);
    expect((await guest.get("/api/v1/blog/1/")).status).toBe(200);
  });

  test("HEAD works for every GET, without a body", async () => {
    const { body } = await guest.get("/openapi.json");
    const paths = Object.entries(body.paths as Record<string, object>).filter(([, item]) => "get" in item);
    // The body of an error contains the request id: the same id gives the same length.
    const headers = { "accept-encoding": "identity", "x-request-id": "same" };
    for (const [path] of paths) {
      const real = path.replace(/\{\w+\}/g, "1");
      const got = await fetch(server.url + real, { headers });
      const isEndless = got.headers.get("content-type") === "text/event-stream";
      if (isEndless) await got.body?.cancel();
      // The runtime always sends a length with HEAD.
      const length = isEndless ? "0" : String((await got.arrayBuffer()).byteLength);
      const head = await fetch(server.url + real, { method: "HEAD", headers });
      expect([path, head.status]).toEqual([path, got.status]);
      expect(head.headers.get("content-length")).toBe(length);
      expect(await head.text()).toBe("");
    }
  });

  test("the response for a created record has its URL", async () => {
    const { headers, body } = await owner.post("/api/v1/blog", { title: "x", content: "x" });
    expect(headers.get("location")).toBe(`/api/v1/blog/${body.id}`);
    const made = await owner.post("/api/v1/directories", { name: "here" });
    expect((await guest.get(made.headers.get("location") ?? "")).body).toEqual(made.body);
    const copy = await owner.post(`/api/v1/files/${made.body.id}/copy`, { path: "/", name: "there" });
    expect((await guest.get(copy.headers.get("location") ?? "")).body).toEqual(copy.body);
  });

  test("a path is decoded once", async () => {
    for (const name of ["%41", "A"]) await owner.upload(name, name, { path: "/decoded" });
    const nameAt = async (path: string) => (await guest.get(`/api/v1/files/dir/decoded/${path}`)).body.name;
    expect([await nameAt("%41"), await nameAt("%2541"), await nameAt("%252541")]).toEqual(["A", "%41", undefined]);
  });
});

describe("headers", () => {
  test("any origin may read and send bearer tokens, never credentials", async () => {
    const { headers } = await guest.get("/api/v1/blog", { Origin: "https://elsewhere.example" });
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.get("access-control-allow-credentials")).toBeNull();
    expect(headers.get("access-control-expose-headers")).toContain("X-Total-Count");
  });

  test("preflight requests work for every path", async () => {
    const response = await fetch(`${server.url}/api/v1/blog`, {
      method: "OPTIONS",
      headers: {
        Origin: "https://elsewhere.example",
        "Access-Control-Request-Method": "PUT",
        "Access-Control-Request-Headers": "authorization, content-type",
      },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get("access-control-allow-methods")).toContain("PUT");
    expect(response.headers.get("access-control-allow-headers")?.toLowerCase()).toContain("authorization");
  });

  test("errors can also be read from another origin", async () => {
    expect((await guest.get("/api/v1/blog/999")).headers.get("access-control-allow-origin")).toBe("*");
  });

  test("a JSON response has a tag, which gets a 304 until something changes", async () => {
    const { headers } = await guest.get("/api/v1/blog");
    const tag = headers.get("etag") ?? "";
    const again = await fetch(`${server.url}/api/v1/blog`, { headers: { "If-None-Match": `"other", ${tag}` } });
    expect(again.status).toBe(304);
    expect(await again.text()).toBe("");
    expect(again.headers.get("etag")).toBe(tag);
    await owner.post("/api/v1/blog", { title: "New", content: "x" });
    expect((await fetch(`${server.url}/api/v1/blog`, { headers: { "If-None-Match": tag } })).status).toBe(200);
  });

  test("a write is visible immediately, however often the record was read before", async () => {
    const { body: post } = await owner.post("/api/v1/blog", { title: "0", content: "x" });
    for (const title of ["1", "2", "3", "4"]) {
      await guest.get(`/api/v1/blog/${post.id}`);
      await owner.put(`/api/v1/blog/${post.id}`, { title });
      expect((await guest.get(`/api/v1/blog/${post.id}`)).body.title).toBe(title);
    }
  });

  test("responses over a kilobyte are compressed if the client accepts it", async () => {
    const read = async (encoding: string) => {
      const response = await fetch(`${server.url}/api/v1/blog`, {
        headers: { "Accept-Encoding": encoding },
        decompress: false,
      });
      return {
        encoding: response.headers.get("content-encoding"),
        vary: response.headers.get("vary"),
        bytes: Buffer.from(await response.arrayBuffer()),
      };
    };
    const plain = await read("identity");
    expect(plain.encoding).toBeNull();
    expect(plain.vary).toContain("Accept-Encoding");
    const gzip = await read("gzip");
    expect(gzip.encoding).toBe("gzip");
    expect(gunzipSync(gzip.bytes)).toEqual(plain.bytes);
    const zstd = await read("gzip, br, zstd");
    expect(zstd.encoding).toBe("zstd");
    expect(zstdDecompressSync(zstd.bytes)).toEqual(plain.bytes);
    expect((await read("gzip;q=0, identity")).encoding).toBeNull();
    expect(
      (await fetch(`${server.url}/livez`, { headers: { "Accept-Encoding": "gzip" }, decompress: false })).headers.get(
        "content-encoding",
      ),
    ).toBeNull();
  });

  test("every response has a request id, and a valid one from a proxy is kept", async () => {
    const [first, second] = [await guest.get("/livez"), await guest.get("/livez")];
    expect(first.headers.get("x-request-id")).toBeString();
    expect(first.headers.get("x-request-id")).not.toBe(second.headers.get("x-request-id"));
    expect((await guest.get("/livez", { "X-Request-Id": "abc-123" })).headers.get("x-request-id")).toBe("abc-123");
    expect((await guest.get("/livez", { "X-Request-Id": 'a"b' })).headers.get("x-request-id")).not.toBe('a"b');
    const { body, headers } = await guest.get("/api/v1/blog/999");
    expect(body.requestID).toBe(headers.get("x-request-id"));
  });
});

describe("bodies", () => {
  const post = (body: Bun.BodyInit, type = "application/json") =>
    owner.request("POST", "/api/v1/albums", { body, headers: { "Content-Type": type } });

  test.each([
    ["not JSON", "{name: 1}"],
    ["an array", "[]"],
    ["a string", '"x"'],
    ["null", "null"],
    ["nothing", ""],
    ["deeply nested", `{"name":${"[".repeat(100_000)}${"]".repeat(100_000)}}`],
    ["broken UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ])("%s: 400", async (_name, body) => {
    const { status, body: answer } = await post(body);
    expect(status).toBe(400);
    expect(answer.error).toBeString();
  });

  test("a form where JSON is wanted: 400", async () => {
    const form = new FormData();
    form.set("name", "x");
    const { status, body } = await owner.request("POST", "/api/v1/albums", { body: form });
    expect([status, body.error]).toEqual([
      400,
      "The body must be JSON: send it with the header Content-Type: application/json.",
    ]);
  });

  test("more than MAX_BODY_BYTES: 400, with a length and in chunks", async () => {
    const large = JSON.stringify({ name: "x".repeat(5_000_000) });
    expect((await post(large)).status).toBe(400);
    const chunks = new ReadableStream({
      start(controller) {
        for (let index = 0; index < 80; index++) controller.enqueue(new TextEncoder().encode(" ".repeat(65_536)));
        controller.close();
      },
    });
    expect((await post(chunks)).status).toBe(400);
  });

  test("__proto__ and constructor keys have no effect, and the last of two equal keys wins", async () => {
    const { status, body } = await post('{"__proto__":{"role":"admin"},"constructor":{"x":1},"name":"a","name":"b"}');
    expect(status).toBe(201);
    expect(body.name).toBe("b");
    expect(Object.keys(body).toSorted()).toEqual([
      "cover",
      "coverPhotoID",
      "createdAt",
      "description",
      "filter",
      "id",
      "name",
      "ownerID",
      "parentID",
      "photoCount",
      "photoOrder",
      "photos",
      "updatedAt",
      "visibility",
    ]);
    expect(({} as Record<string, unknown>).role).toBeUndefined();
  });
});

describe("the log", () => {
  const lineOf = (requestID: string) =>
    server
      .logged()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
      .find((entry) => entry.requestID === requestID);

  test("one JSON line per request, with its id and without secrets", async () => {
    await owner.get("/api/v1/me", { "X-Request-Id": "find-me" });
    await guest.post("/signin", { username: "owner", password: "secret-password-1" });
    expect(lineOf("find-me")).toEqual({
      time: expect.stringMatching(isoTime),
      level: "info",
      message: "request",
      requestID: "find-me",
      method: "GET",
      path: "/api/v1/me",
      status: 200,
      ms: expect.any(Number),
      address: expect.stringMatching(/^(::ffff:)?127\.0\.0\.1$|^::1$/),
      userID: owner.userID,
    });
    expect(server.logged()).not.toContain(owner.token as string);
    expect(server.logged()).not.toContain("secret-password-1");
  });

  test("says whose sign-in has succeeded and that others have failed, but not which names were tried", async () => {
    const attempt = async (path: string, requestID: string, sent: object) => {
      const headers = {
        "X-Request-Id": requestID,
        "Sec-Fetch-Site": "same-origin",
        "Content-Type": "application/json",
      };
      await guest.request("POST", path, { headers, body: JSON.stringify(sent) });
      const line = lineOf(requestID);
      return [line.path, line.status, typeof line.address, line.userID];
    };
    for (const name of ["signin", "session"]) {
      const path = `/${name}`;
      const right = { username: "owner", password };
      expect(await attempt(path, `right-${name}`, right)).toEqual([path, 200, "string", owner.userID]);
      const wrong = { username: "owner", password: "a wrong password" };
      expect(await attempt(path, `wrong-${name}`, wrong)).toEqual([path, 401, "string", undefined]);
      const unknown = { username: "typed-by-mistake", password };
      expect(await attempt(path, `unknown-${name}`, unknown)).toEqual([path, 401, "string", undefined]);
    }
    expect(server.logged()).not.toContain("typed-by-mistake");
  });

  test("says of a refused request who has sent it, from where, and what it was", async () => {
    const { id } = (await owner.post("/api/v1/blog", { title: "Mine", content: "x" })).body;
    const hidden = (await owner.post("/api/v1/blog", { title: "Hidden", content: "x", visibility: "private" })).body.id;
    const refused = async (who: Client, path: string, requestID: string) => {
      await who.request("DELETE", path, { headers: { "X-Request-Id": requestID } });
      const { method, path: logged, status, address, userID } = lineOf(requestID);
      expect([method, logged, typeof address]).toEqual(["DELETE", path, "string"]);
      return [status, userID];
    };
    expect(await refused(stranger, `/api/v1/blog/${id}`, "not-the-owner")).toEqual([403, stranger.userID]);
    expect(await refused(stranger, `/api/v1/blog/${hidden}`, "not-visible")).toEqual([404, stranger.userID]);
    expect(await refused(stranger, "/api/v1/users/1/sessions", "not-an-admin")).toEqual([403, stranger.userID]);
    expect(await refused(guest, `/api/v1/blog/${id}`, "no-token")).toEqual([401, undefined]);
  });
});
