import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Client, client } from "../../../tests/kit/client.ts";
import { member } from "../../../tests/kit/people.ts";
import { startServer, type TestServer, withDatabase } from "../../../tests/kit/server.ts";
import { linkIn, mailBase, mailEnv, startMailServer } from "../../../tests/kit/servers/mail-server.ts";
import { sql } from "../../platform/database/sql.ts";
import { until } from "../../../tests/kit/until.ts";

const api = "/api/v1";
const newsletter = `${api}/newsletter`;
let post: Awaited<ReturnType<typeof startMailServer>>;
let server: TestServer;
let [guest, author, admin]: Client[] = [];

beforeAll(async () => {
  post = await startMailServer();
  server = await startServer({ ...mailEnv(post), TRUST_PROXY: "loopback" });
  guest = client(server);
  author = await member(server, "author", "author");
  admin = await member(server, "root", "admin");
});
afterAll(async () => {
  await server.close();
  await post[Symbol.asyncDispose]();
});

const form = (path: string, fields: Record<string, string>, from = "192.0.2.1") =>
  guest!.request("POST", path, {
    body: new URLSearchParams(fields),
    headers: { "X-Forwarded-For": from, "Accept-Language": "de" },
  });
const importAll = async (csv: string) =>
  (await admin!.request("POST", `${newsletter}/import`, { body: csv, headers: { "Content-Type": "text/csv" } })).body;
const publish = async (title: string, more: object = {}) =>
  (await admin!.post(`${api}/blog`, { title, content: "Text", ...more })).body.id as number;
const send = (id: number) => admin!.put(`${newsletter}/posts/${id}`);
const findSubscriber = async (email: string) =>
  (await admin!.get(`${newsletter}/subscribers?q=${encodeURIComponent(email)}`)).body[0];
const outboxOf = (address: string) =>
  withDatabase(server, (db) =>
    db.all<{ begins: number; reason: string | null }>(sql`
      SELECT begins, reason FROM tasks
      WHERE queue = 'mail' AND settled_at IS NULL AND payload LIKE ${`{"to":"${address}"%`}`),
  );
const sent = (id: number) =>
  until(
    async () => (await admin!.get(`${newsletter}/posts/${id}`)).body,
    ({ state }) => state === "sent",
  );
const issue = async (id: number) => (await admin!.get(`${newsletter}/posts/${id}`)).body;

/** A token with another first letter. */
const another = (token: string) => (token.startsWith("A") ? "B" : "A") + token.slice(1);

describe("the newsletter", () => {
  test("is off by default", async () => {
    expect((await guest!.get("/newsletter")).status).toBe(404);
    expect((await form("/newsletter", { email: "ada@example.org" })).status).toBe(404);
    expect((await guest!.post(`${newsletter}/subscriptions`, { email: "ada@example.org" })).status).toBe(403);
    expect((await send(await publish("Too early"))).status).toBe(403);
    expect((await guest!.get("/")).body).not.toContain("/newsletter");
    expect((await admin!.get(newsletter)).body).toMatchObject({ isOn: false, isPossible: true, confirmed: 0 });
    expect((await admin!.put(`${api}/settings`, { newsletter: true })).body.newsletter).toBe(true);
  });

  test("is confirmed, received once, and ended by one click", async () => {
    expect((await guest!.get("/")).body).toContain('href="/newsletter"');
    const first = await form("/newsletter", { email: " Ada@example.org " });
    expect([first.status, first.body]).toEqual([200, expect.stringContaining("Sehen Sie in Ihr Postfach")]);
    const again = await form("/newsletter", { email: "ada@EXAMPLE.org" });
    expect(again.body).toBe(first.body);
    const asked = await post.wait("Ada@example.org");
    expect([asked.subject, post.mails.length]).toEqual(["Bestätigen Sie Ihr Abonnement von Vitrine", 1]);

    // Programs that look at mail open every link.
    const link = linkIn(asked, "/newsletter/confirm?token=");
    expect((await guest!.get(link)).body).toContain("Ada@example.org");
    const early = await publish("Before anybody has confirmed");
    await send(early);
    await sent(early);
    const token = link.split("=")[1] ?? "";
    expect((await form("/newsletter/confirm", { token: another(token) })).status).toBe(410);
    expect((await form("/newsletter/confirm", { token })).status).toBe(200);
    expect((await form("/newsletter/confirm", { token })).status).toBe(410);
    const known = await form("/newsletter", { email: "ada@example.org" });
    expect([known.status, known.body]).toEqual([200, first.body]);

    const content =
      "Hello **you**, see [the map](/map).\n\n![A wall](https://elsewhere.example/pixel.png)\n\n- one\n- two";
    const id = await publish("A week in Lisbon", { content });
    expect((await issue(id)).state).toBe("none");
    const other = await publish("Not sent");
    expect((await send(id)).status).toBe(200);
    expect(await sent(id)).toMatchObject({ sent: 1, failed: 0, waiting: 0 });
    const mail = await post.wait("Ada@example.org", 2);
    expect(mail.subject).toBe("A week in Lisbon");
    expect(mail.text).toContain(`Hello you, see the map (${mailBase}/map).`);
    expect(mail.text).toMatch(/- one\r?\n- two/);
    expect(mail.html).toContain(`<a href="${mailBase}/map"`);
    expect(mail.html).toContain('<a href="https://elsewhere.example/pixel.png">A wall</a>');
    expect(mail.html).not.toMatch(/<img|<script|<link/);
    const leave = linkIn(mail, "/newsletter/unsubscribe?token=");
    expect(mail.headers.get("list-unsubscribe")).toBe(`<${mailBase}${leave}>`);
    expect(mail.headers.get("list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
    expect(mail.html).toContain(mailBase + leave);

    await admin!.put(`${api}/blog/${id}`, { content: "Another text", publishedAt: null });
    await admin!.put(`${api}/blog/${id}`, { publishedAt: new Date().toISOString() });
    expect((await send(id)).status).toBe(409);

    expect((await guest!.get(leave)).body).toContain("Ada@example.org");
    expect((await findSubscriber("ada@")).state).toBe("confirmed");
    const oneClick = {
      body: "List-Unsubscribe=One-Click",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
    };
    for (let time = 0; time < 2; time++) expect((await guest!.request("POST", leave, oneClick)).status).toBe(200);
    const forged = leave.replace(/=.*/, (token) => `=${another(token.slice(1))}`);
    expect((await guest!.request("POST", forged, oneClick)).status).toBe(410);
    expect(await findSubscriber("ada@")).toMatchObject({ state: "unsubscribed", email: "Ada@example.org" });
    await send(other);
    await sent(other);
    expect(post.to("Ada@example.org").map(({ subject }) => subject)).toEqual([asked.subject, "A week in Lisbon"]);
  });

  test("sends a scheduled post when it is published, and nothing that is private", async () => {
    await importAll("email\nbea@example.org");
    const secret = await publish("Private", { visibility: "private" });
    expect((await send(secret)).body.code).toBe("conflict");
    const { body: page } = await admin!.post(`${api}/blog`, { title: "Page", content: "Text", kind: "page" });
    expect((await send(page.id)).status).toBe(404);
    const draft = await publish("Draft", { publishedAt: null });
    expect((await send(draft)).body.state).toBe("waiting");
    expect((await admin!.delete(`${newsletter}/posts/${draft}`)).body.state).toBe("none");
    const later = await publish("Scheduled", { publishedAt: new Date(Date.now() + 1500).toISOString() });
    expect((await send(later)).body.state).toBe("waiting");
    await sent(later);
    expect(post.to("bea@example.org").map(({ subject }) => subject)).toEqual(["Scheduled"]);
  });

  test("is not sent to those who unsubscribe meanwhile, nor any further once the post is private", async () => {
    const addresses = ["cy@example.org", "dan@example.org", "eve@example.org"];
    for (const address of addresses) post.replies.set(address, 451);
    await importAll(`email\n${addresses.join("\n")}`);
    const id = await publish("Delayed");
    await send(id);
    for (const address of addresses)
      await until(
        () => outboxOf(address),
        ([mail]) => !!mail?.reason && mail.begins === 0,
      );
    const { id: cy } = await findSubscriber("cy@");
    await admin!.put(`${newsletter}/subscribers/${cy}`, { state: "unsubscribed" });
    expect(await outboxOf("cy@example.org")).toEqual([]);
    expect(await outboxOf("dan@example.org")).toHaveLength(1);
    await admin!.put(`${api}/blog/${id}`, { visibility: "private" });
    expect(await outboxOf("dan@example.org")).toEqual([]);
    expect(await issue(id)).toMatchObject({ state: "stopped", waiting: 0 });
    await admin!.put(`${api}/blog/${id}`, { visibility: "public" });
    expect([(await send(id)).status, (await issue(id)).state]).toEqual([409, "stopped"]);
    for (const address of addresses) post.replies.delete(address);
    expect((await admin!.put(`${newsletter}/subscribers/${cy}`, { state: "confirmed" })).status).toBe(409);
  });

  test("stops for an address that does not exist, until an admin gives it another try", async () => {
    post.replies.set("dan@example.org", 550);
    const id = await publish("Bounced");
    await send(id);
    const { failed } = await sent(id);
    const dan = await findSubscriber("dan@");
    expect([failed, dan.state, dan.bounce]).toEqual([1, "bouncing", expect.stringContaining("No such mailbox")]);
    post.replies.delete("dan@example.org");
    const before = post.recipients.length;
    const next = await publish("Without Dan");
    await send(next);
    await sent(next);
    expect(post.recipients.slice(before)).not.toContain("dan@example.org");
    const { body } = await admin!.put(`${newsletter}/subscribers/${dan.id}`, { state: "confirmed" });
    expect(body).toMatchObject({ state: "confirmed", bounce: null });
  });

  test("imports and exports its subscribers, and nobody who has left is subscribed again", async () => {
    const report = await importAll(
      [
        '\uFEFF"Email Address";"First Name";"Last Name";Status;OPTIN_TIME',
        'fay@example.org;Fay;"O\'Hara; ""F""";subscribed;2024-05-01 10:00:00',
        "=cmd@example.org;=1+1;;;",
        "ada@example.org;;;subscribed;",
        "gus@example.org;;;cleaned;",
        "bea@example.org;;;unsubscribed;",
        "hal@example.org;;;pending;",
        "fay@EXAMPLE.org;;;;",
        "x@example.org\r\nnot an address;;;;",
        '"a@example.org\nBcc: b@example.org";;;;',
        '"ida@example.org;;;;',
      ].join("\n"),
    );
    expect(report).toMatchObject({ added: 4, known: 1, ended: 1, refused: 5 });
    expect(report.problems.map(({ line }: { line: number }) => line)).toEqual([7, 8, 10, 11, 13]);
    expect((await findSubscriber("ada@")).state).toBe("unsubscribed");
    const { body, headers } = await admin!.get(`${newsletter}/export`);
    expect(headers.get("content-type")).toContain("text/csv");
    expect(body).toContain('\r\nfay@example.org,"Fay O\'Hara; ""F""",confirmed,2024-05-01T');
    expect(body).toContain("\r\n'=cmd@example.org,'=1+1,confirmed,");
    const { added, refused } = await importAll(body);
    expect([added, refused]).toEqual([0, 0]);
    expect((await importAll("name\nAda")).code).toBe("invalid");
  });

  test("cannot be used to write to others: one address, one line, few from one place, one mail an hour", async () => {
    const before = post.mails.length;
    const wrong = [
      "a@example.org, b@example.org",
      "a@example.org\r\nBcc: b@example.org",
      "a@example.org%0ABcc:b@example.org",
      "Ada <a@example.org>",
      "a@localhost",
      "",
    ];
    for (const email of wrong) {
      expect([email, (await form("/newsletter", { email })).status]).toEqual([email, 400]);
      expect((await guest!.post(`${newsletter}/subscriptions`, { email })).status).toBe(400);
    }
    const name = "Ada\r\nBcc: b@example.org";
    expect((await guest!.post(`${newsletter}/subscriptions`, { email: "a@example.org", name })).status).toBe(400);
    expect((await form("/newsletter", { email: "bot@example.org", website: "x" })).status).toBe(200);
    const foreign = {
      body: new URLSearchParams({ email: "a@example.org" }),
      headers: { Origin: "https://elsewhere.example" },
    };
    expect((await guest!.request("POST", "/newsletter", foreign)).status).toBe(403);

    const statuses: number[] = [];
    for (let index = 0; index < 20; index++)
      statuses.push((await form("/newsletter", { email: `flood${index}@example.org` }, "192.0.2.9")).status);
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(11);
    expect(statuses.at(-1)).toBe(429);
    for (let index = 0; index < 5; index++)
      await form("/newsletter", { email: "ivy@example.org" }, `198.51.100.${index}`);
    await post.wait("ivy@example.org");
    // Everything that was queued before has come, too.
    await until(
      () => withDatabase(server, (db) => db.all(sql`SELECT id FROM tasks WHERE settled_at IS NULL`)),
      (left) => left.length === 0,
    );
    const come = post.mails.slice(before).map(({ to }) => to);
    expect(come.filter((to) => to === "ivy@example.org")).toHaveLength(1);
    expect(come.filter((to) => !/^(flood\d+|ivy)@example\.org$/.test(to))).toEqual([]);
  });

  test("forgets whoever does not confirm within two days, and is of no concern to others", async () => {
    const link = linkIn(await post.wait("ivy@example.org"), "/newsletter/confirm?token=");
    await withDatabase(server, (db) =>
      db.transaction((tx) =>
        tx.run(sql`UPDATE subscribers SET confirmation_sent_at = 1 WHERE address_key = 'ivy@example.org'`),
      ),
    );
    expect((await guest!.get(link)).status).toBe(410);
    expect((await form("/newsletter/confirm", { token: link.split("=")[1] ?? "" })).status).toBe(410);
    for (const who of [guest!, author!]) {
      for (const path of ["", "/subscribers", "/export", "/posts", "/subscribers/1", "/posts/1"])
        expect([401, 403]).toContain((await who.get(newsletter + path)).status);
    }
    const id = (await author!.post(`${api}/blog`, { title: "Spam", content: "Buy" })).body.id;
    expect((await author!.put(`${newsletter}/posts/${id}`)).status).toBe(403);
  });
});
