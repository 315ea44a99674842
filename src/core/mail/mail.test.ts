import { Database as SQLite } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { engineEnv, isScaled } from "../../../tests/kit/engine.ts";
import type { Client } from "../../../tests/kit/client.ts";
import { member } from "../../../tests/kit/people.ts";
import { newDirectory, useScratch } from "../../../tests/kit/scratch.ts";
import { startServer, type TestServer, withDatabase } from "../../../tests/kit/server.ts";
import { mailEnv, startMailServer } from "../../../tests/kit/servers/mail-server.ts";
import { freePort, startVitrine } from "../../../tests/kit/process.ts";
import { ConfigError, readConfig } from "../../config.ts";
import { sql } from "../../platform/database/sql.ts";
import { parseAddress } from "../../platform/mail/address.ts";
import { type Mail, queueMail } from "./outbox.ts";
import { until } from "../../../tests/kit/until.ts";
import { isLong } from "../../../tests/kit/long.ts";

const scratch = useScratch();
const api = "/api/v1";
let post: Awaited<ReturnType<typeof startMailServer>>;
let server: TestServer;
let admin: Client;
beforeAll(async () => {
  post = await startMailServer();
  server = await startServer(mailEnv(post));
  admin = await member(server, "root", "admin");
});
afterAll(async () => {
  await server.close();
  await post[Symbol.asyncDispose]();
});

const queue = (mail: Partial<Mail>, at: TestServer = server) =>
  withDatabase(at, (db) =>
    db.transaction((tx) => queueMail(tx, { to: "a@example.org", subject: "Hello", text: "Text", ...mail })),
  );
type Row = { failures: number; begins: number; outcome: string | null; reason: string | null; payload: string };
const row = (to: string, at: TestServer = server) =>
  withDatabase(at, (db) =>
    db.get<Row>(sql`
      SELECT failures, begins, outcome, reason, payload FROM tasks
      WHERE queue = 'mail' AND payload LIKE ${`{"to":"${to}"%`}`),
  );
async function untilRow(to: string, isMet: (row: Row) => boolean, at: TestServer = server): Promise<Row> {
  const found = await until(
    () => row(to, at),
    (one) => one && isMet(one),
  );
  return found as Row;
}
/** Time passes for the mails that wait, and for those that a process was sending when it ended. */
const passTime = (at: TestServer = server) =>
  withDatabase(at, (db) =>
    db.transaction((tx) => tx.run(sql`UPDATE tasks SET next_at = 1, claimed_until = 1 WHERE settled_at IS NULL`)),
  );

describe("a mail", () => {
  test("is sent once, in plain text and HTML, and its text is not kept", async () => {
    const draft = {
      to: "Ada@example.org",
      subject: "Grüße 🙂",
      text: "Zeile\n.\nEnde",
      html: "<p>Zeile</p>",
      key: "once",
    };
    expect(await queue({ ...draft, headers: { "List-Id": "<a>" } })).toBe(true);
    expect(await queue(draft)).toBe(false);
    const mail = await post.wait("Ada@example.org");
    expect(mail).toMatchObject({ subject: "Grüße 🙂", text: "Zeile\n.\nEnde", html: "<p>Zeile</p>" });
    expect(mail.headers.get("from")).toBe("Vitrine <vitrine@example.org>");
    expect(mail.headers.get("list-id")).toBe("<a>");
    expect(mail.headers.get("auto-submitted")).toBe("auto-generated");
    expect(await untilRow("Ada@example.org", ({ outcome }) => outcome === "done")).toMatchObject({
      payload: '{"to":"Ada@example.org"}',
      failures: 0,
    });
    expect(post.to("Ada@example.org")).toHaveLength(1);
  });

  test("that a server refuses for now is sent later, and one that it refuses for good is given up", async () => {
    post.replies.set("later@example.org", 451).set("gone@example.org", 550);
    await queue({ to: "later@example.org" });
    await queue({ to: "gone@example.org" });
    const later = await untilRow("later@example.org", ({ reason }) => reason !== null);
    expect(later).toMatchObject({ outcome: null, failures: 1, reason: "451 Later" });
    expect(later.payload).toContain('"text":"Text"');
    const gone = await untilRow("gone@example.org", ({ outcome }) => outcome !== null);
    expect(gone).toMatchObject({ outcome: "given up", failures: 0, reason: "550 No such mailbox" });
    expect(gone.payload).toBe('{"to":"gone@example.org"}');
    post.replies.delete("later@example.org");
    await passTime();
    await post.wait("later@example.org");
    await queue({ to: "late@example.org", expiresAt: Date.now() - 1 });
    await untilRow("late@example.org", ({ outcome }) => outcome === "given up");
    expect([post.to("gone@example.org"), post.to("late@example.org")]).toEqual([[], []]);
    const { body } = await admin.get(`${api}/mail`);
    expect(body).toMatchObject({ isConfigured: true, from: "vitrine@example.org", waiting: 0, failed: 2 });
  });

  test("with more than one line in a header, or with other than one address, is refused", async () => {
    const wrong: Partial<Mail>[] = [
      { subject: "Hello\r\nBcc: eve@example.org" },
      { headers: { "List-Id": "a\nBcc: eve@example.org" } },
      { headers: { "X\r\nBcc": "eve@example.org" } },
      { headers: { Bcc: "eve@example.org" } },
      { headers: { From: "eve@example.org" } },
    ];
    const addresses = [
      "a@example.org, eve@example.org",
      "a@example.org;eve@example.org",
      "a@example.org\r\nBcc: eve@example.org",
      "a@example.org>\r\nRCPT TO:<eve@example.org",
      "Ada <a@example.org>",
      "a(comment)@example.org",
      '"a b"@example.org',
      "a@[127.0.0.1]",
      "a@127.0.0.1",
      "a@localhost",
      "a@@example.org",
      "a@example..org",
      ".a@example.org",
      "a\u0000@example.org",
      "a@exa mple.org",
      `${"a".repeat(65)}@example.org`,
      "@example.org",
      "",
    ];
    for (const to of addresses) expect([to, parseAddress(to)]).toEqual([to, null]);
    for (const mail of [...wrong, ...addresses.map((to) => ({ to }))]) {
      expect(await queue(mail).catch((error: Error) => error)).toBeInstanceOf(Error);
    }
    expect(parseAddress(" ada+tag@Bücher.example ")).toBe("ada+tag@xn--bcher-kva.example");
    const { status } = await admin.post(`${api}/mail/test`, { to: "a@example.org\r\nBcc: eve@example.org" });
    expect(status).toBe(400);
  });

  test.skipIf(!isLong || isScaled)("is known to be sent, also if the database was locked at that moment", async () => {
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    post.replies.set("locked@example.org", answered);
    await queue({ to: "locked@example.org" });
    await post.wait("locked@example.org");
    using file = new SQLite(join(server.dataDir, "vitrine.db"));
    file.run("BEGIN IMMEDIATE");
    answer();
    // Longer than a statement waits.
    await Bun.sleep(6000);
    file.run("ROLLBACK");
    const sent = await untilRow("locked@example.org", ({ outcome }) => outcome !== null);
    expect(sent).toMatchObject({ outcome: "done", failures: 0 });
    expect(post.to("locked@example.org")).toHaveLength(1);
  });

  test("to test the server says what it has answered", async () => {
    const works = await admin.post(`${api}/mail/test`, { to: "root@example.org" });
    expect([works.status, works.body]).toEqual([200, { isSent: true, reason: null }]);
    expect((await post.wait("root@example.org")).text).toContain("Mail works.");
    const refused = await admin.post(`${api}/mail/test`, { to: "gone@example.org" });
    expect(refused.body).toEqual({ isSent: false, reason: "550 No such mailbox" });
    for (let sent = 0; sent < 12; sent++) await admin.post(`${api}/mail/test`, { to: "gone@example.org" });
    expect((await admin.post(`${api}/mail/test`, { to: "gone@example.org" })).status).toBe(429);
  });
});

test("whoever kills the server midway does not make it send a mail twice", async () => {
  await using mailbox = await startMailServer();
  const dataDir = newDirectory(scratch);
  const port = await freePort();
  const own = { PORT: String(port), BASE_URL: `http://127.0.0.1:${port}` };
  const env = { DATA_DIR: dataDir, ...(await engineEnv(dataDir)), ...mailEnv(mailbox), ...own };
  const people = Array.from({ length: 12 }, (_, index) => `p${index}@example.org`);
  // Four are sent at a time, and the server is killed while it waits for the answer to one of them.
  mailbox.replies.set("p5@example.org", "silent");
  const first = await startVitrine(env);
  const at = { ...server, dataDir };
  await withDatabase(at, (db) =>
    db.transaction(async (tx) => {
      for (const to of people) await queueMail(tx, { to, subject: "News", text: "Once" });
    }),
  );
  await mailbox.wait("p5@example.org");
  first.process.kill("SIGKILL");
  await first.process.exited;
  mailbox.replies.clear();
  await passTime(at);
  const second = await startVitrine(env);
  for (const to of people) await untilRow(to, ({ outcome }) => outcome !== null, at);
  const inDoubt = await row("p5@example.org", at);
  expect([inDoubt?.outcome, inDoubt?.reason]).toEqual(["given up", expect.stringContaining("may have arrived")]);
  expect(people.filter((to) => mailbox.to(to).length > 1)).toEqual([]);
  // Only those that were being sent can be missing.
  expect(people.filter((to) => mailbox.to(to).length === 0).length).toBeLessThan(4);
  second.process.kill();
  await second.process.exited;
});

test("SMTP_URL is read strictly, and its password never shown", () => {
  const read = (SMTP_URL: string, more: Record<string, string> = {}) =>
    readConfig({ SMTP_URL, BASE_URL: "https://example.org", MAIL_FROM: "a@example.org", ...more }).mail;
  expect(read("smtps://user:p%40ss@mail.example.org")).toMatchObject({
    port: 465,
    password: "p@ss",
    requiresTLS: false,
  });
  const byParameter = read("smtp://mail.example.org?from=Ada+%3Cb@example.org%3E", { MAIL_FROM: "" });
  expect(byParameter).toMatchObject({ port: 587, requiresTLS: true, from: { name: "Ada", address: "b@example.org" } });
  expect(read("smtp://mail.example.org:25?tls=off")?.requiresTLS).toBe(false);
  for (const [url, more] of [
    ["http://u:secret@mail.example.org", {}],
    ["smtp://u:secret@mail.example.org/path", {}],
    ["smtp://u:secret@mail.example.org?tls=maybe", {}],
    ["smtp://u:secret@mail.example.org", { BASE_URL: "" }],
    ["smtp://u:secret@mail.example.org", { MAIL_FROM: "a@example.org, b@example.org" }],
    ["smtp://u:secret%@mail.example.org", {}],
  ] as const) {
    const failed = (() => {
      try {
        return read(url, more);
      } catch (error) {
        return error as Error;
      }
    })();
    expect(failed).toBeInstanceOf(ConfigError);
    expect((failed as Error).message).not.toContain("secret");
  }
});
