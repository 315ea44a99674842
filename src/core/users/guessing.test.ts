// Runs on other engines only with TEST_LONG: guesses are counted by the same statements, and tests/api/rate-limit.test.ts runs there.
import { describe, expect, test } from "bun:test";
import { client } from "../../../tests/kit/client.ts";
import { password, person, signedIn } from "../../../tests/kit/people.ts";
import { newDirectory, useScratch } from "../../../tests/kit/scratch.ts";
import { startServer, withDatabase, type TestServer } from "../../../tests/kit/server.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { sql } from "../../platform/database/sql.ts";
import { removeOldAddresses } from "./familiar-addresses.ts";

const scratch = useScratch();
const server = useServer({ TRUST_PROXY: "loopback" });

const signIn = async (username: string, address: string, typed = password, at: TestServer = server) =>
  (await client(at).post("/signin", { username, password: typed }, { "X-Forwarded-For": address })).status;

async function guess(username: string, count: number, at: TestServer = server): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < count; index++) {
    statuses.push(await signIn(username, `198.51.100.${index}`, `guess number ${index}`, at));
  }
  return statuses;
}

/** Creates an account and signs in from this address. */
async function signUpFrom(username: string, address: string, at: TestServer = server): Promise<void> {
  await client(at).post("/signup", { username, password });
  expect(await signIn(username, address, password, at)).toBe(200);
}

const rows = () =>
  withDatabase(server, (db) => db.all<{ address: string }>(sql`SELECT * FROM familiar_addresses ORDER BY user_id`));

describe("guesses at sign-in", () => {
  test("wrong passwords for a name that ends in an address do not count for another name at that address", async () => {
    await signUpFrom("victim", "192.0.2.1");
    await guess("victim 192.0.2.1", 12);
    await guess("victim:192.0.2.1", 12);
    expect(await signIn("victim", "192.0.2.1")).toBe(200);
  });

  test("an IPv6 address is familiar together with its /64", async () => {
    await signUpFrom("six", "2001:db8:1:2::1");
    await guess("six", 12);
    expect(await signIn("six", "2001:db8:1:2:ffff::9")).toBe(200);
    expect(await signIn("six", "2001:db8:1:3::1")).toBe(429);
  });

  test("a familiar address has its own limit, but not for other users", async () => {
    await signUpFrom("near", "192.0.2.3");
    await signUpFrom("far", "192.0.2.4");
    await guess("near", 12);
    expect(await signIn("near", "192.0.2.4")).toBe(429);
    for (let index = 0; index < 10; index++) expect(await signIn("near", "192.0.2.3", "wrong password")).toBe(401);
    expect(await signIn("near", "192.0.2.3", "wrong password")).toBe(429);
  });

  test("an address is forgotten after 90 days", async () => {
    await signUpFrom("traveller", "192.0.2.5");
    await guess("traveller", 12);
    expect(await signIn("traveller", "192.0.2.5")).toBe(200);
    const past = Date.now() - 90 * 86_400_000;
    await withDatabase(server, (db) =>
      db.transaction((tx) =>
        tx.run(sql`
          UPDATE familiar_addresses SET seen_at = ${past}
          WHERE user_id = (SELECT id FROM users WHERE username = 'traveller')`),
      ),
    );
    expect(await signIn("traveller", "192.0.2.5")).toBe(429);
    const before = await rows();
    expect(await withDatabase(server, (db) => removeOldAddresses(db))).toBe(1);
    expect(await rows()).toHaveLength(before.length - 1);
  });

  test("addresses are stored as hashes only, at most 20 per user, and none for unknown names", async () => {
    const before = (await rows()).length;
    await client(server).post("/signup", { username: "busy", password });
    for (let index = 0; index < 22; index++) expect(await signIn("busy", `203.0.113.${index}`)).toBe(200);
    await guess("nobody-has-this-name", 3);
    const after = await rows();
    expect(after.length - before).toBe(20);
    expect(JSON.stringify(after)).not.toContain("203.0.113");
    await guess("busy", 12);
    expect(await signIn("busy", "203.0.113.21")).toBe(200);
    expect(await signIn("busy", "203.0.113.0")).toBe(429);
  });

  test("after a restart a stranger still cannot lock out the owner of the name", async () => {
    const dataDir = newDirectory(scratch);
    const env = { DATA_DIR: dataDir, TRUST_PROXY: "loopback" };
    const first = await startServer(env);
    await signUpFrom("owner", "192.0.2.7", first);
    await first.close();
    await using second = await startServer(env);
    expect(await guess("owner", 12, second)).toContain(429);
    expect(await signIn("owner", "192.0.2.7", password, second)).toBe(200);
    expect(await signIn("owner", "192.0.2.8", password, second)).toBe(429);
  });
});

describe("guesses at the old password", () => {
  const change = (who: { put: ReturnType<typeof client>["put"] }, oldPassword: string) =>
    who.put("/api/v1/me/password", { oldPassword, newPassword: "quite another password" });

  test("a stolen token allows ten, and then one every 30 seconds", async () => {
    const thief = await person(server, "robbed");
    for (let index = 0; index < 10; index++) expect((await change(thief, `guess ${index}`)).status).toBe(400);
    const refused = await change(thief, "guess 10");
    expect([refused.status, refused.body.error]).toEqual([429, expect.stringContaining("wait")]);
    expect(Number(refused.headers.get("retry-after"))).toBeWithin(1, 31);
    expect((await change(thief, password)).status).toBe(429);

    // The owner can still sign in and end the stolen session.
    const owner = await signedIn(server, "robbed");
    expect((await change(owner, password)).status).toBe(200);
    expect((await thief.get("/api/v1/me")).status).toBe(401);
    expect((await owner.get("/api/v1/me")).status).toBe(200);
  });

  test("correct ones are not counted", async () => {
    const owner = await person(server, "changeable");
    for (let index = 0; index < 12; index++) {
      const [oldPassword, newPassword] = [index, index + 1].map((n) => (n === 0 ? password : `${password} ${n}`));
      expect((await owner.put("/api/v1/me/password", { oldPassword, newPassword })).status).toBe(200);
    }
  });
});
