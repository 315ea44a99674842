import { describe, expect, test } from "bun:test";
import { client } from "../../../tests/kit/client.ts";
import { password } from "../../../tests/kit/people.ts";
import { runBeside, withDatabase } from "../../../tests/kit/server.ts";
import { addApp, codeOf, waitForNextCode } from "../../../tests/kit/second-factors.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { sql } from "../../platform/database/sql.ts";

const api = "/api/v1";
const server = useServer({ TRUST_PROXY: "loopback" });
const { guest } = server;
const ada = server.person("ada");
const bob = server.person("bob");
const eve = server.person("eve");
const lost = server.person("lost");
const admin = server.person("root", "admin");

const signIn = (username: string, secret = password) => guest.post("/signin", { username, password: secret });
const ticketOf = async (username: string): Promise<string> => (await signIn(username)).body.ticket;
const redeem = (ticket: string, code: string, from = "203.0.113.1") =>
  guest.post(`${api}/signin/factor`, { ticket, code }, { "X-Forwarded-For": from });
const refused = {
  error: "The code is wrong or was used already, or the sign-in took too long. Sign in again.",
  code: "unauthorized",
  requestID: expect.any(String),
};

describe("an authenticator app", () => {
  test("is confirmed with a code before it counts, and then each sign-in asks for a code that works once", async () => {
    expect((await ada.post(`${api}/account/totp`, { password: "not the password" })).status).toBe(401);
    const { status, body: begun, headers } = await ada.post(`${api}/account/totp`, { password });
    expect([status, begun.uri]).toEqual([200, `otpauth://totp/Vitrine:ada?secret=${begun.secret}&issuer=Vitrine`]);
    expect(headers.get("cache-control")).toBe("private, no-store");
    expect((await signIn("ada")).status).toBe(200);
    const wrong = await ada.post(`${api}/account/totp/confirmation`, { code: "abcdef" });
    expect([wrong.status, wrong.body.field]).toEqual([400, "code"]);
    const code = codeOf(begun.secret);
    const { body } = await ada.post(`${api}/account/totp/confirmation`, {
      code: `${code.slice(0, 3)} ${code.slice(3)}`,
    });
    expect(body.recoveryCodes).toHaveLength(10);
    expect((await ada.post(`${api}/account/totp`, { password })).status).toBe(409);
    expect((await ada.get(`${api}/account/factors`)).body).toEqual({
      totpSince: expect.any(String),
      recoveryCodesLeft: 10,
      isRequired: false,
    });

    const first = await signIn("ada");
    expect([first.status, first.body]).toEqual([
      401,
      {
        error: expect.any(String),
        code: "factor_required",
        ticket: expect.stringMatching(/^[\w-]{43}$/),
        factors: ["totp", "recovery_code"],
        requestID: expect.any(String),
      },
    ]);
    // The code that has confirmed the app was used.
    expect((await redeem(first.body.ticket, code)).body).toEqual(refused);
    await waitForNextCode(server);
    const { ticket } = first.body;
    const signedIn = await redeem(ticket, codeOf(begun.secret));
    expect([signedIn.status, signedIn.body.user.username]).toEqual([200, "ada"]);
    const session = client(server, signedIn.body.token);
    expect((await session.get(`${api}/me/sessions`)).body[0].isCurrent).toBe(true);
    await waitForNextCode(server);
    expect((await redeem(ticket, codeOf(begun.secret))).body).toEqual(refused);
    const used = codeOf(begun.secret);
    expect((await redeem(await ticketOf("ada"), used)).status).toBe(200);
    expect((await redeem(await ticketOf("ada"), used)).body).toEqual(refused);

    const stored = await withDatabase(server, (db) =>
      db.all<{ secret: string }>(sql`SELECT secret FROM totp_secrets UNION ALL SELECT code_hash FROM recovery_codes`),
    );
    for (const { secret } of stored) expect([begun.secret, ...body.recoveryCodes]).not.toContain(secret);
    const actions = (await admin.get(`${api}/activity?kind=user`)).body.map(({ action }: any) => action);
    expect(actions).toContain("factorAdded");
  });

  test("is removed with the password and a code", async () => {
    const { secret, recoveryCodes } = await addApp(lost);
    const remove = (body: object) => lost.post(`${api}/account/totp/removal`, body);
    await waitForNextCode(server);
    expect((await remove({ password: "not the password", code: codeOf(secret) })).status).toBe(401);
    expect((await remove({ password, code: "000000x" })).status).toBe(400);
    expect((await remove({ password, code: recoveryCodes[0] })).status).toBe(200);
    expect((await signIn("lost")).status).toBe(200);
    expect((await lost.get(`${api}/account/factors`)).body.recoveryCodesLeft).toBe(0);
  });
});

describe("recovery codes", () => {
  test("work once each, also when two use one at the same moment, and are renewed as a whole", async () => {
    const { recoveryCodes } = await addApp(bob);
    const [one = "", other = ""] = recoveryCodes;
    const tickets = await Promise.all([ticketOf("bob"), ticketOf("bob"), ticketOf("bob")]);
    const answers = await Promise.all(tickets.map((ticket) => redeem(ticket, one)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401]);
    const { body: lines } = await bob.get(`${api}/activity?pageSize=20`);
    const used = lines.filter(({ action }: { action: string }) => action === "recoveryCodeUsed");
    expect(used).toMatchObject([{ kind: "user", recordID: bob.userID, name: "bob" }]);
    expect((await bob.get(`${api}/attention`)).body.recoveryCodesLeft).toBeNull();
    await withDatabase(server, (db) =>
      db.transaction((tx) =>
        tx.run(sql`
          DELETE FROM recovery_codes WHERE user_id = ${bob.userID} AND code_hash IN (
            SELECT code_hash FROM recovery_codes WHERE user_id = ${bob.userID} LIMIT 7)`),
      ),
    );
    expect((await bob.get(`${api}/attention`)).body.recoveryCodesLeft).toBe(2);
    expect((await bob.post(`${api}/account/recovery-codes`, { password })).status).toBe(400);
    await waitForNextCode(server);
    const begun = await bob.post(`${api}/account/totp`, { password });
    expect(begun.status).toBe(409);
    const left = recoveryCodes.slice(2);
    let renewed = { status: 0, body: { recoveryCodes: [""] } };
    for (const code of left) {
      renewed = await bob.post(`${api}/account/recovery-codes`, { password, code });
      if (renewed.status === 200) break;
    }
    const [fresh = ""] = renewed.body.recoveryCodes;
    expect((await redeem(await ticketOf("bob"), other)).status).toBe(401);
    const typed = fresh.toUpperCase().replaceAll("-", " ");
    expect((await redeem(await ticketOf("bob"), typed)).status).toBe(200);
  });
});

describe("a ticket", () => {
  test("is refused without a word about why: wrong, of another account, used up, after a new password", async () => {
    const { secret, recoveryCodes } = await addApp(eve);
    const [code = ""] = recoveryCodes;
    await waitForNextCode(server);
    expect((await redeem("x".repeat(43), codeOf(secret))).body).toEqual(refused);
    expect((await redeem("no ticket", codeOf(secret))).body).toEqual(refused);
    // The code of one account with the ticket of another.
    expect((await redeem(await ticketOf("bob"), code)).body).toEqual(refused);
    const ticket = await ticketOf("eve");
    for (let attempt = 0; attempt < 5; attempt++) expect((await redeem(ticket, "123456x")).status).toBe(401);
    expect((await redeem(ticket, code)).body).toEqual(refused);
    const before = await ticketOf("eve");
    const changed = await eve.put(`${api}/me/password`, { oldPassword: password, newPassword: `${password} 2` });
    expect(changed.status).toBe(200);
    expect((await redeem(before, code)).body).toEqual(refused);
    await eve.put(`${api}/me/password`, { oldPassword: `${password} 2`, newPassword: password });
    expect((await redeem(await ticketOf("eve"), code)).status).toBe(200);
    const late = await ticketOf("eve");
    await withDatabase(server, (db) =>
      db.transaction((tx) => tx.run(sql`UPDATE signin_tickets SET expires_at = ${Date.now()}`)),
    );
    expect((await redeem(late, recoveryCodes[1] ?? "")).body).toEqual(refused);
  });

  test("does not help to guess: wrong codes are limited, but not where the person has signed in before", async () => {
    const { secret, recoveryCodes } = await addApp(admin);
    await redeem(await ticketOf("root"), recoveryCodes[0] ?? "", "198.51.100.7");
    const statuses = new Set<number>();
    for (let attempt = 0; attempt < 12; attempt++)
      statuses.add((await redeem(await ticketOf("root"), "000000x", `203.0.113.${attempt}`)).status);
    expect([...statuses]).toEqual([401, 429]);
    await waitForNextCode(server);
    expect((await redeem(await ticketOf("root"), codeOf(secret))).status).toBe(429);
    expect((await redeem(await ticketOf("root"), codeOf(secret), "198.51.100.7")).status).toBe(200);
  });

  test("is not given for a wrong password, so that nobody learns who has a second factor", async () => {
    const { status, body } = await signIn("ada", "not the password");
    const stranger = await signIn("nobody", "not the password");
    expect([status, Object.keys(body)]).toEqual([stranger.status, Object.keys(stranger.body)]);
    expect([body.error, body.code]).toEqual([stranger.body.error, stranger.body.code]);
  });
});

describe("a role that needs a second factor", () => {
  test("can do nothing else before it is set up, and neither can its app keys", async () => {
    const { body: made } = await lost.post(`${api}/keys`, { name: "x", scopes: ["read"] });
    const key = client(server, made.key);
    const secret = await lost.post(`${api}/blog`, { title: "x", content: "y", visibility: "private" });
    const one = `${api}/blog/${secret.body.id}`;
    const unready = await lost.put(`${api}/settings`, { factorRoles: ["author"] });
    expect(unready.status).toBe(403);
    expect((await admin.put(`${api}/settings`, { factorRoles: ["author"] })).status).toBe(200);

    const stopped = await lost.post(`${api}/blog`, { title: "x", content: "y" });
    expect([stopped.status, stopped.body.code]).toEqual([403, "factor_setup_required"]);
    expect((await lost.get(one)).status).toBe(404);
    expect((await key.get(`${api}/me`)).status).toBe(401);
    const page = await lost.get("/", { Accept: "text/html" });
    expect([page.status, page.body]).toEqual([403, expect.stringContaining("/studio/account")]);
    expect((await lost.get("/studio/account", { Accept: "text/html" })).status).toBe(200);
    expect((await lost.get(`${api}/me`)).body.needsFactor).toBe(true);
    // Others go on as before.
    expect((await ada.get(`${api}/me`)).body.needsFactor).toBeUndefined();
    expect((await admin.get(one)).status).toBe(200);

    await addApp(lost);
    expect([(await lost.get(one)).status, (await key.get(one)).status]).toEqual([200, 200]);
    expect((await admin.put(`${api}/settings`, { factorRoles: [] })).status).toBe(200);
  });

  test("is not asked of others by an admin who has none", async () => {
    const other = server.url;
    await withDatabase(server, (db) =>
      db.transaction((tx) => tx.run(sql`DELETE FROM totp_secrets WHERE user_id = ${admin.userID}`)),
    );
    const { status, body } = await client({ url: other }, admin.token).put(`${api}/settings`, {
      factorRoles: ["reader"],
    });
    expect([status, body.field]).toEqual([409, "factorRoles"]);
  });
});

test("somebody who has lost everything gets in again by an admin or the command line", async () => {
  await lost.get(`${api}/me`);
  expect((await signIn("lost")).body.code).toBe("factor_required");
  expect((await admin.delete(`${api}/users/${admin.userID}/factors`)).status).toBe(403);
  expect((await admin.delete(`${api}/users/${lost.userID}/factors`)).status).toBe(200);
  expect((await lost.get(`${api}/me`)).status).toBe(401);
  expect((await signIn("lost")).status).toBe(200);
  const { code, stdout } = await runBeside(server, ["user", "reset-factors", "ada"]);
  expect([code, stdout]).toEqual([0, expect.stringContaining("password alone")]);
  expect((await signIn("ada")).status).toBe(200);
  const actions = (await admin.get(`${api}/activity?kind=user`)).body.map(({ action }: any) => action);
  expect(actions.filter((action: string) => action === "factorsReset")).toHaveLength(2);
});

test("a password that is easy to guess is refused wherever one is chosen, and those in use keep working", async () => {
  const chosen = async (username: string, own: string) => {
    const { status, body } = await guest.post("/signup", { username, password: own });
    return [status, body.field];
  };
  expect(await chosen("carol", "Password123")).toEqual([400, "password"]);
  expect(await chosen("carol", "my CAROL and me")).toEqual([400, "password"]);
  expect(await chosen("carol", "I like vitrine a lot")).toEqual([400, "password"]);
  expect(await chosen("al", "tidal waves at noon")).toEqual([201, undefined]);
  const change = { oldPassword: password, newPassword: "qwertz123" };
  const changed = await bob.put(`${api}/me/password`, change);
  expect([changed.status, changed.body.field]).toEqual([400, "newPassword"]);
  const { code, stderr } = await runBeside(server, ["user", "add", "dora"], "iloveyou\n");
  expect([code, stderr]).toEqual([1, expect.stringContaining("easy to guess")]);
});
