import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import { png } from "../../../tests/kit/files/png.ts";
import { withDatabase } from "../../../tests/kit/server.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { joined, sql } from "../../platform/database/sql.ts";
import { until } from "../../../tests/kit/until.ts";
import { askChild } from "../../platform/ask-child.ts";
import { quickHashOf } from "../../platform/hash.ts";
import { readMention } from "./read-mention.ts";

const api = "/api/v1";
const home = "http://site.example";
const server = useServer({ MENTION_ALLOW_PRIVATE: "true", BASE_URL: home });
const { owner, stranger, admin, guest } = server.people();

/** Another site, with its pages and the forms that it gets. */
const pages = new Map<string, string | (() => Response)>();
const got: { path: string; form: Record<string, string> }[] = [];
const elsewhere = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    const { pathname } = new URL(request.url);
    if (request.method === "POST") {
      got.push({ path: pathname, form: Object.fromEntries(new URLSearchParams(await request.text())) });
      return new Response("", { status: 202 });
    }
    const page = pages.get(pathname);
    if (typeof page === "function") return page();
    if (page === undefined) return new Response("", { status: 404 });
    return new Response(page, { headers: { "Content-Type": "text/html" } });
  },
});
const there = `http://127.0.0.1:${elsewhere.port}`;
afterAll(() => elsewhere.stop(true));

const switchOn = () => admin.put(`${api}/settings`, { webmentions: true, webSubHub: `${there}/hub` });
beforeAll(switchOn);

const mention = (source: string, target: string) =>
  guest.request("POST", "/webmention", {
    body: new URLSearchParams({ source, target }).toString(),
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
  });
const write = async (title: string, content: string, more: object = {}) =>
  (await owner.post(`${api}/blog`, { title, content, ...more })).body;
const queue = async (status = "waiting"): Promise<any[]> =>
  (await owner.get(`${api}/comments/queue?status=${status}`)).body;

/** Waits until every page that was named has been read. */
const allRead = () =>
  until(
    () => withDatabase(server, (db) => db.all(sql`SELECT task_key FROM tasks WHERE task_key LIKE 'receive %'`)),
    (tasks) => tasks.length === 0,
  );
/** Time passes for what has failed. Returns how many tasks that are. */
const makeDue = () =>
  withDatabase(server, (db) =>
    db.transaction((tx) => tx.run(sql`UPDATE tasks SET next_at = 1 WHERE failures = 1 AND task_key LIKE 'send %'`)),
  );

const note = (target: string, kind: string, text: string, author = "Grace") => `
  <title>A note</title><body class="h-feed"><article class="h-entry"><p class="e-content">Another entry</p></article>
  <article class="h-entry"><a class="p-author h-card" href="/">${author}</a> <a class="${kind}" href="${target}">this</a>
  <div class="e-content"><p>${text}</p><p>Second</p></div></article>`;

test("nothing is announced, taken or sent until an admin switches it on", async () => {
  await admin.put(`${api}/settings`, { webmentions: false, webSubHub: null });
  const post = await write("Quiet", `[there](${there}/quiet)`);
  const target = `${home}/blog/${post.slug}`;
  expect((await mention(`${there}/a`, target)).status).toBe(403);
  const page = await guest.get(`/blog/${post.slug}`);
  expect([page.headers.get("link"), page.body.includes("webmention")]).toEqual([null, false]);
  expect((await guest.get("/feed.xml")).body).not.toContain('rel="hub"');
  expect((await admin.put(`${api}/settings`, { webSubHub: "javascript:alert(1)" })).status).toBe(400);
  await switchOn();
});

test("what another site says waits for approval, and follows its page", async () => {
  const post = await write("Harbour", "Text");
  const target = `${home}/blog/${post.slug}`;
  const page = await guest.get(`/blog/${post.slug}`);
  expect(page.headers.get("link")).toBe('</webmention>; rel="webmention"');
  expect(page.body).toContain('<link rel="webmention" href="/webmention"/>');

  pages.set("/note", note(target, "u-in-reply-to", "I was <b>there</b>."));
  expect((await mention(`${there}/note`, target)).status).toBe(202);
  const [waiting] = await until(queue, (all) => all.length === 1);
  expect(waiting).toMatchObject({
    content: "I was there.\n\nSecond",
    blogPostID: post.id,
    author: { username: new URL(there).host },
    source: { url: `${there}/note`, kind: "reply", author: "Grace" },
    status: "waiting",
  });
  expect((await owner.get(`${api}/attention`)).body.waitingComments).toBe(1);
  expect((await stranger.get(`${api}/comments/${waiting.id}`)).status).toBe(404);
  expect((await guest.get(`${api}/comments?blogPostID=${post.id}`)).body).toEqual([]);
  expect((await owner.put(`${api}/comments/${waiting.id}`, { content: "Mine" })).status).toBe(403);

  await owner.put(`${api}/comments/${waiting.id}`, { status: "visible" });
  const shown = (await guest.get(`/blog/${post.slug}`)).body;
  expect(shown).toContain(`<a href="${there}/note" rel="nofollow ugc noopener" dir="auto">Grace</a>`);
  expect(shown).toContain("replied on 127.0.0.1");
  // The same again changes nothing.
  await mention(`${there}/note`, target);
  await allRead();
  expect((await owner.get(`${api}/comments/${waiting.id}`)).body.status).toBe("visible");
  // Something else has to be approved again.
  pages.set("/note", note(target, "u-like-of", "Buy pills"));
  await mention(`${there}/note`, target);
  const [changed] = await until(queue, (all) => all.length === 1);
  expect(changed).toMatchObject({ id: waiting.id, content: "Buy pills\n\nSecond", source: { kind: "like" } });
  expect((await guest.get(`/blog/${post.slug}`)).body).not.toContain("Buy pills");
  // The page is gone.
  pages.set("/note", () => new Response("", { status: 410 }));
  await mention(`${there}/note`, target);
  await until(queue, (all) => all.length === 0);
  expect((await owner.get(`${api}/comments/${waiting.id}`)).status).toBe(404);
});

test("a mention of what guests do not see is refused as one of what does not exist", async () => {
  const [hidden, draft] = [
    await write("Hidden", "Text", { visibility: "private" }),
    await write("Draft", "Text", { publishedAt: null }),
  ];
  const closed = await write("Closed", "Text", { commentsOpen: false });
  await admin.put(`${api}/settings`, { photoComments: true });
  const { body: file } = await owner.upload("dusk.png", png(4, 3));
  const take = async (visibility: string) =>
    (await owner.post(`${api}/photos`, { title: "Dusk", fileID: file.id, visibility })).body.id;
  const [secret, seen] = [await take("private"), await take("public")];
  const refusals = new Set<string>();
  const paths = ["/blog/nothing", `/blog/${hidden.slug}`, `/blog/${draft.slug}`, `/blog/${closed.slug}`]
    .concat([`/photos/${secret}`, "/photos/999999", "/albums/1", "/", "/feed.xml", "/blog/%E0%A4%A", "/studio/"])
    .map((path) => home + path);
  for (const target of [...paths, "http://other.example/blog/x", "file:///etc/passwd", ""]) {
    const { status, body } = await mention(`${there}/note`, target);
    refusals.add(`${status} ${body.error}`);
  }
  expect([...refusals]).toEqual(['400 "target" must be a page of this site that takes comments.']);
  pages.set("/of-photo", `<a href="${home}/photos/${seen}">dusk</a>`);
  expect((await mention(`${there}/of-photo`, `${home}/photos/${seen}`)).status).toBe(202);
  const [ofPhoto] = await until(queue, (all) => all.length === 1);
  expect(ofPhoto).toMatchObject({ photoID: seen, source: { kind: "mention", author: null } });
  await owner.delete(`${api}/comments/${ofPhoto.id}`);
  const post = await write("Shown", "Text");
  const sources = [
    "file:///etc/passwd",
    "javascript:alert(1)",
    "ftp://elsewhere.example/",
    "gopher://x/",
    "data:text/html,x",
  ]
    .concat(["http://user:secret@elsewhere.example/", "http://elsewhere.example:25/", "http://elsewhere.example:22/"])
    .concat([`http://elsewhere.example/${"x".repeat(1000)}`, `${home}/blog/other`, "//elsewhere.example", "nonsense"]);
  for (const source of sources) {
    const { status, body } = await mention(source, `${home}/blog/${post.slug}`);
    expect([source, status, body.field]).toEqual([source, 400, "source"]);
  }
});

test("pages that are made to harm do none", async () => {
  const post = await write("Attacked", "Text");
  const target = `${home}/blog/${post.slug}`;
  const html = { headers: { "Content-Type": "text/html" } };
  const evil = `<script>alert(1)</script>"><img src=x onerror=alert(1)>\u202Egnp`;
  const escaped = evil.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  pages.set("/evil", note(target, `x" onclick="alert(1)`, escaped, escaped));
  const endless = () =>
    new Response(
      new ReadableStream({
        pull: (controller) => controller.enqueue(new TextEncoder().encode(`<p>${"no link ".repeat(8192)}`)),
      }),
      html,
    );
  pages.set("/endless", endless);
  pages.set("/deep", `${"<div><b><a>".repeat(40_000)}<a href="${target}">deep</a>`);
  pages.set("/attributes", `<p ${Array.from({ length: 60_000 }, (_, index) => `a${index}`).join(" ")}>`);
  pages.set("/loop", () => new Response("", { status: 302, headers: { Location: "/loop" } }));
  pages.set("/away", () => new Response("", { status: 302, headers: { Location: "file:///etc/passwd" } }));
  pages.set("/mail", () => new Response("", { status: 302, headers: { Location: "http://127.0.0.1:25/" } }));
  pages.set(
    "/packed",
    () => new Response(Bun.gzipSync("x"), { headers: { ...html.headers, "Content-Encoding": "gzip" } }),
  );
  pages.set("/silent", () => new Response(new ReadableStream({ pull: () => new Promise(() => {}) }), html));
  pages.set("/unrelated", "<p>Nothing links here.");
  for (const name of ["silent", "endless", "deep", "attributes", "loop", "away", "mail", "packed", "unrelated", "evil"])
    expect((await mention(`${there}/${name}`, target)).status).toBe(202);
  const isEvil = ({ source }: any) => source.url.endsWith("/evil");
  const waiting = await until(queue, (all) => all.some(isEvil));
  const found = waiting.find(isEvil);
  expect(found.source).toEqual({
    url: `${there}/evil`,
    kind: "mention",
    author: expect.not.stringContaining("\u202E"),
  });
  await owner.put(`${api}/comments/${found.id}`, { status: "visible" });
  const { body } = await guest.get(`/blog/${post.slug}`);
  expect(body).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
  expect(body).not.toMatch(/<script>alert|<img src=x|onclick/);
  const urls = [...(await queue()), found].map(({ source }) => source.url.slice(there.length));
  expect(["/evil", "/deep"]).toEqual(expect.arrayContaining(urls));
});

/** A page of 512 KB, nearly all of it links, and what its reading may resolve. */
const target = new URL(`${home}/blog/linked`);
const linksHere = `<a href="${target.href}">this</a>`;
const links = "<a href=x>".repeat(25_000);
const base = (url: string) => `<base href="${url}">`;
const costly = [
  ["/long-base", base(`http://elsewhere.example/${"b".repeat(200_000)}/`) + linksHere + links, 600_000],
  ["/many-links", linksHere + links, 400_000],
  ["/based", `${base(`${home}/blog/`)}<a href="linked">this</a>`, 10_000],
] as const;

function resolved(parse: ReturnType<typeof spyOn<typeof URL, "parse">>) {
  const lengths = parse.mock.calls.map(([address, from = ""]) => address.length + from.length);
  return { addresses: lengths.length, characters: lengths.reduce((sum, length) => sum + length, 0) };
}

test("what is resolved of a page is bounded, however long its base is and however many links it has", () => {
  for (const [name, html, mostCharacters] of costly) {
    using parse = spyOn(URL, "parse");
    expect(readMention(html, new URL(there + name), target)).not.toBeNull();
    expect(resolved(parse).addresses).toBeLessThan(5100);
    expect(resolved(parse).characters).toBeLessThan(mostCharacters);
  }
});

test("a page of another site is read in another process, which is given up if it takes too long", async () => {
  await write("Linked", "Text", { slug: "linked" });
  using parse = spyOn(URL, "parse");
  for (const [name, html] of costly) {
    pages.set(name, html);
    await mention(there + name, target.href);
  }
  const urls = costly.map(([name]) => there + name);
  await until(queue, (all) => urls.every((url) => all.some(({ source }) => source.url === url)));
  expect(resolved(parse).addresses).toBeLessThan(1000);

  const [name, text] = costly[0];
  const asked = { page: { status: 200, url: there + name, text, headers: {} }, target: target.href };
  const limits = { processorMilliseconds: 3000, memoryBytes: 2 ** 29 };
  expect(await askChild("pageReader", asked)).not.toBeNull();
  expect(await askChild("pageReader", asked, { ...limits, processorMilliseconds: -1 })).toBeNull();
  // It fails at an address that is none.
  expect(await askChild("pageReader", { ...asked, target: "none" })).toBeNull();
});

test("only so many mentions wait", async () => {
  const post = await write("Flooded", "Text");
  const target = `${home}/blog/${post.slug}`;
  const groupOf = (host: string) => Number(BigInt.asUintN(48, quickHashOf(host)));
  const add = (host: string, count: number) =>
    withDatabase(server, (db) =>
      db.transaction((tx) => {
        const rows = Array.from(
          { length: count },
          (_, index) =>
            sql`('open web', ${`receive https://${host}/${index} ${target}`}, ${groupOf(host)}, 1, ${Date.now() + 1e9}, '{}')`,
        );
        return tx.run(sql`
          INSERT INTO tasks (queue, task_key, group_id, added_at, next_at, payload) VALUES ${joined(rows)}`);
      }),
    );
  const clear = () =>
    withDatabase(server, (db) =>
      db.transaction((tx) => tx.run(sql`DELETE FROM tasks WHERE task_key LIKE 'receive %'`)),
    );
  await add("flood.example", 30);
  expect((await mention("https://flood.example/more", target)).status).toBe(429);
  await add("other.example", 970);
  expect((await mention("https://third.example/", target)).status).toBe(503);
  await clear();
  // A site of which twenty mentions wait gets no more.
  await withDatabase(server, (db) =>
    db.transaction(async (tx) => {
      for (let index = 0; index < 20; index++)
        await tx.run(sql`
          INSERT INTO comments (
            target_kind, target_id, owner_id, content, status, created_at, updated_at, source_url, source_kind)
          VALUES ('post', ${post.id}, ${owner.userID}, 'x', 'waiting', 1, 1, ${`${there}/flood/${index}`}, 'mention')`);
    }),
  );
  pages.set("/late", `<a href="${target}">late</a>`);
  expect((await mention(`${there}/late`, target)).status).toBe(202);
  await allRead();
  expect((await queue()).filter(({ source }) => source.url === `${there}/late`)).toEqual([]);
  const statuses = new Set<number>();
  for (let index = 0; index < 61; index++) statuses.add((await mention("nonsense", target)).status);
  expect(statuses).toEqual(new Set([400, 429]));
});

test("the sites to which public posts link are told, once for each change, and so is the hub", async () => {
  const told = (path: string) => got.filter((one) => one.path === path).map(({ form }) => form);
  pages.set(
    "/header",
    () => new Response("", { headers: { Link: '</style>; rel="preload", <hook?a=1>; rel="webmention"' } }),
  );
  pages.set(
    "/element",
    '<base href="/sub/"><a rel="nofollow webmention" href="hook">here</a><link rel=webmention href=/no>',
  );
  pages.set("/deaf", "<p>Nothing here.");
  const links = ["header", "element", "deaf"].map((name) => `[${name}](${there}/${name})`).join(" ");
  const hidden = await write("Private", links, { visibility: "private" });
  const post = await write("Told", `${links} [own](/blog/x) [mail](mailto:a@b.example) [local](file:///etc/passwd)`);
  const source = `${home}/blog/${post.slug}`;
  await until(
    async () => [told("/hook"), told("/sub/hook")],
    (all) => all.every(({ length }) => length === 1),
  );
  expect(told("/hook")).toEqual([{ source, target: `${there}/header` }]);
  expect(told("/sub/hook")).toEqual([{ source, target: `${there}/element` }]);
  await until(
    async () => told("/hub").map((form) => form["hub.topic"]),
    (topics) => topics.includes(`${home}/blog/feed.xml`),
  );
  expect(told("/hub")[0]).toMatchObject({ "hub.mode": "publish" });
  expect((await guest.get("/feed.xml")).body).toContain(`<link rel="hub" href="${there}/hub"/>`);
  expect((await guest.get("/feed.json")).body).toContain(`"hubs":[{"type":"WebSub","url":"${there}/hub"}]`);

  // A change tells again, a change of something else does not; a link that was removed is told of for the last time.
  await owner.put(`${api}/blog/${post.id}`, { commentsOpen: false });
  await owner.put(`${api}/blog/${post.id}`, { content: `Now only [header](${there}/header)` });
  await until(
    async () => [told("/hook"), told("/sub/hook")],
    (all) => all.every(({ length }) => length === 2),
  );
  // Published later: only then.
  await owner.put(`${api}/blog/${hidden.id}`, { visibility: "public" });
  await until(
    async () => [told("/hook"), told("/sub/hook")],
    (all) => all.every(({ length }) => length === 3),
  );
  expect(told("/hook").map((form) => form.source)).toEqual([source, source, `${home}/blog/${hidden.slug}`]);
  expect(told("/no")).toEqual([]);
  // A site that fails is asked again later.
  let failures = 0;
  pages.set("/failing", () =>
    failures++ === 0
      ? new Response("", { status: 500 })
      : new Response('<link rel=webmention href="/late-hook">', { headers: { "Content-Type": "text/html" } }),
  );
  await write("Again", `[failing](${there}/failing)`);
  await until(makeDue, (count) => count === 1);
  await until(
    async () => told("/late-hook"),
    (all) => all.length === 1,
  );
  expect(failures).toBe(2);
});
