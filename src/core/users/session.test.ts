import { beforeAll, describe, expect, test } from "bun:test";
import { sql } from "../../platform/database/sql.ts";
import { client } from "../../../tests/kit/client.ts";
import { password, person } from "../../../tests/kit/people.ts";
import { startServer, withDatabase } from "../../../tests/kit/server.ts";
import { useServer } from "../../../tests/kit/use-server.ts";

const day = 86_400_000;
const sameOrigin = { "Sec-Fetch-Site": "same-origin" };

const server = useServer();
beforeAll(async () => {
  await person(server, "owner");
  const owner = client(server, (await signIn()).token);
  await owner.post("/api/v1/blog", { title: "Only for me", content: "…", visibility: "private" });
});

const signIn = async (username = "owner") => (await client(server).post("/signin", { username, password })).body;

/** Sends a request as a browser does, without following redirects. */
function send(method: string, path: string, headers: Record<string, string> = {}, body: string | null = null) {
  return fetch(server.url + path, { method, headers, body, redirect: "manual" });
}

const sendForm = (path: string, fields: Record<string, string>, headers: Record<string, string> = sameOrigin) =>
  send(
    "POST",
    path,
    { "Content-Type": "application/x-www-form-urlencoded", Accept: "text/html", ...headers },
    new URLSearchParams(fields).toString(),
  );

const sendJSON = (fields: object, headers: Record<string, string> = sameOrigin) =>
  send("POST", "/session", { "Content-Type": "application/json", ...headers }, JSON.stringify(fields));

/** The cookie of a new session, as a browser sends it. */
async function openSession(username = "owner"): Promise<string> {
  const response = await sendJSON({ username, password });
  return response.headers.get("set-cookie")?.split(";")[0] ?? "";
}

const statusOf = async (cookie: string) => (await send("GET", "/api/v1/me", { Cookie: cookie })).status;

describe("the session of a browser", () => {
  test("is a cookie that scripts cannot read; its token is in no body", async () => {
    const response = await sendJSON({ username: "owner", password });
    const text = await response.text();
    const cookie = response.headers.get("set-cookie") ?? "";
    const token = /^vitrine=([\w.-]+);/.exec(cookie)?.[1] ?? "none";
    expect([response.status, cookie.replace(token, "…")]).toEqual([
      200,
      "vitrine=…; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax",
    ]);
    expect(response.headers.get("cache-control")).toContain("no-store");
    expect(JSON.parse(text)).toEqual({ expiresAt: expect.any(String), user: expect.objectContaining({ id: 1 }) });
    expect(text).not.toContain(token.split(".")[2] as string);
  });

  test("lasts 30 days, that of a token one day", async () => {
    const rows = () =>
      withDatabase(server, (db) => db.all<{ expires_at: number }>(sql`SELECT expires_at FROM sessions`));
    const daysLeft = async () => (await rows()).map(({ expires_at }) => Math.round((expires_at - Date.now()) / day));
    await openSession();
    expect([...new Set(await daysLeft())].toSorted((one, other) => one - other)).toEqual([1, 30]);
  });

  test.each([
    ["GET", "a page of this site", { "Sec-Fetch-Site": "same-origin" }, 200],
    ["GET", "the address bar", { "Sec-Fetch-Site": "none" }, 200],
    ["GET", "a browser that does not say where from", {}, 200],
    ["GET", "another site", { "Sec-Fetch-Site": "cross-site" }, 401],
    ["GET", "another host of the same site", { "Sec-Fetch-Site": "same-site" }, 401],
    ["GET", "another origin", { Origin: "https://evil.example" }, 401],
    ["HEAD", "another site", { "Sec-Fetch-Site": "cross-site" }, 401],
    ["PUT", "a page of this site", { "Sec-Fetch-Site": "same-origin" }, 400],
    ["PUT", "this origin", { Origin: "this" }, 400],
    ["PUT", "another site", { "Sec-Fetch-Site": "cross-site" }, 403],
    ["PUT", "another host of the same site", { "Sec-Fetch-Site": "same-site" }, 403],
    ["PUT", "another site that claims this origin", { "Sec-Fetch-Site": "cross-site", Origin: "this" }, 403],
    ["PUT", "another origin", { Origin: "https://evil.example" }, 403],
    ["PUT", "an origin that begins like this one", { Origin: "this.evil.example" }, 403],
    ["PUT", "a sandboxed page", { Origin: "null" }, 403],
    ["PUT", "no page", { "Sec-Fetch-Site": "none" }, 403],
    ["PUT", "a client that does not say where from", {}, 403],
  ])("%s from %s", async (method, _sender, headers: Record<string, string>, status) => {
    const cookie = await openSession();
    const { Origin: origin } = headers;
    const sent = { ...headers, Cookie: cookie, ...(origin && { Origin: origin.replace("this", server.url) }) };
    const path = method === "PUT" ? "/api/v1/me/password" : "/api/v1/me";
    const body = method === "PUT" ? "{}" : null;
    const response = await send(method, path, { ...sent, "Content-Type": "application/json" }, body);
    expect(response.status).toBe(status);
  });

  test("does not count if there is a token; that of a proxy's own password is none", async () => {
    const cookie = await openSession();
    const statusWith = async (authorization: string, method = "GET") =>
      (await send(method, "/api/v1/me", { Cookie: cookie, Authorization: authorization })).status;
    expect(await statusWith("Bearer nonsense")).toBe(401);
    expect(await statusWith("Basic cHJveHk6c2VjcmV0")).toBe(200);
    const { token } = await signIn();
    const foreign = { Cookie: cookie, "Sec-Fetch-Site": "cross-site" };
    const changed = { ...foreign, "Content-Type": "application/json" };
    const path = "/api/v1/me/password";
    expect((await send("PUT", path, { ...changed, Authorization: `Bearer ${token}` }, "{}")).status).toBe(400);
    expect((await send("PUT", path, { ...changed, Authorization: "Basic cHJveHk6c2VjcmV0" }, "{}")).status).toBe(403);
  });

  test("what it reads is for no cache, and what another site gets with it is what guests get", async () => {
    const cookie = await openSession();
    const path = "/api/v1/blog?owner=1&cursor=";
    const read = async (headers: Record<string, string>) => {
      const response = await send("GET", path, headers);
      return { headers: response.headers, text: await response.text() };
    };
    const guest = await read({});
    const own = await read({ Cookie: cookie, ...sameOrigin });
    for (let count = 0; count < 3; count++) {
      const foreign = await read({ Cookie: cookie, "Sec-Fetch-Site": "cross-site" });
      expect([foreign.text, foreign.headers.get("cache-control")]).toEqual([guest.text, "no-cache"]);
      expect(foreign.headers.get("vary")).toContain("Cookie, Sec-Fetch-Site");
    }
    expect(own.headers.get("cache-control")).toBe("private, no-store");
    expect(own.headers.get("vary")).toContain("Cookie, Sec-Fetch-Site");
    const mine = await send("GET", "/api/v1/blog?owner=me", { Cookie: cookie, ...sameOrigin });
    expect(await mine.text()).toContain("Only for me");
    expect(
      (await send("GET", "/api/v1/blog?owner=me", { Cookie: cookie, "Sec-Fetch-Site": "cross-site" })).status,
    ).toBe(401);
  });

  test("a page of somebody who has signed in is for no cache, either", async () => {
    const cookie = await openSession();
    const own = await send("GET", "/signup", { Cookie: cookie, ...sameOrigin });
    expect([own.status, own.headers.get("cache-control")]).toEqual([303, "private, no-store"]);
    const guest = await send("GET", "/signup");
    expect([guest.status, guest.headers.get("cache-control")]).toEqual([200, "no-cache"]);
    expect(guest.headers.get("vary")).toContain("Cookie, Sec-Fetch-Site");
  });
});

describe("opening a session", () => {
  test("fails as signing in does, and is slowed down with it", async () => {
    await person(server, "guessed");
    const wrong = { username: "guessed", password: "a wrong password" };
    const response = await sendJSON(wrong);
    const expected = await client(server).post("/signin", wrong);
    expect([response.status, await response.json()]).toEqual([
      401,
      { ...expected.body, requestID: expect.any(String) },
    ]);
    expect(response.headers.get("set-cookie")).toBeNull();
    await Promise.all(Array.from({ length: 12 }, () => sendJSON(wrong)));
    const limited = await client(server).post("/signin", wrong);
    const form = await sendForm("/session", { username: "guessed", password });
    expect([limited.status, form.status]).toEqual([429, 429]);
    expect(Number(form.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await form.text()).toContain("Too many attempts.");
  });

  test.each([{ "Sec-Fetch-Site": "cross-site" }, { Origin: "https://evil.example" }, { Origin: "null" }])(
    "is refused from another site: %p",
    async (headers: Record<string, string>) => {
      for (const response of [
        await sendForm("/session", { username: "owner", password }, headers),
        await sendJSON({ username: "owner", password }, headers),
      ]) {
        expect([response.status, response.headers.get("set-cookie")]).toEqual([403, null]);
      }
    },
  );

  test("a body that is neither JSON nor a form is a 400", async () => {
    const body = JSON.stringify({ username: "owner", password });
    expect((await send("POST", "/session", { "Content-Type": "text/plain", ...sameOrigin }, body)).status).toBe(400);
    expect((await sendJSON({ username: "owner" })).status).toBe(400);
    expect((await sendForm("/session", { username: "owner", password: "x".repeat(300) })).status).toBe(400);
  });
});

describe("over HTTPS", () => {
  async function cookieFrom(env: Record<string, string>, headers: Record<string, string>) {
    await using other = await startServer(env);
    await person(other, "owner");
    const open = (more: Record<string, string>) =>
      fetch(`${other.url}/session`, {
        method: "POST",
        headers: { "Content-Type": "application/json", ...more },
        body: JSON.stringify({ username: "owner", password }),
      });
    const cookie = (await open({ ...sameOrigin, ...headers })).headers.get("set-cookie") ?? "";
    const value = cookie.split(";")[0]?.split("=")[1] ?? "";
    const read = async (name: string) =>
      (await fetch(`${other.url}/api/v1/me`, { headers: { ...headers, Cookie: `${name}=${value}` } })).status;
    const end = await fetch(`${other.url}/session`, { method: "DELETE", headers: { ...sameOrigin, ...headers } });
    return {
      cookie: cookie.replace(value, "…"),
      plain: await read("vitrine"),
      secure: await read("__Host-vitrine"),
      ended: end.headers.get("set-cookie"),
      ownOrigin: (await open({ ...headers, Origin: "https://photos.example.org" })).status,
      plainOrigin: (await open({ ...headers, Origin: "http://photos.example.org" })).status,
    };
  }

  const secure = {
    cookie: "__Host-vitrine=…; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure",
    plain: 401,
    secure: 200,
    ended: "__Host-vitrine=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure",
    ownOrigin: 200,
    plainOrigin: 403,
  };
  const Host = "photos.example.org";

  test("the cookie belongs to this host alone: by BASE_URL", async () => {
    expect(await cookieFrom({ BASE_URL: "https://photos.example.org" }, {})).toEqual(secure);
    expect(await cookieFrom({ BASE_URL: "https://other.example.org" }, { Host })).toEqual(secure);
  });

  test("or by the header of a trusted proxy, but of no other client", async () => {
    const headers = { "X-Forwarded-Proto": "https", Host };
    expect(await cookieFrom({ TRUST_PROXY: "loopback" }, headers)).toEqual(secure);
    expect(await cookieFrom({ TRUST_PROXY: "10.0.0.0/8" }, headers)).toMatchObject({
      cookie: "vitrine=…; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax",
      plain: 200,
      secure: 401,
      // A proxy that is not configured may use HTTPS.
      ownOrigin: 200,
      plainOrigin: 200,
    });
  });
});

describe("closing a session", () => {
  test("DELETE /session revokes it and removes the cookie, however often it is sent", async () => {
    const cookie = await openSession();
    const other = await openSession();
    expect(await statusOf(cookie)).toBe(200);
    for (let count = 0; count < 2; count++) {
      const response = await send("DELETE", "/session", { Cookie: cookie, ...sameOrigin });
      expect([response.status, response.headers.get("set-cookie")]).toEqual([
        200,
        "vitrine=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax",
      ]);
    }
    expect([await statusOf(cookie), await statusOf(other)]).toEqual([401, 200]);
  });

  test("a form does the same, and leads to the front page", async () => {
    const cookie = await openSession();
    const response = await sendForm("/session/end", {}, { Cookie: cookie, ...sameOrigin });
    expect([response.status, response.headers.get("location")]).toEqual([303, "/"]);
    expect(response.headers.get("set-cookie")).toStartWith("vitrine=; Path=/; Max-Age=0");
    expect(await statusOf(cookie)).toBe(401);
  });

  test("another site cannot do it", async () => {
    const cookie = await openSession();
    const foreign = { Cookie: cookie, "Sec-Fetch-Site": "cross-site" };
    const override = { ...foreign, "X-HTTP-Method-Override": "DELETE" };
    expect((await send("DELETE", "/session", foreign)).status).toBe(403);
    expect((await send("POST", "/session", override)).status).toBe(403);
    expect((await sendForm("/session/end", {}, foreign)).status).toBe(403);
    expect(await statusOf(cookie)).toBe(200);
  });

  test("a new password revokes the sessions of all other browsers", async () => {
    await person(server, "careful");
    const [here, there] = [await openSession("careful"), await openSession("careful")];
    const body = JSON.stringify({ oldPassword: password, newPassword: "another password" });
    const headers = { Cookie: here, "Content-Type": "application/json", ...sameOrigin };
    expect((await send("PUT", "/api/v1/me/password", headers, body)).status).toBe(200);
    expect([await statusOf(here), await statusOf(there)]).toEqual([200, 401]);
  });
});
