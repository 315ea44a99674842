import { Database as Sqlite } from "bun:sqlite";
import { expect, spyOn, test } from "bun:test";
import { join } from "node:path";
import { isScaled } from "../../../tests/kit/engine.ts";
import { type Client, client } from "../../../tests/kit/client.ts";
import { png } from "../../../tests/kit/files/png.ts";
import { runBeside, withDatabase } from "../../../tests/kit/server.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { storeSetting } from "../../platform/database/settings.ts";

const api = "/api/v1";

const server = useServer({ QUOTA_BYTES: "100000" });
const people = server.people();
const reader = server.person("reader", "reader");

const attention = async (who: Client) => (await who.get(`${api}/attention`)).body;
const made = async (who: Client, path: string, body: object) => (await who.post(api + path, body)).body;

const nothing = {
  recoveryCodesLeft: null,
  copiedPasskeys: 0,
  waitingComments: 0,
  waitingUploads: 0,
  unreadablePictures: { count: 0, fileIDs: [] },
  storage: { bytes: 0, quota: 100_000 },
  disk: null,
  duplicateGroups: 0,
  drafts: 0,
  scheduledPosts: 0,
  unfinishedImports: 0,
  lastBackupAt: null,
  deletionsHeld: false,
  largeLogBytes: null,
  backupError: null,
  samples: null,
};

const content = "text";

test("everyone sees what waits for them, and admins what waits on the site", async () => {
  const { owner, stranger, admin } = people;
  expect(await attention(owner)).toEqual(nothing);
  expect(await attention(admin)).toEqual({ ...nothing, storage: { bytes: 0, quota: null } });

  await admin.put(`${api}/settings`, { approveFirstComments: true });
  const post = await made(owner, "/blog", { title: "Post", content });
  const other = await made(stranger, "/blog", { title: "Other", content });
  for (const { id } of [post, post, other]) await made(reader, "/comments", { content: "Hi", blogPostID: id });
  await made(owner, "/blog", { title: "Draft", content, publishedAt: null });
  await made(owner, "/blog", { title: "Later", content, publishedAt: "2099-01-01T00:00:00Z" });
  const { body: broken } = await owner.upload("broken.png", png(9, 9).slice(0, 36));
  // Waits until it was read. On a busy machine it may take several attempts.
  for (let attempt = 0; attempt < 50 && (await attention(owner)).unreadablePictures.count === 0; attempt++)
    await people.guest.get(broken.url);
  const album = await made(owner, "/albums", { name: "Guests" });
  const share = await made(owner, "/shares", { kind: "album", id: album.id, allowUpload: true });
  const guest = client(server, null, 0, { "X-Share-Token": share.token });
  const form = new FormData();
  form.append("file", new File([png(3, 3)], "guest.png"));
  expect((await guest.request("POST", `${api}/shared/uploads`, { body: form })).status).toBe(201);

  const own = await attention(owner);
  expect(own).toEqual({
    ...nothing,
    waitingComments: 2,
    waitingUploads: 1,
    unreadablePictures: { count: 1, fileIDs: [broken.id] },
    storage: { bytes: 36 + png(3, 3).length + 3 * content.length, quota: 100_000 },
    drafts: 1,
    scheduledPosts: 1,
  });
  expect(await attention(stranger)).toEqual({
    ...nothing,
    waitingComments: 1,
    storage: { bytes: content.length, quota: 100_000 },
  });
  expect(await attention(reader)).toEqual(nothing);
  expect(await attention(admin)).toEqual({
    ...own,
    waitingComments: 3,
    storage: { bytes: 36 + 4 * content.length, quota: null },
  });
  for (const [who, filter] of [
    [owner, "owner=me"],
    [admin, "visibility=all"],
  ] as const) {
    const { drafts, scheduledPosts, waitingComments } = await attention(who);
    const lists = [`/blog?status=draft&${filter}`, `/blog?status=scheduled&${filter}`, "/comments/queue"];
    const listed = await Promise.all(lists.map(async (path) => (await who.get(api + path)).body.length));
    expect(listed).toEqual([drafts, scheduledPosts, waitingComments]);
  }
  expect((await owner.get(`${api}/shares/${share.id}`)).body.waitingUploads).toBe(1);
  expect((await owner.get(`${api}/shares`)).body[0].waitingUploads).toBe(1);

  await owner.delete(`${api}/blog/${post.id}`);
  await owner.delete(`${api}/files/${broken.id}`);
  expect(await attention(owner)).toMatchObject({ waitingComments: 0, unreadablePictures: { count: 0, fileIDs: [] } });
});

test("admins see when a backup was last recorded", async () => {
  const before = Date.now();
  expect((await runBeside(server, ["record", "backup"])).code).toBe(0);
  const { lastBackupAt } = await attention(people.admin);
  expect(Date.parse(lastBackupAt)).toBeWithin(before, Date.now() + 1);
  await runBeside(server, ["record", "backup"]);
  expect((await attention(people.admin)).lastBackupAt > lastBackupAt).toBe(true);
  expect((await attention(people.owner)).lastBackupAt).toBeNull();
});

test.if(!isScaled)("admins see that the log of the database has grown, until no other program reads it", async () => {
  const printed = spyOn(console, "error").mockImplementation(() => {});
  const other = new Sqlite(join(server.dataDir, "vitrine.db"), { readonly: true });
  other.run("BEGIN");
  other.query("SELECT count(*) FROM users").get();
  await withDatabase(server, async (db) => {
    const write = (value: string) => db.transaction((tx) => storeSetting(tx, "large", value));
    await write("x".repeat(65 * 2 ** 20));
    expect((await attention(people.admin)).largeLogBytes).toBeGreaterThan(64 * 2 ** 20);
    expect((await attention(people.owner)).largeLogBytes).toBeNull();
    other.run("COMMIT");
    other.close();
    for (const value of ["1", "2", "3"]) await write(value);
  });
  printed.mockRestore();
  expect((await attention(people.admin)).largeLogBytes).toBeNull();
});

test("guests have no such list", async () => {
  expect((await people.guest.get(`${api}/attention`)).status).toBe(401);
});
