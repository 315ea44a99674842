import { beforeAll, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { client } from "../kit/client.ts";
import { password } from "../kit/people.ts";
import { startServer } from "../kit/server.ts";
import { sendRaw, statusOf } from "../kit/files/raw.ts";
import { useServer } from "../kit/use-server.ts";

const server = useServer();
const owner = server.person("owner");
const { guest } = server;
let session = "";
beforeAll(async () => {
  const account = { username: "owner", password };
  const { headers } = await guest.post("/session", account, { "Sec-Fetch-Site": "same-origin" });
  session = headers.get("set-cookie")?.split(";")[0] ?? "";
});

describe("JSON with another content type", () => {
  const types = [null, "text/plain", "text/plain;charset=UTF-8", "text/json", "application/x-www-form-urlencoded"];
  /** Bytes, so that nothing adds a content type. */
  const send = (path: string, text: string, type: string | null, headers: Record<string, string> = {}) =>
    guest.request("POST", path, {
      body: Buffer.from(text),
      headers: { ...headers, ...(type !== null && { "Content-Type": type }) },
    });
  const bearer = () => ({ Authorization: `Bearer ${owner.token}` });
  const cookie = () => ({ Cookie: session, "Sec-Fetch-Site": "same-origin" });

  test.each(types)("%j is read beside a token, and by /signup and /signin", async (type) => {
    const username = `person${types.indexOf(type)}`;
    const account = JSON.stringify({ username, password });
    expect((await send("/signup", account, type)).status).toBe(201);
    expect((await send("/signin", account, type)).body.token).toBeString();
    const made = await send("/api/v1/albums", '{"name":"x"}', type, bearer());
    expect([made.status, made.body.name]).toEqual([201, "x"]);
    const renamed = await owner.request("PUT", `/api/v1/albums/${made.body.id}`, {
      body: Buffer.from('{"name":"y"}'),
      headers: type === null ? {} : { "Content-Type": type },
    });
    expect(renamed.body.name).toBe("y");
    for (const path of ["/signup", "/signin", "/api/v1/albums"]) {
      const refused = await send(path, "name=x", type, path.startsWith("/api/") ? bearer() : {});
      expect([path, refused.status, refused.body.error]).toEqual([path, 400, "The body is not valid JSON."]);
    }
  });

  test.each(types)("%j is refused where the session of a browser acts, and by /session", async (type) => {
    const sentence = expect.stringContaining("The body must be ");
    const before = (await owner.get("/api/v1/albums?pageSize=1000")).body.length;
    const refused = await send("/api/v1/albums", '{"name":"x"}', type, cookie());
    expect([refused.status, refused.body.error]).toEqual([400, sentence]);
    // A proxy has asked the browser for a password.
    const proxied = await send("/api/v1/albums", '{"name":"x"}', type, { ...cookie(), Authorization: "Basic eDp5" });
    expect([proxied.status, proxied.body.error]).toEqual([400, sentence]);
    expect((await owner.get("/api/v1/albums?pageSize=1000")).body).toHaveLength(before);
    for (const headers of [{}, bearer()]) {
      const signIn = await send("/session", JSON.stringify({ username: "owner", password }), type, headers);
      expect([signIn.status, signIn.headers.get("set-cookie")]).toEqual([400, null]);
    }
  });

  test("with a token and a cookie, the token decides who asks", async () => {
    const other = await client(server).post("/signup", { username: "somebody", password });
    expect(other.status).toBe(201);
    const { token, user } = (await guest.post("/signin", { username: "somebody", password })).body;
    const both = { ...cookie(), Authorization: `Bearer ${token}` };
    const made = await send("/api/v1/albums", '{"name":"x"}', "text/plain", both);
    expect([made.status, made.body.ownerID]).toEqual([201, user.id]);
    const forged = await send("/api/v1/albums", '{"name":"x"}', "text/plain", { ...both, Authorization: "Bearer x" });
    expect(forged.status).toBe(401);
  });
});

describe("repeated slashes", () => {
  const get = (path: string) => sendRaw(server.url, `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  const bodyOf = (answer: string) => answer.slice(answer.indexOf("\r\n\r\n") + 4);

  test("make no difference in paths of the API, and lead nowhere else", async () => {
    await owner.upload("c.txt", "hello", { path: "/a/b" });
    const album = (await owner.post("/api/v1/albums", { name: "x" })).body;
    for (const [path, same] of [
      [
        "/api/v1/photos",
        ["//api/v1/photos", "/api/v1//photos/", "/api/v1/photos//", "/api//v1/photos", "///api///v1///photos///"],
      ],
      [`/api/v1/albums/${album.id}`, [`//api/v1/albums/${album.id}`, `/api/v1/albums//${album.id}//`]],
      ["/api/v1/files/dir/a/b/c.txt", ["//api/v1/files/dir/a/b/c.txt", "/api/v1/files/dir//a//b///c.txt/"]],
      ["/api/v1/photos?page=1", ["//api/v1/photos?page=1", "//api/v1/photos/?page=1"]],
    ] as const) {
      const expected = await get(path);
      expect([path, statusOf(expected)]).toEqual([path, 200]);
      for (const other of same) {
        const answer = await get(other);
        expect([other, statusOf(answer), bodyOf(answer)]).toEqual([other, 200, bodyOf(expected)]);
        expect(answer).not.toMatch(/^location:/im);
      }
    }
    const account = { username: "slash", password };
    expect((await guest.post("//signup", account)).status).toBe(201);
    const { token } = (await guest.post("/signin//", account)).body;
    const created = await client(server, token).post("//api/v1/albums", { name: "y" });
    expect([created.status, created.headers.get("location")]).toEqual([201, `/api/v1/albums/${created.body.id}`]);
    expect((await client(server, token).delete(`//api/v1//albums/${created.body.id}`)).status).toBe(200);
  });

  test("elsewhere, and encoded ones, stay what they are", async () => {
    for (const path of [
      "//evil.example/x",
      "//docs",
      "/api/v1%2Fphotos",
      "/api/v1/%2Fphotos",
      "//evil.example//api/v1/x",
    ]) {
      const answer = await get(path);
      expect([path, statusOf(answer)]).toEqual([path, 404]);
      expect(answer).not.toMatch(/^location:/im);
    }
    expect(statusOf(await get("/api/v1/files/dir/a%2F%2Fb"))).toBeOneOf([400, 404]);
  });

  test("a write is seen at every spelling, however often they were read before", async () => {
    const { id } = (await owner.post("/api/v1/blog", { title: "0", content: "x" })).body;
    const spellings = [`/api/v1/blog/${id}`, `//api/v1/blog/${id}`, `/api/v1//blog/${id}/`];
    for (const title of ["1", "2", "3"]) {
      await owner.put(`//api/v1/blog/${id}`, { title });
      for (const path of [...spellings, ...spellings, ...spellings])
        expect([path, JSON.parse(bodyOf(await get(path))).title]).toEqual([path, title]);
    }
    const { headers } = await guest.get(spellings[1] as string);
    expect((await guest.get(spellings[0] as string)).headers.get("etag")).toBe(headers.get("etag"));
  });
});

describe("a request of HTTP/1.0 without Host", () => {
  /** Whether the server closes the connection itself, without which such clients wait for the end of the body. */
  const exchange = (url: string, text: string) =>
    new Promise<string>((resolve, reject) => {
      let received = "";
      const socket = connect(Number(new URL(url).port), "127.0.0.1", () => socket.write(text));
      socket.on("data", (chunk) => (received += chunk.toString()));
      socket.on("error", reject);
      socket.on("close", () => resolve(received));
    });
  const bodyOf = (answer: string) => answer.slice(answer.indexOf("\r\n\r\n") + 4);

  test("is served, and the connection is closed", async () => {
    await owner.post("/api/v1/albums", { name: "old" });
    const answer = await exchange(server.url, "GET /api/v1/albums?pageSize=100 HTTP/1.0\r\n\r\n");
    expect(statusOf(answer)).toBe(200);
    expect(JSON.parse(bodyOf(answer))).toEqual((await guest.get("/api/v1/albums?pageSize=100")).body);
    const body = JSON.stringify({ name: "made" });
    const headers = `Authorization: Bearer ${owner.token}\r\nContent-Length: ${body.length}`;
    const made = await exchange(server.url, `POST //api/v1/albums HTTP/1.0\r\n${headers}\r\n\r\n${body}`);
    expect([statusOf(made), JSON.parse(bodyOf(made)).name]).toEqual([201, "made"]);
    expect(statusOf(await exchange(server.url, "GET /api/v1/nothing HTTP/1.0\r\n\r\n"))).toBe(404);
    expect(statusOf(await exchange(server.url, "GET /api/v1/files/dir/x/../../../photos HTTP/1.0\r\n\r\n"))).toBe(200);
  });

  test("gets absolute addresses with BASE_URL, or else with that of the server", async () => {
    const { port } = new URL(server.url);
    const own = await exchange(server.url, "GET /robots.txt HTTP/1.0\r\n\r\n");
    expect(own).toContain(`Sitemap: http://127.0.0.1:${port}/sitemap.xml`);
    expect(statusOf(await exchange(server.url, "GET / HTTP/1.0\r\nAccept: text/html\r\n\r\n"))).toBe(200);
    await using everywhere = await startServer({ HOST: "" });
    const local = await exchange(everywhere.url, "GET /robots.txt HTTP/1.0\r\n\r\n");
    expect(local).toContain(`Sitemap: http://localhost:${new URL(everywhere.url).port}/sitemap.xml`);
    await using named = await startServer({ BASE_URL: "https://photos.example.org" });
    const public_ = await exchange(named.url, "GET /robots.txt HTTP/1.0\r\n\r\n");
    expect(public_).toContain("Sitemap: https://photos.example.org/sitemap.xml");
  });

  test("an empty or malformed Host is still a 400, in both versions", async () => {
    for (const version of ["1.0", "1.1"])
      for (const host of ["", "a b", "a/b", "a\r\nHost: b"]) {
        const answer = await exchange(
          server.url,
          `GET /api/v1/photos HTTP/${version}\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
        );
        expect([version, host, statusOf(answer)]).toEqual([version, host, 400]);
        expect(JSON.parse(bodyOf(answer)).error).toBe("The request needs one well-formed Host header.");
      }
  });
});

test("what the runtime refuses before the server sees it has no body, and ends the connection", async () => {
  for (const [text, status] of [
    [`GET /${"a".repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 431],
    [`GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${"a".repeat(20_000)}\r\n\r\n`, 431],
    ["GET /api/v1/photos HTTP/1.1\r\n\r\n", 400],
  ] as const) {
    const answer = await sendRaw(server.url, text);
    expect(statusOf(answer)).toBe(status);
    expect(answer).toMatch(/\r\nConnection: close\r\n\r\n$/);
  }
});
