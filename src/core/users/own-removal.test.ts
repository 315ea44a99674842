import { expect, test } from "bun:test";
import { type Client, client } from "../../../tests/kit/client.ts";
import { png } from "../../../tests/kit/files/png.ts";
import { password, person } from "../../../tests/kit/people.ts";
import { withDatabase } from "../../../tests/kit/server.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { modules } from "../../modules.ts";
import { tablesOf } from "../../module.ts";
import { raw, sql } from "../../platform/database/sql.ts";
import { platformTables } from "../../platform/database/platform-tables.ts";
import { finishRemovals } from "./finish-removal.ts";
import { removalDepsOf } from "../../commands/removal-deps.ts";
import { beginErasure } from "./remove.ts";
import { findUser } from "./store.ts";
import { until } from "../../../tests/kit/until.ts";
import { testLong } from "../../../tests/kit/long.ts";

const server = useServer();
const { admin, owner, guest } = server.people();
const api = "/api/v1";
const path = `${api}/me/removal`;
const word = "zanzibar";

async function waitUntilRemoved(userID: number): Promise<void> {
  await until(
    () => admin.get(`${api}/users/${userID}`),
    ({ status }) => status === 404,
  );
}

/** The rows of the database in which one of these words is. */
function findInDatabase(words: string[]): Promise<string[]> {
  return withDatabase(server, async (db) => {
    const found: string[] = [];
    for (const { name } of [...tablesOf(modules), ...platformTables])
      for (const row of await db.all(sql`SELECT * FROM ${raw(name)}`)) {
        const text = `${name}: ${JSON.stringify(row)}`;
        if (words.some((one) => text.includes(one))) found.push(text);
      }
    return found;
  });
}

const create = async (who: Client, kind: string, fields: object) => {
  const { status, body } = await who.post(`${api}/${kind}`, fields);
  expect(status).toBe(201);
  return body;
};

testLong("whoever removes their account leaves nothing, and what others have stays", async () => {
  const ada = await person(server, "ada");
  const theirs = await create(owner, "blog", { title: "Of the owner", content: "…" });
  const { body: file } = await ada.upload(`${word}.png`, png(4, 4), { path: `/${word}/deep/er` });
  const { body: kept } = await admin.upload("kept.txt", "of an admin", { path: `/${word}` });
  const photo = await create(ada, "photos", { title: `Photo ${word}`, fileID: file.id, tags: [word] });
  const post = await create(ada, "blog", { title: `Post ${word}`, content: `All of ${word}`, coverID: photo.id });
  const album = await create(ada, "albums", { name: `Album ${word}` });
  await ada.post(`${api}/albums/${album.id}/photos`, { photoID: photo.id });
  const mixed = await create(owner, "albums", { name: "Mixed" });
  await owner.post(`${api}/albums/${mixed.id}/photos`, { photoID: photo.id });
  const comment = await create(ada, "comments", { blogPostID: theirs.id, content: `I know ${word}` });
  const reply = await create(owner, "comments", { blogPostID: theirs.id, content: "So do I", parentID: comment.id });
  await create(owner, "comments", { blogPostID: post.id, content: "It goes with the post" });
  const spam = await create(owner, "comments", { blogPostID: post.id, content: "Spam" });
  await ada.delete(`${api}/comments/${spam.id}`);
  await ada.delete(`${api}/albums/${(await create(ada, "albums", { name: `Gone ${word}` })).id}`);
  await admin.put(`${api}/settings`, { hearts: true });
  expect((await ada.put(`${api}/blog/${theirs.id}/heart`, {})).status).toBe(200);
  await ada.put(`${api}/me/profile`, { displayName: `Ada ${word}` });
  const share = await create(ada, "shares", { kind: "photo", id: photo.id });
  await ada.request("POST", `${api}/uploads`, {
    headers: { "Tus-Resumable": "1.0.0", "Upload-Length": "9", "Upload-Metadata": `filename ${btoa(word)}` },
  });

  // For an app key that is limited to a directory, responses are stored apart from those of its owner.
  const home = await create(ada, "directories", { path: `/${word}`, name: "home" });
  const key = await create(ada, "keys", { name: "Program", scopes: ["read", "files:write"], directoryID: home.id });
  const inHome = { path: `/${word}/home`, name: "new" };
  const made = await client(server, key.key).post(`${api}/directories`, inHome, { "Idempotency-Key": "new" });
  expect(made.status).toBe(201);

  const pages = [
    `/photos/${photo.id}`,
    `/blog/${post.slug}`,
    `/albums/${album.id}-album-${word}`,
    "/people/ada",
    `/tags/${word}`,
    `/browse/${word}/deep`,
    share.url,
    `${api}/photos/${photo.id}`,
    `${api}/photos/${photo.id}/image`,
    `${api}/files/${file.id}/content`,
    `${api}/blog/${post.id}`,
    `${api}/albums/${album.id}`,
    `${api}/people/${ada.userID}`,
  ];
  const lists = ["/", "/blog", "/photos", "/albums", "/feed.xml", "/feed.json", "/sitemap.xml", `${api}/photos`]
    .concat([`${api}/search?q=${word}`, `/search?q=${word}`, `${api}/albums/${mixed.id}`])
    .concat([`${api}/comments?blogPostID=${theirs.id}`, `/blog/${theirs.slug}`]);
  for (const page of pages) expect([page, (await guest.get(page)).status]).toEqual([page, 200]);

  const wrong = await ada.post(path, { password: "not the password" });
  expect([wrong.status, wrong.body]).toEqual([401, expect.objectContaining({ field: "password" })]);
  expect((await ada.get(`${api}/me`)).status).toBe(200);
  const elsewhere = await client(server).post("/signin", { username: "ada", password });
  const { status, body } = await ada.post(path, { password });
  expect([status, body.message]).toEqual([200, expect.stringContaining("removed with everything")]);
  for (const token of [ada.token, elsewhere.body.token])
    expect((await client(server, token).get(`${api}/me`)).status).toBe(401);
  expect((await client(server).post("/signin", { username: "ada", password })).status).toBe(401);
  await waitUntilRemoved(ada.userID);

  for (const page of pages) expect([page, (await guest.get(page)).status]).toEqual([page, 404]);
  for (const list of lists) {
    const { status: code, body: shown } = await guest.get(list);
    const text = JSON.stringify(shown).replaceAll(`q=${word}`, "").replaceAll(`value=\\"${word}`, "");
    expect([list, code, text.includes(`Photo ${word}`) || text.includes(`of ${word}`)]).toEqual([list, 200, false]);
  }
  expect((await guest.get(`${api}/comments?blogPostID=${theirs.id}`)).body.map(({ id }: any) => id)).toEqual([
    reply.id,
  ]);
  expect((await guest.get(`${api}/blog/${theirs.id}/heart`)).body.hearts).toBe(0);
  // The directory has something of somebody else, so it stays; what was in it is gone.
  const { body: inside } = await admin.get(`${api}/files/dir/${word}`);
  expect(inside.map(({ id }: any) => id)).toEqual([kept.id]);
  expect((await admin.get(`${api}/trash`)).body.map(({ name }: any) => name)).toEqual(["Spam"]);
  const { body: directories } = await admin.get(`${api}/files/dir/`);
  await admin.put(`${api}/files/${directories[0].id}`, { name: "other" });
  // What was read of a picture goes with its bytes, within a day.
  const left = (await findInDatabase([word, file.sha256])).filter((row) => !row.startsWith("images:"));
  expect(left).toEqual([]);
  const [last] = (await admin.get(`${api}/activity?kind=user&recordID=${ada.userID}`)).body;
  expect(last).toMatchObject({ action: "removed", name: "ada", actor: { username: null } });
});

test("the only admin stays, and ten wrong passwords have to wait", async () => {
  const refused = await admin.post(path, { password });
  expect([refused.status, refused.body.error]).toEqual([
    409,
    "You are the only admin: make someone else an admin first.",
  ]);
  expect((await guest.post(path, { password })).status).toBe(401);
  const guesser = await person(server, "guesser");
  for (let tries = 0; tries < 10; tries++) await guesser.post(path, { password: `wrong ${tries}` });
  const { status, headers } = await guesser.post(path, { password });
  expect([status, headers.has("retry-after")]).toEqual([429, true]);
});

test("a removal that was interrupted goes on, in small steps", async () => {
  const many = await person(server, "many");
  const { body: post } = await owner.post(`${api}/blog`, { title: "Discussed", content: "…" });
  const deps = removalDepsOf(modules);
  const count = () =>
    withDatabase(server, (db) =>
      db.get<{ rows: number }>(sql`SELECT count(*) AS rows FROM comments WHERE owner_id = ${many.userID}`),
    );
  const site = { ...server, schema: deps.schema };
  await withDatabase(site, async (db) => {
    await db.transaction((tx) =>
      tx.run(sql`
        WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 100)
        INSERT INTO comments (owner_id, target_kind, target_id, content, status, created_at, updated_at)
        SELECT CAST(${many.userID} AS BIGINT), 'post', CAST(${post.id} AS BIGINT), 'x', 'visible', n, n FROM numbers`),
    );
    await db.transaction(async (tx) => beginErasure(tx, (await findUser(tx, many.userID))!, null));
    let purged = 0;
    const purge: typeof deps.trash.purge = (...given) => {
      if (++purged > 50) throw new Error("The power is off.");
      return deps.trash.purge(...given);
    };
    const cut = finishRemovals(db, { ...deps, trash: { ...deps.trash, purge } }, many.userID);
    expect(await cut.then(() => "done", String)).toContain("The power is off.");
    expect((await count())?.rows).toBe(60);
    await finishRemovals(db, deps, many.userID);
  });
  expect((await count())?.rows).toBe(0);
  await waitUntilRemoved(many.userID);
});
