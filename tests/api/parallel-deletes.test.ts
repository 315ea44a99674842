// Runs only with TEST_LONG: it deletes many records at once, in many orders.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Database } from "../../src/platform/database/database.ts";
import { api, everyKind, findWrong, makerOf, openBeside, uploadPicture, withNotes } from "../kit/every-kind.ts";
import type { Answer, Client } from "../kit/client.ts";
import { person } from "../kit/people.ts";
import { useScratch } from "../kit/scratch.ts";
import { startServer, type TestServer } from "../kit/server.ts";

const dataDir = useScratch();
let server: TestServer;
let db: Database;
let owner: Client;

beforeAll(async () => {
  server = await startServer({ DATA_DIR: dataDir }, withNotes);
  db = await openBeside(server);
  owner = await person(server, "owner");
});
afterAll(async () => {
  await db.close();
  await server.close();
});

const eight = async (send: () => Promise<Answer>): Promise<Answer[]> =>
  Promise.all(Array.from({ length: 8 }, () => send()));
const statuses = (answers: Answer[]) => answers.map(({ status }) => status).toSorted();
const once = [200, 404, 404, 404, 404, 404, 404, 404];

const entriesOf = async (kind: string, id: number): Promise<any[]> =>
  (await owner.get(`${api}/trash`)).body.filter((entry: any) => entry.kind === kind && entry.recordID === id);

/** Kinds with pages have a total. */
async function expectTotals(path: string): Promise<void> {
  const { status, body, headers } = await owner.get(`${path}?pageSize=1000`);
  const total = headers.get("x-total-count");
  if (status === 200 && total !== null) expect(total).toBe(String(body.length));
  expect(await findWrong(db)).toEqual([]);
}

describe.each(everyKind.map((kind) => [kind.name, kind] as const))(
  "eight requests at once for one %s",
  (name, kind) => {
    const { path, create } = makerOf(kind);

    test("delete it once, restore it once, and delete it permanently once", async () => {
      const id = await create(owner);
      expect(statuses(await eight(() => owner.delete(`${path}/${id}`)))).toEqual(once);
      const [entry, ...others] = await entriesOf(name, id);
      expect(others).toEqual([]);
      await expectTotals(path);

      expect(statuses(await eight(() => owner.post(`${api}/trash/${entry.id}/restore`)))).toEqual(once);
      expect(await entriesOf(name, id)).toEqual([]);
      expect((await owner.get(`${path}/${id}`)).status).toBe(200);
      await expectTotals(path);

      await owner.delete(`${path}/${id}`);
      const [again] = await entriesOf(name, id);
      expect(statuses(await eight(() => owner.delete(`${api}/trash/${again.id}`)))).toEqual(once);
      expect(await entriesOf(name, id)).toEqual([]);
      expect((await owner.get(`${path}/${id}`)).status).toBe(404);
      await expectTotals(path);
    });

    test("do so in batches: each record is changed by one of them", async () => {
      const ids = [await create(owner), await create(owner), await create(owner)];
      const changedBy = async (send: () => Promise<Answer>) => {
        const answers = await eight(send);
        for (const { status } of answers) expect(status).toBe(200);
        const results = answers.flatMap(({ body }) => body.results as { id: number; status: number }[]);
        for (const id of ids)
          expect(
            results
              .filter((one) => one.id === id)
              .map((one) => one.status)
              .toSorted(),
          ).toEqual(once);
        return answers.reduce((sum, { body }) => sum + body.changed, 0);
      };
      const records = ids.map((id) => ({ kind: name, id }));
      const hasBatches = (await owner.post(`${path}/batch`, {})).status === 400;
      const trash = async () => {
        if (hasBatches) expect(await changedBy(() => owner.post(`${path}/batch`, { ids, trash: true }))).toBe(3);
        else for (const id of ids) await owner.delete(`${path}/${id}`);
        for (const id of ids) expect(await entriesOf(name, id)).toHaveLength(1);
        await expectTotals(path);
      };
      await trash();
      expect(await changedBy(() => owner.post(`${api}/trash/restore`, { records }))).toBe(3);
      await expectTotals(path);
      await trash();
      expect(await changedBy(() => owner.post(`${api}/trash/delete`, { records }))).toBe(3);
      for (const id of ids) expect(await entriesOf(name, id)).toEqual([]);
      await expectTotals(path);
    });
  },
);

test("a large directory is permanently deleted by one of eight requests", async () => {
  const { body: directory } = await owner.post(`${api}/directories`, { name: "large" });
  await uploadPicture(owner, { path: "/large" });
  const { body: child } = await owner.post(`${api}/directories`, { name: "child", path: "/large" });
  for (let count = 0; count < 4; count++)
    await owner.post(`${api}/files/batch`, { ids: [child.id], copy: { path: `/large/${count}` } });
  expect(statuses(await eight(() => owner.delete(`${api}/files/${directory.id}`)))).toEqual(once);
  const [entry] = await entriesOf("file", directory.id);
  expect(statuses(await eight(() => owner.delete(`${api}/trash/${entry.id}`)))).toEqual(once);
  expect(await findWrong(db)).toEqual([]);
});

test("a photo that is deleted with its file by eight requests is one entry, which restores both", async () => {
  const fileID = await uploadPicture(owner);
  const { body: photo } = await owner.post(`${api}/photos`, { title: "x", fileID });
  expect(statuses(await eight(() => owner.delete(`${api}/photos/${photo.id}?withFile=true`)))).toEqual(once);
  const [entry, ...others] = await entriesOf("photo", photo.id);
  expect([others, await entriesOf("file", fileID)]).toEqual([[], []]);
  expect(statuses(await eight(() => owner.post(`${api}/trash/${entry.id}/restore`)))).toEqual(once);
  expect((await owner.get(`${api}/photos/${photo.id}`)).body.file.id).toBe(fileID);
  expect(await findWrong(db)).toEqual([]);
});
