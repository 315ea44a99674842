// Runs only with TEST_LONG: a browser takes long, and tests/browser/reading.test.ts is the story of the site in npm test.
import { beforeAll, expect, setSystemTime, test } from "bun:test";
import type { Page } from "playwright-core";
import { createChallenges } from "../../src/core/passkeys/challenges.ts";
import { passkeyOrigin } from "../../src/core/passkeys/relying-party.ts";
import { sql } from "../../src/platform/database/sql.ts";
import { type Client, client, isoTime } from "../kit/client.ts";
import { password } from "../kit/people.ts";
import { withDatabase } from "../kit/server.ts";
import { useServer } from "../kit/use-server.ts";
import { describeInBrowser, desktop, findBarriers, openTab, phone, sharedBrowser, type Tab } from "../kit/browser.ts";
import { addDevice, type Device } from "./virtual-passkeys.ts";
import { overflowOf, ways } from "./ways.ts";

const path = "/api/v1/account/passkeys";
const secret = "a secret of which everyone knows how it begins";
const server = useServer({ JWT_SECRET: secret });
const people = server.people();

test("passkeys work at an address with HTTPS and a name, or on the same machine", () => {
  const addresses = ["", "https://photos.example.org:8443", "http://localhost:8080"];
  expect(addresses.map(passkeyOrigin)).toEqual(["local", ...addresses.slice(1)]);
  const unusable = ["http://photos.example.org", "https://192.0.2.1", "https://[2001:db8::1]"];
  expect(unusable.map(passkeyOrigin)).toEqual([null, null, null]);
});

describeInBrowser("a passkey", () => {
  let url: string;
  let tab: Tab;
  let device: Device;
  let guest: Client;
  let owner: Client;
  let stranger: Client;

  beforeAll(async () => {
    url = server.url.replace("127.0.0.1", "localhost");
    const here = ({ token, userID }: Client) => client({ url }, token, userID);
    [guest, owner, stranger] = [client({ url }), here(people.owner), here(people.stranger)];
    tab = await openTab(await sharedBrowser(), url);
    await tab.open("/photos");
    device = await addDevice(tab.page);
  });

  const prepare = async (who: Client) => (await who.post(`${path}/options`)).body;
  const request = async () => (await guest.post("/api/v1/signin/passkey/options", {})).body;
  const signIn = async (response: unknown) => {
    const { status, body } = await guest.post("/api/v1/signin/passkey", { response });
    return status === 200 ? body.user.username : body.error;
  };
  const change = (statement: ReturnType<typeof sql>) =>
    withDatabase(server, (db) => db.transaction((tx) => tx.run(statement)));
  const refused = "The passkey was not accepted. Try again.";
  const tooLate = "This request to sign in has expired or was used. Try again.";
  const copied = expect.stringContaining("there may be a copy of it");
  let id: number;
  let credentialID: string;

  test("is added once, named, and opens a session alone", async () => {
    const options = await prepare(owner);
    const response = await device.create(options);
    const stolen = await stranger.post(path, { response });
    expect([stolen.status, stolen.body.field]).toEqual([400, "response"]);
    const { status, body, headers } = await owner.post(path, { response }, { "User-Agent": "Firefox/140 (Android)" });
    [id, credentialID] = [body.id, response.id];
    expect([status, headers.get("location")]).toEqual([201, path]);
    expect(body).toEqual({
      id: expect.any(Number),
      name: "Firefox on Android",
      createdAt: expect.stringMatching(isoTime),
      lastUsedAt: null,
      isSynced: false,
      site: "localhost",
      isCopied: false,
      recoveryCodes: expect.arrayContaining([expect.any(String)]),
    });
    expect((await owner.post(path, { response })).status).toBe(400);
    expect((await prepare(owner)).excludeCredentials).toEqual([
      { id: response.id, type: "public-key", transports: ["internal"] },
    ]);
    const renamed = await owner.put(`${path}/${id}`, { name: "Phone" });
    expect([renamed.status, renamed.body.name]).toEqual([200, "Phone"]);
    expect((await stranger.put(`${path}/${id}`, { name: "Mine" })).status).toBe(404);
    expect((await stranger.delete(`${path}/${id}`)).status).toBe(404);

    expect(await signIn(await device.get(await request()))).toBe("owner");
    const [{ lastUsedAt, name }] = (await owner.get(path)).body;
    expect([lastUsedAt, name]).toEqual([expect.stringMatching(isoTime), "Phone"]);
    const text = JSON.stringify((await owner.get(path)).body);
    expect(text).not.toContain(response.id);
  });

  test("is accepted once for each challenge, which is for this purpose and not too old", async () => {
    const options = await request();
    const first = await device.get(options);
    const second = await device.get(options);
    const results = await Promise.all([signIn(first), signIn(first)]);
    expect(results.toSorted()).toEqual([tooLate, "owner"]);
    expect([await signIn(first), await signIn(second)]).toEqual([tooLate, tooLate]);
    const { challenge } = await prepare(owner);
    expect(await signIn(await device.get({ ...options, challenge }))).toBe(tooLate);
    setSystemTime(Date.now() - 11 * 60_000);
    const old = createChallenges(secret).create("alone");
    setSystemTime();
    expect(await signIn(await device.get({ ...options, challenge: old }))).toBe(tooLate);
    const forged = createChallenges("another secret").create("alone");
    expect(await signIn(await device.get({ ...options, challenge: forged }))).toBe(tooLate);
    expect((await owner.get(path)).body[0].isCopied).toBe(false);
  });

  test("must be of this site, unchanged, and of somebody whom the device has recognized", async () => {
    const right = await device.get(await request());
    const changed = { ...right, response: { ...right.response, userHandle: "AAAA" } };
    expect(await signIn(changed)).toBe(refused);
    const { signature } = right.response;
    const forged = `${signature.slice(0, 20)}${signature[20] === "A" ? "B" : "A"}${signature.slice(21)}`;
    expect(await signIn({ ...right, response: { ...right.response, signature: forged } })).toBe(refused);
    expect(await signIn({ ...right, id: "AAAA", rawId: "AAAA" })).toContain("not known here");

    await device.setVerified(false);
    expect(await signIn(await device.get({ ...(await request()), userVerification: "discouraged" }))).toBe(refused);
    await device.setVerified(true);

    // Browsers offer a passkey of `localhost` on every port of it.
    await tab.page.route("http://localhost:1/", (route) => route.fulfill({ body: "Another site" }));
    await tab.page.goto("http://localhost:1/");
    expect(await signIn(await device.get(await request()))).toBe(refused);
    await tab.open("/photos");
    expect(await signIn(right)).toBe("owner");

    const elsewhere = client(server);
    const { status, body } = await elsewhere.post("/api/v1/signin/passkey/options", {});
    expect([status, body.error]).toEqual([409, expect.stringContaining("set BASE_URL")]);
    const foreign = await guest.post("/api/v1/signin/passkey/options", {}, { Origin: "http://evil.example" });
    expect([foreign.status, foreign.body.error]).toEqual([409, `Passkeys work only at ${url}: open the site there.`]);
  });

  test("is not added with a certificate, whose addresses the server would ask", async () => {
    const response = await device.create({ ...(await prepare(stranger)), attestation: "direct" });
    const { status } = await stranger.post(path, { response });
    const nested = "gQ".repeat(6000);
    const hostile = { ...response, response: { ...response.response, attestationObject: nested } };
    expect([status, (await stranger.post(path, { response: hostile })).status]).toEqual([400, 400]);
    expect((await stranger.get(path)).body).toEqual([]);
    expect((await guest.post("/signin", { username: "stranger", password })).status).toBe(200);
  });

  test("is the second step after the password, for the account of the ticket alone", async () => {
    const begin = async () => (await guest.post("/signin", { username: "owner", password })).body;
    const { code, ticket, factors } = await begin();
    expect([code, factors]).toEqual(["factor_required", ["recovery_code", "passkey"]]);
    const { body: options } = await guest.post("/api/v1/signin/passkey/options", { ticket });
    expect(options).toMatchObject({ userVerification: "preferred", allowCredentials: [{ id: credentialID }] });
    const right = await device.get(options);
    expect(await signIn(right)).toBe(tooLate);
    const { ticket: other } = await begin();
    const take = async (response: unknown, ticket: string) => {
      const { status, body } = await guest.post("/api/v1/signin/passkey", { response, ticket });
      return status === 200 ? body.user.username : body.error;
    };
    expect(await take(right, other)).toBe(tooLate);
    const foreign = await device.create(await prepare(stranger));
    expect((await stranger.post(path, { response: foreign })).status).toBe(201);
    const strangers = { ...options, allowCredentials: [{ id: foreign.id, type: "public-key" }] };
    expect(await take(await device.get(strangers), ticket)).toContain("not known here");
    // A name that every object has is no account.
    const unnamed = { ...right, response: { ...right.response, userHandle: "constructor" } };
    expect(await take(unnamed, ticket)).toBe(refused);
    expect(await take(right, ticket)).toBe("owner");
    expect(await take(right, ticket)).toContain("took too long");
    expect((await guest.post("/api/v1/signin/passkey/options", { ticket })).status).toBe(401);
  });

  /** Of those on the device, this one. */
  const askForFirst = async () => ({
    ...(await request()),
    allowCredentials: [{ id: credentialID, type: "public-key" }],
  });

  test("whose counter goes back was copied: it is no longer accepted, and its owner is told", async () => {
    await device.setCounter(0);
    expect(await signIn(await device.get(await askForFirst()))).toEqual(copied);
    await device.setCounter(100);
    expect(await signIn(await device.get(await askForFirst()))).toEqual(copied);
    expect((await owner.get(path)).body[0]).toMatchObject({ id, isCopied: true });
    expect((await owner.get("/api/v1/attention")).body.copiedPasskeys).toBe(1);
    expect((await stranger.get("/api/v1/attention")).body.copiedPasskeys).toBe(0);
    expect(server.logged()).toContain("the counter of a passkey went back");
  });

  test("of a password manager, whose counter stays at 0, is accepted again and again", async () => {
    await change(sql`UPDATE passkeys SET copied_at = NULL, counter = 0 WHERE id = ${id}`);
    for (let times = 0; times < 2; times++) {
      await device.setCounter(-1);
      expect(await signIn(await device.get(await askForFirst()))).toBe("owner");
    }
    expect((await owner.get(path)).body[0].isCopied).toBe(false);
  });

  test("is added and removed only by somebody who has just signed in, or knows the password", async () => {
    await change(sql`UPDATE sessions SET created_at = 0 WHERE user_id = ${owner.userID}`);
    for (const [method, target] of [
      ["POST", `${path}/options`],
      ["DELETE", `${path}/${id}`],
    ] as const) {
      const { status, body } = await owner.request(method, target);
      expect([status, body.field]).toEqual([401, "password"]);
    }
    const confirm = async (sent: string) =>
      (await owner.post("/api/v1/account/confirmation", { password: sent })).status;
    expect([await confirm("not the password"), await confirm(password)]).toEqual([401, 200]);
    expect((await owner.post(`${path}/options`)).status).toBe(200);

    const response = await device.get(await askForFirst());
    expect((await owner.delete(`${path}/${id}`)).status).toBe(200);
    expect(await signIn(response)).toContain("not known here");
    expect((await owner.get(path)).body).toEqual([]);
    expect((await owner.get("/api/v1/account/factors")).body.recoveryCodesLeft).toBe(0);
    expect((await guest.post("/signin", { username: "owner", password })).status).toBe(200);
  });

  test("is one of at most twenty, and nothing is stored of challenges that nobody uses", async () => {
    const rows = Array.from(
      { length: 18 },
      (_, index) => sql`(${stranger.userID}, ${`x${index}`}, '', '', 0, '[]', 'localhost', 'x', 0, 0)`,
    );
    for (const row of rows) {
      await change(sql`
        INSERT INTO passkeys (user_id, credential_id, public_key, user_handle, counter, transports, site, name, is_synced,
          created_at) VALUES ${row}`);
    }
    const add = async () => {
      const response = await device.create({ ...(await prepare(stranger)), excludeCredentials: [] });
      return (await stranger.post(path, { response })).status;
    };
    expect([await add(), await add()]).toEqual([201, 409]);
    const count = async () =>
      (await withDatabase(server, (db) => db.all(sql`SELECT challenge FROM used_challenges`))).length;
    const before = await count();
    await Promise.all(Array.from({ length: 50 }, request));
    expect(await count()).toBe(before);
  });

  test("signs in on the page of the site, without barriers", async () => {
    await device.clear();
    const response = await device.create(await prepare(owner));
    expect((await owner.post(path, { response })).status).toBe(201);
    for (const { options } of ways.filter(({ hasScript }) => hasScript)) {
      await tab.page.setViewportSize(options.viewport ?? desktop);
      await device.setPresent(false);
      await tab.open("/signin?next=/albums");
      const button = tab.page.getByRole("button", { name: "Sign in with a passkey" });
      await button.waitFor();
      expect(await findBarriers(tab.page)).toEqual([]);
      expect(await overflowOf(tab.page)).toBe(0);
      await device.setPresent(true);
      await button.click();
      await tab.page.waitForURL(({ pathname }) => pathname === "/albums");
      const who = await readName(tab.page);
      expect(who).toBe("owner");
      await tab.context.clearCookies();
      await device.setPresent(false);
      await tab.open("/signin?next=/albums");
      await tab.page.getByLabel("Username").fill("owner");
      await tab.page.getByLabel("Password").fill(password);
      await tab.page.getByRole("button", { name: "Sign in", exact: true }).click();
      await tab.page.getByRole("button", { name: "Use a passkey" }).waitFor();
      expect(await findBarriers(tab.page)).toEqual([]);
      await device.setPresent(true);
      await tab.page.getByRole("button", { name: "Use a passkey" }).click();
      await tab.page.waitForURL(({ pathname }) => pathname === "/albums");
      expect(await readName(tab.page)).toBe("owner");
      await tab.context.clearCookies();
    }
    // The browser offers it in the field of the username, and here chooses it by itself.
    await tab.page.goto("/signin?next=/photos").catch(() => {});
    await tab.page.waitForURL(({ pathname }) => pathname === "/photos");
    expect(await readName(tab.page)).toBe("owner");
    expect(tab.complaints.filter((text) => !text.endsWith("loads from elsewhere: http://localhost:1/"))).toEqual([]);
  });

  test("is removed, added and renamed in the studio, after the password was given again", async () => {
    const { page } = tab;
    await page.goto("/studio/account");
    await page.getByRole("heading", { name: "Passkeys" }).waitFor();
    const name = ((await owner.get(path)).body[0] as { name: string }).name;
    await change(sql`UPDATE sessions SET created_at = 0 WHERE user_id = ${owner.userID}`);
    await page.getByRole("button", { name: `Remove ${name}` }).click();
    const asked = page.getByRole("dialog", { name: `Remove “${name}”?` });
    await asked.getByRole("button", { name: "Remove" }).click();
    const confirm = page.getByRole("dialog", { name: "Is this you?" });
    await confirm.getByLabel("Your password").fill("not the password");
    await page.keyboard.press("Enter");
    await confirm.getByText("This is not your current password.").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await confirm.getByLabel("Your password").fill(password);
    await page.keyboard.press("Enter");
    await page.getByText(`“${name}” was removed.`).waitFor();

    await page.getByRole("button", { name: "Add a passkey" }).click();
    const codes = page.getByRole("dialog", { name: "Save your recovery codes" });
    await codes.waitFor();
    expect(await codes.getByRole("listitem").count()).toBe(10);
    expect(await findBarriers(page)).toEqual([]);
    await codes.getByRole("button", { name: "I have saved them" }).click();
    await page.getByRole("button", { name: /^Rename/ }).click();
    await page.getByLabel("Name", { exact: true }).last().fill("Laptop");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Remove Laptop" }).waitFor();
    await page.getByRole("button", { name: "Add a passkey" }).click();
    await page.getByText("This device already has a passkey for your account.").waitFor();
    for (const viewport of [phone, desktop]) {
      await page.setViewportSize(viewport);
      expect([await overflowOf(page), await findBarriers(page)]).toEqual([0, []]);
    }
    expect(tab.complaints.filter((text) => !/http:\/\/localhost:1\/$|^401 \/api\/v1\/account/.test(text))).toEqual([]);
  });
});

const readName = (page: Page) =>
  page.evaluate(async () => ((await (await fetch("/api/v1/me")).json()) as { username: string }).username);
