import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Answer, type Client, form } from "../../../tests/kit/client.ts";
import { person } from "../../../tests/kit/people.ts";
import { startServer } from "../../../tests/kit/server.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { findUsedBlobs } from "../../core/storage/used-blobs.ts";
import type { Database } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import { countUnfinished, listExpired, removeUpload } from "./store.ts";
import { append, ask, begin, create, openBeside, tus, uploads } from "./tus.test.ts";

let db: Database;

const server = useServer();
const people = { ...server.people(), reader: server.person("reader", "reader") };
const { owner } = people;
beforeAll(async () => {
  db = await openBeside(server);
});
afterAll(() => db.close());

const read = async (path: string) => (await owner.get(path)).body;
const filesIn = async (path: string) => (await owner.get(`/api/v1/files?path=${path}`)).body;
const idOf = (path: string) => Number(path.split("/").at(-1));

describe("permissions", () => {
  const operations: [string, (who: Client, path: string) => Promise<Answer | { status: number }>, number][] = [
    ["start an upload", (who) => create(who, 3, { filename: "x" }), 201],
    ["read its offset", ask, 200],
    ["read an upload", (who, path) => who.get(path), 200],
    ["send a part", (who, path) => append(who, path, 0, "abc"), 204],
    ["cancel an upload", (who, path) => who.request("DELETE", path, { headers: tus }), 204],
  ];

  test.each(operations)("%s", async (_name, send, allowed) => {
    const expected = {
      guest: 401,
      stranger: allowed === 201 ? 201 : 404,
      reader: allowed === 201 ? 403 : 404,
      owner: allowed,
      admin: allowed,
    };
    for (const [name, who] of Object.entries(people)) {
      const { status } = await send(who, await begin(owner, 3));
      expect([name, status]).toEqual([name, expected[name as keyof typeof people]]);
    }
  });

  test("an unknown upload is 404, and an id that is not a number is 400", async () => {
    expect((await ask(owner, `${uploads}/999999`)).status).toBe(404);
    expect((await append(owner, `${uploads}/999999`, 0, "x")).status).toBe(404);
    expect((await ask(owner, `${uploads}/x`)).status).toBe(400);
  });

  test("a file that an admin finishes belongs to the user who started the upload", async () => {
    const path = await begin(owner, 6, { filename: "helped.txt", path: "/helped" });
    await append(owner, path, 0, "abc");
    await append(people.admin, path, 3, "def");
    expect((await read(path)).file).toMatchObject({ name: "helped.txt", ownerID: owner.userID });
  });
});

describe("the target of an upload", () => {
  test("a directory of another user is refused before any byte is sent, and again at the end", async () => {
    await people.stranger.post("/api/v1/directories", { name: "theirs" });
    const early = await create(owner, 3, { filename: "x", path: "/theirs/below" });
    const form = await owner.upload("x", "abc", { path: "/theirs/below" });
    expect([early.status, early.body.error]).toEqual([403, form.body.error]);

    const path = await begin(owner, 3, { filename: "x", path: "/not yet theirs" });
    await people.stranger.post("/api/v1/directories", { name: "not yet theirs" });
    expect((await append(owner, path, 0, "abc")).status).toBe(403);
    expect(await filesIn("/not yet theirs")).toEqual([]);
  });

  test("if the name is taken, onConflict decides: add a number, replace or fail", async () => {
    const send = async (text: string, more: Record<string, string>) => {
      const { status, body } = await create(owner, 3, { filename: "taken.txt", path: "/taken", ...more }, {}, text);
      return [status, body.file?.name ?? body.error];
    };
    expect(await send("one", {})).toEqual([201, "taken.txt"]);
    expect(await send("two", { onConflict: "rename" })).toEqual([201, "taken (1).txt"]);
    expect(await send("new", { onConflict: "replace" })).toEqual([201, "taken.txt"]);
    const before = await countUnfinished(db, owner.userID);
    expect(await send("not", { onConflict: "fail" })).toEqual([
      400,
      `There is already a file or directory named "taken.txt" here.`,
    ]);
    expect(await countUnfinished(db, owner.userID)).toBe(before);
    const files = await filesIn("/taken");
    const texts = await Promise.all(files.map(async (file: any) => (await owner.get(file.url)).body));
    expect(texts.toSorted()).toEqual(["new", "two"]);
  });

  test("an upload that was refused at the end is finished by a later request, once that is possible", async () => {
    const { body: other } = await owner.upload("late.txt", "other", { path: "/late" });
    const path = await begin(owner, 6, { filename: "late.txt", path: "/late", onConflict: "fail" });
    await append(owner, path, 0, "abc");
    expect((await append(owner, path, 3, "def")).status).toBe(400);
    expect((await ask(owner, path)).status).toBe(400);
    expect(await read(path)).toMatchObject({ offset: 6, file: null });
    await owner.delete(`/api/v1/files/${other.id}`);
    const answers = await Promise.all([ask(owner, path), ask(owner, path), ask(owner, path)]);
    for (const answer of answers) expect(answer).toEqual({ status: 200, offset: 6 });
    expect(await filesIn("/late")).toMatchObject([{ name: "late.txt", size: 6 }]);
  });

  test.each([
    { path: "/a/../b" },
    { path: Array(64).fill("d").join("/") },
    { name: "a/b" },
    { name: "" },
    { name: "x".repeat(256) },
    { onConflict: "perhaps" },
  ] as Record<string, string>[])("%j is refused with the same error as in a form", async (wrong) => {
    const fields = Object.entries(wrong).map(([name, value]) => ({ name, value }));
    const said = await owner.request(
      "POST",
      "/api/v1/files",
      form(...fields, { name: "file", filename: "x", value: "" }),
    );
    const { status, body } = await create(owner, 3, { filename: "x", ...wrong });
    expect([status, body.error]).toEqual([400, said.body.error]);
  });

  test.each([
    "",
    "filename",
    "filename ",
    "filename not_base64",
    "filename eA",
    "filename eA==,filename eA==",
    "filename eA== eA==",
    "filename /w==",
    `filename ${Buffer.from("a/b").toString("base64")}`,
    `filename ${Buffer.from("..").toString("base64")}`,
    `filename ${Buffer.from("a\0b").toString("base64")}`,
    "größe eA==,filename eA==",
    "__proto__ eA==",
    "path L2E=",
  ])("the metadata %p are refused", async (text) => {
    const { status, body } = await create(owner, 3, {}, { "Upload-Metadata": text });
    expect([status, typeof body.error]).toEqual([400, "string"]);
  });

  test("the field `name` overrides the filename, and unknown fields are ignored", async () => {
    const said = { filename: "from.txt", name: "to.txt", path: "named", isDirectory: "true", type: "text/html" };
    const { body } = await create(owner, 3, said, {}, "abc");
    expect(body.file).toMatchObject({ name: "to.txt", path: "/named", isDirectory: false, contentType: "text/plain" });
  });
});

describe("an unfinished upload", () => {
  test("is removed with its parts when it has expired", async () => {
    const path = await begin(owner, 20, { filename: "late.txt" });
    const other = await begin(owner, 20, { filename: "in time.txt" });
    for (const one of [path, other]) await append(owner, one, 0, `part of ${idOf(one)}`.padEnd(19));
    const blobs = await db.all<{ upload_id: number; sha256: string }>(sql`
      SELECT upload_id, sha256 FROM upload_parts WHERE upload_id IN (${idOf(path)}, ${idOf(other)}) ORDER BY upload_id`);
    const names = blobs.map((part) => part.sha256);
    expect([...(await findUsedBlobs(db, names))].toSorted()).toEqual(names.toSorted());

    await db.transaction((tx) => tx.run(sql`UPDATE uploads SET expires_at = 1 WHERE id = ${idOf(path)}`));
    expect((await ask(owner, path)).status).toBe(404);
    expect((await append(owner, path, 19, "x")).status).toBe(404);
    expect(await listExpired(db)).toEqual([idOf(path)]);
    await db.transaction((tx) => removeUpload(tx, idOf(path)));
    expect(await db.all(sql`SELECT id FROM uploads WHERE id = ${idOf(path)}`)).toEqual([]);
    expect([...(await findUsedBlobs(db, names))]).toEqual([names[1] as string]);
    expect((await ask(owner, other)).status).toBe(200);
  });

  test("expires a day after its last part", async () => {
    const path = await begin(owner, 6);
    const soon = Date.now() + 60_000;
    await db.transaction((tx) => tx.run(sql`UPDATE uploads SET expires_at = ${soon} WHERE id = ${idOf(path)}`));
    const { headers } = await append(owner, path, 0, "abc");
    expect(Date.parse(headers.get("upload-expires") ?? "")).toBeGreaterThan(soon + 3_600_000);
  });

  test("is one of at most a thousand, with at most ten thousand parts", async () => {
    const path = await begin(people.admin, 6);
    await db.transaction((tx) => tx.run(sql`UPDATE uploads SET parts = 10000 WHERE id = ${idOf(path)}`));
    const refused = await append(people.admin, path, 0, "abc");
    expect([refused.status, refused.body.error]).toEqual([
      400,
      "The upload has reached the limit of 10000 parts: start again with larger parts.",
    ]);
    await db.transaction((tx) =>
      tx.run(sql`
        WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < 1000)
        INSERT INTO uploads (owner_id, length, received, parts, created_at, expires_at, metadata)
        SELECT ${people.admin.userID}, 1, 0, 0, 0, ${Date.now() + 60_000}, '' FROM numbers`),
    );
    const full = await create(people.admin, 3, { filename: "x" });
    expect([full.status, full.body.error]).toEqual([
      400,
      "You have 1000 unfinished uploads: finish or cancel some first.",
    ]);
    expect((await create(owner, 3, { filename: "x" })).status).toBe(201);
  });
});

describe("clients of another origin", () => {
  test("can read the capabilities of the server, and send and read the headers of tus", async () => {
    for (const path of [uploads, `${uploads}/1`]) {
      const { status, headers } = await people.guest.request("OPTIONS", path);
      expect(status).toBe(204);
      expect(headers.get("tus-version")).toBe("1.0.0");
      expect(headers.get("tus-extension")).toBe("creation,creation-with-upload,termination,checksum,expiration");
      expect(headers.get("tus-max-size")).toBe(String(2 ** 31));
      expect(headers.get("tus-checksum-algorithm")).toBe("sha1,sha256,md5");
      const allowed = headers.get("access-control-allow-headers") ?? "";
      for (const name of ["Tus-Resumable", "Upload-Checksum", "Upload-Length", "Upload-Metadata", "Upload-Offset"]) {
        expect(allowed).toContain(name);
      }
      expect(headers.get("access-control-allow-methods")).toContain("PATCH");
    }
    expect((await people.guest.request("OPTIONS", "/api/v1/photos")).headers.get("tus-version")).toBeNull();
    const { headers } = await create(owner, 3, { filename: "x" });
    expect(headers.get("access-control-allow-origin")).toBe("*");
    for (const name of [
      "Location",
      "Upload-Offset",
      "Upload-Length",
      "Upload-Expires",
      "Upload-File-ID",
      "Tus-Version",
    ]) {
      expect(headers.get("access-control-expose-headers")).toContain(name);
    }
  });

  test("get the protocol version in error responses, too", async () => {
    const { status, headers } = await people.guest.request("POST", uploads, { headers: tus });
    expect([status, headers.get("tus-resumable")]).toEqual([401, "1.0.0"]);
  });

  test("that cannot send PATCH and DELETE can override the method of a POST", async () => {
    const path = await begin(owner, 6);
    const override = (method: string) => ({ ...tus, "X-HTTP-Method-Override": method });
    const part = { "Content-Type": "application/offset+octet-stream", "Upload-Offset": "0" };
    const sent = await owner.request("POST", path, { headers: { ...override("PATCH"), ...part }, body: "abc" });
    expect([sent.status, sent.headers.get("upload-offset")]).toEqual([204, "3"]);
    expect((await owner.request("POST", path, { headers: override("GET") })).status).toBe(405);
    expect((await owner.request("POST", path, { headers: override("DELETE") })).status).toBe(204);
    expect((await ask(owner, path)).status).toBe(404);
  });
});

test("a large upload in small parts is not limited by the rate limit of the rest of the API", async () => {
  await using limited = await startServer({ RATE_LIMIT_PER_SECOND: "1", RATE_LIMIT_BURST: "10" });
  const sender = await person(limited, "sender");
  const path = await begin(sender, 25);
  for (let at = 0; at < 25; at++) {
    expect((await ask(sender, path)).offset).toBe(at);
    expect((await append(sender, path, at, "x")).status).toBe(204);
  }
  expect((await sender.get(path)).body.file.size).toBe(25);
});
