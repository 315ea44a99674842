import { describe, expect, test } from "bun:test";
import { testScaled } from "../../../tests/kit/engine.ts";
import { type Client, client, form } from "../../../tests/kit/client.ts";
import { admin, person } from "../../../tests/kit/people.ts";
import { startServer, withDatabase } from "../../../tests/kit/server.ts";
import { bytesOf, noise } from "../../../tests/kit/files/pictures.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { sql } from "../../platform/database/sql.ts";
import { create } from "../../features/uploads/tus.test.ts";
import { isLong } from "../../../tests/kit/long.ts";
import { until } from "../../../tests/kit/until.ts";

const server = useServer();
const owner = server.person("owner");

const files = "/api/v1/files";
const replace = { onConflict: "replace" };
const put = (who: Client, { id }: any, body: Bun.BodyInit) => who.request("PUT", `${files}/${id}/content`, { body });

type Shown = { id: number; name: string; path: string };
type Bytes = Uint8Array<ArrayBuffer>;

/** Every way to replace the content of a file. */
const ways: [name: string, send: (who: Client, file: Shown, bytes: Bytes) => Promise<{ status: number; body: any }>][] =
  [
    ["a form", (who, { name, path }, bytes) => who.upload(name, bytes, { path, ...replace })],
    [
      "a form with its fields after the file",
      (who, { name, path }, bytes) => {
        const value = Buffer.from(bytes).toString("latin1");
        const fields = Object.entries({ path, ...replace }).map(([field, text]) => ({ name: field, value: text }));
        const { body, headers } = form({ name: "file", filename: name, value }, ...fields);
        return who.request("POST", files, { body: Buffer.from(body, "latin1"), headers });
      },
    ],
    [
      "a resumable upload",
      (who, { name, path }, bytes) => create(who, bytes.length, { filename: name, path, ...replace }, {}, bytes),
    ],
    ["PUT", (who, file, bytes) => put(who, file, bytes)],
  ];

describe("a picture that is replaced", () => {
  let width = 2000;
  const picture = (height: number) => bytesOf(noise(width++, height).jpeg());
  /** To guests, a picture has no `sha256` until it has been read. */
  const shown = async ({ path }: Shown) => (await client(server).get(`${files}?path=${path}`)).body[0];

  test.each(ways)("by %s has been read when the response comes", async (_way, send) => {
    const path = `/${crypto.randomUUID()}`;
    const { body: file } = await owner.upload("picture.jpg", "no picture", { path });
    const bytes = await picture(20);
    expect((await send(owner, file, bytes)).status).toBeLessThan(300);
    expect(await shown(file)).toMatchObject({ id: file.id, sha256: expect.any(String) });
  });

  test.each(isLong ? ways : ways.slice(0, 1))(
    "by %s with the same bytes, before they were read, has been read when the response comes",
    async (_way, send) => {
      const path = `/${crypto.randomUUID()}`;
      // Large enough that the server needs some time to read it.
      const bytes = await picture(1500);
      const { body: file } = await owner.upload("picture.jpg", bytes, { path });
      expect((await send(owner, file, bytes)).status).toBeLessThan(300);
      expect(await shown(file)).toMatchObject({ id: file.id, sha256: expect.any(String) });
    },
  );
});

/** With SQLite, which has one writer at a time, this cannot happen. */
testScaled("a file that is deleted while an upload waits to replace it leaves its name to the upload", async () => {
  const { body: file } = await owner.upload("a.txt", "first", { path: `/${crypto.randomUUID()}` });
  const sent = await withDatabase(server, (db) =>
    db.transaction(async (tx) => {
      await tx.get(sql`SELECT id FROM files WHERE id = ${file.id} ${tx.forUpdate}`);
      const waitFor = async (count: number) => {
        const waiting = sql`
          SELECT count(DISTINCT pid) AS count FROM pg_locks JOIN pg_stat_activity USING (pid)
          WHERE NOT granted AND datname = current_database()`;
        await until(
          () => db.get<{ count: number }>(waiting),
          (row) => row?.count === count,
        );
      };
      const deleted = owner.delete(`${files}/${file.id}`);
      await waitFor(1);
      const uploaded = owner.upload("a.txt", "second", { path: file.path, ...replace });
      await waitFor(2);
      return { deleted, uploaded };
    }),
  );
  expect((await sent.deleted).status).toBe(200);
  const { status, body } = await sent.uploaded;
  expect([status, body.name]).toEqual([201, "a.txt"]);
  expect(body.id).not.toBe(file.id);
});

describe("an admin who replaces the file of an author", () => {
  test.each(ways)("by %s cannot use the space that the author has reserved for an upload", async (_way, send) => {
    await using small = await startServer({ QUOTA_BYTES: "1000" });
    const [author, root] = [await person(small, "author"), await admin(small)];
    const { body: file } = await author.upload("a.txt", Buffer.alloc(100, "a"), { path: "/own" });
    expect((await create(author, 800, { filename: "b.txt" })).status).toBe(201);
    const refused = await send(root, file, Buffer.alloc(101, "b"));
    expect([refused.status, refused.body.error]).toEqual([400, expect.stringContaining("1001 bytes")]);
    expect((await author.get(`${files}/${file.id}/content`)).body).toBe("a".repeat(100));
    expect((await send(root, file, Buffer.alloc(100, "b"))).status).toBeLessThan(300);
    expect((await author.get("/api/v1/storage")).body.owners[0]).toMatchObject({ bytes: 200 });
  });
});
