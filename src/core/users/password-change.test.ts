import { describe, expect, test } from "bun:test";
import { testScaled } from "../../../tests/kit/engine.ts";
import { isLong } from "../../../tests/kit/long.ts";
import { client } from "../../../tests/kit/client.ts";
import { password, person, signedIn } from "../../../tests/kit/people.ts";
import { runBeside, withDatabase } from "../../../tests/kit/server.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { sql } from "../../platform/database/sql.ts";
import { until } from "../../../tests/kit/until.ts";

const server = useServer();

const newPassword = "quite another password";

/** Signs in with the first password repeatedly and in parallel until `change` is done. Returns all tokens. */
async function signInDuring(username: string, change: () => Promise<unknown>): Promise<string[]> {
  const tokens: string[] = [];
  const ending = new AbortController();
  const loops = Array.from({ length: 6 }, async () => {
    while (!ending.signal.aborted) {
      const { status, body } = await client(server).post("/signin", { username, password });
      expect([200, 401, 429]).toContain(status);
      if (status === 200) tokens.push(body.token);
    }
  });
  await until(
    () => tokens,
    ({ length }) => length >= 6,
  );
  await change();
  ending.abort();
  await Promise.all(loops);
  return tokens;
}

async function statusesOf(tokens: string[]): Promise<number[]> {
  const answers = await Promise.all(tokens.map((token) => client(server, token).get("/api/v1/me")));
  return [...new Set(answers.map(({ status }) => status))];
}

describe("while a password is changed", () => {
  test("no session of the old password survives the change", async () => {
    for (let round = 0; round < (isLong ? 3 : 1); round++) {
      const owner = await person(server, `round-${round}`);
      const tokens = await signInDuring(`round-${round}`, async () => {
        expect((await owner.put("/api/v1/me/password", { oldPassword: password, newPassword })).status).toBe(200);
      });
      expect(await statusesOf(tokens)).toEqual([401]);
      expect((await owner.get("/api/v1/me")).status).toBe(200);
    }
  });

  test("no session of the old password survives a reset from the command line", async () => {
    const owner = await person(server, "reset");
    const tokens = await signInDuring("reset", async () => {
      expect((await runBeside(server, ["user", "password", "reset"], `${newPassword}\n`)).code).toBe(0);
    });
    expect(await statusesOf([...tokens, owner.token as string])).toEqual([401]);
  });

  // In SQLite, writers wait for each other anyway.
  testScaled("a sign-in waits for a change that is not committed yet", async () => {
    const { userID } = await person(server, "waiting");
    const signIn = await withDatabase(server, (db) =>
      db.transaction(async (tx) => {
        await tx.run(sql`UPDATE users SET password_hash = 'another' WHERE id = ${userID}`);
        const answer = client(server).post("/signin", { username: "waiting", password });
        await Bun.sleep(1000);
        await tx.run(sql`DELETE FROM sessions WHERE user_id = ${userID}`);
        return { answer };
      }),
    );
    expect((await signIn.answer).status).toBe(401);
  });

  test("of several concurrent changes, one succeeds", async () => {
    const first = await person(server, "hasty");
    const clients = [first, ...(await Promise.all([1, 2, 3].map(() => signedIn(server, "hasty"))))];
    const answers = await Promise.all(
      clients.map((one, index) =>
        one.put("/api/v1/me/password", { oldPassword: password, newPassword: `new password ${index}` }),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.every((status) => [200, 400, 401].includes(status))).toBe(true);
    for (const [index, status] of statuses.entries()) {
      const signIn = await client(server).post("/signin", { username: "hasty", password: `new password ${index}` });
      expect(signIn.status).toBe(status === 200 ? 200 : 401);
      expect((await (clients[index] as (typeof clients)[0]).get("/api/v1/me")).status).toBe(status === 200 ? 200 : 401);
    }
  });

  test("a sign-in to an account that is being removed is refused", async () => {
    const { userID } = await person(server, "removed");
    const tokens = await signInDuring("removed", () =>
      withDatabase(server, (db) => db.transaction((tx) => tx.run(sql`DELETE FROM users WHERE id = ${userID}`))),
    );
    expect(await statusesOf(tokens)).toEqual([401]);
    const left = await withDatabase(server, (db) =>
      db.all(sql`SELECT * FROM familiar_addresses WHERE user_id = ${userID}`),
    );
    expect(left).toEqual([]);
  });
});
