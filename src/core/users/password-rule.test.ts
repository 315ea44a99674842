import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { client } from "../../../tests/kit/client.ts";
import { admin, member, password } from "../../../tests/kit/people.ts";
import { useScratch } from "../../../tests/kit/scratch.ts";
import { runBeside, startServer, type TestServer, withDatabase } from "../../../tests/kit/server.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import {
  readPage,
  signInWith,
  signUp,
  statusOfSignIn,
  submitForm,
  warnings,
  weak,
} from "../../../tests/kit/weak-passwords.ts";
import { sql } from "../../platform/database/sql.ts";
import { testLong } from "../../../tests/kit/long.ts";

const api = "/api/v1";
const scratch = useScratch();

describe("on a server without an admin", () => {
  const server = useServer();

  test.each([
    ["alice", weak.alice, warnings.common],
    ["bob", weak.bob, warnings.short],
  ])("%s signs up with %s, is warned, and signs in", async (username, own, warning) => {
    const { status, body } = await signUp(server, username, own);
    expect([status, body]).toEqual([201, { message: `Welcome, ${username}. You can sign in now.`, warning }]);
    const { body: me } = await (await signInWith(server, username, own)).get(`${api}/me`);
    expect(me.username).toBe(username);
  });

  test("a strong password gets no warning", async () => {
    const { status, body } = await signUp(server, "grace", password);
    expect([status, Object.keys(body)]).toEqual([201, ["message"]]);
  });

  test.each([
    ["one", 1],
    ["two hundred and fifty-six", 256],
  ])("a password may have %s characters, whatever they are", async (what, length) => {
    const username = what.replaceAll(" ", "-");
    const own = "\u{1f511}".repeat(length);
    expect((await signUp(server, username, own)).status).toBe(201);
    expect(await statusOfSignIn(server, username, own)).toBe(200);
  });

  test.each([
    ["username", { username: "", password }, '"username" must not be empty.'],
    ["password", { username: "carol", password: "" }, '"password" must not be empty.'],
    ["password", { username: "carol", password: "x".repeat(257) }, '"password" must have at most 256 characters.'],
  ])("a wrong %s is refused: %#", async (field, sent, error) => {
    const { status, body } = await client(server).post("/signup", sent);
    expect([status, body.field, body.error]).toEqual([400, field, error]);
  });

  test("the warning is also in the response when a password is changed, and by a link", async () => {
    await signUp(server, "dora", password);
    const dora = await signInWith(server, "dora", password);
    const changed = await dora.put(`${api}/me/password`, { oldPassword: password, newPassword: "pw" });
    expect([changed.status, changed.body.warning]).toEqual([200, warnings.short]);
    const empty = await dora.put(`${api}/me/password`, { oldPassword: "pw", newPassword: "" });
    expect([empty.status, empty.body.error]).toEqual([400, '"newPassword" must not be empty.']);
    const { stdout } = await runBeside(server, ["user", "password-link", "dora"]);
    const token = new URL(stdout.trim(), server.url).searchParams.get("token");
    const reset = await client(server).post(`${api}/password-resets`, { token, newPassword: "qwertz123" });
    expect([reset.status, reset.body.warning]).toEqual([200, warnings.common]);
    expect(await statusOfSignIn(server, "dora", "qwertz123")).toBe(200);
  });

  testLong("the command line warns, and asks for a strong one only for an admin", async () => {
    const added = await runBeside(server, ["user", "add", "eve"], "pw\n");
    expect([added.code, added.stdout, added.stderr]).toEqual([0, "eve is now an author.\n", `${warnings.short}\n`]);
    const set = await runBeside(server, ["user", "password", "eve"], "12345678\n");
    expect([set.code, set.stderr]).toEqual([0, `${warnings.common}\n`]);
    const refused = await runBeside(server, ["user", "add", "chief", "--role", "admin"], "12345678\n");
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("Choose another one.")]);
    const promoted = await runBeside(server, ["user", "role", "eve", "admin"]);
    expect([promoted.code, promoted.stderr]).toEqual([1, expect.stringContaining("eve has to change it first")]);
    // There is still no admin, so the rule is the same.
    expect((await signUp(server, "frank", "pw")).status).toBe(201);
  });

  test("the form to sign up accepts a weak one, signs in, and warns", async () => {
    const page = await readPage(server, `/signup`);
    expect([page.includes("At least 8 characters."), page.includes("minlength")]).toEqual([false, false]);
    const { status, headers } = await submitForm(server, "/signup/form", {
      username: "heidi",
      password: "pw",
      next: "/blog",
    });
    expect([status, headers.get("location")]).toEqual([303, "/signup/done?next=%2Fblog"]);
    const cookie = headers.get("set-cookie")?.split(";")[0] ?? "";
    const read = async (more: Record<string, string>) => {
      const response = await fetch(`${server.url}/signup/done?next=/blog`, { headers: more, redirect: "manual" });
      return { status: response.status, text: await response.text() };
    };
    const warned = await read({ Cookie: cookie, "Accept-Language": "en" });
    expect([warned.status, warned.text]).toEqual([200, expect.stringContaining("Your password is easy to guess.")]);
    expect(warned.text).toContain('href="/studio/account"');
    expect(warned.text).toContain('href="/blog"');
    expect((await read({ Cookie: cookie, "Accept-Language": "de" })).text).toContain(
      "Ihr Passwort ist leicht zu erraten.",
    );
    // It says nothing about others.
    expect((await read({})).status).toBe(303);
    const empty = await submitForm(server, "/signup/form", { username: "ivan", password: "" });
    expect([empty.status, empty.text]).toEqual([
      400,
      expect.stringContaining("Choose a password of 1 to 256 characters."),
    ]);
  });

  test("the form of a password link follows the rule, and warns", async () => {
    await signUp(server, "judy", password);
    const { stdout } = await runBeside(server, ["user", "password-link", "judy"]);
    const address = new URL(stdout.trim(), server.url);
    expect(await (await fetch(address)).text()).not.toContain("minlength");
    const token = address.searchParams.get("token") ?? "";
    const { status, text } = await submitForm(server, "/password/new", { token, password: "pw" });
    expect([status, text]).toEqual([200, expect.stringContaining("Your password is easy to guess.")]);
    expect(await statusOfSignIn(server, "judy", "pw")).toBe(200);
  });
});

describe("with the first admin, passwords have to be strong", () => {
  const ways: [string, (server: TestServer) => Promise<unknown>][] = [
    [
      "that the set-up page makes",
      async (server) => {
        const key = (await server.setupKey()) ?? "";
        const fields = { key, siteName: "Tides", username: "root", password, signupRole: "author", content: "empty" };
        expect((await submitForm(server, "/setup", { ...fields, password: "12345678" })).status).toBe(400);
        expect((await submitForm(server, "/setup", fields)).status).toBe(303);
      },
    ],
    [
      "that user add makes",
      async (server) => {
        const { stdout } = await runBeside(server, ["user", "add", "root", "--role", "admin"], `${password}\n`);
        expect(stdout).toBe("root is now an admin.\n");
      },
    ],
    [
      "that user role makes",
      async (server) => {
        expect((await signUp(server, "root", password)).status).toBe(201);
        const { stdout } = await runBeside(server, ["user", "role", "root", "admin"]);
        expect(stdout).toBe("root is now an admin.\n");
      },
    ],
  ];
  test.each(ways)("%s, until an admin chooses otherwise", async (_way, makeAdmin) => {
    await using server = await startServer();
    expect((await signUp(server, "alice", weak.alice)).status).toBe(201);
    await makeAdmin(server);
    const root = await signInWith(server, "root", password);
    expect((await root.get(`${api}/settings`)).body).toMatchObject({ passwordRule: "strong", fromEnvironment: [] });

    const refused = await signUp(server, "bob", weak.bob);
    expect([refused.status, refused.body.error]).toEqual([400, '"password" must have at least 8 characters.']);
    const easy = await signUp(server, "bob", weak.alice);
    expect([easy.status, easy.body]).toEqual([
      400,
      expect.objectContaining({
        error: "This password is easy to guess: it is like those that very many people use. Choose another one.",
        field: "password",
      }),
    ]);
    const page = await readPage(server, `/signup`);
    expect([page.includes("At least 8 characters."), page.includes('minlength="8"')]).toEqual([true, true]);
    // Signing in asks nobody.
    expect(await statusOfSignIn(server, "alice", weak.alice)).toBe(200);

    await root.put(`${api}/settings`, { passwordRule: "any" });
    const accepted = await signUp(server, "bob", weak.bob);
    expect([accepted.status, accepted.body.warning]).toEqual([201, warnings.short]);
    // A second admin changes nothing about what the first one has chosen.
    await member(server, "second", "admin");
    expect((await root.get(`${api}/settings`)).body.passwordRule).toBe("any");
    expect((await root.put(`${api}/settings`, { passwordRule: "weak" })).status).toBe(400);
  });
});

describe("an import of an export", () => {
  testLong(
    "makes nobody with a weak password an admin, and passwords have to be strong as soon as it has brought one",
    async () => {
      const file = join(scratch, "site.zip");
      await using site = await startServer();
      await member(site, "chief", "admin");
      const bob = await member(site, "bob", "admin");
      await bob.post(`${api}/albums`, { name: "Tides" });
      // As a version without the rule would export it.
      await withDatabase(site, (db) => db.transaction((tx) => tx.run(sql`DELETE FROM site_settings`)));
      expect((await runBeside(site, ["export", file])).code).toBe(0);

      await using copy = await startServer();
      expect((await signUp(copy, "bob", weak.bob)).status).toBe(201);
      const imported = await runBeside(copy, ["import", file]);
      expect([imported.code, imported.stderr]).toEqual([0, ""]);
      const { stdout } = await runBeside(copy, ["user", "list"]);
      expect(stdout).toMatch(/author .* bob\n/);
      expect(stdout).toMatch(/admin .* chief\n/);
      expect(await statusOfSignIn(copy, "bob", weak.bob)).toBe(200);
      expect((await signUp(copy, "carol", weak.bob)).status).toBe(400);
    },
  );
});

describe("PASSWORD_RULE wins over the setting", () => {
  test("any, although there is an admin", async () => {
    await using server = await startServer({ PASSWORD_RULE: "any" });
    const root = await admin(server);
    expect((await root.get(`${api}/settings`)).body).toMatchObject({
      passwordRule: "any",
      fromEnvironment: ["passwordRule"],
    });
    expect((await signUp(server, "bob", weak.bob)).status).toBe(201);
    const { status, body } = await root.put(`${api}/settings`, { passwordRule: "strong" });
    expect([status, body.error]).toEqual([400, expect.stringContaining("PASSWORD_RULE")]);
    const added = await runBeside(server, ["user", "add", "eve"], "pw\n", { PASSWORD_RULE: "any" });
    expect([added.code, added.stderr]).toEqual([0, `${warnings.short}\n`]);
    // The command without the variable follows what is stored.
    const refused = await runBeside(server, ["user", "add", "dora"], "pw\n");
    expect([refused.code, refused.stderr]).toEqual([1, 'vitrine: "password" must have at least 8 characters.\n']);
  });

  test("strong, although there is no admin", async () => {
    await using server = await startServer({ PASSWORD_RULE: "strong" });
    expect((await signUp(server, "bob", weak.bob)).status).toBe(400);
    expect((await signUp(server, "bob", weak.alice)).status).toBe(400);
    expect((await signUp(server, "bob", password)).status).toBe(201);
  });
});

describe("a strong password", () => {
  const server = useServer({ PASSWORD_RULE: "strong" });

  test("has 8 characters, however many bytes they take", async () => {
    const signs = Array.from("🐙🚲🌧🥨🎻🧭🏔🪁");
    const seven = await signUp(server, "octopus", signs.slice(1).join(""));
    expect([seven.status, seven.body.error]).toEqual([400, '"password" must have at least 8 characters.']);
    const eight = await signUp(server, "octopus", signs.join(""));
    expect([eight.status, Object.keys(eight.body)]).toEqual([201, ["message"]]);
  });
});
