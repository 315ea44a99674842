import { describe, expect, test } from "bun:test";
import { client, isoTime } from "../../../tests/kit/client.ts";
import { createPeople, member, password } from "../../../tests/kit/people.ts";
import { startServer, withDatabase } from "../../../tests/kit/server.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { sql } from "../../platform/database/sql.ts";

const guest = () => client(server);

const server = useServer({ SIGNUP_ROLE: "closed", BASE_URL: "https://example.com" });
const admin = server.person("root", "admin");

const path = "/api/v1/invitations";
const invite = async (body: object = { role: "author" }, who = admin) => (await who.post(path, body)).body;
const signUp = (username: string, invitation?: unknown, at = guest()) =>
  at.post("/signup", { username, password, ...(invitation !== undefined && { invitation }) });
const roleOf = async (username: string) => (await admin.get(`/api/v1/users?q=${username}`)).body[0]?.role;
const refusal = "This invitation is not valid: it was used or revoked, or it has expired.";

describe("an invitation", () => {
  test("lets one person sign up with its role, although sign-up is closed", async () => {
    for (const role of ["reader", "author", "admin"]) {
      const { token } = await invite({ role });
      const welcome = await signUp(`a-${role}`, token);
      expect([welcome.status, welcome.body]).toEqual([201, { message: `Welcome, a-${role}. You can sign in now.` }]);
      expect(await roleOf(`a-${role}`)).toBe(role);
      const again = await signUp(`second-${role}`, token);
      expect([again.status, again.body.error]).toEqual([403, refusal]);
    }
  });

  test("that several people use at the same moment is for one of them", async () => {
    const { token } = await invite();
    const answers = await Promise.all(Array.from({ length: 5 }, (_, index) => signUp(`rival${index}`, token)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 403, 403, 403, 403]);
    expect((await admin.get("/api/v1/users?q=rival")).body.length).toBe(1);
  });

  test("is not used up by a name that is taken or a password that is too short", async () => {
    const { token } = await invite();
    expect((await signUp("root", token)).status).toBe(400);
    expect((await guest().post("/signup", { username: "late", password: "short", invitation: token })).status).toBe(
      400,
    );
    expect((await signUp("late", token)).status).toBe(201);
  });

  test("has a token of 256 bits, which is shown once and stored as a hash, and a link", async () => {
    const created = await admin.post(path, { role: "reader", note: "For Grace" });
    expect(created.status).toBe(201);
    const { token, url, ...invitation } = created.body;
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(url).toBe(`https://example.com/signup?invitation=${token}`);
    expect(invitation).toEqual({
      id: expect.any(Number),
      role: "reader",
      note: "For Grace",
      email: null,
      createdBy: { id: admin.userID, username: "root" },
      createdAt: expect.stringMatching(isoTime),
      expiresAt: expect.stringMatching(isoTime),
    });
    expect(Date.parse(invitation.expiresAt) - Date.parse(invitation.createdAt)).toBeWithin(
      6 * 86_400_000,
      8 * 86_400_000,
    );
    expect((await admin.get(path)).body[0]).toEqual(invitation);
    const stored = await withDatabase(server, (db) => db.all(sql`SELECT * FROM invitations`));
    expect(JSON.stringify(stored)).not.toContain(token);
    expect(server.logged()).not.toContain(token);
    const activity = JSON.stringify((await admin.get("/api/v1/activity?kind=invitation")).body);
    expect([activity.includes("reader: For Grace"), activity.includes(token)]).toEqual([true, false]);
  });

  test.each([
    {},
    { role: "owner" },
    { role: null },
    { role: "reader", expiresAt: "2020-01-01T00:00:00Z" },
    { role: "reader", expiresAt: "soon" },
    { role: "reader", note: 7 },
    { role: "reader", note: "x".repeat(201) },
  ])("is not created from %p", async (body) => {
    expect((await admin.post(path, body)).status).toBe(400);
  });

  test("does not work after it was revoked, after it has expired, or when its admin is no longer one", async () => {
    const { id, token } = await invite();
    expect((await admin.delete(`${path}/${id}`)).status).toBe(200);
    expect((await admin.delete(`${path}/${id}`)).status).toBe(404);
    const expired = await invite({ role: "author", expiresAt: new Date(Date.now() + 60_000).toISOString() });
    await withDatabase(server, (db) =>
      db.transaction((tx) =>
        tx.run(sql`UPDATE invitations SET expires_at = ${Date.now() - 1} WHERE id = ${expired.id}`),
      ),
    );
    const other = await member(server, "other", "admin");
    const forever = await invite({ role: "admin", expiresAt: null }, other);
    expect(forever.expiresAt).toBeNull();
    await admin.put(`/api/v1/users/${other.userID}`, { role: "author" });
    for (const used of [token, expired.token, forever.token]) {
      const answer = await signUp("never", used);
      expect([answer.status, answer.body.error]).toEqual([403, refusal]);
    }
    const listed = (await admin.get(path)).body.map((invitation: any) => invitation.id);
    for (const gone of [id, expired.id, forever.id]) expect(listed).not.toContain(gone);
    expect(await roleOf("never")).toBeUndefined();
  });

  test("that is not one is refused in the same words, whatever it is", async () => {
    for (const wrong of ["", "x", "x".repeat(43), "'; DROP TABLE users", "ü"]) {
      const answer = await signUp("nobody", wrong);
      expect([wrong, answer.status, answer.body.error]).toEqual([wrong, 403, refusal]);
    }
    // Not the text of an invitation: sign-up is closed.
    for (const wrong of [null, 7, {}, ["x"]]) {
      const answer = await signUp("nobody", wrong);
      expect([answer.status, answer.body.error]).toEqual([403, "Sign-up is closed on this server."]);
    }
    expect((await signUp("nobody", "x".repeat(101))).status).toBe(400);
  });

  test("is not part of the example for a sign-up", async () => {
    const { body } = await guest().get("/openapi.json");
    const { example } = body.paths["/signup"].post.requestBody.content["application/json"];
    expect(Object.keys(example)).toEqual(["username", "password"]);
  });

  test("gives its role also where everyone can sign up, and a wrong one gives none", async () => {
    await using open = await startServer();
    const people = await createPeople(open);
    const { token } = await invite({ role: "reader" }, people.admin);
    expect((await signUp("guest", token, people.guest)).status).toBe(201);
    const { body } = await people.admin.get("/api/v1/users?q=guest");
    expect(body[0].role).toBe("reader");
    expect((await signUp("other", token, people.guest)).status).toBe(403);
  });
});

describe("the page of an invitation", () => {
  const browser = { Accept: "text/html", "Sec-Fetch-Site": "same-origin" };
  const open = async (address: string) => {
    const response = await fetch(server.url + address, { headers: browser, redirect: "manual" });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const submit = async (fields: Record<string, string>) => {
    const init = { method: "POST", headers: browser, body: new URLSearchParams(fields), redirect: "manual" as const };
    const response = await fetch(`${server.url}/signup/form`, init);
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

  test("has the form, says what the account can do, and signs in", async () => {
    const { token } = await invite({ role: "reader" });
    const { status, text, headers } = await open(`/signup?invitation=${token}`);
    expect([status, headers.get("x-robots-tag")]).toEqual([200, "noindex"]);
    expect(text).toContain("You have been invited to this site.");
    expect(text).toContain("With an account, you can write comments.");
    expect(text).toContain(`name="invitation" value="${token}"`);
    const wrong = await submit({ username: "root", password, invitation: token });
    expect([wrong.status, wrong.text.includes(`value="${token}"`)]).toEqual([400, true]);
    const right = await submit({ username: "invited", password, invitation: token });
    expect([right.status, right.headers.get("location")]).toEqual([303, "/"]);
    expect(right.headers.get("set-cookie")).toContain("HttpOnly");
    expect(await roleOf("invited")).toBe("reader");
  });

  test("says so if the invitation cannot be used, also in a form that was opened before", async () => {
    const { id, token } = await invite();
    expect((await open(`/signup?invitation=${token}`)).status).toBe(200);
    await admin.delete(`${path}/${id}`);
    for (const used of [token, "wrong", "%22%3E%3Cscript%3E"]) {
      const { status, text } = await open(`/signup?invitation=${used}`);
      expect([status, text.includes("<h1>This invitation is not valid</h1>")]).toEqual([410, true]);
      expect(text).not.toContain("<form");
    }
    const late = await submit({ username: "toolate", password, invitation: token });
    expect([late.status, late.headers.get("set-cookie")]).toEqual([410, null]);
    expect((await submit({ username: "toolate", password })).status).toBe(403);
    expect(await roleOf("toolate")).toBeUndefined();
  });
});
