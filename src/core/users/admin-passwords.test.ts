import { describe, expect, test } from "bun:test";
import { client } from "../../../tests/kit/client.ts";
import { member, password } from "../../../tests/kit/people.ts";
import { runBeside } from "../../../tests/kit/server.ts";
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

const api = "/api/v1";

describe("an admin always has a strong password", () => {
  const server = useServer({ PASSWORD_RULE: "any" });
  const root = server.person("root", "admin");
  const roleOf = async (id: number) => (await root.get(`${api}/users/${id}`)).body.role;

  test("nobody becomes one with another, and may after a change", async () => {
    await signUp(server, "bob", weak.bob);
    const bob = await signInWith(server, "bob", weak.bob);
    const promote = () => root.put(`${api}/users/${bob.userID}`, { role: "admin" });
    const refused = await promote();
    expect([refused.status, refused.body.field, refused.body.error]).toEqual([
      400,
      "role",
      "bob has a password that is easy to guess, and an admin needs a strong one: bob has to change it first.",
    ]);
    expect(await roleOf(bob.userID)).toBe("author");
    expect((await root.put(`${api}/users/${bob.userID}`, { role: "reader" })).status).toBe(200);
    const byCommand = await runBeside(server, ["user", "role", "bob", "admin"]);
    expect([byCommand.code, byCommand.stderr]).toEqual([1, `vitrine: ${refused.body.error}\n`]);

    await bob.put(`${api}/me/password`, { oldPassword: weak.bob, newPassword: "quite another one" });
    expect((await promote()).status).toBe(200);
    expect(await roleOf(bob.userID)).toBe("admin");
  });

  test("an invitation as admin asks for one, in the API and on its page, and is not used up", async () => {
    const { body: invitation } = await root.post(`${api}/invitations`, { role: "admin" });
    const { token } = invitation;
    const refused = await signUp(server, "carol", weak.alice, { invitation: token });
    expect([refused.status, refused.body.field]).toEqual([400, "password"]);
    const page = await readPage(server, `/signup?invitation=${token}`);
    expect(page).toContain("At least 8 characters.");
    const form = await submitForm(server, "/signup/form", { username: "carol", password: "pw", invitation: token });
    expect([form.status, form.text]).toEqual([
      400,
      expect.stringContaining("Choose a password of 8 to 256 characters."),
    ]);
    expect((await signUp(server, "carol", password, { invitation: token })).status).toBe(201);
    const { body: other } = await root.post(`${api}/invitations`, { role: "reader" });
    const reader = await signUp(server, "rita", weak.bob, { invitation: other.token });
    expect([reader.status, reader.body.warning]).toEqual([201, warnings.short]);
  });

  test("changes it only to another strong one: by herself, by a link, and by a command", async () => {
    const chief = await member(server, "chief", "admin");
    const change = (newPassword: string) => chief.put(`${api}/me/password`, { oldPassword: password, newPassword });
    for (const own of Object.values(weak)) {
      const { status, body } = await change(own);
      expect([own, status, body.field]).toEqual([own, 400, "newPassword"]);
    }
    const { body: link } = await root.post(`${api}/users/${chief.userID}/password-link`);
    const token = new URL(link.url, server.url).searchParams.get("token") ?? "";
    const reset = await client(server).post(`${api}/password-resets`, { token, newPassword: weak.alice });
    expect([reset.status, reset.body.field]).toEqual([400, "newPassword"]);
    expect((await submitForm(server, "/password/new", { token, password: weak.bob })).status).toBe(400);
    const { code } = await runBeside(server, ["user", "password", "chief"], "pw\n", { PASSWORD_RULE: "any" });
    expect(code).toBe(1);
    expect(await statusOfSignIn(server, "chief", password)).toBe(200);
  });

  test("also if the role and the password change at the same moment", async () => {
    for (let round = 0; round < 5; round++) {
      const username = `racer${round}`;
      const racer = await member(server, username, "author");
      const [promoted, changed] = await Promise.all([
        root.put(`${api}/users/${racer.userID}`, { role: "admin" }),
        racer.put(`${api}/me/password`, { oldPassword: password, newPassword: "pw" }),
      ]);
      const outcome = [promoted.status, changed.status].toSorted();
      expect(outcome).toEqual([200, 400]);
    }
  });
});
