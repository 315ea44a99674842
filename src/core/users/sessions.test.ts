import { describe, expect, test } from "bun:test";
import { type Client, client, isoTime } from "../../../tests/kit/client.ts";
import { password, person, signedIn } from "../../../tests/kit/people.ts";
import { withDatabase } from "../../../tests/kit/server.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { sql, type Sql } from "../../platform/database/sql.ts";
import { describeClient } from "./describe-client.ts";
import { until } from "../../../tests/kit/until.ts";

const server = useServer({ TRUST_PROXY: "loopback" });

const path = "/api/v1/me/sessions";
const hour = 3_600_000;
const firefox = "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0";

describe("the list of sessions", () => {
  test("has every sign-in of the user, with its client and address, the current one first", async () => {
    const ada = await person(server, "ada");
    const headers = { "User-Agent": firefox, "X-Forwarded-For": "203.0.113.7" };
    const browser = await client(server).post("/session", { username: "ada", password }, headers);
    await person(server, "stranger");
    const { body, headers: sent, status } = await ada.get(path);
    expect([status, sent.get("x-total-count"), sent.get("cache-control")]).toEqual([200, "2", "private, no-store"]);
    const time = expect.stringMatching(isoTime);
    const times = { createdAt: time, lastSeenAt: time, expiresAt: time };
    expect(body).toEqual([
      { id: expect.any(Number), ...times, client: expect.any(String), address: "127.0.0.1", isCurrent: true },
      { id: expect.any(Number), ...times, client: "Firefox on Android", address: "203.0.113.7", isCurrent: false },
    ]);
    expect(body[1].expiresAt).toBe(browser.body.expiresAt);
    // A list of sessions gives nobody a token.
    expect(JSON.stringify(body)).not.toContain(JSON.parse(atob(ada.token!.split(".")[1]!)).jti);
    const cookie = browser.headers.get("set-cookie")!.split(";")[0]!;
    const own = (await client(server).get(path, { Cookie: cookie, "Sec-Fetch-Site": "same-origin" })).body;
    expect(own.map(({ id, isCurrent }: any) => [id, isCurrent])).toEqual([
      [body[1].id, true],
      [body[0].id, false],
    ]);
  });

  test("has pages, and leaves out sessions that have expired", async () => {
    const many = await person(server, "many");
    for (let index = 0; index < 3; index++) await signedIn(server, "many");
    const ids = (await many.get(path)).body.map(({ id }: any) => id);
    const second = await many.get(`${path}?page=2&pageSize=2`);
    expect(second.body.map(({ id }: any) => id)).toEqual(ids.slice(2));
    expect(second.headers.get("x-total-count")).toBe("4");
    await withDatabase(server, (db) =>
      db.transaction((tx) => tx.run(sql`UPDATE sessions SET expires_at = ${Date.now() - 1} WHERE id = ${ids[1]}`)),
    );
    expect((await many.get(path)).body.map(({ id }: any) => id)).toEqual([ids[0], ids[2], ids[3]]);
    expect((await many.delete(`${path}/${ids[1]}`)).status).toBe(404);
  });

  test("says when a session was last used, and is not written by every request", async () => {
    const eve = await person(server, "eve");
    const read = async () => (await eve.get(path)).body[0];
    const { lastSeenAt, createdAt } = await read();
    const { id } = await read();
    expect((await read()).lastSeenAt).toBe(lastSeenAt);
    const set = (time: number) =>
      withDatabase(server, (db) =>
        db.transaction((tx) => tx.run(sql`UPDATE sessions SET seen_at = ${time} WHERE id = ${id}`)),
      );
    await set(Date.now() - 2 * hour);
    await until(read, (session) => Date.parse(session.lastSeenAt) >= Date.parse(lastSeenAt));
    const recent = Date.now() - hour / 2;
    await set(recent);
    for (let index = 0; index < 5; index++) await eve.get("/api/v1/me");
    expect(await read()).toMatchObject({ createdAt, lastSeenAt: new Date(recent).toISOString() });
  });
});

describe("a session", () => {
  test("is over at its time, or when a command of another process has ended it", async () => {
    const isSignedIn = async (one: Client) => (await one.get("/api/v1/me")).status === 200;
    const change = (query: Sql) => withDatabase(server, (db) => db.transaction((tx) => tx.run(query)));
    for (let time = 0; time < 10; time++) {
      const one = await person(server, `ended-${time}`);
      expect(await isSignedIn(one)).toBe(true);
      await change(sql`DELETE FROM sessions WHERE user_id = ${one.userID}`);
      expect(await isSignedIn(one)).toBe(false);
    }
    const one = await person(server, "expiring");
    const expiresAt = Date.now() + 300;
    await change(sql`UPDATE sessions SET expires_at = ${expiresAt} WHERE user_id = ${one.userID}`);
    while (Date.now() < expiresAt) await isSignedIn(one);
    expect(await isSignedIn(one)).toBe(false);
  });

  test("is revoked by its user alone", async () => {
    const [owner, mallory] = [await person(server, "owner"), await person(server, "mallory")];
    const other = await signedIn(server, "owner");
    const [, listed] = (await owner.get(path)).body;
    expect((await mallory.delete(`${path}/${listed.id}`)).status).toBe(404);
    expect((await other.get("/api/v1/me")).status).toBe(200);
    expect((await client(server).delete(`${path}/${listed.id}`)).status).toBe(401);
    expect((await owner.delete(`${path}/${listed.id}`)).status).toBe(200);
    expect((await other.get("/api/v1/me")).status).toBe(401);
    expect((await owner.delete(`${path}/${listed.id}`)).status).toBe(404);
    const [current] = (await owner.get(path)).body;
    expect((await owner.delete(`${path}/${current.id}`)).status).toBe(200);
    expect((await owner.get("/api/v1/me")).status).toBe(401);
  });

  test("stays when the user signs out everywhere else", async () => {
    const [bob, other, mallory] = [
      await person(server, "bob"),
      await signedIn(server, "bob"),
      await person(server, "mallory2"),
    ];
    expect((await bob.delete(path)).status).toBe(200);
    expect((await bob.get(path)).body.length).toBe(1);
    expect((await other.get("/api/v1/me")).status).toBe(401);
    expect((await mallory.get("/api/v1/me")).status).toBe(200);
  });
});

test("clients are described by a few words, without versions", () => {
  const known: [string | null, string | null][] = [
    [firefox, "Firefox on Android"],
    [
      "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36",
      "Chrome on Linux",
    ],
    [
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0",
      "Edge on Windows",
    ],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
      "Safari on iPhone",
    ],
    [
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15",
      "Safari on macOS",
    ],
    ["curl/8.14.1", "curl"],
    [`${"x".repeat(5000)}/1`, "x".repeat(40)],
    ["<script>alert(1)</script>", null],
    ["", null],
    [null, null],
  ];
  for (const [userAgent, expected] of known) expect(describeClient(userAgent)).toBe(expected as string);
});
