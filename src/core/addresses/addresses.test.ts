import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Client, client } from "../../../tests/kit/client.ts";
import { png } from "../../../tests/kit/files/png.ts";
import { member, password } from "../../../tests/kit/people.ts";
import { runBeside, startServer, type TestServer, withDatabase } from "../../../tests/kit/server.ts";
import { linkIn, mailBase, mailEnv, startMailServer } from "../../../tests/kit/servers/mail-server.ts";
import { addApp } from "../../../tests/kit/second-factors.ts";
import { sendNotices, weekOf } from "../../features/notices/send.ts";
import type { Notice } from "../records/notice.ts";
import { modules } from "../../modules.ts";
import { sql } from "../../platform/database/sql.ts";

const api = "/api/v1";
const secret = "a secret of these tests, long enough";
let post: Awaited<ReturnType<typeof startMailServer>>;
let server: TestServer;
let [guest, ada, bob, root] = [] as unknown as [Client, Client, Client, Client];
beforeAll(async () => {
  post = await startMailServer();
  server = await startServer({ ...mailEnv(post), JWT_SECRET: secret });
  guest = client(server);
  ada = await member(server, "ada", "author");
  bob = await member(server, "bob", "author");
  root = await member(server, "root", "admin");
});
afterAll(async () => {
  await server.close();
  await post[Symbol.asyncDispose]();
});

const tokenIn = (path: string) => new URL(path, mailBase).searchParams.get("token") ?? "";
const form = (fields: Record<string, string>) => ({
  method: "POST",
  body: new URLSearchParams(fields),
  headers: { "Content-Type": "application/x-www-form-urlencoded", "Accept-Language": "en" },
});
const submit = async (path: string, fields: Record<string, string>) => {
  const response = await fetch(server.url + path, form(fields));
  return { status: response.status, text: await response.text() };
};
const setAddress = async (who: Client, address: string) => {
  const { status } = await who.put(`${api}/me/mail/address`, { address, password });
  expect(status).toBe(200);
  const link = linkIn(await post.wait(address), "/account/address");
  expect((await guest.post(`${api}/address-confirmations`, { token: tokenIn(link) })).status).toBe(200);
};
const signsIn = async (username: string, word: string) =>
  (await guest.post("/signin", { username, password: word })).status === 200;

describe("a mail address", () => {
  test("is confirmed by a link, seen by nobody else, and its change is told to the earlier one", async () => {
    const nothing = { comments: false, uploads: false, digest: false };
    const { body: before } = await ada.get(`${api}/me/mail`);
    expect(before).toEqual({ isConfigured: true, address: null, pendingAddress: null, notices: nothing });
    const wrong = await ada.put(`${api}/me/mail/address`, { address: "ada@example.org", password: "wrong" });
    expect([wrong.status, wrong.body.field]).toEqual([400, "password"]);
    const two = await ada.put(`${api}/me/mail/address`, { address: "a@example.org, b@example.org", password });
    expect([two.status, two.body.field]).toEqual([400, "address"]);
    const set = await ada.put(`${api}/me/mail/address`, { address: "ada@example.org", password });
    expect(set.body).toMatchObject({ address: null, pendingAddress: "ada@example.org" });
    const link = linkIn(await post.wait("ada@example.org"), "/account/address");

    // Programs that look into mails follow links: that changes nothing.
    const shown = await guest.get(link, { "Accept-Language": "en" });
    expect(shown.body).toContain("Is ada@example.org your address?");
    expect((await ada.get(`${api}/me/mail`)).body.address).toBeNull();
    expect((await submit(link, {})).text).toContain("The address is confirmed");
    expect((await ada.get(`${api}/me/mail`)).body).toMatchObject({ address: "ada@example.org", pendingAddress: null });
    expect((await submit(link, {})).status).toBe(410);

    for (const path of ["/me", "/users", `/users/${ada.userID}`, "/people/ada", "/activity"]) {
      const { body } = await root.get(path === "/people/ada" ? path : api + path);
      expect(JSON.stringify(body)).not.toContain("ada@example.org");
    }
    await setAddress(ada, "ada@new.example.org");
    const told = await post.wait("ada@example.org", 2);
    expect([told.subject, told.text]).toEqual([
      "The address of your account on Vitrine was changed",
      expect.stringContaining("ada@new.example.org"),
    ]);
  });
});

describe("an address that waits for confirmation", () => {
  const renew = (who: Client) =>
    who.put(`${api}/me/password`, { oldPassword: password, newPassword: "an entirely new password" });
  const ways: [string, (who: Client, username: string) => Promise<unknown>][] = [
    ["a change of the password", renew],
    ["signing out everywhere else", (who) => who.delete(`${api}/me/sessions`)],
    ["an admin who signs the person out", (who) => root.delete(`${api}/users/${who.userID}/sessions`)],
    ["the command line", (_, name) => runBeside(server, ["user", "password", name], "an entirely new password\n")],
    [
      "a link for a new password",
      async (who) => {
        const { body } = await root.post(`${api}/users/${who.userID}/password-link`);
        await guest.post(`${api}/password-resets`, {
          token: tokenIn(body.url),
          newPassword: "an entirely new password",
        });
      },
    ],
  ];
  test.each(ways)("cannot be confirmed after %s", async (_, act) => {
    const username = `victim${ways.findIndex(([, one]) => one === act)}`;
    const who = await member(server, username, "author");
    const address = `thief@${username}.example`;
    await who.put(`${api}/me/mail/address`, { address, password });
    const token = tokenIn(linkIn(await post.wait(address), "/account/address"));
    await act(who, username);
    expect((await guest.post(`${api}/address-confirmations`, { token })).status).not.toBe(200);
    const stored = await withDatabase(server, (db) =>
      db.get(sql`SELECT address, pending FROM user_addresses WHERE user_id = ${who.userID}`),
    );
    expect(stored).toEqual({ address: null, pending: null });
  });
});

test("a second factor that is added or removed, and a recovery code that is used, is told to the person", async () => {
  const dora = await member(server, "dora", "author");
  await setAddress(dora, "dora@example.org");
  const { recoveryCodes } = await addApp(dora);
  expect((await post.wait("dora@example.org", 2)).subject).toBe("A second factor was added to your account on Vitrine");
  const { body } = await guest.post("/signin", { username: "dora", password });
  await guest.post(`${api}/signin/factor`, { ticket: body.ticket, code: recoveryCodes[0] });
  const used = await post.wait("dora@example.org", 3);
  expect([used.subject, used.text]).toEqual([
    "A recovery code of your account on Vitrine was used",
    expect.stringContaining("If that was not you, change your password"),
  ]);
  expect((await root.delete(`${api}/users/${dora.userID}/factors`)).status).toBe(200);
  expect((await post.wait("dora@example.org", 4)).subject).toContain("was removed");
});

describe("a forgotten password", () => {
  test("is set by a link that works once, and everybody gets the same response", async () => {
    const ask = (body: object) => guest.post(`${api}/password-links`, body);
    const responses = await Promise.all([
      ask({ username: "ada" }),
      ask({ username: "nobody" }),
      ask({ email: "nobody@example.org" }),
      ask({ username: "bob" }),
    ]);
    for (const { status, body } of responses) expect([status, body]).toEqual([202, responses[0]?.body]);
    const first = linkIn(await post.wait("ada@new.example.org", 2), "/password/new");
    await ask({ email: "ADA@new.example.org" });
    const second = linkIn(await post.wait("ada@new.example.org", 3), "/password/new");
    expect((await guest.get(first)).status).toBe(410);
    const page = await guest.get(second, { "Accept-Language": "de" });
    expect([page.status, page.body]).toEqual([200, expect.stringContaining("Für das Konto ada")]);
    const short = await submit("/password/new", { token: tokenIn(second), password: "short" });
    expect([short.status, short.text]).toEqual([400, expect.stringContaining("8 to 256")]);

    const easy = await guest.post(`${api}/password-resets`, { token: tokenIn(second), newPassword: "ada 12345678" });
    expect([easy.status, easy.body.field]).toEqual([400, "newPassword"]);
    const guessed = await submit("/password/new", { token: tokenIn(second), password: "12345678" });
    expect([guessed.status, guessed.text]).toEqual([400, expect.stringContaining("easy to guess")]);

    const fresh = "an entirely new password";
    const used = await Promise.all(
      [fresh, fresh, fresh].map((newPassword) =>
        guest.post(`${api}/password-resets`, { token: tokenIn(second), newPassword }),
      ),
    );
    expect(used.map(({ status }) => status).toSorted()).toEqual([200, 403, 403]);
    expect((await ada.get(`${api}/me`)).status).toBe(401);
    expect([await signsIn("ada", password), await signsIn("ada", fresh)]).toEqual([false, true]);
    expect((await post.wait("ada@new.example.org", 4)).subject).toBe("Your password for Vitrine was changed");
    const stored = await withDatabase(server, (db) => db.all(sql`SELECT * FROM password_links`));
    expect(JSON.stringify(stored)).not.toContain(tokenIn(second));

    // Three an hour: a mailbox cannot be filled.
    for (let attempt = 0; attempt < 4; attempt++) await ask({ username: "ada" });
    await setAddress(bob, "bob@example.org");
    await ask({ username: "bob" });
    await post.wait("bob@example.org", 2);
    expect(post.to("ada@new.example.org").length).toBeLessThan(6);
    for (let attempt = 0; attempt < 10; attempt++) await ask({ username: "ada" });
    expect((await ask({ username: "ada" })).status).toBe(429);
  });

  test("is asked for on a page, if the server sends mail", async () => {
    const signin = await guest.get("/signin", { "Accept-Language": "en" });
    expect(signin.body).toContain('href="/password"');
    expect((await guest.get("/password", { "Accept-Language": "en" })).body).toContain("Forgotten password");
    await using quiet = await startServer();
    const other = client(quiet);
    expect((await other.get("/signin")).body).not.toContain('href="/password"');
    expect((await other.get("/password")).status).toBe(404);
    expect((await other.post(`${api}/password-links`, { username: "ada" })).status).toBe(409);
  });

  test("is set by a link of an admin or of the command line, which ends the app keys and skips no second factor", async () => {
    await addApp(bob);
    const { body: key } = await bob.post(`${api}/keys`, { name: "Phone", scopes: ["read"] });
    expect((await bob.post(`${api}/users/${root.userID}/password-link`)).status).toBe(403);
    const made = await root.post(`${api}/users/${bob.userID}/password-link`);
    expect([made.status, made.body.url]).toEqual([201, expect.stringContaining(`${mailBase}/password/new?token=`)]);
    expect((await post.wait("bob@example.org", 4)).text).not.toContain("/password/new");
    const printed = await runBeside(server, ["user", "password-link", "bob"]);
    const token = tokenIn(printed.stdout.trim());
    expect((await guest.get(new URL(made.body.url).pathname + new URL(made.body.url).search)).status).toBe(410);
    const saved = await submit("/password/new", { token, password: "quite another one" });
    expect([saved.status, saved.text]).toEqual([200, expect.stringContaining("The password was changed")]);
    expect((await client(server, key.key).get(`${api}/me`)).status).toBe(401);
    const { body: asked } = await guest.post("/signin", { username: "bob", password: "quite another one" });
    expect(asked.code).toBe("factor_required");
  });
});

describe("mail that a person chooses", () => {
  const notices = Object.assign({}, ...modules.map((module) => module.notices)) as Record<string, Notice>;
  /** As several copies of the server would do it at the same time. */
  const tell = (now = Date.now()) =>
    withDatabase(server, (db) => {
      const source = { db, disk: null as never, quotaBytes: null, countBytes: async () => 0 };
      const uses = { secret, baseURL: mailBase, source, notices };
      return Promise.all([1, 2, 3].map(() => sendNotices(db, uses, now)));
    });

  test("tells of many comments and pictures at once, and of each only once", async () => {
    await setAddress(root, "root@example.org");
    const { body: text } = await root.post(`${api}/blog`, { title: "Dusk, Bcc: eve@example.org", content: "…" });
    const author = await member(server, "carol", "author");
    await author.post(`${api}/comments`, { content: "Before", blogPostID: text.id });
    await root.put(`${api}/me/mail/notices`, { comments: true, uploads: true });
    const write = (content: string) => author.post(`${api}/comments`, { content, blogPostID: text.id });
    await Promise.all(Array.from({ length: 30 }, (_, index) => write(`Comment ${index}`)));
    await root.post(`${api}/comments`, { content: "My own", blogPostID: text.id });
    await tell();
    const mail = await post.wait("root@example.org", 2);
    expect(mail.subject).toBe("30 new comments on Vitrine");
    expect(mail.text).toContain("… and 20 more.");
    expect(mail.text).not.toContain("Before");
    expect(mail.text).not.toContain("My own");
    expect(mail.headers.has("bcc")).toBe(false);

    await write("Later");
    const { body: album } = await root.post(`${api}/albums`, { name: "Guests" });
    const { body: share } = await root.post(`${api}/shares`, { kind: "album", id: album.id, allowUpload: true });
    const sent = new FormData();
    sent.append("file", new File([png(3, 3)], "guest.png"));
    const visitor = client(server, null, 0, { "X-Share-Token": share.token });
    expect((await visitor.request("POST", `${api}/shared/uploads`, { body: sent })).status).toBe(201);
    // Within the hour nothing more is sent.
    await tell();
    expect(post.to("root@example.org")).toHaveLength(2);
    await tell(Date.now() + 3_700_000);
    await post.wait("root@example.org", 4);
    const subjects = post.to("root@example.org").map(({ subject }) => subject);
    expect(subjects.slice(2).toSorted()).toEqual(["A guest sent a picture on Vitrine", "A new comment on Vitrine"]);

    // One click in a mail program: no session, no page.
    const stop = /<(.*)>/.exec(mail.headers.get("list-unsubscribe") ?? "")?.[1] ?? "";
    expect(mail.headers.get("list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
    const path = stop.slice(mailBase.length);
    expect((await guest.get(path)).status).toBe(200);
    expect((await root.get(`${api}/me/mail`)).body.notices.comments).toBe(true);
    expect((await submit(path.slice(0, -1), {})).status).toBe(410);
    expect((await submit(path, { "List-Unsubscribe": "One-Click" })).status).toBe(200);
    expect((await root.get(`${api}/me/mail`)).body.notices).toEqual({ comments: false, uploads: true, digest: false });
  });

  test("has a digest once a week, if there is anything", async () => {
    await root.put(`${api}/me/mail/notices`, { digest: true, uploads: false });
    await tell();
    const mail = await post.wait("root@example.org", 5);
    expect([mail.subject, mail.text]).toEqual([
      "What needs your attention on Vitrine",
      expect.stringContaining("A picture from a guest waits for approval."),
    ]);
    await tell();
    const stored = await withDatabase(server, (db) =>
      db.all<{ task_key: string }>(sql`SELECT task_key FROM tasks WHERE queue = 'mail' AND task_key LIKE 'digest:%'`),
    );
    expect(stored).toEqual([{ task_key: `digest:${root.userID}:${weekOf(Date.now())}` }]);
  });

  test("is an invitation, too", async () => {
    const wrong = await root.post(`${api}/invitations`, { role: "reader", email: "a@example.org\nBcc: b@example.org" });
    expect(wrong.status).toBe(400);
    const { body } = await root.post(`${api}/invitations`, { role: "reader", email: "grace@example.org" });
    expect(body.email).toBe("grace@example.org");
    const link = linkIn(await post.wait("grace@example.org"), "/signup");
    const invitation = new URL(link, mailBase).searchParams.get("invitation");
    expect((await guest.post("/signup", { username: "grace", password, invitation })).status).toBe(201);
  });
});
