// Runs on other engines only with TEST_LONG: what is recorded is decided by the routes, which are the same.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { maxAttempts } from "../../src/features/webhooks/deliveries.ts";
import { openDatabase } from "../../src/engines.ts";
import type { Database } from "../../src/platform/database/database.ts";
import { sql } from "../../src/platform/database/sql.ts";
import { png } from "../kit/files/png.ts";
import { password } from "../kit/people.ts";
import { serverConfig, startServer, type TestServer } from "../kit/server.ts";
import { api, createEverybody, fresh, type People } from "../kit/permissions/records.ts";
import type { Row } from "../kit/permissions/row.ts";
import { rows } from "../kit/permissions/rows.ts";
import { shareRows } from "../kit/permissions/share-rows.ts";
import { until } from "../kit/until.ts";

let server: TestServer;
let people: People;
let db: Database;

beforeAll(async () => {
  server = await startServer({ WEBHOOK_ALLOW_PRIVATE: "true" });
  people = await createEverybody(server);
  db = await openDatabase(await serverConfig(server));
  await people.owner.post(`${api}/directories`, { name: "moved" });
});
afterAll(async () => {
  await db.close();
  await server.close();
});

const hearts = "hearts are counted, and nobody is told who gave them";

/** Why a request is not in the activity. */
const silent: Record<string, string> = {
  "POST /clock/confirmation": "it changes no record, and the log says who it was",
  "POST /photos/duplicates": "it changes what is suggested, and no record",
  "PUT /photos/:id/heart": hearts,
  "DELETE /photos/:id/heart": hearts,
  "PUT /blog/:id/heart": hearts,
  "DELETE /blog/:id/heart": hearts,
  "PUT /albums/:id/heart": hearts,
  "DELETE /albums/:id/heart": hearts,
  "POST /signin": "sessions have a list of their own",
  "POST /signout": "sessions have a list of their own",
  "POST /signin/factor": "sessions have a list of their own",
  "POST /session/factor": "sessions have a list of their own",
  "POST /account/totp": "it counts when it is confirmed: src/core/factors/factors.test.ts",
  "POST /account/totp/confirmation": "src/core/factors/factors.test.ts",
  "POST /account/totp/removal": "src/core/factors/factors.test.ts",
  "POST /account/recovery-codes": "how many are left is shown to their owner",
  "POST /session": "sessions have a list of their own",
  "DELETE /session": "sessions have a list of their own",
  "POST /me/archive": "a copy of one's own data changes nothing of it",
  "DELETE /me/archive": "a copy of one's own data changes nothing of it",
  "POST /me/removal": "it is recorded when it is done: src/core/users/own-removal.test.ts",
  "POST /account/confirmation": "changes nothing but the session",
  "POST /account/passkeys/options": "passkeys have a list of their own",
  "POST /account/passkeys": "passkeys have a list of their own",
  "PUT /account/passkeys/:id": "passkeys have a list of their own",
  "DELETE /account/passkeys/:id": "passkeys have a list of their own",
  "POST /signin/passkey/options": "asks only",
  "POST /signin/passkey": "sessions have a list of their own",
  "POST /session/passkey": "sessions have a list of their own",
  "PUT /me/mail/address": "nobody else may know it",
  "PUT /me/mail/notices": "what somebody wants to be told is nobody else's business",
  "POST /address-confirmations": "nobody else may know it",
  "POST /password-links": "it changes nothing until the link is used",
  "POST /password-resets": "src/core/addresses/addresses.test.ts",
  "POST /keys": "keys have a list of their own",
  "DELETE /keys/:id": "keys have a list of their own",
  "DELETE /me/sessions": "sessions have a list of their own",
  "DELETE /me/sessions/:id": "sessions have a list of their own",
  "POST /backups": "a backup changes nothing of the site",
  "POST /backups/restore": "tests/keeping/backups-one.test.ts",
  "POST /blog/preview": "it only reads",
  "POST /files/known": "it only reads",
  "POST /files/known-sizes": "it only reads",
  "POST /uploads": "an upload that is not finished is not a record",
  "PATCH /uploads/:id": "an upload that is not finished is not a record",
  "DELETE /uploads/:id": "an upload that is not finished is not a record",
  "POST /shared/uploads": "a picture that waits for approval is not a record, and the owner's attention list has it",
  "DELETE /shares/:id/uploads/:uploadID": "a picture that waits for approval is not a record",
  "POST /imports/:id/resume": "the import was recorded when it began",
  "DELETE /imports/:id": "the import was recorded when it began",
  "POST /webmention": "nothing is known yet; the comment is recorded when the page was read",
  "POST /mail/test": "it changes nothing on the site",
  "POST /newsletter/subscriptions": "nobody can subscribe here; subscribers have a list of their own",
  "PUT /newsletter/posts/:id": "nothing can be sent here: src/features/newsletter/newsletter.test.ts",
  "POST /webhooks/:id/test": "deliveries have a list of their own",
  "POST /webhooks/:id/deliveries/:deliveryID/redeliver": "deliveries have a list of their own",
  "DELETE /samples": "there are no samples here; otherwise the trash records each of them",
};

/** Changes one record of the kind by a batch. */
const batchOf = (kind: string, prepare: (people: People) => Promise<any>, change: object): Row => ({
  route: `POST /${kind}/batch`,
  expected: [401, 403, 403, 403, 200, 200],
  prepare,
  send: (who, { id }) => who.post(`${api}/${kind}/batch`, { ids: [id], ...change }),
});
const trashedPost = async (all: People) => {
  const { id } = await fresh.post(all);
  await all.owner.delete(`${api}/blog/${id}`);
  return { id };
};
const handleTrashed = (action: "restore" | "delete"): Row => ({
  route: `POST /trash/${action}`,
  expected: [401, 200, 200, 200, 200, 200],
  prepare: trashedPost,
  send: (who, { id }) => who.post(`${api}/trash/${action}`, { records: [{ kind: "post", id }] }),
});

/** Instead of rows of the table of permissions that change nothing, and besides them. */
const changing: (Row & { changes?: number })[] = [
  batchOf("photos", fresh.photo, { set: { visibility: "private", original: "keep" } }),
  {
    ...batchOf("photos", fresh.photo, { set: { visibility: "private" } }),
    route: "POST /photos/batch that changes the file of the photo, too",
    changes: 2,
  },
  batchOf("photos", fresh.photo, { trash: true }),
  batchOf("files", fresh.file, { visibility: "private" }),
  batchOf("files", fresh.file, { move: { path: "/moved" }, visibility: "private" }),
  batchOf("files", fresh.file, { copy: { path: "/moved" } }),
  batchOf("files", fresh.file, { trash: true }),
  batchOf("blog", fresh.post, { visibility: "private" }),
  batchOf("albums", fresh.album, { visibility: "private" }),
  batchOf("comments", fresh.comment, { trash: true }),
  handleTrashed("restore"),
  handleTrashed("delete"),
  {
    route: "DELETE /trash",
    expected: [401, 200, 200, 200, 200, 200],
    prepare: async (all) => {
      await all.owner.delete(`${api}/trash`);
      return trashedPost(all);
    },
    send: (who) => who.delete(`${api}/trash`),
  },
  {
    route: "POST /photos/many",
    expected: [401, 403, 200, 200, 200, 200],
    prepare: fresh.file,
    send: (who, { id }) => who.post(`${api}/photos/many`, { photos: [{ title: "Many", fileID: id }] }),
  },
  {
    route: "POST /photos/many into an album, which is changed, too",
    expected: [401, 403, 200, 200, 200, 200],
    changes: 2,
    prepare: async (all) => ({ ...(await fresh.file(all)), albumID: (await fresh.album(all)).id }),
    send: (who, { id, albumID }) =>
      who.post(`${api}/photos/many`, { photos: [{ title: "Many", fileID: id }], albumID }),
  },
  {
    route: "POST /files that replaces the same bytes and makes them private",
    expected: [401, 403, 403, 403, 201, 201],
    prepare: async ({ owner }) => (await owner.upload(`${crypto.randomUUID()}.txt`, "same")).body,
    send: (who, { name }) => who.upload(name, "same", { onConflict: "replace", visibility: "private" }),
  },
  {
    route: "POST /files that replaces other bytes and makes them private",
    expected: [401, 403, 403, 403, 201, 201],
    prepare: async ({ owner }) => (await owner.upload(`${crypto.randomUUID()}.txt`, "old")).body,
    send: (who, { name }) => who.upload(name, "new", { onConflict: "replace", visibility: "private" }),
  },
  {
    route: "PUT /me/profile",
    expected: [401, 200, 200, 200, 200, 200],
    send: (who) => who.put(`${api}/me/profile`, { about: "Somebody" }),
  },
  {
    route: "PUT /me/password",
    expected: [401, 200, 200, 200, 200, 200],
    send: (who) => who.put(`${api}/me/password`, { oldPassword: password, newPassword: password }),
  },
];
/** Rows whose requests change several records. */
const severalChanges: Record<string, number> = {
  // A file, a photo, and the album.
  "POST /shares/:id/uploads/:uploadID/approve": 3,
  // Two directories, a file, a photo, and the album.
  "POST /albums/:id/uploads": 5,
  // A file, and the directory that was made for it.
  "POST /imports": 2,
  "POST /imports/:id/undo": 2,
  // The row also removes what it has changed or created.
  "PUT /files/:id": 2,
  "POST /webhooks": 2,
};

const routeOf = (title: string) => title.split(" ", 2).join(" ");
const replaced = new Set(changing.filter(({ route }) => route === routeOf(route)).map(({ route }) => route));
const isWrite = ({ route }: Row) => !route.startsWith("GET ");
const table: (Row & { changes?: number })[] = [
  ...[...rows, ...shareRows].filter((row) => isWrite(row) && !replaced.has(row.route) && row.expected[5] < 300),
  ...changing,
];

const lastRow = async () =>
  (await db.get<{ id: number }>(sql`SELECT coalesce(max(id), 0) AS id FROM activity`))?.id ?? 0;
const rowsAfter = (id: number) =>
  db.all<{ kind: string; action: string }>(sql`SELECT kind, action FROM activity WHERE id > ${id} ORDER BY id`);

describe("every request that changes something is one change in the activity", () => {
  test.each(table.map((row) => [row.route, row] as const))("%s", async (title, row) => {
    const record = await row.prepare?.(people);
    const who = row.expected[4] < 300 ? people.owner : people.admin;
    const before = await lastRow();
    const { status } = await row.send(who, record);
    expect(status).toBeLessThan(300);
    const { changes = severalChanges[routeOf(title)] ?? 1 } = row;
    const expected = routeOf(title) in silent ? 0 : changes;
    // The records of an account are removed after the response.
    const found = await until(
      () => rowsAfter(before),
      ({ length }) => length >= expected,
    );
    expect([title, found.length, found]).toEqual([title, expected, found]);
  });

  test("every write of the API is in these tables, or has a reason not to be recorded", async () => {
    const { paths } = (await people.guest.get("/openapi.json")).body as { paths: Record<string, object> };
    const writes = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods)
        .filter((method) => method !== "get")
        .map((method) => `${method.toUpperCase()} ${path.replace(api, "").replace(/\{(\w+)\}/g, ":$1")}`),
    );
    expect(writes.length).toBeGreaterThan(60);
    const known = new Set([...table.map(({ route }) => routeOf(route)), ...Object.keys(silent)]);
    expect(writes.filter((route) => !known.has(route))).toEqual([]);
    expect(Object.keys(silent).filter((route) => !writes.includes(route))).toEqual([]);
  });
});

describe("what the server changes by itself", () => {
  /** The rows of a record, when the last of them has come, which `cause` leads to. */
  async function waitForAction(
    kind: string,
    id: number,
    action: string,
    cause: () => Promise<unknown> = async () => null,
  ): Promise<{ action: string; actor: unknown }[]> {
    const read = async () => {
      await cause();
      return (await people.admin.get(`${api}/activity?kind=${kind}&recordID=${id}`)).body;
    };
    return until(read, ([newest]) => newest?.action === action, 100_000);
  }

  /** On a machine that is busy, the moment may be over when the server gets the request: then a later one is taken. */
  async function schedule(ms: number): Promise<{ id: number }> {
    const publishedAt = new Date(Date.now() + ms).toISOString();
    const { body } = await people.owner.post(`${api}/blog`, { title: "Scheduled", content: "…", publishedAt });
    return body.createdAt < publishedAt ? body : schedule(2 * ms);
  }

  test("a scheduled post that is published is one change in the activity", async () => {
    const post = await schedule(300);
    const found = await waitForAction("post", post.id, "published");
    expect(found.map(({ action, actor }) => [action, actor !== null])).toEqual([
      ["published", false],
      ["created", true],
    ]);
  });

  test("a webhook that is deactivated because its deliveries fail is one change in the activity", async () => {
    const { body: hook } = await people.admin.post(`${api}/webhooks`, {
      url: "http://127.0.0.1:1/",
      events: ["album.created"],
    });
    const lastAttempt = sql`UPDATE tasks SET next_at = 1, failures = ${maxAttempts - 1}
      WHERE queue = 'webhooks' AND group_id = ${hook.id} AND settled_at IS NULL`;
    for (const name of ["Not delivered", "Nor this one"]) await people.owner.post(`${api}/albums`, { name });
    // More than once, because an attempt that is under way counts from what it has read.
    const hasten = () => db.transaction((tx) => tx.run(lastAttempt));
    const found = await waitForAction("webhook", hook.id, "changed", hasten);
    expect(found.map(({ action, actor }) => [action, actor !== null])).toEqual([
      ["changed", false],
      ["created", true],
    ]);
    await people.admin.delete(`${api}/webhooks/${hook.id}`);
  });
});

test("an owner sees in the activity that a poster, a version or the visibility of a file has changed", async () => {
  const { owner } = people;
  const video = await fresh.video(people);
  await owner.request("PUT", `${api}/photos/${video.id}/poster`, { body: png(2, 2) });
  await owner.delete(`${api}/photos/${video.id}/poster`);
  const { path } = await fresh.version(people);
  await owner.delete(path);
  const file = await fresh.file(people);
  await owner.post(`${api}/files/batch`, { ids: [file.id], visibility: "private" });
  const { body } = await owner.get(`${api}/activity?pageSize=20`);
  const changes = body
    .filter(({ action }: any) => action === "changed")
    .map(({ kind, recordID }: any) => [kind, recordID]);
  const versionOf = Number(/files\/(\d+)/.exec(path)?.[1]);
  expect(changes.slice(0, 2)).toEqual([
    ["file", file.id],
    ["file", versionOf],
  ]);
  expect(changes.filter(([kind, id]: any) => kind === "photo" && id === video.id)).toHaveLength(3);
  expect(body[0]).toMatchObject({ name: file.name, actor: { id: owner.userID } });
});
