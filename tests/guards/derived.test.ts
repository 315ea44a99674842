// Runs only with TEST_LONG: it makes everything that is derived again, for each kind of change.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Database } from "../../src/platform/database/database.ts";
import { type Actors, changes, prepare, values } from "../kit/every-change.ts";
import { api, everyKind, findWrong, makerOf, openBeside, withNotes } from "../kit/every-kind.ts";
import { until } from "../kit/until.ts";
import { type Client, client } from "../kit/client.ts";
import { admin, password, person } from "../kit/people.ts";
import { useScratch } from "../kit/scratch.ts";
import { startServer, type TestServer } from "../kit/server.ts";

const dataDir = useScratch();
let server: TestServer;
let db: Database;
let actors: Actors;
let document: any;
/** The requests that were sent, such as `PUT /api/v1/photos/1`. */
const sent = new Set<string>();

beforeAll(async () => {
  server = await startServer({ DATA_DIR: dataDir, FFMPEG: "off" }, withNotes);
  db = await openBeside(server);
  const [owner, other] = [await person(server, "owner"), await person(server, "other")];
  actors = noteRequests({ owner, other, admin: await admin(server), guest: client(server) });
  document = (await actors.guest.get("/openapi.json")).body;
});
afterAll(async () => {
  await db.close();
  await server.close();
});

/** What follows from the records is as `vitrine rebuild` would write it. */
const expectNothingToRebuild = async (after: string) => expect([after, await findWrong(db)]).toEqual([after, []]);

describe.each(everyKind.map((kind) => [kind.name, kind] as const))("after each change of the kind %s", (name, kind) => {
  const { path } = makerOf(kind);

  test("there is nothing to rebuild", async () => {
    const { owner } = actors;
    const id = await prepare(name, actors);
    await expectNothingToRebuild("create");
    for (const field of fieldsOf(path)) {
      // It says what happens to the file when another field is changed.
      if (field === "original") continue;
      const find = values[name]?.[field];
      if (!find) throw new Error(`tests/kit/every-change.ts has no values for the field ${field} of the kind ${name}.`);
      for (const value of await find(actors, id)) {
        const { status, body } = await owner.put(`${path}/${id}`, { [field]: value });
        expect([field, status, body.error]).toEqual([field, 200, undefined]);
        await expectNothingToRebuild(`${field}: ${JSON.stringify(value)}`);
      }
    }
    for (const _ of [1, 2]) {
      expect((await owner.delete(`${path}/${id}`)).status).toBe(200);
      await expectNothingToRebuild("delete");
      expect((await restore(name, id)).status).toBe(200);
      await expectNothingToRebuild("restore");
    }
    await owner.delete(`${path}/${id}`);
    expect((await owner.delete(`${api}/trash/${await entryOf(name, id)}`)).status).toBe(200);
    await expectNothingToRebuild("permanent deletion");
  });
});

describe("there is nothing to rebuild after", () => {
  test.each(Object.entries(changes))("%s", async (what, change) => {
    await change(actors);
    await expectNothingToRebuild(what);
  });

  test("the removal of an owner, whose records another user gets, go to the trash or are deleted", async () => {
    const byAdmin = (query: string) => (leaving: Client) =>
      actors.admin.delete(`${api}/users/${leaving.userID}?${query}`);
    const removals = {
      giveTo: byAdmin(`giveTo=${actors.other.userID}`),
      trash: byAdmin("records=trash"),
      everything: (leaving: Client) => leaving.post(`${api}/me/removal`, { password }),
    };
    for (const [index, [what, remove]] of Object.entries(removals).entries()) {
      const leaving = await person(server, `leaving${index}`);
      for (const { name } of everyKind) {
        const id = await prepare(name, { ...actors, owner: leaving });
        await leaving.put(`${makerOf(everyKind.find((kind) => kind.name === name)!).path}/${id}`, {
          visibility: "private",
        });
      }
      expect((await remove(leaving)).status).toBe(200);
      await until(
        () => actors.admin.get(`${api}/users/${leaving.userID}`),
        ({ status }) => status === 404,
      );
      await expectNothingToRebuild(what);
    }
  });
});

/** Requests that change no record, or that this test cannot send: with the reason. */
const left: Record<string, string> = {
  "POST /api/v1/blog/preview": "changes nothing",
  "POST /api/v1/photos/duplicates": "changes no record",
  "POST /api/v1/files/known": "changes nothing",
  "POST /api/v1/files/known-sizes": "changes nothing",
  "POST /api/v1/imports/{id}/resume": "it goes on as any other import",
  "DELETE /api/v1/samples": "there are none; they go to the trash as other records do",
};

test("all requests that change records were sent", () => {
  const ofRecords = /^\/api\/v1\/(photos|imports|blog|comments|albums|files|directories|trash|notes|samples)\b/;
  const writes = Object.entries<any>(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations)
      .filter((method) => method !== "get" && ofRecords.test(path))
      .map((method) => `${method.toUpperCase()} ${path}`),
  );
  const isSent = (write: string) => {
    const pattern = new RegExp(`^${write.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
    return [...sent].some((request) => pattern.test(request));
  };
  expect(writes.filter((write) => !isSent(write) && !left[write])).toEqual([]);
});

/** The fields that a PUT takes, from the API document. */
function fieldsOf(path: string): string[] {
  const put = document.paths[`${path}/{id}`].put;
  if (!put) return [];
  const { $ref } = put.requestBody.content["application/json"].schema;
  return Object.keys(document.components.schemas[$ref.split("/").at(-1)].properties);
}

const entryOf = async (kind: string, id: number): Promise<number> =>
  (await actors.owner.get(`${api}/trash`)).body.find((one: any) => one.kind === kind && one.recordID === id).id;

const restore = async (kind: string, id: number) =>
  actors.owner.post(`${api}/trash/${await entryOf(kind, id)}/restore`);

function noteRequests(all: Actors): Actors {
  const note = (who: Client): Client => {
    const noted = (method: string, path: string) => void sent.add(`${method} ${path.split("?", 1)[0]}`);
    return {
      ...who,
      post: (path, ...more) => (noted("POST", path), who.post(path, ...more)),
      put: (path, ...more) => (noted("PUT", path), who.put(path, ...more)),
      delete: (path) => (noted("DELETE", path), who.delete(path)),
      request: (method, path, init) => (noted(method, path), who.request(method, path, init)),
      upload: (...sending) => (noted("POST", `${api}/files`), who.upload(...sending)),
    };
  };
  return { owner: note(all.owner), other: note(all.other), admin: note(all.admin), guest: note(all.guest) };
}
