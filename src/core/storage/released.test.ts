import { schemaOf } from "../../module.ts";
import { modules } from "../../modules.ts";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { isScaled } from "../../../tests/kit/engine.ts";
import { isLong } from "../../../tests/kit/long.ts";
import { readVideoFile } from "../../../tests/kit/files/videos.ts";
import type { Client } from "../../../tests/kit/client.ts";
import { png } from "../../../tests/kit/files/png.ts";
import { person } from "../../../tests/kit/people.ts";
import { newDirectory, useScratch } from "../../../tests/kit/scratch.ts";
import { startServer, type TestServer, withDatabase } from "../../../tests/kit/server.ts";
import { sha256Of } from "../../../tests/kit/sha256.ts";
import { readConfig } from "../../config.ts";
import { openEngines } from "../../engines.ts";
import type { Queries } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import type { Finish } from "../../features/uploads/finish.ts";
import { createReceiver } from "../../features/uploads/receive.ts";
import { append, begin, create, openBeside, tus } from "../../features/uploads/tus.test.ts";
import { diskPlaceOf } from "../../platform/blobs/disk.ts";
import { holdBlobs } from "./holds.ts";
import { findUsedBlobs } from "./used-blobs.ts";
import { removeReleased } from "./released.ts";

const scratch = useScratch();
const files = "/api/v1/files";
const put = (who: Client, { id }: any, body: string, headers: Record<string, string> = {}) =>
  who.request("PUT", `${files}/${id}/content`, { body, headers });
const versionsOf = async (who: Client, { id }: any) => {
  const { status, body } = await who.get(`${files}/${id}/versions`);
  return status === 200 ? body : [];
};

/** The names of all blobs on the disk. */
function blobsIn(dataDir: string): string[] {
  const shelves = readdirSync(join(dataDir, "blobs"));
  return shelves.flatMap((shelf) => readdirSync(join(dataDir, "blobs", shelf)));
}

async function deleteForGood(who: Client, { id }: any): Promise<void> {
  await who.delete(`${files}/${id}`);
  const entry = (await who.get("/api/v1/trash")).body.find(({ recordID }: any) => recordID === id);
  if (entry) await who.delete(`/api/v1/trash/${entry.id}`);
}

// With S3 and PostgreSQL the daily sweep removes them.
describe.if(!isScaled)("bytes that nothing refers to any more", () => {
  let server: TestServer;
  let owner: Client;
  let stranger: Client;

  beforeAll(async () => {
    server = await startServer({ VERSIONS_KEPT: "2" });
    [owner, stranger] = [await person(server, "owner"), await person(server, "stranger")];
  });
  afterAll(() => server.close());

  const have = (...texts: string[]) => {
    const names = new Set(blobsIn(server.dataDir));
    return texts.filter((text) => names.has(sha256Of(text)));
  };

  test("leave the disk before the answer to who deleted them for good", async () => {
    const { body: file } = await owner.upload("a.txt", "a");
    await put(owner, file, "b");
    await put(owner, file, "c");
    const { body: copy } = await owner.post(`${files}/${file.id}/copy`, { path: "/" });
    const [newest] = await versionsOf(owner, file);
    await owner.delete(`${files}/${file.id}/versions/${newest.id}`);
    expect(have("a", "b", "c")).toEqual(["a", "c"]);
    await put(owner, file, "d");
    await put(owner, file, "e");
    expect(have("a", "c", "d", "e")).toEqual(["c", "d", "e"]);
    await deleteForGood(owner, file);
    expect(have("c", "d", "e")).toEqual(["c"]);
    await deleteForGood(owner, copy);
    expect(have("c")).toEqual([]);
  });

  test("leave it with a whole directory, when the trash is emptied, and not while somebody else has them", async () => {
    for (const [index, text] of ["in one", "in two", "shared"].entries()) {
      await owner.upload("x.txt", text, { path: `/tree/${index}/deep` });
    }
    await stranger.upload("x.txt", "shared");
    const tree = (await owner.get(files)).body.find(({ name }: any) => name === "tree");
    await owner.delete(`${files}/${tree.id}`);
    expect(have("in one", "in two", "shared")).toHaveLength(3);
    await owner.delete("/api/v1/trash");
    expect(have("in one", "in two", "shared")).toEqual(["shared"]);
  });

  test("never stay after an upload that was refused at its end", async () => {
    await owner.upload("taken.txt", "taken");
    await owner.post("/api/v1/directories", { name: "directory" });
    const refused = [
      await owner.upload("taken.txt", "by its name", { onConflict: "fail" }),
      await owner.upload("directory", "by a directory", { onConflict: "replace" }),
      await stranger.upload("taken.txt", "by its owner", { onConflict: "replace" }),
      await create(owner, 8, { filename: "taken.txt", onConflict: "fail" }, {}, "in parts"),
    ];
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 403, 400]);
    expect(have("by its name", "by a directory", "by its owner", "in parts", "taken")).toEqual(["taken"]);
  });

  test("of an upload in parts leave it when it is finished, and when it is cancelled", async () => {
    const send = async (...parts: string[]) => {
      const path = await begin(owner, 9);
      let offset = 0;
      for (const part of parts) {
        await append(owner, path, offset, part);
        offset += part.length;
      }
      return path;
    };
    await send("one", "two", "end");
    expect(have("one", "two", "end", "onetwoend")).toEqual(["onetwoend"]);
    const path = await send("abc", "def");
    expect(have("abc", "def")).toEqual(["abc", "def"]);
    await owner.request("DELETE", path, { headers: tus });
    expect(have("abc", "def")).toEqual([]);
  });

  test("do not condemn a picture that is uploaded again while it was being read", async () => {
    for (let round = 0; round < (isLong ? 10 : 4); round++) {
      const picture = png(300 + round, 200);
      const { body: first } = await owner.upload("p.png", picture);
      if (round % 2) await Bun.sleep(round);
      await deleteForGood(owner, first);
      const { body: second } = await owner.upload("p.png", picture);
      const { status, body } = await owner.post("/api/v1/photos", { title: "p", fileID: second.id });
      expect([status, body.width]).toEqual([201, 300 + round]);
    }
  });
});

test("a poster that is replaced or removed counts no longer, and leaves the disk before the response", async () => {
  await using server = await startServer({ FFMPEG: "off", QUOTA_BYTES: "100000" });
  const owner = await person(server, "owner");
  const video = readVideoFile("plain.mp4");
  const { body: file } = await owner.upload("video.mp4", video);
  const { body: photo } = await owner.post("/api/v1/photos", { title: "Video", fileID: file.id });
  const path = `/api/v1/photos/${photo.id}/poster`;
  const used = async () => (await owner.get("/api/v1/attention")).body.storage.bytes - video.length;
  const [first, second] = [png(4, 4), png(5, 5)];
  const leftOf = (...posters: Uint8Array[]) => {
    const names = new Set(isScaled ? [] : blobsIn(server.dataDir));
    return posters.map((poster) => names.has(sha256Of(poster)));
  };

  await owner.request("PUT", path, { body: first });
  expect((await owner.request("PUT", path, { body: second })).status).toBe(200);
  if (!isScaled) expect(leftOf(first, second)).toEqual([false, true]);
  expect(await used()).toBe(second.length);
  expect((await owner.put(`/api/v1/photos/${photo.id}`, { title: "Another title" })).body.poster).toBe("sent");
  expect((await owner.delete(path)).status).toBe(200);
  expect(leftOf(first, second)).toEqual([false, false]);
  expect(await used()).toBe(0);

  await owner.request("PUT", path, { body: first });
  await owner.delete(`/api/v1/photos/${photo.id}`);
  expect(await used()).toBe(first.length);
  await owner.delete("/api/v1/trash");
  expect(leftOf(first)).toEqual([false]);
  expect(await used()).toBe(0);
});

describe.if(!isScaled)("bytes that were to be removed", () => {
  const dataDir = useScratch();

  test("are removed by the next start when the server was killed before it could", async () => {
    const first = await startServer({ DATA_DIR: dataDir });
    const owner = await person(first, "owner");
    await owner.upload("kept.txt", "kept");
    const { body: file } = await owner.upload("gone.txt", "gone");
    const db = await openBeside(first);
    await db.transaction(async (tx) => {
      await tx.run(sql`DELETE FROM files WHERE id = ${file.id}`);
      await tx.run(sql`INSERT INTO reservations (owner_id, bytes, expires_at) VALUES (1, 5, ${Date.now() + 60_000})`);
    });
    await db.close();
    await first.close();
    expect(blobsIn(dataDir)).toHaveLength(2);

    await using second = await startServer({ DATA_DIR: dataDir });
    expect(blobsIn(dataDir)).toEqual([sha256Of("kept")]);
    const after = await openBeside(second);
    expect(await after.all(sql`SELECT id FROM reservations`)).toEqual([]);
    await after.close();
  });

  test("of an upload that has waited too long go with it", async () => {
    const server = await startServer({ DATA_DIR: dataDir });
    const sender = await person(server, "sender");
    const path = await begin(sender, 10);
    await append(sender, path, 0, "part");
    expect(blobsIn(dataDir)).toContain(sha256Of("part"));
    await server.close();

    const engines = await openEngines(readConfig({ DATA_DIR: dataDir }), schemaOf(modules));
    const db = await removeReleased(engines.db, engines.blobs);
    await db.transaction((tx) => tx.run(sql`UPDATE uploads SET expires_at = 1`));
    const finish: Finish = { parts: async (_exchange, _caller, upload) => upload, whole: async () => null };
    await createReceiver(db, engines.blobs, finish).cancelExpired();
    expect(blobsIn(dataDir)).not.toContain(sha256Of("part"));
    expect(await db.all(sql`SELECT id FROM uploads`)).toEqual([]);
    await engines.close();
  });
});

test.if(!isScaled)("bytes leave with the row that had them, whichever way the statement is sent", async () => {
  const dataDir = newDirectory(scratch);
  const server = await startServer({ DATA_DIR: dataDir });
  const owner = await person(server, "owner");
  const texts = ["run", "later", "returning", "all", "with"];
  for (const text of texts) await owner.upload(`${text}.txt`, text);
  await server.close();

  const engines = await openEngines(readConfig({ DATA_DIR: dataDir }), schemaOf(modules));
  const db = await removeReleased(engines.db, engines.blobs);
  const deletion = (text: string) => sql`DELETE FROM files WHERE sha256 = ${sha256Of(text)}`;
  const ways: ((tx: Queries) => unknown)[] = [
    (tx) => tx.run(deletion("run")),
    (tx) => tx.later(deletion("later")),
    (tx) => tx.get(sql`${deletion("returning")} RETURNING id`),
    (tx) => tx.all(sql`${deletion("all")} RETURNING id`),
    (tx) =>
      tx.run(sql`
      WITH gone (name) AS (SELECT ${sha256Of("with")}) DELETE FROM files WHERE sha256 IN (SELECT name FROM gone)`),
  ];
  for (const [index, way] of ways.entries()) {
    await db.transaction(async (tx) => void (await way(tx)));
    expect(blobsIn(dataDir).toSorted()).toEqual(
      texts
        .slice(index + 1)
        .map(sha256Of)
        .toSorted(),
    );
  }
  await engines.close();
});

test("bytes that are uploaded again while they are removed stay", async () => {
  await using server = await startServer({ VERSIONS_KEPT: "0" });
  const [first, second] = [await person(server, "first"), await person(server, "second")];
  await first.upload("taken.txt", "taken");
  for (let round = 0; round < (isLong && !isScaled ? 40 : 8); round++) {
    const text = `round ${round}`;
    const { body: file } = await first.upload("x.txt", text);
    await first.delete(`${files}/${file.id}`);
    const [, ...uploads] = await Promise.all([
      first.delete("/api/v1/trash"),
      ...Array.from({ length: 3 }, () => second.upload("y.txt", text)),
      first.upload("taken.txt", text, { onConflict: "fail" }),
    ]);
    for (const { status, body } of uploads) {
      if (status === 201) expect((await second.get(body.url)).body).toBe(text);
    }
    expect(uploads.filter(({ status }) => status === 201)).toHaveLength(3);
  }
});

test("parallel uploads, copies, replacements and deletions of the same few contents lose no byte that is used", async () => {
  await using server = await startServer({ VERSIONS_KEPT: "1" });
  const people = await Promise.all(["a", "b", "c", "d"].map((name) => person(server, name)));
  const contents = Array.from({ length: 4 }, (_, index) => `content ${index}`);
  const any = <Value>(values: Value[]) => values[Math.floor(Math.random() * values.length)] as Value;
  const ownFiles = async (who: Client) =>
    (await who.get(`${files}?path=/${who.userID}`)).body.filter(({ ownerID }: any) => ownerID === who.userID);

  const acts: ((who: Client, file: any) => Promise<unknown>)[] = [
    (who) => who.upload("x.txt", any(contents), { path: `/${who.userID}` }),
    (who) => who.upload("y.txt", any(contents), { path: `/${who.userID}`, onConflict: "replace" }),
    (who) => who.upload("y.txt", any(contents), { path: `/${who.userID}`, onConflict: "fail" }),
    (who, file) => put(who, file, any(contents)),
    (who, file) => who.post(`${files}/${file.id}/copy`, { path: `/${who.userID}` }),
    async (who, file) => {
      const [version] = await versionsOf(who, file);
      if (version) await who.post(`${files}/${file.id}/versions/${version.id}/restore`);
    },
    async (who) => {
      const [text, half] = [any(contents), 4];
      const path = await begin(who, text.length, { filename: "z.txt", path: `/${who.userID}` });
      await append(who, path, 0, text.slice(0, half));
      if (Math.random() < 0.5) await append(who, path, half, text.slice(half));
      else await who.request("DELETE", path, { headers: tus });
    },
    deleteForGood,
    deleteForGood,
    (who) => who.delete("/api/v1/trash"),
  ];
  await Promise.all(
    people
      .flatMap((who) => [who, who, who])
      .map(async (who) => {
        await who.upload("first.txt", any(contents), { path: `/${who.userID}` });
        for (let count = 0; count < (isLong ? 30 : 12); count++) {
          const own = await ownFiles(who);
          await any(acts)(who, any(own) ?? { id: 999_999 });
        }
      }),
  );

  const readable = people.map(async (who) => {
    for (const file of await ownFiles(who)) {
      for (const one of [file, ...(await versionsOf(who, file))]) {
        expect(sha256Of((await who.get(one.url)).body)).toBe(one.sha256);
      }
    }
  });
  await Promise.all(readable);
  if (isScaled) return;
  const db = await openBeside(server);
  const left = blobsIn(server.dataDir);
  expect([...(await findUsedBlobs(db, left))].toSorted()).toEqual(left.toSorted());
  expect(await db.all(sql`SELECT id FROM reservations`)).toEqual([]);
  expect(readdirSync(join(server.dataDir, "incoming"))).toEqual([]);
  await db.close();
});

test.if(!isScaled)("bytes that are deleted for good stay on the disk while a backup holds them", async () => {
  await using held = await startServer();
  const owner = await person(held, "owner");
  const text = crypto.randomUUID();
  const { body: file } = await owner.upload("held.txt", text);
  await withDatabase(held, async (db) => {
    await using _hold = await holdBlobs(db);
    await owner.delete(`/api/v1/files/${file.id}`);
    expect((await owner.delete("/api/v1/trash")).status).toBe(200);
    expect(existsSync(diskPlaceOf(held.dataDir, sha256Of(text)))).toBe(true);
  });
});
