import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { engineEnv, testScaled } from "../../../tests/kit/engine.ts";
import { openEvents } from "../../../tests/kit/event-reader.ts";
import { type Client, client } from "../../../tests/kit/client.ts";
import { member, password, person } from "../../../tests/kit/people.ts";
import { useScratch } from "../../../tests/kit/scratch.ts";
import { withDatabase } from "../../../tests/kit/server.ts";
import { startVitrine } from "../../../tests/kit/process.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { sql } from "../../platform/database/sql.ts";

const scratch = useScratch();
const server = useServer();
const people = server.people();

/** Nothing else happens on the site meanwhile: no event makes the server look at its streams. */
async function expectEnd(url: string, token: string | null, end: () => Promise<unknown>): Promise<void> {
  await using reader = await openEvents(url, { token });
  await reader.next();
  await end();
  expect(await Promise.race([reader.ended.then(() => "ended"), Bun.sleep(20_000).then(() => "open")])).toBe("ended");
}

const another = async (name: string) =>
  (await client(server).post("/signin", { username: name, password })).body.token as string;

describe("a stream of events ends, although nothing happens, when", () => {
  test("its user signs out", async () => {
    const token = await another("stranger");
    await expectEnd(server.url, token, () => client(server, token).post("/signout"));
  });

  test("the session is revoked in another browser", async () => {
    const token = await another("stranger");
    await expectEnd(server.url, token, async () => {
      const sessions = (await people.stranger.get("/api/v1/me/sessions")).body;
      await people.stranger.delete(`/api/v1/me/sessions/${sessions[1].id}`);
    });
  });

  test("the password is changed elsewhere", async () => {
    const user = await person(server, "changing");
    const token = await another("changing");
    await expectEnd(server.url, token, () =>
      user.put("/api/v1/me/password", { oldPassword: password, newPassword: "quite another password" }),
    );
  });

  test("the session expires", async () => {
    const token = await another("stranger");
    const { jti } = JSON.parse(Buffer.from(token.split(".")[1] as string, "base64url").toString());
    await expectEnd(server.url, token, () =>
      withDatabase(server, (db) =>
        db.transaction((tx) => tx.run(sql`UPDATE sessions SET expires_at = ${Date.now()} WHERE token_id = ${jti}`)),
      ),
    );
  });

  test("the user is removed", async () => {
    const user: Client = await member(server, "removed", "reader");
    await expectEnd(server.url, user.token, () => people.admin.delete(`/api/v1/users/${user.userID}?records=trash`));
  });
});

testScaled("a stream of events ends when its user signs out on another copy of the server", async () => {
  const engines = await engineEnv("events");
  await using first = await startVitrine({ DATA_DIR: join(scratch, "one"), ...engines });
  await using second = await startVitrine({ DATA_DIR: join(scratch, "other"), ...engines });
  const user = await person(first, "owner");
  await expectEnd(first.url, user.token, () => client(second, user.token).post("/signout"));
});
