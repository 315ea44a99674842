// Runs on other engines only with TEST_LONG: own-removal.test.ts removes an account on them.
import { describe, expect, test } from "bun:test";
import { type Client, client, form } from "../../../tests/kit/client.ts";
import { png } from "../../../tests/kit/files/png.ts";
import { password, person } from "../../../tests/kit/people.ts";
import { withDatabase } from "../../../tests/kit/server.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { modules } from "../../modules.ts";
import type { Database } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import { finishRemovals } from "./finish-removal.ts";
import { removalDepsOf } from "../../commands/removal-deps.ts";
import { beginRemoval } from "./remove.ts";
import { findUser } from "./store.ts";
import { until } from "../../../tests/kit/until.ts";
import { testLong } from "../../../tests/kit/long.ts";

const server = useServer();
const people = server.people();

const api = "/api/v1";
const users = `${api}/users`;

async function waitUntilRemoved(userID: number): Promise<void> {
  await until(
    () => people.admin.get(`${users}/${userID}`),
    ({ status }) => status === 404,
  );
}

/** Somebody with a record of every kind, one in the trash, and a directory with files. */
async function settle(name: string) {
  const who = await person(server, name);
  const { body: file } = await who.upload("dusk.png", png(2, 2), { path: `/${name}/deep` });
  const photo = (await who.post(`${api}/photos`, { title: `Dusk of ${name}`, fileID: file.id, visibility: "private" }))
    .body;
  const post = (await who.post(`${api}/blog`, { title: `Post of ${name}`, content: "…", visibility: "private" })).body;
  const theirs = (await people.owner.post(`${api}/blog`, { title: "Theirs", content: "…" })).body;
  const comment = (await who.post(`${api}/comments`, { content: "Hello", blogPostID: theirs.id })).body;
  const album = (await who.post(`${api}/albums`, { name: "Best" })).body;
  await who.post(`${api}/albums/${album.id}/photos`, { photoID: photo.id });
  const gone = (await who.post(`${api}/albums`, { name: `Gone of ${name}` })).body;
  await who.delete(`${api}/albums/${gone.id}`);
  await who.post(`${api}/shares`, { kind: "album", id: album.id });
  return { who, file, photo, post, theirs, comment, album };
}

describe("a person who is removed", () => {
  test("is signed out at once, cannot sign in, and leaves everything to another user", async () => {
    const { who, file, photo, post, theirs, comment, album } = await settle("ada");
    const heir = await person(server, "heir");
    const answer = await people.admin.delete(`${users}/${who.userID}?giveTo=${heir.userID}`);
    expect([answer.status, answer.body.message]).toEqual([200, "ada was signed out everywhere and is being removed."]);
    expect((await who.get(`${api}/me`)).status).toBe(401);
    expect((await client(server).post("/signin", { username: "ada", password })).status).toBe(401);
    await waitUntilRemoved(who.userID);
    for (const path of [`photos/${photo.id}`, `blog/${post.id}`, `albums/${album.id}`]) {
      expect((await heir.get(`${api}/${path}`)).body).toMatchObject({ ownerID: heir.userID });
    }
    expect((await heir.get(`${api}/files/dir/ada/deep`)).body[0]).toMatchObject({ id: file.id, ownerID: heir.userID });
    const [shown] = (await heir.get(`${api}/comments?blogPostID=${theirs.id}`)).body;
    expect(shown).toMatchObject({ id: comment.id, author: { username: "heir" } });
    expect((await heir.get(`${api}/trash`)).body.map(({ name }: any) => name)).toEqual(["Gone of ada"]);
    expect((await heir.get(`${api}/photos?owner=me`)).body.map(({ id }: any) => id)).toEqual([photo.id]);
    // What is private is now private to the heir, also in albums and in what is counted.
    for (const [viewer, count] of [
      [heir, 1],
      [people.stranger, 0],
    ] as const) {
      const { body: shown } = await viewer.get(`${api}/albums/${album.id}`);
      expect([shown.photoCount, shown.photos.length]).toEqual([count, count]);
    }
    expect((await people.stranger.get(`${api}/photos/${photo.id}`)).status).toBe(404);
    expect((await heir.get(`${api}/shares`)).body).toEqual([]);
    expect((await people.admin.get(`${users}?q=heir`)).body[0].counts).toMatchObject({ photos: 1, posts: 1, files: 1 });
    expect((await client(server).post("/signup", { username: "ada", password })).status).toBe(201);
    const [newest] = (await people.admin.get(`${api}/activity?kind=user&recordID=${who.userID}`)).body;
    expect(newest).toMatchObject({ action: "removed", name: "ada", actor: { username: "root" } });
  });

  test("leaves the records in the trash of the admin, who can restore them", async () => {
    const { who, photo, post, theirs } = await settle("spammer");
    expect((await people.admin.delete(`${users}/${who.userID}?records=trash`)).status).toBe(200);
    await waitUntilRemoved(who.userID);
    const { body: trash } = await people.admin.get(`${api}/trash`);
    const kept = trash.map(({ kind, name, ownerID }: any) => [kind, name, ownerID === people.admin.userID]);
    expect(kept.toSorted()).toEqual([
      ["album", "Best", true],
      ["album", "Gone of spammer", true],
      ["comment", "Hello", true],
      ["file", "spammer", true],
      ["photo", "Dusk of spammer", true],
      ["post", "Post of spammer", true],
    ]);
    for (const path of [`photos/${photo.id}`, `blog/${post.id}`, "files/dir/spammer"]) {
      expect((await people.admin.get(`${api}/${path}`)).status).toBe(404);
    }
    expect((await people.guest.get(`${api}/comments?blogPostID=${theirs.id}`)).body).toEqual([]);
    for (const { id } of trash) expect((await people.admin.post(`${api}/trash/${id}/restore`)).status).toBe(200);
    const { body } = await people.admin.get(`${api}/photos/${photo.id}`);
    expect(body).toMatchObject({ ownerID: people.admin.userID, file: { name: "dusk.png" } });
    expect((await people.admin.get(`${api}/files/dir/spammer/deep`)).body.length).toBe(1);
  });

  testLong("is chosen with care: what happens to the records, never oneself, and nobody twice", async () => {
    const [bob, other] = [await person(server, "bob"), await person(server, "other")];
    const path = `${users}/${bob.userID}`;
    for (const query of [
      "",
      "?records=delete",
      "?giveTo=999999",
      `?giveTo=${bob.userID}`,
      "?giveTo=x",
      "?giveTo=1&records=trash",
    ]) {
      expect([query, (await people.admin.delete(path + query)).status]).toEqual([query, 400]);
    }
    expect((await people.admin.delete(`${users}/${people.admin.userID}?records=trash`)).status).toBe(403);
    expect((await bob.get(`${api}/me`)).status).toBe(200);
    // The server notices it a little later: until then, the person is listed.
    await withDatabase(server, (db) => db.transaction((tx) => beginFor(tx, bob.userID, other.userID)));
    const { status, body } = await people.admin.get(path);
    if (status === 200) expect(body.isBeingRemoved).toBeTrue();
    expect([404, 409]).toContain((await people.admin.delete(`${path}?records=trash`)).status);
    expect([404, 409]).toContain((await people.admin.put(path, { role: "admin" })).status);
    await waitUntilRemoved(bob.userID);
  });

  test("whose heir is removed, too, leaves everything to the heir of that one", async () => {
    const [first, second, third] = [
      await settle("first"),
      await person(server, "second"),
      await person(server, "third"),
    ];
    const remove = (who: Client, heir: Client) => people.admin.delete(`${users}/${who.userID}?giveTo=${heir.userID}`);
    const results = await Promise.all([remove(first.who, second), remove(second, third)]);
    for (const { status } of results) expect([200, 400]).toContain(status);
    if (results[0].status === 400) await remove(first.who, third);
    await Promise.all([waitUntilRemoved(first.who.userID), waitUntilRemoved(second.userID)]);
    expect((await third.get(`${api}/photos/${first.photo.id}`)).body.ownerID).toBe(third.userID);
  });
});

test("an upload that a removed person had begun before is refused", async () => {
  const slow = await person(server, "slow");
  const sent = Promise.withResolvers<void>();
  const { body: whole, headers } = form({ name: "file", value: "x".repeat(100_000), filename: "slow.txt" });
  const body = new ReadableStream({
    async start(controller) {
      controller.enqueue(new TextEncoder().encode(whole.slice(0, 1000)));
      await sent.promise;
      controller.enqueue(new TextEncoder().encode(whole.slice(1000)));
      controller.close();
    },
  });
  const upload = slow.request("POST", `${api}/files`, { body, headers });
  await Bun.sleep(200);
  await people.admin.delete(`${users}/${slow.userID}?records=trash`);
  await waitUntilRemoved(slow.userID);
  sent.resolve();
  const { status, body: answer } = await upload;
  expect([status, answer.error]).toEqual([401, "This token is invalid, expired or revoked; sign in again."]);
});

test("no transaction of a removal changes more than a few hundred records, however many there are", async () => {
  const [many, heir] = [await person(server, "many"), await person(server, "patient")];
  const { body: post } = await people.owner.post(`${api}/blog`, { title: "Discussed", content: "…" });
  const rows = 3000;
  const changes: number[] = [];
  await withDatabase(server, async (db) => {
    await db.transaction((tx) =>
      tx.run(sql`
        WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${rows})
        INSERT INTO comments (owner_id, target_kind, target_id, content, status, created_at, updated_at)
        SELECT CAST(${many.userID} AS BIGINT), 'post', CAST(${post.id} AS BIGINT), 'x', 'visible', n, n FROM numbers`),
    );
    await db.transaction((tx) => beginFor(tx, many.userID, heir.userID));
    await finishRemovals(counting(db, changes), removalDepsOf(modules), many.userID);
  });
  await waitUntilRemoved(many.userID);
  expect((await people.admin.get(`${users}/${heir.userID}`)).body.counts.comments).toBe(rows);
  expect(Math.max(...changes)).toBeLessThanOrEqual(500);
});

async function beginFor(tx: Parameters<typeof beginRemoval>[0], userID: number, heirID: number): Promise<void> {
  const user = await findUser(tx, userID);
  await beginRemoval(tx, { user: user!, heirID, records: "given", removedByID: null });
}

/** The same database; `changes` gets the number of rows that each transaction has changed. */
function counting(db: Database, changes: number[]): Database {
  return {
    ...db,
    transaction: (work, options) =>
      db.transaction(async (tx) => {
        let changed = 0;
        const run: typeof tx.run = async (query) => {
          const rows = await tx.run(query);
          changed += rows;
          return rows;
        };
        const result = await work({ ...tx, run });
        changes.push(changed);
        return result;
      }, options),
  };
}
