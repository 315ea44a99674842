// Runs on other engines only with TEST_LONG: the pages use the same statements as the tests of the API.
import { describe, expect, test } from "bun:test";
import { type Answer, type Client, client } from "../../../tests/kit/client.ts";
import { png } from "../../../tests/kit/files/png.ts";
import { member } from "../../../tests/kit/people.ts";
import { withDatabase } from "../../../tests/kit/server.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { sql } from "../../platform/database/sql.ts";

const api = "/api/v1/comments";

const server = useServer();
const people = server.people();
const reader = server.person("reader", "reader");

async function writePost(more = {}): Promise<{ id: number; slug: string; path: string }> {
  const { body } = await people.owner.post("/api/v1/blog", { title: "Talk", content: "About this.", ...more });
  return { ...body, path: `/blog/${body.slug}` };
}

const open = async (who: Client, path: string) => (await who.get<string>(path, { Accept: "text/html" })).body;

/** Sends a form as a browser without script does. */
function send(who: Client, path: string, fields: Record<string, string>, origin = server.url): Promise<Answer<string>> {
  return who.request("POST", path, {
    redirect: "manual",
    body: new URLSearchParams(fields).toString(),
    headers: { "Content-Type": "application/x-www-form-urlencoded", Origin: origin, Accept: "text/html" },
  });
}

const placeOf = ({ status, headers }: Answer) => [status, headers.get("location")];

describe("comments under a post", () => {
  test("a guest reads them and gets a form to sign in, which leads back", async () => {
    const { guest, stranger } = people;
    const post = await writePost();
    const { body: first } = await stranger.post(api, {
      blogPostID: post.id,
      content: "Nice <b>!\nSee https://a.org/x?a=1&b=2.\n\nBye",
    });
    await reader.post(api, { blogPostID: post.id, parentID: first.id, content: "Yes" });
    const page = await open(guest, post.path);
    expect(page).toContain(`id="comment-${first.id}"`);
    expect(page).toContain(
      `<p>Nice &lt;b&gt;!<br/>See <a href="https://a.org/x?a=1&amp;b=2" rel="nofollow ugc noopener">https://a.org/x?a=1&amp;b=2</a>.</p><p>Bye</p>`,
    );
    expect(page).toMatch(/<ol class="replies">.*Yes.*<\/ol>/s);
    expect(page).toContain(`<input type="hidden" name="next" value="${post.path}#comments"/>`);
    expect(page).toMatch(/action="\/session".*name="username".*name="password"/s);
    expect(page).not.toMatch(/<textarea|name="action"/);
  });

  test("show the name that their authors have chosen, also in replies and in the form", async () => {
    const { stranger, guest, owner } = people;
    const post = await writePost();
    await stranger.put("/api/v1/me/profile", { displayName: "Zoë Müller" });
    const { body: first } = await stranger.post(api, { blogPostID: post.id, content: "First" });
    await reader.post(api, { blogPostID: post.id, parentID: first.id, content: "Yes" });
    const page = await open(guest, post.path);
    const names = [...page.matchAll(/<article class="comment".*?<\/span>(<(?:span|a) [^>]*>([^<]+)<)/gs)];
    expect(names.map(([, , name]) => name)).toEqual(["Zoë Müller", "reader"]);
    expect(await open(guest, `${post.path}?comments=${first.id}`)).toContain("In reply to Zoë Müller");
    expect(await open(owner, `${post.path}?reply=${first.id}`)).toContain("Reply to Zoë Müller");
    await stranger.put("/api/v1/me/profile", { displayName: null });
  });

  test("are written, answered, changed and deleted without script", async () => {
    const { stranger, guest } = people;
    const post = await writePost();
    const written = await send(stranger, `${post.path}/comments`, { content: "First\r\nline", website: "" });
    const [comment] = (await guest.get(`${api}?blogPostID=${post.id}`)).body;
    expect(placeOf(written)).toEqual([303, `${post.path}#comment-${comment.id}`]);
    expect(comment).toMatchObject({ content: "First\nline", status: "visible", ownerID: stranger.userID });

    const form = await open(reader, `${post.path}?reply=${comment.id}`);
    expect(form).toContain(`<input type="hidden" name="parentID" value="${comment.id}"/>`);
    const ids = [...form.matchAll(/ id="([^"]*)"/g)].map((match) => match[1]);
    expect(new Set(ids).size).toBe(ids.length);
    await send(reader, `${post.path}/comments`, { content: "Second", parentID: String(comment.id) });
    const [, reply] = (await guest.get(`${api}?blogPostID=${post.id}`)).body;
    expect(reply).toMatchObject({ content: "Second", parentID: comment.id });

    const path = `${post.path}/comments/${comment.id}`;
    expect(await open(stranger, `${post.path}?edit=${comment.id}`)).toMatch(/<textarea[^>]*>First\nline<\/textarea>/);
    expect(await open(reader, `${post.path}?edit=${comment.id}`)).not.toMatch(/<textarea[^>]*>First/);
    expect(placeOf(await send(stranger, path, { action: "edit", content: "Better" }))).toEqual([
      303,
      `${post.path}#comment-${comment.id}`,
    ]);
    expect((await guest.get(`${api}/${comment.id}`)).body.content).toBe("Better");
    expect((await send(stranger, path, { action: "delete" })).status).toBe(303);
    expect((await guest.get(`${api}/${comment.id}`)).status).toBe(404);
    expect(await open(guest, post.path)).toContain("Second");
  });

  test("a form that is refused is shown again with what was typed", async () => {
    const { stranger, guest, owner } = people;
    const post = await writePost();
    const comments = `${post.path}/comments`;
    const rows = [
      [{ content: "  " }, 400, "Write something first."],
      [{ content: `<typed> ${"x".repeat(10_001)}` }, 400, "The comment is too long."],
      [{ content: "<typed> \0" }, 400, "characters that cannot be stored"],
      [{ content: "<typed> reply", parentID: "999999" }, 400, "no longer exists"],
    ] as const;
    for (const [fields, status, sentence] of rows) {
      const refused = await send(stranger, comments, fields);
      expect(refused.status).toBe(status);
      expect(refused.body).toContain(sentence);
      if (fields.content.startsWith("<typed>")) expect(refused.body).toContain("&lt;typed&gt;");
      expect(refused.headers.get("x-robots-tag")).toBe("noindex");
    }
    const late = await send(guest, comments, { content: "<typed> late" });
    expect(late.status).toBe(401);
    expect(late.body).toMatch(
      /You are no longer signed in.*&lt;typed&gt; late.*action="\/session"|action="\/session".*&lt;typed&gt; late/s,
    );

    const { body: comment } = await stranger.post(api, { blogPostID: post.id, content: "Kept" });
    const blank = await send(stranger, `${comments}/${comment.id}`, { action: "edit", content: " " });
    expect(blank.status).toBe(400);
    expect(blank.body).toContain("Write something first.");

    await owner.put(`/api/v1/blog/${post.id}`, { commentsOpen: false });
    const closed = await send(stranger, comments, { content: "<typed> too late" });
    expect([closed.status, closed.body.includes("Comments are closed.")]).toEqual([403, true]);
    expect((await guest.get(`${api}?blogPostID=${post.id}`)).body).toHaveLength(1);
  });

  test("a program that fills in the hidden field, and a form of another site, write nothing", async () => {
    const { stranger, guest } = people;
    const post = await writePost();
    const trapped = await send(stranger, `${post.path}/comments`, { content: "Buy!", website: "https://spam.example" });
    expect(placeOf(trapped)).toEqual([303, `${post.path}#comments`]);
    const cookie = client(server, null, 0, { Cookie: `vitrine=${stranger.token}` });
    expect((await send(cookie, `${post.path}/comments`, { content: "Forged" }, "https://evil.example")).status).toBe(
      403,
    );
    expect((await guest.get(`${api}?blogPostID=${post.id}`)).body).toEqual([]);
    expect((await send(cookie, `${post.path}/comments`, { content: "Own" })).status).toBe(303);
    expect((await guest.get(`${api}?blogPostID=${post.id}`)).body).toHaveLength(1);
  });

  test("the author of the post and admins moderate, and nobody else", async () => {
    const { owner, stranger, admin, guest } = people;
    const post = await writePost();
    const { body: comment } = await reader.post(api, { blogPostID: post.id, content: "Disputed" });
    const path = `${post.path}/comments/${comment.id}`;
    for (const action of ["hide", "approve", "delete"]) {
      expect((await send(stranger, path, { action })).status).toBe(403);
      expect((await send(guest, path, { action })).status).toBe(401);
    }
    expect((await send(stranger, path, { action: "edit", content: "Mine" })).status).toBe(403);
    expect((await send(reader, path, { action: "hide" })).status).toBe(403);
    expect((await send(owner, path, { action: "edit", content: "Mine" })).status).toBe(403);
    expect((await send(owner, path, { action: "unknown" })).status).toBe(404);
    expect(await open(stranger, post.path)).not.toMatch(/value="(hide|approve|delete)"/);
    expect(await open(owner, post.path)).toMatch(/value="hide".*value="delete"/s);

    expect((await send(owner, path, { action: "hide" })).status).toBe(303);
    for (const who of [guest, stranger]) {
      expect(await open(who, post.path)).not.toContain("Disputed");
      expect((await who.get(path, { Accept: "text/html" })).status).toBe(404);
      expect((await send(who, path, { action: "approve" })).status).toBe(404);
    }
    for (const who of [reader, owner, admin]) {
      expect(await open(who, post.path)).toMatch(/Hidden.*Disputed/s);
    }
    expect((await send(admin, path, { action: "approve" })).status).toBe(303);
    expect(await open(guest, post.path)).toContain("Disputed");
    expect((await send(owner, path, { action: "delete" })).status).toBe(303);
    expect(await open(guest, post.path)).not.toContain("Disputed");
  });

  test("a first comment that waits is seen by its author and the moderators, with a mark", async () => {
    const { owner, admin, guest, stranger } = people;
    await admin.put("/api/v1/settings", { approveFirstComments: true });
    const newcomer = await member(server, "newcomer", "reader");
    const post = await writePost();
    expect((await send(newcomer, `${post.path}/comments`, { content: "Hello there" })).status).toBe(303);
    for (const who of [newcomer, owner, admin])
      expect(await open(who, post.path)).toMatch(/Waiting for approval.*Hello there/s);
    for (const who of [guest, stranger]) {
      const page = await open(who, post.path);
      expect(page).not.toContain("Hello there");
      expect(page).toContain("No comments yet.");
    }
    const [{ id }] = (await owner.get(`${api}?blogPostID=${post.id}`)).body;
    await send(owner, `${post.path}/comments/${id}`, { action: "approve" });
    expect(await open(guest, post.path)).toContain("Hello there");
    await admin.put("/api/v1/settings", { approveFirstComments: false });
  });

  test("many are shown on several pages, and each has an address of its own", async () => {
    const { guest, stranger } = people;
    const post = await writePost();
    await withDatabase(server, (db) =>
      db.transaction(async (tx) => {
        for (let number = 1; number <= 249; number++)
          await tx.run(sql`
            INSERT INTO comments (target_kind, target_id, owner_id, content, status, created_at, updated_at)
            VALUES ('post', ${post.id}, ${stranger.userID}, ${`Number ${number}.`}, 'visible', 1, 1)`);
      }),
    );
    const [first] = (await guest.get(`${api}?blogPostID=${post.id}`)).body;
    const written = await send(stranger, `${post.path}/comments`, { content: "The last", parentID: String(first.id) });
    const last = written.headers.get("location") ?? "";
    expect(last).toMatch(new RegExp(`^${post.path}\\?comments=\\d+#comment-\\d+$`));
    const third = await open(guest, last);
    expect(numbersIn(third)).toEqual(Array.from({ length: 99 }, (_, index) => 151 + index));
    expect(third).toContain("The last");
    expect(third).toContain(`href="${post.path}/comments/${first.id}" rel="nofollow">In reply to stranger</a>`);
    expect(third).toContain(`<span class="quiet">250</span>`);
    const second = await open(guest, linkTo("Earlier comments", third));
    expect(numbersIn(second)).toEqual(Array.from({ length: 100 }, (_, index) => 51 + index));
    const opening = await open(guest, linkTo("Earlier comments", second));
    expect(numbersIn(opening)[0]).toBe(1);
    expect(opening).not.toContain("Earlier comments");
    expect(numbersIn(await open(guest, linkTo("Later comments", opening)))[0]).toBe(101);
    const address = await guest.request("GET", `${post.path}/comments/${first.id}`, { redirect: "manual" });
    expect(placeOf(address)).toEqual([303, `${post.path}#comment-${first.id}`]);
    const other = await writePost();
    expect((await guest.get(`${other.path}/comments/${first.id}`)).status).toBe(404);
  });

  test("there is no form and no comment under a draft", async () => {
    const { owner, stranger } = people;
    const post = await writePost({ publishedAt: null });
    expect(await open(owner, post.path)).not.toContain(`id="comments"`);
    expect((await send(stranger, `${post.path}/comments`, { content: "Hi" })).status).toBe(404);
  });

  const numbersIn = (page: string) => [...page.matchAll(/Number (\d+)\./g)].map((match) => Number(match[1]));
  const linkTo = (text: string, page: string) =>
    (new RegExp(`href="([^"]*)">${text}<`).exec(page)?.[1] ?? "").replaceAll("&amp;", "&");
});

describe("comments under a photo and an album", () => {
  test("are there once they are switched on, and are written, answered and hidden without script", async () => {
    const { owner, admin, guest, stranger } = people;
    const { body: file } = await owner.upload("dusk.png", png(60, 40));
    const { body: photo } = await owner.post("/api/v1/photos", { title: "Dusk", fileID: file.id });
    const { body: album } = await owner.post("/api/v1/albums", { name: "Lisbon" });
    await owner.post(`/api/v1/albums/${album.id}/photos`, { photoID: photo.id });
    const pages = [
      { path: `/photos/${photo.id}`, query: `photoID=${photo.id}` },
      { path: `/albums/${album.id}-lisbon`, query: `albumID=${album.id}` },
    ];
    for (const { path } of pages) {
      expect(await open(stranger, path)).not.toContain('id="comments"');
      expect((await send(stranger, `${path}/comments`, { content: "?" })).status).toBe(404);
    }
    await admin.put("/api/v1/settings", { photoComments: true });
    for (const { path, query } of pages) {
      expect(await open(guest, path)).toContain(`<input type="hidden" name="next" value="${path}#comments"/>`);
      const written = await send(stranger, `${path}/comments`, { content: "Like glass" });
      const [comment] = (await guest.get(`${api}?${query}`)).body;
      expect(placeOf(written)).toEqual([303, `${path}#comment-${comment.id}`]);
      expect(await open(reader, `${path}?reply=${comment.id}`)).toContain(`name="parentID" value="${comment.id}"`);
      await send(reader, `${path}/comments`, { content: "So it was", parentID: String(comment.id) });
      const page = await open(guest, path);
      expect(page).toMatch(/Like glass.*<ol class="replies">.*So it was/s);
      expect(page).toContain(`<link rel="canonical" href="${server.url}${path}"/>`);
      expect((await send(stranger, `${path}/comments`, { content: " " })).status).toBe(400);
      await send(owner, `${path}/comments/${comment.id}`, { action: "hide" });
      expect(await open(guest, path)).not.toContain("Like glass");
      expect(await open(owner, path)).toContain("Like glass");
    }
    expect((await guest.get<string>("/search?q=glass", { Accept: "text/html" })).body).not.toContain("Like");
    const found = await open(guest, "/search?q=So+it+was");
    for (const { path } of pages) expect(found).toContain(`href="${path}#comment-`);
    await admin.put("/api/v1/settings", { photoComments: false });
  });
});

test("a heart is given and taken back without script, by a guest and by somebody with an account", async () => {
  const { owner, admin, guest, stranger } = people;
  const { body: file } = await owner.upload("heart.png", png(60, 40));
  const { body: photo } = await owner.post("/api/v1/photos", { title: "Dusk", fileID: file.id });
  const { body: album } = await owner.post("/api/v1/albums", { name: "Hearts" });
  const { path: post } = await writePost();
  const paths = [`/photos/${photo.id}`, `/albums/${album.id}-hearts`, post];
  for (const path of paths) expect(await open(guest, path)).not.toContain('class="heart"');
  await admin.put("/api/v1/settings", { hearts: true });
  for (const path of paths) {
    expect(await open(guest, path)).toContain('value="give" aria-pressed="false"');
    const given = await send(guest, `${path}/heart`, { action: "give" });
    expect(placeOf(given)).toEqual([303, `${path}?heart=given#heart`]);
    const after = await open(guest, `${path}?heart=given`);
    expect(after).toMatch(/value="take" aria-pressed="true".*<span data-count="true">1<\/span>/s);
    expect(after).toContain('<meta name="robots" content="noindex"/>');
    // The page itself is the same for all guests.
    expect(await open(guest, path)).toMatch(/aria-pressed="false".*<span data-count="true">1<\/span>/s);
    expect(placeOf(await send(stranger, `${path}/heart`, { action: "give" }))).toEqual([303, `${path}#heart`]);
    expect(await open(stranger, path)).toMatch(/aria-pressed="true".*<span data-count="true">2<\/span>/s);
    await send(stranger, `${path}/heart`, { action: "take" });
    expect(await open(stranger, path)).toMatch(/aria-pressed="false".*<span data-count="true">1<\/span>/s);
    expect((await send(guest, `${path}/heart`, { action: "give" }, "https://elsewhere.example")).status).toBe(403);
  }
  await admin.put("/api/v1/settings", { hearts: false });
});
