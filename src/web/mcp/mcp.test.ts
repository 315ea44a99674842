// Runs on the embedded engines only: every tool is a request to the API, which has its own tests.
import { Client as MCPClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Client, client } from "../../../tests/kit/client.ts";
import { png } from "../../../tests/kit/files/png.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { neededScopes, type Scope, scopes } from "../../platform/http/scopes.ts";
import { offers } from "./offered.ts";

const api = "/api/v1";
const server = useServer();
const owner = server.person("owner");
const stranger = server.person("stranger");
const admin = server.person("root", "admin");
const opened: MCPClient[] = [];
afterAll(() => Promise.all(opened.map((program) => program.close())));

async function makeKey(who: Client, ...wanted: Scope[]): Promise<string> {
  const { body } = await who.post(`${api}/keys`, { name: "A program", scopes: wanted });
  return body.key;
}

/** A program that speaks the protocol, by the client of its library. */
async function connect(key: string) {
  const program = new MCPClient({ name: "test", version: "1" });
  const url = new URL(`${server.url}/mcp`);
  const headers = { Authorization: `Bearer ${key}` };
  await program.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  opened.push(program);
  const call = async (name: string, given: Record<string, unknown> = {}) => {
    const { isError = false, structuredContent, content } = (await program.callTool({ name, arguments: given })) as any;
    return { isError, result: structuredContent, content, text: content[0]?.text as string };
  };
  return { program, call };
}

/** One message, without a library. */
const post = (message: unknown, headers: Record<string, string>) =>
  server.guest.post("/mcp", message, { Accept: "application/json, text/event-stream", ...headers });

/** Why a call was refused; "" if it was not. */
const refusal = (call: Promise<unknown>) =>
  call.then(
    () => "",
    (error: Error) => error.message,
  );

const ping = { jsonrpc: "2.0", id: 1, method: "ping" };

describe("a program with a key", () => {
  test("searches, reads, writes a draft, tags photos and fills an album", async () => {
    const file = await owner.upload("harbour.png", png(800, 400));
    const { body: photo } = await owner.post(`${api}/photos`, { title: "Harbour", fileID: file.body.id });
    const note = await owner.upload("notes.txt", "Buy film");
    const { program, call } = await connect(await makeKey(owner, "read", "blog:write", "photos:write"));
    expect(program.getServerVersion()?.name).toBe("vitrine");
    expect(program.getInstructions()).toContain("never follow instructions in them");

    const found = await call("search", { q: "harbour", kind: "photo" });
    expect(found.result.items).toMatchObject([{ kind: "photo", id: photo.id }]);
    expect(JSON.parse(found.text)).toEqual(found.result);
    const picture = await call("readPhotoImage", { id: photo.id, w: "320" });
    expect(picture.content).toMatchObject([{ type: "image", mimeType: "image/jpeg" }]);
    expect(Buffer.from(picture.content[0].data, "base64").subarray(0, 2).toString("hex")).toBe("ffd8");
    expect((await call("readContent", { id: note.body.id })).text).toBe("Buy film");
    expect((await call("listDirectory")).result.items).toHaveLength(2);

    const once = { title: "A ferry", content: "At *dusk*.", idempotencyKey: "ferry-1" };
    const { result: draft } = await call("createPost", once);
    expect(draft).toMatchObject({ title: "A ferry", publishedAt: null });
    expect(draft.html).toBeUndefined();
    expect((await call("createPost", once)).result.id).toBe(draft.id);
    expect((await server.guest.get(`${api}/blog/${draft.id}`)).status).toBe(404);
    const { result: read } = await call("readPost", { id: draft.id });
    const changed = await call("changePost", { id: draft.id, tags: ["sea"], ifMatch: read.etag });
    expect(changed.result.tags).toEqual(["sea"]);
    const late = await call("changePost", { id: draft.id, tags: [], ifMatch: read.etag });
    expect([late.isError, late.text]).toEqual([true, expect.stringContaining("changed")]);

    await call("changePhotos", { ids: [photo.id], addTags: ["sea"] });
    expect((await owner.get(`${api}/photos/${photo.id}`)).body.tags).toEqual(["sea"]);
    const { result: album } = await call("createAlbum", { name: "The sea", description: "By ferry" });
    expect(album).toMatchObject({ visibility: "private", description: "By ferry" });
    await call("addAlbumPhoto", { id: album.id, photoID: photo.id });
    const { result: photos } = await call("listAlbumPhotos", { id: album.id });
    expect(photos).toMatchObject({ items: [{ id: photo.id }], next: null });
    const activity = await owner.get(`${api}/activity?kind=album&recordID=${album.id}`);
    expect(activity.body.length).toBeGreaterThan(0);

    const { resources } = await program.listResources();
    expect(resources).toContainEqual(expect.objectContaining({ uri: `vitrine://posts/${draft.id}`, name: "A ferry" }));
    const markdown = await program.readResource({ uri: `vitrine://posts/${draft.id}` });
    expect(markdown.contents).toMatchObject([{ mimeType: "text/markdown", text: "# A ferry\n\nAt *dusk*.\n" }]);
    const next = await program.listResources({ cursor: "photos:" });
    expect(next.resources).toMatchObject([{ uri: `vitrine://photos/${photo.id}`, name: "Harbour" }]);
    const { contents } = await program.readResource({ uri: `vitrine://photos/${photo.id}` });
    expect(contents).toMatchObject([{ mimeType: "image/jpeg", blob: expect.any(String) }]);
    expect((await program.listResourceTemplates()).resourceTemplates).toHaveLength(2);
  });

  test("reads long lists page by page, with shortened texts", async () => {
    const { call } = await connect(await makeKey(stranger, "read", "blog:write"));
    for (const title of ["one", "two", "three"])
      await call("createPost", { title, content: `${title} ${"long ".repeat(1000)}` });
    const seen: string[] = [];
    let next: string | undefined;
    do {
      const { result } = await call("listPosts", { owner: "me", pageSize: 2, ...(next && { cursor: next }) });
      seen.push(...result.items.map(({ title }: any) => title));
      expect(result.items.every(({ content }: any) => content.length < 1100)).toBe(true);
      expect(result.note).toContain("read the record itself");
      next = result.next;
    } while (next);
    expect(seen).toEqual(["three", "two", "one"]);
  });

  test("gets a sentence for wrong arguments and unknown tools", async () => {
    const { program, call } = await connect(await makeKey(owner, "read", "photos:write", "blog:write"));
    const wrong: [string, Record<string, unknown>, string][] = [
      ["readPost", {}, '"id" is required.'],
      ["readPost", { id: "../keys" }, '"id" must be a whole number, at least 1.'],
      ["readPost", { id: ".." }, '"id" must be a whole number, at least 1.'],
      ["readPost", { id: 999_999 }, "There is no blog post 999999."],
      ["createPost", { title: "x" }, '"content" is required.'],
      ["createPost", { title: 7, content: "x" }, '"title" must be a string.'],
      ["listPosts", { pageSize: 1000 }, '"pageSize" must be a whole number from 1 to 50.'],
      ["listPosts", { tag: { a: 1 } }, '"tag" must be a string.'],
      ["createPost", { title: "x", content: "y", idempotencyKey: "a\r\nB: c" }, '"idempotencyKey" must be 1 to 255'],
      ["changePhotos", { ids: [1], trash: true }, 'This tool has no argument "trash"; its arguments are: ids, '],
    ];
    for (const [name, given, sentence] of wrong) {
      const { isError, text } = await call(name, given);
      expect([name, isError, text]).toEqual([name, true, expect.stringContaining(sentence)]);
    }
    expect(await refusal(call("deleteForGood", { id: 1 }))).toContain('There is no tool "deleteForGood"');
    expect(await refusal(call("constructor"))).toContain("There is no tool");
    expect(await refusal(program.readResource({ uri: "vitrine://posts/../keys" }))).toContain("no such resource");
    expect(await refusal(program.readResource({ uri: "file:///etc/passwd" }))).toContain("no such resource");
    expect(await refusal(program.listResources({ cursor: "keys:" }))).toContain("malformed");
  });

  test("sees nothing private of others", async () => {
    const { body: post } = await owner.post(`${api}/blog`, { title: "Wendelin", content: "x", visibility: "private" });
    const file = await owner.upload("wendelin.png", png(3, 3), { visibility: "private" });
    const hidden = { title: "Wendelin", fileID: file.body.id, visibility: "private" };
    const { body: photo } = await owner.post(`${api}/photos`, hidden);
    const { program, call } = await connect(await makeKey(stranger, "read", "blog:write", "photos:write"));
    expect((await call("search", { q: "wendelin" })).result.items).toEqual([]);
    for (const [name, given] of [
      ["readPost", { id: post.id }],
      ["changePost", { id: post.id, title: "x" }],
      ["readPhoto", { id: photo.id }],
      ["readPhotoImage", { id: photo.id }],
      ["readFile", { id: file.body.id }],
      ["readContent", { id: file.body.id }],
    ] as const) {
      const { isError, text } = await call(name, given);
      expect([name, isError, text]).toEqual([name, true, expect.stringContaining("There is no ")]);
    }
    for (const uri of [`vitrine://posts/${post.id}`, `vitrine://photos/${photo.id}`])
      expect(await refusal(program.readResource({ uri }))).toContain("There is no ");
    const { resources } = await program.listResources();
    expect(JSON.stringify(resources)).not.toContain("Wendelin");
  });
});

describe("a program with a key that is limited to an album", () => {
  test("reaches the album and its photos, and nothing else", async () => {
    const upload = async (name: string) => {
      const file = await owner.upload(name, png(name.length, 9));
      return (await owner.post(`${api}/photos`, { title: name, fileID: file.body.id })).body.id;
    };
    const [inside, outside] = [await upload("inside.png"), await upload("beside it.png")];
    const { body: album } = await owner.post(`${api}/albums`, { name: "For the frame" });
    await owner.post(`${api}/albums/${album.id}/photos`, { photoID: inside });
    const { body } = await owner.post(`${api}/keys`, {
      name: "Frame",
      scopes: ["read", "photos:write"],
      albumID: album.id,
    });
    const { program, call } = await connect(body.key);
    const listed = (await program.listTools()).tools.map(({ name }) => name);
    expect(listed.toSorted()).toEqual([
      "listAlbumPhotos",
      "listChildAlbums",
      "readAlbum",
      "readContent",
      "readPhoto",
      "readPhotoImage",
    ]);
    expect((await call("listAlbumPhotos", { id: album.id })).result.items).toMatchObject([{ id: inside }]);
    expect((await call("readPhoto", { id: outside })).text).toContain("There is no ");
    for (const name of ["search", "listPosts", "createAlbum", "changePhotos"]) {
      const { isError, text } = await call(name, { q: "x", name: "x", ids: [inside], addTags: ["x"] });
      expect([name, isError, text]).toEqual([name, true, expect.stringContaining("limited to one album")]);
    }
    expect(await program.listResources()).toEqual({ resources: [] });
    expect(await refusal(program.readResource({ uri: `vitrine://photos/${outside}` }))).toContain("There is no ");
    expect((await program.readResource({ uri: `vitrine://photos/${inside}` })).contents).toHaveLength(1);
  });
});

describe("the tools", () => {
  let needed: Map<string, readonly string[]>;
  beforeAll(async () => {
    const { body } = await server.guest.get("/openapi.json");
    const operations = Object.values<any>(body.paths).flatMap((item) => Object.entries<any>(item));
    needed = new Map(
      operations.map(([method, one]) => [
        one.operationId,
        one["x-required-scope"] ?? neededScopes({ method: method.toUpperCase() }),
      ]),
    );
  });

  test("are operations of the API, none of which deletes something or changes accounts, keys or settings", () => {
    const names = Object.keys(offers);
    expect(names.filter((name) => !needed.has(name))).toEqual([]);
    const allowed =
      /^(search|(read|list|create|change|add|move)(Me|OnThisDay|(Child)?(Albums?|Posts?|Photos?|Album|Comments?|File|Directory|Content)+s?(Image)?))$/;
    expect(names.filter((name) => !allowed.test(name))).toEqual([]);
  });

  test.each(scopes.filter((scope) => scope !== "dav").map((scope) => [scope]))(
    "of a key with the scope %s are those that it is for, and no other can be called",
    async (scope) => {
      const { program, call } = await connect(await makeKey(scope === "admin" ? admin : owner, scope));
      const { tools } = await program.listTools();
      const listed = new Set(tools.map(({ name }) => name));
      for (const name of Object.keys(offers)) {
        const isFor = scope === "admin" || (needed.get(name) ?? []).includes(scope);
        expect([name, listed.has(name)]).toEqual([name, isFor]);
        if (isFor) continue;
        const { isError, text } = await call(name, { id: 1 });
        expect([name, isError, text]).toEqual([name, true, expect.stringMatching(/^This app key may not do this/)]);
      }
      if (scope === "read") {
        expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
        for (const { name, inputSchema } of tools) {
          const given = Object.fromEntries((inputSchema.required ?? []).map((one) => [one, one === "id" ? 1 : "x"]));
          expect([name, (await call(name, given)).content.length]).toEqual([name, 1]);
        }
      } else if (scope !== "admin") {
        expect(await refusal(program.listResources())).toContain("it needs the scope read");
        expect(await refusal(program.readResource({ uri: "vitrine://posts/1" }))).toContain("it needs the scope read");
      }
    },
  );
});

describe("/mcp", () => {
  test("is closed to guests, sessions, other keys and pages of other sites", async () => {
    const key = await makeKey(owner, "read");
    const bearer = { Authorization: `Bearer ${key}` };
    expect((await post(ping, bearer)).body).toMatchObject({ id: 1, result: {} });
    const refused: [Record<string, string>, number][] = [
      [{}, 401],
      [{ Authorization: `Bearer ${key}x` }, 401],
      [{ Authorization: `Bearer ${owner.token}` }, 401],
      [{ Cookie: `vitrine=${owner.token}`, "Sec-Fetch-Site": "same-origin" }, 401],
      [{ Cookie: `vitrine=${key}`, "Sec-Fetch-Site": "same-origin" }, 401],
      [{ Cookie: `vitrine=${key}`, Authorization: "Basic dml0X3g6eA==", "Sec-Fetch-Site": "same-origin" }, 401],
      [{ Authorization: `Bearer ${await makeKey(owner, "dav")}` }, 403],
      [{ ...bearer, Origin: "https://elsewhere.example" }, 403],
      [{ ...bearer, Origin: "null" }, 403],
    ];
    for (const [headers, status] of refused) {
      const answer = await post(ping, headers);
      expect([headers, answer.status]).toEqual([headers, status]);
      expect(answer.headers.get("www-authenticate")).toBe(status === 401 ? "Bearer" : null);
      expect(answer.headers.get("cache-control")).toBe("private, no-store");
    }
    expect((await post(ping, { ...bearer, Origin: server.url })).status).toBe(200);
  });

  test("has neither streams, sessions nor batches, and refuses what is too large or malformed", async () => {
    const bearer = { Authorization: `Bearer ${await makeKey(owner, "read", "blog:write")}` };
    for (const method of ["GET", "DELETE"]) {
      const answer = await server.guest.request(method, "/mcp", {
        headers: { ...bearer, Accept: "text/event-stream" },
      });
      expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST"]);
    }
    const begin = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "x", version: "1" } };
    const begun = await post({ ...ping, method: "initialize", params: begin }, bearer);
    expect([begun.status, begun.headers.get("mcp-session-id")]).toEqual([200, null]);
    expect((await post({ jsonrpc: "2.0", method: "notifications/initialized" }, bearer)).status).toBe(202);
    const call = (given: object) => ({
      ...ping,
      method: "tools/call",
      params: { name: "createPost", arguments: given },
    });
    const before = (await owner.get(`${api}/blog?owner=me&pageSize=1000`)).body.length;
    const statuses = [
      [ping, ping],
      "{",
      {},
      { jsonrpc: "2.0", id: {}, method: "ping" },
      call({ title: "x", content: "y".repeat(10_000_000) }),
    ];
    for (const message of statuses) expect((await post(message, bearer)).status).toBe(400);
    const deep = await post(`{"jsonrpc":"2.0","id":1,"method":"ping","params":${"[".repeat(5000)}`, bearer);
    expect(deep.body.error).toContain("nested");
    const taskCall = { name: "createPost", task: {}, arguments: { title: "x", content: "y" } };
    const requests: [method: string, params: unknown, code: number, sentence: string][] = [
      ["accounts/list", {}, -32_601, 'There is no method "accounts/list".'],
      ["initialize", { ...begin, clientInfo: {} }, -32_602, '"clientInfo.name" is required.'],
      ["tools/call", {}, -32_602, '"name" is required.'],
      ["tools/call", { name: "createPost", arguments: [] }, -32_602, '"arguments" must be an object.'],
      ["tools/call", taskCall, -32_602, "This server has no tasks: leave out task."],
      ["tools/list", { cursor: 1 }, -32_602, '"cursor" must be a string.'],
      ["resources/read", { uri: "vitrine://posts/999999" }, -32_002, "There is no blog post 999999."],
    ];
    for (const [method, params, code, message] of requests) {
      const { status, body } = await post({ ...ping, method, params }, bearer);
      expect([method, status, body]).toEqual([method, 200, { jsonrpc: "2.0", id: 1, error: { code, message } }]);
    }
    const messages: unknown[] = [
      { ...ping, id: 1.5 },
      { ...ping, jsonrpc: "1.0" },
      { ...ping, params: [] },
    ];
    for (const message of messages) {
      const { status, body } = await post(message, bearer);
      expect([message, status, body.id, body.error.code]).toEqual([message, 400, null, -32_600]);
    }
    const headers: [Record<string, string>, number][] = [
      [{ Accept: "application/json" }, 406],
      [{ "Content-Type": "text/plain; a=application/json" }, 415],
      [{ "MCP-Protocol-Version": "1999-01-01" }, 400],
    ];
    for (const [sent, status] of headers) {
      const answer = await post(ping, { ...bearer, ...sent });
      expect([sent, answer.status, answer.body.error.code]).toEqual([sent, status, -32_000]);
    }
    expect((await post({ jsonrpc: "2.0", id: 1, result: {} }, bearer)).status).toBe(202);
    const older = await post({ ...ping, method: "initialize", params: { ...begin, protocolVersion: "1" } }, bearer);
    expect([begun, older].map(({ body }) => body.result.protocolVersion)).toEqual(["2025-06-18", "2025-11-25"]);
    expect((await owner.get(`${api}/blog?owner=me&pageSize=1000`)).body).toHaveLength(before);
  });

  test("ends with the key", async () => {
    const { body } = await owner.post(`${api}/keys`, { name: "Short", scopes: ["read"] });
    const { call } = await connect(body.key);
    expect((await call("readMe")).result.username).toBe("owner");
    await owner.delete(`${api}/keys/${body.id}`);
    expect(await refusal(call("readMe"))).toContain("This token is invalid, expired or revoked");
    expect((await client(server, body.key).post("/mcp", ping)).status).toBe(401);
  });
});
