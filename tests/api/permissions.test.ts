// Runs on other engines only with TEST_LONG: its rows use the same statements as the tests of each module.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { tus } from "../../src/features/uploads/tus.test.ts";
import { type Client, client, everything } from "../kit/client.ts";
import { startServer, type TestServer } from "../kit/server.ts";
import { api, createEverybody, everybody, fresh, linkTo, type People } from "../kit/permissions/records.ts";
import { ownRows } from "../kit/permissions/own-rows.ts";
import { rows as otherRows } from "../kit/permissions/rows.ts";
import { hiddenRows, shareRows } from "../kit/permissions/share-rows.ts";

const rows = [...otherRows, ...ownRows, ...shareRows, ...hiddenRows];

let server: TestServer;
let people: People;

function useNewServer(): void {
  beforeAll(async () => {
    server = await startServer({ WEBHOOK_ALLOW_PRIVATE: "true" });
    people = await createEverybody(server);
  });
  afterAll(() => server.close());
}

/** What a refused request must not have changed: everything a guest sees, and what the admin sees of the record. */
async function stateOf({ watch = [], trashOf }: { watch?: string[]; trashOf?: Client } = {}) {
  const watched = watch.map(async (path) => [path, (await people.admin.get(path, tus)).body]);
  const trash = await trashOf?.get(`${api}/trash`);
  return { ...(await everything(server)), watched: await Promise.all(watched), trash: trash?.body };
}

// All records are compared after each request, so a server gets only a part of the rows.
const rowsPerServer = 20;
const parts = Array.from({ length: Math.ceil(rows.length / rowsPerServer) }, (_, index) =>
  rows.slice(index * rowsPerServer, (index + 1) * rowsPerServer),
);

describe.each(parts.map((part) => [part]))("permissions", (part) => {
  useNewServer();

  test.each(part.map((row) => [row.route, row] as const))("%s", async (_route, { expected, link, prepare, send }) => {
    const columns = [
      ...everybody.map((who, index) => [who, expected[index]] as const),
      ["link", link ?? expected[0]] as const,
    ];
    for (const [who, wanted] of columns) {
      const record = await prepare?.(people);
      const sender = who === "link" ? await linkTo(server, people, record) : people[who];
      const before = Number(wanted) >= 400 ? await stateOf(record) : null;
      const { status, body } = await send(sender, record);
      expect([who, status]).toEqual([who, wanted as number]);
      if (!before) continue;
      expect(body.error).toBeString();
      expect(await stateOf(record)).toEqual(before);
    }
  });
});

describe("the table", () => {
  useNewServer();

  test("every route of the API document has a row in the table", async () => {
    const described = (await operations()).map(({ route }) => route);
    expect(described.length).toBeGreaterThanOrEqual(100);
    expect(described.filter((route) => !inTable.has(route))).toEqual([]);
  });
});

type Operation = { method: string; path: string; route: string; isProtected: boolean };

/** The operations in the OpenAPI document; `route` is written as in the table. */
async function operations(): Promise<Operation[]> {
  const { body } = await people.guest.get("/openapi.json");
  return Object.entries(body.paths as Record<string, Record<string, any>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([name, { security }]) => {
      const method = name.toUpperCase();
      const route = `${method} ${path.replace(api, "").replace(/\{(\w+)\}/g, ":$1")}`;
      // An empty security requirement means that guests are allowed, too.
      const isProtected = security.length > 0 && !security.some((way: object) => Object.keys(way).length === 0);
      return { method, path, route, isProtected };
    }),
  );
}

const routeOf = (title: string) => title.split(/,? /, 2).join(" ");
const inTable = new Set(rows.map(({ route }) => routeOf(route)));

describe("the order of checks", () => {
  useNewServer();

  test("the API document declares a token wherever the table above expects a 401", async () => {
    const expected = rows.filter((row) => row.expected[0] === 401 && !row.route.endsWith("of the original"));
    const described = (await operations()).filter(({ isProtected }) => isProtected).map(({ route }) => route);
    expect(described).toEqual(expect.arrayContaining([...new Set(expected.map(({ route }) => routeOf(route)))]));
  });

  test("without a valid token every protected route returns 401, whatever else is wrong", async () => {
    const isProtected = (await operations()).filter((operation) => operation.isProtected);
    expect(isProtected.length).toBeGreaterThanOrEqual(30);
    const { id: fileID } = await fresh.file(people);
    const before = await everything(server);
    for (const { method, path } of isProtected) {
      for (const id of [fileID, 999_999, "x"]) {
        for (const token of [null, "nonsense", `${people.owner.token}x`]) {
          const junk = method === "GET" ? {} : { body: "not JSON", headers: { "Content-Type": "text/plain" } };
          const answer = await client(server, token).request(method, path.replace(/\{\w+\}/g, String(id)), junk);
          expect([method, path, id, token, answer.status]).toEqual([method, path, id, token, 401]);
          expect(answer.body.error).toBeString();
        }
      }
    }
    expect(await everything(server)).toEqual(before);
  });

  const { photo, post, album, file, comment } = fresh;
  test.each([
    ["/photos", photo, { title: "" }],
    ["/blog", post, { title: "" }],
    ["/albums", album, { name: "" }],
    ["/files", file, { name: "" }],
    ["/comments", comment, { content: "" }],
  ])("%s/:id: checks the record first, then the permission, then the input", async (path, prepare, wrong) => {
    const { reader, stranger, owner, admin } = people;
    const { id } = await prepare(people);
    for (const who of [reader, stranger, owner, admin]) {
      expect((await who.put(`${api}${path}/999999`, wrong)).status).toBe(404);
      expect((await who.delete(`${api}${path}/999999`)).status).toBe(404);
      for (const malformed of ["0", "-1", "1.5", "x", "01", "99999999999999999999"]) {
        expect((await who.put(`${api}${path}/${malformed}`, wrong)).status).toBe(400);
        expect((await who.delete(`${api}${path}/${malformed}`)).status).toBe(400);
      }
    }
    for (const who of [reader, stranger]) {
      for (const body of [wrong, {}, "not JSON", "[]"])
        expect((await who.put(`${api}${path}/${id}`, body)).status).toBe(403);
    }
    for (const body of [wrong, {}, "not JSON", "[]"])
      expect((await owner.put(`${api}${path}/${id}`, body)).status).toBe(400);
  });

  test("the role of a reader is checked before the input", async () => {
    for (const path of ["/photos", "/blog", "/albums", "/directories", "/files"]) {
      expect([path, (await people.reader.post(api + path, {})).status]).toEqual([path, 403]);
    }
    const { id } = await fresh.album(people);
    expect((await people.reader.post(`${api}/albums/999999/photos`, {})).status).toBe(404);
    expect((await people.reader.post(`${api}/albums/${id}/photos`, {})).status).toBe(403);
    expect((await people.stranger.post(`${api}/albums/${id}/photos`, { photoID: 999_999 })).status).toBe(403);
    expect((await people.stranger.delete(`${api}/albums/${id}/photos/999999`)).status).toBe(403);
    expect((await people.owner.post(`${api}/albums/${id}/photos`, {})).status).toBe(400);
  });

  test("a malformed id is a 400 and an unknown one a 404, also for a guest", async () => {
    for (const path of ["/photos", "/blog", "/albums"]) {
      expect((await people.guest.get(`${api}${path}/999999`)).status).toBe(404);
      for (const malformed of ["0", "-1", "1.5", "x", "01", "1e3", "99999999999999999999"]) {
        expect((await people.guest.get(`${api}${path}/${malformed}`)).status).toBe(400);
      }
    }
  });
});
