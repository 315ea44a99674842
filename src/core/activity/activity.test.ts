import { describe, expect, test } from "bun:test";
import { visitPages } from "../../../tests/kit/cursors.ts";
import { isoTime } from "../../../tests/kit/client.ts";
import { runBeside, withDatabase } from "../../../tests/kit/server.ts";
import type { People } from "../../../tests/kit/permissions/records.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { sql, type Sql } from "../../platform/database/sql.ts";
import { removeOldActivity } from "./store.ts";
import { testLong } from "../../../tests/kit/long.ts";

const server = useServer();
const people = server.everybody();

const api = "/api/v1";
const activity = async (who: keyof People, query = ""): Promise<any[]> =>
  (await people[who].get(`${api}/activity?pageSize=1000${query}`)).body;
const write = async (who: keyof People, title: string) =>
  (await people[who].post(`${api}/blog`, { title, content: "…" })).body;
const brief = ({ action, kind, recordID }: any) => `${kind} ${recordID} ${action}`;

describe("the activity", () => {
  test("has who changed which record, newest first", async () => {
    const post = await write("owner", "First title");
    await people.owner.put(`${api}/blog/${post.id}`, { title: "Second title" });
    await people.admin.delete(`${api}/blog/${post.id}`);
    const [entry] = (await people.admin.get(`${api}/trash`)).body;
    await people.admin.post(`${api}/trash/${entry.id}/restore`);
    await people.owner.delete(`${api}/blog/${post.id}`);
    const [again] = (await people.owner.get(`${api}/trash`)).body;
    await people.owner.delete(`${api}/trash/${again.id}`);

    const rows = await activity("owner", `&kind=post&recordID=${post.id}`);
    const owner = { id: people.owner.userID, username: "owner" };
    const admin = { id: people.admin.userID, username: "root" };
    expect(rows.map(({ action, actor, name }) => [action, actor, name])).toEqual([
      ["deleted", owner, "Second title"],
      ["trashed", owner, "Second title"],
      ["restored", admin, "Second title"],
      ["trashed", admin, "Second title"],
      ["changed", owner, "Second title"],
      ["created", owner, "First title"],
    ]);
    expect(rows[0]).toMatchObject({ ownerID: owner.id, createdAt: expect.stringMatching(isoTime) });
    expect(await activity("admin", `&kind=post&recordID=${post.id}`)).toEqual(rows);
  });

  test("calls a page a page, even after it was deleted permanently", async () => {
    const { body: page } = await people.admin.post(`${api}/blog`, { title: "About", content: "…", kind: "page" });
    await people.admin.delete(`${api}/blog/${page.id}`);
    const ofPage = async () =>
      (await activity("admin", `&kind=post&recordID=${page.id}`)).map(({ action, isPage }) => [action, isPage]);
    const before = [
      ["trashed", true],
      ["created", true],
    ];
    expect(await ofPage()).toEqual(before);
    const [entry] = (await people.admin.get(`${api}/trash`)).body;
    await people.admin.delete(`${api}/trash/${entry.id}`);
    expect(await ofPage()).toEqual([["deleted", true], ...before]);
  });

  test("is of one's own deeds and records for everybody but admins", async () => {
    const post = await write("author", "Discussed");
    const comment = (await people.reader.post(`${api}/comments`, { content: "Spam", blogPostID: post.id })).body;
    await people.author.delete(`${api}/comments/${comment.id}`);
    const [trashed, created] = [`comment ${comment.id} trashed`, `comment ${comment.id} created`];
    expect((await activity("reader")).map(brief).slice(0, 2)).toEqual([trashed, created]);
    const ofAuthor = (await activity("author")).map(brief);
    expect(ofAuthor.slice(0, 2)).toEqual([trashed, `post ${post.id} created`]);
    expect(ofAuthor).not.toContain(created);
    expect((await activity("stranger")).map(brief)).toEqual([`user ${people.stranger.userID} created`]);
    expect((await activity("admin")).map(brief)).toEqual(expect.arrayContaining([trashed, created]));
    expect((await activity("stranger", `&actor=${people.author.userID}`)).length).toBe(0);
    expect((await people.guest.get(`${api}/activity`)).status).toBe(401);
  });

  test("names a record of somebody else only to those who can see it now", async () => {
    const post = await write("author", "Moderated");
    const comment = (await people.reader.post(`${api}/comments`, { content: "Rude words", blogPostID: post.id })).body;
    await people.author.delete(`${api}/comments/${comment.id}`);
    const [entry] = (await people.author.get(`${api}/trash`)).body;
    await people.author.post(`${api}/trash/${entry.id}/restore`);
    const restored = async () => (await activity("author", `&kind=comment&recordID=${comment.id}`))[0];
    expect(await restored()).toMatchObject({ action: "restored", name: "Rude words" });
    await people.reader.delete(`${api}/comments/${comment.id}`);
    expect(await restored()).toMatchObject({ action: "restored", name: null });
  });

  testLong("has what happens to accounts, and never a password", async () => {
    const { reader } = people;
    const secret = "another password entirely";
    await reader.put(`${api}/me/password`, { oldPassword: "correct horse battery", newPassword: secret });
    await runBeside(server, ["user", "role", "reader", "author"]);
    await runBeside(server, ["user", "add", "passing"], `${secret}\n`);
    await runBeside(server, ["user", "remove", "passing", "--yes"]);
    const rows = await activity("admin", "&kind=user");
    expect(rows.slice(0, 4).map(({ action, name, actor }) => [action, name, actor?.username ?? null])).toEqual([
      ["removed", "passing", null],
      ["created", "passing", null],
      ["roleChanged", "reader", null],
      ["passwordChanged", "reader", "reader"],
    ]);
    const texts = await withDatabase(server, (db) => db.all(sql`SELECT * FROM activity`));
    expect(JSON.stringify(texts)).not.toContain("password ");
    expect((await activity("reader", "&kind=user")).map(({ action }) => action)).toContain("roleChanged");
  });

  test("keeps the actor when the account is removed, without its name", async () => {
    await people.guest.post("/signup", { username: "leaving", password: "correct horse battery" });
    await runBeside(server, ["user", "remove", "leaving", "--yes"]);
    const row = (await activity("admin", "&kind=user")).find(({ action }) => action === "signedUp");
    expect(row).toMatchObject({ name: "leaving", actor: { id: row.recordID, username: null } });
  });

  test("is filtered by actor, kind and time", async () => {
    const post = await write("owner", "Between");
    const { createdAt } = (await activity("owner", `&recordID=${post.id}&kind=post`))[0];
    const after = new Date(Date.parse(createdAt) + 1).toISOString();
    const has = async (query: string) =>
      (await activity("admin", query)).map(brief).includes(`post ${post.id} created`);
    expect(await has(`&from=${createdAt}&to=${after}`)).toBe(true);
    expect(await has(`&from=${after}`)).toBe(false);
    expect(await has(`&to=${createdAt}`)).toBe(false);
    expect(await has(`&actor=${people.owner.userID}&kind=post`)).toBe(true);
    expect(await has(`&actor=${people.author.userID}`)).toBe(false);
    expect(await has("&kind=photo")).toBe(false);
    for (const query of ["from=yesterday", "to=1", "actor=x", "recordID=0", "kind=%00", "kind=a b", "cursor=x"]) {
      const { status, body } = await people.owner.get(`${api}/activity?${query}`);
      expect([query, status, body.field]).toEqual([query, 400, query.split("=")[0]]);
    }
  });

  test("is read page by page, each row once", async () => {
    for (const who of ["admin", "owner"] as const) {
      const all = await activity(who);
      expect(all.length).toBeGreaterThan(5);
      const first = await people[who].get(`${api}/activity?pageSize=2`);
      expect([first.body.length, first.headers.get("link")]).toEqual([2, expect.stringContaining('rel="next"')]);
      const pages = await visitPages(people[who], `${api}/activity`, 2);
      expect(pages.flat().map(({ id }: any) => id)).toEqual(all.map(({ id }) => id));
    }
  });

  test("has one row for a copied directory, however much is in it", async () => {
    await people.owner.post(`${api}/directories`, { name: "many" });
    for (let index = 0; index < 5; index++) await people.owner.upload(`${index}.txt`, "x", { path: "/many" });
    const { body: listed } = await people.owner.get(`${api}/files`);
    const directory = listed.find(({ name }: any) => name === "many");
    const before = (await activity("owner")).length;
    await people.owner.post(`${api}/files/${directory.id}/copy`, { path: "/", name: "copied" });
    await people.owner.post(`${api}/files/${directory.id}/move`, { path: "/", name: "moved" });
    await people.owner.post(`${api}/photos/import`, { path: "/moved" });
    const rows = (await activity("owner")).slice(0, -before);
    expect(rows.map(({ action, kind, name }) => [action, kind, name])).toEqual([
      ["imported", "import", "/moved"],
      ["changed", "file", "moved"],
      ["created", "file", "copied"],
    ]);
  });

  test("has nothing of a request that failed", async () => {
    const before = await activity("admin");
    const album = (await people.owner.post(`${api}/albums`, { name: "Refusing" })).body;
    expect((await people.owner.post(`${api}/albums/${album.id}/photos`, { photoID: 999_999 })).status).toBe(404);
    expect((await people.owner.put(`${api}/albums/${album.id}/photos`, { photoIDs: [999_999] })).status).toBe(404);
    expect((await people.owner.delete(`${api}/albums/${album.id}/photos/999999`)).status).toBe(404);
    expect((await people.owner.post(`${api}/blog`, { title: "x", content: "x", coverID: 999_999 })).status).toBe(400);
    expect((await people.stranger.delete(`${api}/albums/${album.id}`)).status).toBe(403);
    expect((await activity("admin")).slice(0, -before.length).map(brief)).toEqual([`album ${album.id} created`]);
  });

  test("is removed after ACTIVITY_DAYS, some rows at a time", async () => {
    const day = 86_400_000;
    await withDatabase(server, async (db) => {
      await db.transaction(async (tx) => {
        for (let index = 0; index < 1200; index++) {
          tx.later(sql`INSERT INTO activity (created_at, record_id, was_public, kind, action, name)
            VALUES (${Date.now() - 400 * day}, 1, 0, 'old', 'changed', 'x')`);
        }
      });
      const count = async (where: Sql) =>
        (await db.get<{ n: number }>(sql`SELECT count(*) AS n FROM activity WHERE ${where}`))?.n ?? 0;
      const [isOld, isNew] = [sql`kind = 'old'`, sql`kind <> 'old'`];
      const kept = await count(isNew);
      // The server may be removing the same rows at this moment: then each of them removes a part.
      for (let round = 0; round < 10 && (await count(isOld)) > 0; round++) await removeOldActivity(db, 365);
      expect([await count(isOld), await count(isNew)]).toEqual([0, kept]);
    });
  });
});
