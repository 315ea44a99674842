// Runs on other engines only with TEST_LONG: the pages use the same statements as the tests of the API.
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { client } from "../../../tests/kit/client.ts";
import { admin, member, password, person } from "../../../tests/kit/people.ts";
import { newDirectory, useScratch } from "../../../tests/kit/scratch.ts";
import { runBeside, startServer, type TestServer } from "../../../tests/kit/server.ts";
import { isLong, testLong } from "../../../tests/kit/long.ts";
import { until } from "../../../tests/kit/until.ts";

const scratch = useScratch();
const browser = { Accept: "text/html", "Sec-Fetch-Site": "same-origin" };

async function open(server: TestServer, path: string, headers: Record<string, string> = {}) {
  const response = await fetch(server.url + path, { headers: { ...browser, ...headers }, redirect: "manual" });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

async function submit(
  server: TestServer,
  path: string,
  fields: Record<string, string>,
  more: Record<string, string> = {},
) {
  const response = await fetch(server.url + path, {
    method: "POST",
    headers: { ...browser, ...more },
    body: new URLSearchParams(fields),
    redirect: "manual",
  });
  const cookie = response.headers.get("set-cookie")?.split(";")[0] ?? "";
  return { status: response.status, headers: response.headers, text: await response.text(), cookie };
}

const fields = { siteName: "Ada's pictures", username: "ada", password, signupRole: "reader", content: "empty" };

async function setUp(server: TestServer, changed: Record<string, string> = {}, more: Record<string, string> = {}) {
  const key = (await server.setupKey()) ?? "";
  return submit(server, "/setup", { key, ...fields, ...changed }, more);
}

const keyFile = (server: TestServer) => join(server.dataDir, "setup-key");

describe("before a site is set up", () => {
  test("its front page says so in both languages, is not listed, and the API works", async () => {
    await using server = await startServer();
    for (let count = 0; count < 3; count++) {
      const { status, text, headers } = await open(server, "/");
      expect([status, headers.get("x-robots-tag")]).toEqual([200, "noindex"]);
      expect(text).toContain("This site is being set up");
      expect((await open(server, "/", { "Accept-Language": "de" })).text).toContain("wird gerade eingerichtet");
    }
    await person(server, "early");
    expect((await client(server).get("/api/v1/photos")).status).toBe(200);
    await admin(server);
    expect((await open(server, "/")).text).not.toContain("being set up");
    expect((await open(server, "/", { "Accept-Language": "de" })).text).not.toContain("eingerichtet");
  });

  test("the key of the link is created once; it is in a file that others cannot read", async () => {
    await using server = await startServer();
    const key = await server.setupKey();
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    expect(await server.setupKey()).toBe(key);
    expect(readFileSync(keyFile(server), "utf8").trim()).toBe(key as string);
    expect(statSync(keyFile(server)).mode & 0o777).toBe(0o600);
  });

  test("a link without a key or with a wrong one shows no form", async () => {
    await using server = await startServer();
    const key = (await server.setupKey()) ?? "";
    expect((await open(server, "/setup")).text).toContain("This site is being set up");
    for (const wrong of ["", "x", key.slice(1), `${key}0`, key.toUpperCase().replace(/^/, "A")]) {
      const { status, text } = await open(server, `/setup?key=${wrong}`);
      expect([wrong, status, text.includes("<form method")]).toEqual([wrong, 410, false]);
      expect((await submit(server, "/setup", { ...fields, key: wrong })).status).toBe(410);
    }
    expect((await submit(server, "/setup", fields)).status).toBe(410);
    const { status, text } = await open(server, `/setup?key=${key}`);
    expect([status, text.includes(`name="key" value="${key}"`)]).toEqual([200, true]);
    expect(text).toMatch(/<input[^>]* type="password"[^>]* autocomplete="new-password"/);
  });
});

describe("setting up a site", () => {
  testLong(
    "asks who sees new content: what is not made public by the form is private, and samples are public",
    async () => {
      for (const [sent, expected] of [
        [{ defaultVisibility: "public" }, "public"],
        [{ defaultVisibility: "private" }, "private"],
        [{ defaultVisibility: "nonsense" }, "private"],
        [{ content: "samples" }, "private"],
      ] as const) {
        await using server = await startServer();
        const form = await open(server, `/setup?key=${await server.setupKey()}`);
        expect(form.text).toMatch(/<input type="radio" name="defaultVisibility" value="private" checked/);
        const { cookie } = await setUp(server, sent);
        const owner = client(server);
        const { body } = await owner.get("/api/v1/settings", { Cookie: cookie });
        expect(body.defaultVisibility).toBe(expected);
        if (!("content" in sent)) continue;
        await until(
          () => owner.get("/api/v1/blog"),
          ({ body }) => body.length >= 3,
        );
        expect((await owner.get("/api/v1/albums")).body.map(({ photoCount }: any) => photoCount > 0)).toEqual([
          true,
          true,
        ]);
        expect((await owner.get("/api/v1/files?path=/Samples")).body.length).toBeGreaterThan(9);
      }
    },
  );

  test("creates the admin, stores the settings, signs in, and uses up the link", async () => {
    await using server = await startServer();
    const key = (await server.setupKey()) ?? "";
    const { status, headers, cookie } = await setUp(server);
    expect([status, headers.get("location")]).toEqual([303, "/studio/"]);
    expect((await client(server).get("/api/v1/me", { Cookie: cookie })).body).toMatchObject({
      username: "ada",
      role: "admin",
    });
    const { body } = await client(server).get("/api/v1/settings", { Cookie: cookie });
    expect(body).toMatchObject({ siteName: "Ada's pictures", signupRole: "reader", language: "en" });
    const front = await open(server, "/");
    expect(front.text).toContain("Ada&#39;s pictures");
    expect(front.text).not.toContain("being set up");
    expect([await server.setupKey(), existsSync(keyFile(server))]).toEqual([null, false]);
    for (const used of [`/setup?key=${key}`, "/setup"]) expect((await open(server, used)).status).toBe(410);
    expect((await submit(server, "/setup", { ...fields, key, username: "eve" })).status).toBe(410);
    expect((await client(server).get("/api/v1/photos")).body).toEqual([]);
    expect(server.logged()).not.toContain(key);
  });

  test("of several submissions at the same time, one creates an admin", async () => {
    await using server = await startServer();
    const names = ["one", "two", "three", "four"];
    const key = (await server.setupKey()) ?? "";
    const answers = await Promise.all(names.map((username) => submit(server, "/setup", { ...fields, key, username })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 410, 410, 410]);
    const { stdout } = await runBeside(server, ["user", "list"]);
    expect(stdout.trim().split("\n")).toHaveLength(1);
  });

  test.each([
    ["siteName", { siteName: " " }, "at most 100 characters"],
    ["siteName", { siteName: "x".repeat(101) }, "at most 100 characters"],
    ["username", { username: "a b" }, "at most 64 letters"],
    ["username", { username: "Taken" }, "is taken"],
    ["password", { password: "short" }, "of 8 to 256 characters"],
    ["password", { siteName: "Lumen", password: "lumen-lumen-1" }, "the name of the site"],
  ])("explains what is wrong with %s: %p", async (field, wrong: Record<string, string>, sentence) => {
    await using server = await startServer();
    await person(server, "taken");
    const { status, text, cookie } = await setUp(server, wrong);
    expect([status, cookie]).toEqual([400, ""]);
    expect(text).toMatch(new RegExp(`<p class="error" id="${field}-error">[^<]*${sentence}`));
    expect(text).toContain('value="reader" checked');
    expect(text).not.toContain(password);
    expect((await setUp(server)).status).toBe(303);
  });

  test("is refused from another site, and asks for nothing that the environment has decided", async () => {
    await using server = await startServer({ SIGNUP_ROLE: "closed" });
    const key = (await server.setupKey()) ?? "";
    const response = await fetch(`${server.url}/setup`, {
      method: "POST",
      headers: { ...browser, "Sec-Fetch-Site": "cross-site" },
      body: new URLSearchParams({ ...fields, key }),
    });
    expect(response.status).toBe(403);
    const { text } = await open(server, `/setup?key=${key}`);
    expect([text.includes("SIGNUP_ROLE"), text.includes('name="signupRole"')]).toEqual([true, false]);
    expect((await setUp(server)).status).toBe(303);
  });

  testLong("an admin from the command line makes the link invalid, also after that admin was removed", async () => {
    await using server = await startServer();
    const key = await server.setupKey();
    await admin(server);
    expect(existsSync(keyFile(server))).toBe(false);
    expect((await open(server, `/setup?key=${key}`)).status).toBe(410);
    await member(server, "heir", "author");
    expect((await runBeside(server, ["user", "remove", "root", "--yes"])).code).toBe(0);
    expect((await open(server, `/setup?key=${key}`)).status).toBe(410);
    expect((await submit(server, "/setup", { ...fields, key: key as string })).status).toBe(410);
    const another = await server.setupKey();
    expect([another === null, another === key]).toEqual([false, false]);
    await runBeside(server, ["user", "role", "heir", "admin"]);
    expect([(await open(server, `/setup?key=${another}`)).status, existsSync(keyFile(server))]).toEqual([410, false]);
  });
});

describe("samples", () => {
  /** Waits until the samples exist. */
  async function withSamples(server: TestServer, headers: Record<string, string> = {}) {
    const { cookie } = await setUp(server, { content: "samples" }, headers);
    const asAdmin = { Cookie: cookie };
    await until(async () => {
      const { text } = await open(server, "/", asAdmin);
      expect(text).toMatch(/http-equiv="refresh"|\/setup\/samples\/remove/);
      return text.includes("/setup/samples/remove");
    });
    const token = (await client(server).post("/signin", { username: "ada", password })).body.token;
    return { cookie, ada: client(server, token) };
  }

  async function countAll(server: TestServer) {
    const guest = client(server);
    const count = async (path: string) => (await guest.get(`/api/v1/${path}`)).body.length;
    return {
      photos: await count("photos?pageSize=100"),
      posts: await count("blog?pageSize=100"),
      albums: await count("albums?pageSize=100"),
      files: await count("files"),
    };
  }

  test("are pictures, posts and albums that show what the site can do, and go with one click", async () => {
    await using server = await startServer();
    const { cookie, ada } = await withSamples(server);
    expect(await countAll(server)).toEqual({ photos: 12, posts: 3, albums: 2, files: 1 });
    const photos = (await client(server).get("/api/v1/photos?pageSize=100")).body;
    for (const { title, altText, takenAt, variants, thumbhash, exif } of photos) {
      expect([title, Boolean(altText && takenAt && thumbhash), variants.length > 0, exif]).toEqual([
        title,
        true,
        true,
        null,
      ]);
    }
    expect(new Set(photos.map(({ width, height }: any) => (width / height).toFixed(1))).size).toBeGreaterThan(4);
    const picture = await fetch(server.url + photos[0].variants[0].url);
    expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
    const posts = (await client(server).get("/api/v1/blog")).body;
    const html = (
      await Promise.all(posts.map(async ({ id }: any) => (await client(server).get(`/api/v1/blog/${id}`)).body.html))
    ).join("");
    for (const part of ["<h2", "<pre>", "<table>", 'type="checkbox"', "footnote", "<figure", "<img", "<figcaption>"]) {
      expect([part, html.includes(part)]).toEqual([part, true]);
    }

    const notice = async (cookie: string) =>
      (await client(server).get("/api/v1/attention", { Cookie: cookie })).body.samples;
    expect((await open(server, "/")).text).not.toContain("samples");
    const reader = await submit(server, "/signup/form", { username: "reader", password });
    expect((await submit(server, "/setup/samples/remove", {}, { Cookie: reader.cookie })).status).toBe(403);
    expect((await submit(server, "/setup/samples/remove", {})).status).toBe(403);
    expect([await notice(cookie), await notice(reader.cookie)]).toEqual(["complete", null]);
    const removed = await submit(server, "/setup/samples/remove", {}, { Cookie: cookie });
    expect([removed.status, removed.headers.get("location")]).toEqual([303, "/"]);
    expect(await countAll(server)).toEqual({ photos: 0, posts: 0, albums: 0, files: 0 });
    expect((await open(server, "/", { Cookie: cookie })).text).not.toContain("samples");
    expect(await notice(cookie)).toBeNull();
    expect((await ada.get("/api/v1/trash?pageSize=100")).body).toHaveLength(18);
    expect((await ada.delete("/api/v1/samples")).body.message).toBe("0 samples were moved to the trash.");
  });

  testLong(
    "are in the language of the one who sets the site up; those that were edited stay, and so does all that is not a sample",
    async () => {
      await using server = await startServer();
      const early = await member(server, "early", "author");
      await early.upload("own.txt", "…", { path: "/Beispiele" });
      const { ada, cookie } = await withSamples(server, { "Accept-Language": "de" });
      expect((await client(server).get("/api/v1/settings", { Cookie: cookie })).body.language).toBe("de");
      expect((await client(server).get("/api/v1/blog")).body[0].title).toBe("Willkommen auf Ihrer neuen Seite");
      const directories = (await client(server).get("/api/v1/files")).body.map(({ name }: any) => name);
      expect(directories).toEqual(["Beispiele", "Beispiele (1)"]);

      const [photo, other] = (await ada.get("/api/v1/photos?pageSize=100")).body;
      const [post] = (await ada.get("/api/v1/blog")).body;
      await ada.put(`/api/v1/photos/${photo.id}`, { title: "Mine now" });
      await ada.put(`/api/v1/blog/${post.id}`, { title: "My first post" });
      await ada.delete(`/api/v1/photos/${other.id}`);
      await ada.upload("own.txt", "…", { path: "/Beispiele (1)", visibility: "public" });
      await ada.post("/api/v1/albums", { name: "My album", visibility: "public" });
      const { message, records } = (await ada.delete("/api/v1/samples")).body;
      expect(message).toBe("25 samples were moved to the trash.");
      const names = async (path: string, field: string) =>
        (await client(server).get(`/api/v1/${path}`)).body.map((record: any) => record[field]);
      expect(await names("photos", "title")).toEqual(["Mine now"]);
      expect(await names("blog", "title")).toEqual(["My first post"]);
      expect(await names("albums", "name")).toEqual(["My album"]);
      expect(await names("files?path=/Beispiele (1)", "name")).toEqual([photo.file.name, "own.txt"].toSorted());
      const { results } = (await ada.post("/api/v1/trash/restore", { records })).body;
      expect(results.map(({ error }: any) => error)).toEqual(records.map(() => null));
      expect(await names("photos?pageSize=100", "title")).toHaveLength(11);
    },
  );

  testLong("can be removed while they are created", async () => {
    await using server = await startServer();
    const { cookie } = await setUp(server, { content: "samples" });
    await untilFirst(server);
    expect((await client(server).get("/api/v1/attention", { Cookie: cookie })).body.samples).toBe("creating");
    const removed = await client(server, null, 0, { Cookie: cookie, ...browser }).delete("/api/v1/samples");
    expect(removed.body.message).toMatch(/^\d+ samples? (was|were) moved to the trash\.$/);
    await Bun.sleep(1500);
    expect(await countAll(server)).toEqual({ photos: 0, posts: 0, albums: 0, files: 0 });
    expect(server.logged()).not.toContain("failed");
  });

  test.skipIf(!isLong)("are completed after a restart, each of them once", async () => {
    const dataDir = newDirectory(scratch);
    const first = await startServer({ DATA_DIR: dataDir });
    await setUp(first, { content: "samples" });
    await untilFirst(first);
    await first.close();
    expect(first.logged()).not.toContain("failed");
    await using second = await startServer({ DATA_DIR: dataDir });
    await until(
      () => client(second).get("/api/v1/blog"),
      ({ body }) => body.length >= 3,
    );
    expect(await countAll(second)).toEqual({ photos: 12, posts: 3, albums: 2, files: 1 });
  });

  async function untilFirst(server: TestServer): Promise<void> {
    await until(
      () => client(server).get("/api/v1/files"),
      ({ body }) => body.length > 0,
    );
  }
});
