// A client that was written from the specification alone: it knows its paths, fields and statuses, and that a record has an `id`.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { engineEnv } from "../kit/engine.ts";
import { newDirectory, useScratch } from "../kit/scratch.ts";
import { root } from "../kit/root.ts";
import { readUntil } from "../kit/spawn.ts";

const scratch = useScratch();
const picture = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

let server: Awaited<ReturnType<typeof start>>;
let guest: Client;
let alice: Client;
let bob: Client;

beforeAll(async () => {
  server = await start();
  guest = connect(server.url);
  alice = await signUp(server.url, "alice", "password123");
  bob = await signUp(server.url, "bob", "pw");
});
afterAll(() => server?.stop());

describe("accounts", () => {
  test("a wrong password and an unknown name get no token", async () => {
    expect(await guest.post("/signin", { username: "alice", password: "password124" })).toEqual(failure(401));
    expect(await guest.post("/signin", { username: "nobody", password: "password123" })).toEqual(failure(401));
  });

  test("a sign-up needs a username and a password", async () => {
    expect(await guest.post("/signup", { username: "carol" })).toEqual(failure(400));
    expect(await guest.post("/signup", { password: "password123" })).toEqual(failure(400));
    expect(await guest.post("/signup", { username: 7, password: "password123" })).toEqual(failure(400));
  });
});

describe("photos", () => {
  test("a photo is created, read, listed, changed and deleted", async () => {
    const file = await upload(alice);
    const sent = { title: "Dusk", description: "Over the harbour", fileID: file.id, width: 4000, height: 3000 };
    const { status, body: photo } = await alice.post("/api/v1/photos", sent);
    expect({ status, photo }).toEqual({ status: 201, photo: expect.objectContaining(sent) });
    const path = `/api/v1/photos/${photo.id}`;
    expect(await guest.get(path)).toEqual({ status: 200, body: expect.objectContaining(sent) });
    const list = await guest.get("/api/v1/photos");
    expect(list).toEqual({ status: 200, body: expect.arrayContaining([expect.objectContaining(sent)]) });
    const changed = { title: "Dawn", description: "", width: 30, height: 20 };
    const after = expect.objectContaining({ ...changed, fileID: file.id });
    expect(await alice.put(path, changed)).toEqual({ status: 200, body: after });
    const other = await upload(alice);
    expect((await alice.put(path, { ...changed, fileID: other.id })).body.fileID).toBe(other.id);

    // A page is as long as was asked for.
    await alice.post("/api/v1/photos", sent);
    const first = await guest.get("/api/v1/photos?pageSize=1");
    const second = await guest.get("/api/v1/photos?pageSize=1&page=2");
    expect([first.body.length, second.body.length]).toEqual([1, 1]);
    expect(first.body[0].id).not.toBe(second.body[0].id);
    expect((await alice.delete(path)).status).toBe(200);
    expect(await guest.get(path)).toEqual(failure(404));
  });
});

describe("blog posts", () => {
  test("a post is created, read, changed and deleted", async () => {
    const { body: photo } = await alice.post("/api/v1/photos", {
      title: "Cover",
      description: "",
      fileID: (await upload(alice)).id,
      width: 1,
      height: 1,
    });
    const sent = { title: "Hello", content: "The first post", coverID: photo.id };
    const { status, body: post } = await alice.post("/api/v1/blog", sent);
    expect({ status, post }).toEqual({ status: 201, post: expect.objectContaining(sent) });
    const path = `/api/v1/blog/${post.id}`;
    expect(await guest.get(path)).toEqual({ status: 200, body: expect.objectContaining(sent) });
    const changed = { title: "Hello again", content: "The second text" };
    const after = { status: 200, body: expect.objectContaining({ ...changed, coverID: photo.id }) };
    expect(await alice.put(path, changed)).toEqual(after);
    expect((await alice.delete(path)).status).toBe(200);
    expect(await guest.get(path)).toEqual(failure(404));
  });

  test("a list has ten items a page unless another size was asked for", async () => {
    for (let number = 1; number <= 11; number++) {
      await bob.post("/api/v1/blog", { title: `Post ${number}`, content: "Text" });
    }
    const first = await guest.get("/api/v1/blog");
    expect(first).toEqual({ status: 200, body: expect.any(Array) });
    expect(first.body).toHaveLength(10);
    const ids = new Set(first.body.map(({ id }: { id: number }) => id));
    const { body: next } = await guest.get("/api/v1/blog?page=2");
    expect(next.length).toBeGreaterThan(0);
    expect(next.filter(({ id }: { id: number }) => ids.has(id))).toEqual([]);
    expect(await guest.get("/api/v1/blog?page=100&pageSize=5")).toEqual({ status: 200, body: [] });
    expect(await guest.get("/api/v1/blog?page=0")).toEqual(failure(400));
    expect(await guest.get("/api/v1/blog?pageSize=ten")).toEqual(failure(400));
  });
});

describe("comments", () => {
  test("a comment is created, listed with its post, changed and deleted", async () => {
    const { body: post } = await alice.post("/api/v1/blog", { title: "Discussed", content: "Text" });
    const { body: quiet } = await alice.post("/api/v1/blog", { title: "Quiet", content: "Text" });
    const sent = { content: "Well said", blogPostID: post.id };
    const { status, body: comment } = await bob.post("/api/v1/comments", sent);
    expect({ status, comment }).toEqual({ status: 201, comment: expect.objectContaining(sent) });
    const list = `/api/v1/comments?blogPostID=${post.id}`;
    expect(await guest.get(list)).toEqual({ status: 200, body: [expect.objectContaining(sent)] });
    expect(await guest.get(`/api/v1/comments?blogPostID=${quiet.id}`)).toEqual({ status: 200, body: [] });
    const path = `/api/v1/comments/${comment.id}`;
    const changed = { status: 200, body: expect.objectContaining({ ...sent, content: "Better said" }) };
    expect(await bob.put(path, { content: "Better said" })).toEqual(changed);
    expect((await bob.delete(path)).status).toBe(200);
    expect(await guest.get(list)).toEqual({ status: 200, body: [] });
    expect(await bob.delete(path)).toEqual(failure(404));
  });

  test("the filter of the list is a number, and no post with that number means no comments", async () => {
    expect(await guest.get("/api/v1/comments?blogPostID=123456")).toEqual({ status: 200, body: [] });
    expect(await guest.get("/api/v1/comments?blogPostID=first")).toEqual(failure(400));
  });
});

describe("albums", () => {
  test("an album is created, filled, emptied, renamed and deleted", async () => {
    const { status, body: album } = await alice.post("/api/v1/albums", { name: "Summer" });
    expect({ status, album }).toEqual({ status: 201, album: expect.objectContaining({ name: "Summer" }) });
    const path = `/api/v1/albums/${album.id}`;
    const photo = { title: "Sea", description: "", fileID: (await upload(alice)).id, width: 1, height: 1 };
    const { body: created } = await alice.post("/api/v1/photos", photo);
    expect([200, 201]).toContain((await alice.post(`${path}/photos`, { photoID: created.id })).status);
    const full = { name: "Summer", photos: [expect.objectContaining(photo)] };
    expect(await guest.get(path)).toEqual({ status: 200, body: expect.objectContaining(full) });
    expect((await alice.delete(`${path}/photos/${created.id}`)).status).toBe(200);
    const renamed = await alice.put(path, { name: "Winter" });
    expect(renamed).toEqual({ status: 200, body: expect.objectContaining({ name: "Winter" }) });
    const list = await guest.get("/api/v1/albums?pageSize=1");
    expect(list).toEqual({ status: 200, body: [expect.objectContaining({ name: "Winter" })] });
    expect((await guest.get(path)).body.photos).toEqual([]);
    expect(await alice.post(`${path}/photos`, { photoID: 123456 })).toEqual(failure(404));
    expect((await alice.delete(path)).status).toBe(200);
    expect(await guest.get(path)).toEqual(failure(404));
  });
});

describe("files", () => {
  test("files and directories are created, listed, renamed and deleted", async () => {
    const { status, body: directory } = await alice.post("/api/v1/directories", { name: "trips", path: "/" });
    expect({ status, directory }).toEqual({ status: 201, directory: expect.objectContaining({ name: "trips" }) });
    const inner = await alice.send("POST", "/api/v1/files", form({ path: "/trips", name: "a.png" }));
    expect(inner).toEqual({ status: 201, body: expect.objectContaining({ name: "a.png" }) });
    const named = (...names: string[]) => ({
      status: 200,
      body: names.map((name) => expect.objectContaining({ name })),
    });
    expect((await guest.get("/api/v1/files")).body).toContainEqual(expect.objectContaining({ name: "trips" }));
    expect(await guest.get("/api/v1/files?path=/trips")).toEqual(named("a.png"));
    expect(await guest.get("/api/v1/files/dir/trips")).toEqual(named("a.png"));
    const one = await guest.get("/api/v1/files/dir/trips/a.png");
    expect(one).toEqual({ status: 200, body: expect.objectContaining({ id: inner.body.id, name: "a.png" }) });
    const path = `/api/v1/files/${inner.body.id}`;
    expect((await alice.put(path, { name: "b.png" })).body.name).toBe("b.png");
    expect(await guest.get("/api/v1/files/dir/trips/a.png")).toEqual(failure(404));
    expect((await alice.delete(path)).status).toBe(200);
    expect(await guest.get("/api/v1/files/dir/trips")).toEqual(named());
  });

  test("a directory can be created with the form", async () => {
    const body = new FormData();
    body.set("name", "letters");
    body.set("isDirectory", "true");
    const made = await alice.send("POST", "/api/v1/files", body);
    expect(made).toEqual({ status: 201, body: expect.objectContaining({ name: "letters" }) });
    expect(await guest.get("/api/v1/files/dir/letters")).toEqual({ status: 200, body: [] });
  });
});

describe("what is refused", () => {
  test("every write needs a token that is valid", async () => {
    const requests = [
      ["POST", "/api/v1/photos"],
      ["PUT", "/api/v1/blog/1"],
      ["DELETE", "/api/v1/comments/1"],
      ["POST", "/api/v1/albums/1/photos"],
      ["DELETE", "/api/v1/albums/1/photos/1"],
      ["POST", "/api/v1/files"],
      ["POST", "/api/v1/directories"],
    ] as const;
    for (const [method, path] of requests) expect(await guest.send(method, path)).toEqual(failure(401));
    expect(await connect(server.url, "no.such.token").post("/api/v1/blog", {})).toEqual(failure(401));
  });

  test("what does not exist is not found", async () => {
    for (const path of ["/api/v1/photos/123456", "/api/v1/files/dir/nothing/here", "/api/v1/nothing"]) {
      expect(await guest.get(path)).toEqual(failure(404));
    }
    expect(await alice.put("/api/v1/albums/123456", { name: "None" })).toEqual(failure(404));
  });

  test("a body that is not as described is a bad request", async () => {
    expect(await alice.post("/api/v1/blog", { title: 5, content: "Text" })).toEqual(failure(400));
    expect(await alice.post("/api/v1/albums", {})).toEqual(failure(400));
  });

  test("what belongs to somebody else is not changed", async () => {
    const { body: album } = await alice.post("/api/v1/albums", { name: "Of Alice" });
    expect(await bob.put(`/api/v1/albums/${album.id}`, { name: "Of Bob" })).toEqual(failure(403));
    expect(await bob.delete(`/api/v1/albums/${album.id}`)).toEqual(failure(403));
  });
});

describe("the rate limit", () => {
  test("thirty requests at once pass, those beyond are refused, and one that waits passes", async () => {
    const other = await start();
    const get = () => fetch(`${other.url}/api/v1/albums`);
    try {
      const burst = await Promise.all(Array.from({ length: 30 }, get));
      expect(burst.map(({ status }) => status)).toEqual(burst.map(() => 200));
      const refused = await getRefused(get);
      expect({ status: refused.status, body: await refused.json() }).toEqual(failure(429));
      expect(await connect(other.url).get("/api/v1/albums")).toEqual({ status: 200, body: [] });
    } finally {
      await other.stop();
    }
  });
});

/** How long thirty requests take depends on the machine, and ten more are allowed each second. */
async function getRefused(get: () => Promise<Response>): Promise<Response> {
  for (let rounds = 0; rounds < 50; rounds++) {
    const responses = await Promise.all(Array.from({ length: 20 }, get));
    const refused = responses.find(({ status }) => status === 429);
    if (refused) return refused;
  }
  throw new Error("A thousand requests passed.");
}

/** The program as `npm start` starts it: with no settings but where it listens and what it stores in. */
async function start() {
  const dataDir = newDirectory(scratch);
  const child = Bun.spawn(["node", join(root, "bin/vitrine"), "serve"], {
    env: { PATH: process.env.PATH ?? "", PORT: "0", DATA_DIR: dataDir, ...(await engineEnv(dataDir)) },
    cwd: scratch,
    stdout: "pipe",
    stderr: "pipe",
  });
  const announced = await readUntil(child.stdout, "Data is in");
  const port = /:(\d+)\n/.exec(announced)?.[1];
  const stop = async () => {
    child.kill("SIGTERM");
    await child.exited;
  };
  if (port) return { url: `http://127.0.0.1:${port}`, stop };
  throw new Error(`The server did not start: ${announced}${await readUntil(child.stderr)}`);
}

type Client = ReturnType<typeof connect>;

/** Sends JSON or a form, and waits and repeats what is refused with 429. */
function connect(url: string, token?: string) {
  async function send(method: string, path: string, body?: unknown): Promise<{ status: number; body: any }> {
    const headers: Record<string, string> = {};
    if (token) headers.Authorization = `Bearer ${token}`;
    if (body !== undefined && !(body instanceof FormData)) headers["Content-Type"] = "application/json";
    const content = body instanceof FormData ? body : JSON.stringify(body);
    const response = await fetch(url + path, { method, headers, body: content });
    const json = await response.json();
    if (response.status !== 429) return { status: response.status, body: json };
    await Bun.sleep(1000 * Number(response.headers.get("Retry-After") ?? 1));
    return send(method, path, body);
  }
  return {
    send,
    get: (path: string) => send("GET", path),
    post: (path: string, body: unknown) => send("POST", path, body),
    put: (path: string, body: unknown) => send("PUT", path, body),
    delete: (path: string) => send("DELETE", path),
  };
}

async function signUp(url: string, username: string, password: string): Promise<Client> {
  const account = { username, password };
  expect(await connect(url).post("/signup", account)).toEqual({ status: 201, body: expect.anything() });
  const { status, body } = await connect(url).post("/signin", account);
  expect(status).toBe(200);
  // The specification does not name the field with the token, which is the only text of three parts.
  const token = /[\w-]+\.[\w-]+\.[\w-]+/.exec(JSON.stringify(body))?.[0];
  return connect(url, token);
}

async function upload(owner: Client) {
  const { status, body } = await owner.send("POST", "/api/v1/files", form({ name: `${crypto.randomUUID()}.png` }));
  expect({ status, body }).toEqual({ status: 201, body: expect.objectContaining({ id: expect.any(Number) }) });
  return body;
}

function form({ name, path }: { name: string; path?: string }): FormData {
  const body = new FormData();
  body.set("file", new File([picture], name, { type: "image/png" }));
  if (path) body.set("path", path);
  return body;
}

const failure = (status: number) => ({ status, body: expect.objectContaining({ error: expect.any(String) }) });
