// Runs only with TEST_LONG: it measures large sites or several copies of the server, which takes minutes.
import { expect, test } from "bun:test";
import { describeScaled, engineEnv } from "../kit/engine.ts";
import { type Client, client } from "../kit/client.ts";
import { png } from "../kit/files/png.ts";
import { password } from "../kit/people.ts";
import { startVitrine } from "../kit/process.ts";
import { until } from "../kit/until.ts";
import { newDirectory, useScratch } from "../kit/scratch.ts";
import { sha256Of } from "../kit/sha256.ts";

const scratch = useScratch();

type Copy = Awaited<ReturnType<typeof startVitrine>>;

/** Copies of one site share its engines. */
const startCopy = async (site: string, more: Record<string, string> = {}) =>
  startVitrine({ ...(await engineEnv(site)), DATA_DIR: newDirectory(scratch), ...more });

describeScaled("two copies on the same engines", () => {
  test("carry out a request once that both get with one Idempotency-Key, and both return its result", async () => {
    await using first = await startCopy("keys");
    await using second = await startCopy("keys");
    await client(first).post("/signup", { username: "sender", password });
    const { token } = (await client(second).post("/signin", { username: "sender", password })).body;
    for (let round = 0; round < 20; round++) {
      const headers = { "Idempotency-Key": crypto.randomUUID() };
      const directory = { name: `Directory ${round}` };
      const sent = [first, second, first, second].map((copy) =>
        client(copy, token).post("/api/v1/directories", directory, headers),
      );
      const answers = await Promise.all(sent);
      expect(answers.map(({ status, body }) => [status, body.id])).toEqual(
        answers.map(() => [201, answers[0]?.body.id]),
      );
      expect(answers.filter((answer) => !answer.headers.has("idempotent-replayed"))).toHaveLength(1);
    }
  });

  test("see each other's writes soon, and their own immediately", async () => {
    await using first = await startCopy("seen");
    await using second = await startCopy("seen");
    await client(first).post("/signup", { username: "seer", password });
    const { token } = (await client(second).post("/signin", { username: "seer", password })).body;
    const [one, other] = [client(first, token), client(second, token)];
    const guest = client(second);

    const { body: post } = await one.post("/api/v1/blog", { title: "0", content: "x" });
    for (const title of ["1", "2", "3"]) {
      await guest.get(`/api/v1/blog/${post.id}`);
      await one.put(`/api/v1/blog/${post.id}`, { title });
      expect((await client(first).get(`/api/v1/blog/${post.id}`)).body.title).toBe(title);
      await until(
        () => guest.get(`/api/v1/blog/${post.id}`),
        ({ body }) => body.title === title,
      );
    }
    const { body: file } = await one.upload("a.txt", "hello", { path: "/dir" });
    expect(await (await fetch(other.url(file.url))).text()).toBe("hello");
    await one.post("/signout");
    expect((await other.get("/api/v1/me")).status).toBe(401);
  });

  test("hide a record at once when another copy made it private", async () => {
    await using first = await startCopy("hidden");
    await using second = await startCopy("hidden");
    await client(first).post("/signup", { username: "owner", password });
    const { token } = (await client(first).post("/signin", { username: "owner", password })).body;
    const [one, guest] = [client(first, token), client(second)];
    const { body: post } = await one.post("/api/v1/blog", { title: "Seen", content: "x" });
    await one.post("/api/v1/comments", { content: "Seen", blogPostID: post.id });
    for (let round = 0; round < 20; round++) {
      for (const [visibility, status, count] of [
        ["public", 200, 1],
        ["private", 404, 0],
      ] as const) {
        await one.put(`/api/v1/blog/${post.id}`, { visibility });
        expect((await guest.get(`/api/v1/blog/${post.id}`)).status).toBe(status);
        expect((await guest.get("/api/v1/blog")).body).toHaveLength(count);
        expect((await guest.get(`/api/v1/comments?blogPostID=${post.id}`)).body).toHaveLength(count);
      }
    }
  });

  test("start ten at a time on an empty database, and share one secret", async () => {
    const copies = await Promise.all(Array.from({ length: 10 }, () => startCopy("crowded")));
    const [first, ...others] = copies as [Copy, ...Copy[]];
    await client(first).post("/signup", { username: "one", password });
    const { token } = (await client(first).post("/signin", { username: "one", password })).body;
    for (const copy of others) expect((await client(copy, token).get("/api/v1/me")).body.username).toBe("one");
    await Promise.all(copies.map((copy) => copy.close()));
  });

  test("redirect downloads to a signed URL if that is configured", async () => {
    await using copy = await startCopy("redirecting", { REDIRECT_DOWNLOADS: "true" });
    await client(copy).post("/signup", { username: "one", password });
    const { token } = (await client(copy).post("/signin", { username: "one", password })).body;
    const { body: file } = await client(copy, token).upload("a.html", "<b>bytes</b>");
    const answer = await fetch(`${copy.url}${file.url}`, { redirect: "manual" });
    expect(answer.status).toBe(302);
    const bytes = await fetch(answer.headers.get("location") ?? "");
    expect([bytes.status, await bytes.text()]).toEqual([200, "<b>bytes</b>"]);
    expect(bytes.headers.get("content-disposition")).toContain("attachment");
  });

  test("allow their pages to show pictures and videos from where downloads are redirected to, and only then", async () => {
    for (const isRedirecting of [true, false]) {
      await using copy = await startCopy("showing", { REDIRECT_DOWNLOADS: String(isRedirecting) });
      const name = `owner-${isRedirecting}`;
      await client(copy).post("/signup", { username: name, password });
      const { token } = (await client(copy).post("/signin", { username: name, password })).body;
      const { body: file } = await client(copy, token).upload(`${name}.png`, png(40, 30));
      const answer = await fetch(`${copy.url}${file.url}`, { redirect: "manual" });
      expect(answer.status).toBe(isRedirecting ? 302 : 200);
      const page = await fetch(`${copy.url}/browse/${name}.png`);
      expect(await page.text()).toContain(`<img src="${file.url}"`);
      const store = isRedirecting ? ` ${new URL(answer.headers.get("location") ?? "").origin}` : "";
      const studio = await fetch(`${copy.url}/studio/`, { headers: { Authorization: `Bearer ${token}` } });
      for (const { headers } of [page, studio]) {
        const policy = headers.get("content-security-policy")?.split("; ");
        expect(policy).toContain(`img-src 'self'${store} data: blob:`);
        expect(policy).toContain(`media-src 'self'${store} blob:`);
      }
    }
  });

  test("share one rate limit", async () => {
    // Nothing is refilled meanwhile.
    const limits = { RATE_LIMIT_PER_SECOND: "0.001", RATE_LIMIT_BURST: "20" };
    await using first = await startCopy("limited", limits);
    await using second = await startCopy("limited", limits);
    const answers = await Promise.all(
      Array.from({ length: 80 }, (_, index) => client(index % 2 ? first : second).get("/api/v1/photos")),
    );
    const allowed = answers.filter(({ status }) => status === 200).length;
    expect(allowed).toBeGreaterThanOrEqual(19);
    expect(allowed).toBeLessThanOrEqual(21);
  });

  test("lose no acknowledged write and assign no name twice while one of them is killed every few seconds", async () => {
    const copies: Copy[] = [await startCopy("killed"), await startCopy("killed")];
    await client(copies[0] as Copy).post("/signup", { username: "writer", password });
    const { token } = (await client(copies[0] as Copy).post("/signin", { username: "writer", password })).body;
    const known: Known = { albums: new Set(), files: new Map(), users: new Set(), faults: [] };
    const end = performance.now() + 15_000;

    const writers = Array.from({ length: 8 }, async (_, writerIndex) => {
      while (performance.now() < end) {
        const copy = copies[Math.floor(Math.random() * copies.length)] as Copy;
        await writeOne(client(copy, token), known, writerIndex).catch(() => Bun.sleep(20));
      }
    });
    const killer = (async () => {
      while (performance.now() < end - 2000) {
        await Bun.sleep(2000);
        const index = Math.floor(Math.random() * 2);
        copies[index]?.process.kill("SIGKILL");
        await copies[index]?.process.exited;
        copies[index] = await startCopy("killed");
      }
    })();
    await Promise.all([...writers, killer]);
    await verify(client(copies[0] as Copy, token), known);
    await Promise.all(copies.map((copy) => copy.close()));
    expect(known.albums.size + known.files.size).toBeGreaterThan(50);
  });
});

type Known = { albums: Set<string>; files: Map<number, string>; users: Set<string>; faults: string[] };

async function writeOne(writer: Client, known: Known, writerIndex: number): Promise<void> {
  if (writerIndex % 4 === 0) {
    const name = crypto.randomUUID();
    if ((await writer.post("/api/v1/albums", { name })).status === 201) known.albums.add(name);
  } else if (writerIndex % 4 === 1) {
    // The same few names from all writers: each may be assigned once.
    const username = `user${Math.floor(Math.random() * 30)}`;
    const { status } = await client({ url: writer.url("") }).post("/signup", { username, password });
    if (status !== 201) return;
    if (known.users.has(username)) known.faults.push(`${username} was assigned twice`);
    known.users.add(username);
  } else {
    const bytes = crypto.getRandomValues(new Uint8Array(5000));
    const { status, body } = await writer.upload("same name.bin", bytes, { path: "/shared" });
    if (status === 201) known.files.set(body.id, sha256Of(bytes));
  }
}

async function verify(reader: Client, known: Known): Promise<void> {
  expect(known.faults).toEqual([]);
  const albums: string[] = [];
  for (let page = 1; ; page++) {
    const { status, body, headers } = await reader.get(`/api/v1/albums?pageSize=1000&page=${page}`);
    expect([status, body.error]).toEqual([200, undefined]);
    albums.push(...body.map((album: any) => album.name));
    if (body.length === 1000) continue;
    expect(Number(headers.get("x-total-count"))).toBe(albums.length);
    break;
  }
  expect([...known.albums].filter((name) => !albums.includes(name))).toEqual([]);
  expect(new Set(albums).size).toBe(albums.length);
  const { body: files } = await reader.get("/api/v1/files?path=/shared");
  expect(new Set(files.map((file: any) => file.name.toLowerCase())).size).toBe(files.length);
  for (const [id, sha256] of known.files) {
    const response = await fetch(reader.url(`/api/v1/files/${id}/content`));
    expect(sha256Of(await response.arrayBuffer())).toBe(sha256);
  }
}
