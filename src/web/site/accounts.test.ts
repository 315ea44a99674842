// Runs on other engines only with TEST_LONG: the pages use the same statements as the tests of the API.
import { beforeAll, describe, expect, test } from "bun:test";
import { client } from "../../../tests/kit/client.ts";
import { password, person } from "../../../tests/kit/people.ts";
import { startServer, type TestServer } from "../../../tests/kit/server.ts";
import { useServer } from "../../../tests/kit/use-server.ts";

const server = useServer({ PASSWORD_RULE: "strong" });
beforeAll(async () => {
  await person(server, "ada");
});

const browser = { Accept: "text/html", "Sec-Fetch-Site": "same-origin" };

async function open(path: string, headers: Record<string, string> = {}, at: TestServer = server) {
  const response = await fetch(at.url + path, { headers: { ...browser, ...headers }, redirect: "manual" });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

async function submit(path: string, fields: Record<string, string>, at: TestServer = server) {
  const body = new URLSearchParams(fields);
  const response = await fetch(at.url + path, { method: "POST", headers: browser, body, redirect: "manual" });
  const cookie = response.headers.get("set-cookie")?.split(";")[0] ?? "";
  return { status: response.status, headers: response.headers, text: await response.text(), cookie };
}

const whoHas = async (Cookie: string, at: TestServer = server) =>
  (await client(at).get("/api/v1/me", { Cookie })).body.username;

describe("the page to sign in", () => {
  test("has a form for password managers, is not listed by search engines, and leads to sign-up", async () => {
    const { status, text, headers } = await open("/signin");
    expect(status).toBe(200);
    expect(text).toContain('<form method="post" action="/session"');
    expect(text).toMatch(/<input[^>]* name="username"[^>]* autocomplete="username[ "]/);
    expect(text).toMatch(/<input[^>]* type="password"[^>]* autocomplete="current-password"/);
    expect(text).toContain('href="/signup"');
    expect([headers.get("x-robots-tag"), text.includes('content="noindex"')]).toEqual(["noindex", true]);
  });

  test("speaks German to those who ask for it", async () => {
    const { text, headers } = await open("/signin", { "Accept-Language": "de-AT,de;q=0.9" });
    expect(text).toContain("<h1>Anmelden</h1>");
    expect(text).toContain('<html lang="de"');
    expect(headers.get("vary")).toContain("Accept-Language");
  });

  test("signs in and goes on to where one came from", async () => {
    const { text } = await open("/signin?next=%2Fphotos%2F7%3Fa%3Db%26c");
    expect(text).toContain('name="next" value="/photos/7?a=b&amp;c"');
    const { status, headers, cookie } = await submit("/session", {
      username: "ada",
      password,
      next: "/photos/7?a=b&c#d",
    });
    expect([status, headers.get("location")]).toEqual([303, "/photos/7?a=b&c#d"]);
    expect(await whoHas(cookie)).toBe("ada");
    const again = await open("/signin?next=/albums", { Cookie: cookie });
    expect([again.status, again.headers.get("location")]).toEqual([303, "/albums"]);
  });

  test.each([
    "//evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "https://evil.example/",
    "javascript:alert(1)",
    "/\t/evil.example",
    "/x/..//evil.example",
    "/%2e%2e//evil.example",
    "/.//evil.example",
    "/\r\nSet-Cookie: a=b",
    " /photos",
    "photos",
    "/signin",
    "/signup/form",
    "/session/end",
    `/${"x".repeat(3000)}`,
    "",
  ])("never leads anywhere else: %p", async (next) => {
    const { status, headers } = await submit("/session", { username: "ada", password, next });
    expect([status, headers.get("location")]).toEqual([303, "/"]);
    const { text } = await open(`/signin?next=${encodeURIComponent(next)}`);
    expect(text).toContain('name="next" value="/"');
    expect(text).not.toContain("evil.example");
  });

  test("is shown again after a wrong password, with the name but without the password", async () => {
    const wrong = { username: 'ada"><script>', password: "not-the-password", next: "/photos" };
    const { status, text, headers, cookie } = await submit("/session", wrong);
    expect([status, cookie, headers.get("cache-control")]).toEqual([401, "", "no-store"]);
    expect(text).toContain('role="alert">The username or the password is wrong.');
    expect(text).toContain('value="ada&quot;&gt;&lt;script&gt;"');
    expect(text).toContain('name="next" value="/photos"');
    expect(text).not.toContain("not-the-password");
  });
});

describe("the page to sign up", () => {
  test("tells the rules, creates the account and signs in at once", async () => {
    const { text } = await open("/signup?next=/blog");
    expect(text).toContain("At least 8 characters.");
    expect(text).toMatch(/<input[^>]* type="password"[^>]* autocomplete="new-password"/);
    const { status, headers, cookie } = await submit("/signup/form", {
      username: " grace ",
      password,
      next: "/blog",
    });
    expect([status, headers.get("location")]).toEqual([303, "/blog"]);
    expect(await whoHas(cookie)).toBe("grace");
  });

  test.each([
    ["a name that is taken", { username: "ADA", password }, "username", "is taken"],
    ["a name with a space", { username: "a b", password }, "username", "at most 64 letters"],
    ["no name", { password }, "username", "at most 64 letters"],
    ["a short password", { username: "short", password: "1234567" }, "password", "of 8 to 256 characters"],
    ["no password", { username: "short" }, "password", "of 8 to 256 characters"],
  ])("explains %s at the field", async (_what, fields: Record<string, string>, field, sentence) => {
    const { status, text, cookie } = await submit("/signup/form", fields);
    expect([status, cookie]).toEqual([400, ""]);
    expect(text).toMatch(new RegExp(`<p class="error" id="${field}-error">[^<]*${sentence}`));
    expect(text).toMatch(new RegExp(`<input id="${field}"[^>]*aria-invalid="true"`));
    if (fields.username) expect(text).toContain(`value="${fields.username}"`);
    expect(text).not.toContain(password);
  });

  test("is refused from another site", async () => {
    const response = await fetch(`${server.url}/signup/form`, {
      method: "POST",
      headers: { Accept: "text/html", Origin: "https://evil.example" },
      body: new URLSearchParams({ username: "victim", password }),
    });
    expect(response.status).toBe(403);
    expect(await response.text()).toContain("This request was sent by another site.");
    expect((await client(server).post("/signin", { username: "victim", password })).status).toBe(401);
  });

  test("explains in German what is refused, if that is the language of the page", async () => {
    const refused = async (path: string, init: RequestInit) => {
      const headers = { Accept: "text/html", "Accept-Language": "de", Origin: "https://evil.example" };
      const response = await fetch(server.url + path, { ...init, headers });
      const text = await response.text();
      expect(text).toContain(`<html lang="de"`);
      return [response.status, /<h1>([^<]*)<\/h1><p>([^.]*)/.exec(text)?.slice(1)];
    };
    const form = { method: "POST", body: new URLSearchParams({ username: "victim", password }) };
    expect(await refused("/signup/form", form)).toEqual([
      403,
      [
        "Das ist nicht erlaubt",
        "Ihrem Konto fehlt die Berechtigung dafür, oder die Anfrage kam von einer anderen Website",
      ],
    ]);
    expect(await refused("/photos/1?album=x", {})).toEqual([
      400,
      ["Das ist nicht möglich", "Der Server kann diese Anfrage so nicht ausführen"],
    ]);
  });

  test("gives the role that the site has chosen, and says so if sign-up is closed", async () => {
    await using readers = await startServer({ SIGNUP_ROLE: "reader" });
    expect((await open("/signup", {}, readers)).text).toContain("you can write comments.");
    const { cookie } = await submit("/signup/form", { username: "reader", password }, readers);
    expect((await client(readers).get("/api/v1/me", { Cookie: cookie })).body.role).toBe("reader");

    await using closed = await startServer({ SIGNUP_ROLE: "closed" });
    const { status, text } = await open("/signup", {}, closed);
    expect([status, text.includes("Sign-up is closed"), text.includes("<form")]).toEqual([200, true, false]);
    const refused = await submit("/signup/form", { username: "reader", password }, closed);
    expect([refused.status, refused.cookie]).toEqual([403, ""]);
    expect((await open("/signin", {}, closed)).text).not.toContain('href="/signup');
  });
});
