// Runs on other engines only with TEST_LONG: its rows use the same statements as the tests of each module.
import { describe, expect, test } from "bun:test";
import { client, everything } from "../kit/client.ts";
import { useNewServer } from "../kit/permissions/expect-rows.ts";
import { api, fresh } from "../kit/permissions/records.ts";
import { ownRows } from "../kit/permissions/own-rows.ts";
import { rows as otherRows } from "../kit/permissions/rows.ts";
import { hiddenRows, shareRows } from "../kit/permissions/share-rows.ts";

const rows = [...otherRows, ...ownRows, ...shareRows, ...hiddenRows];

const used = useNewServer();

describe("the table", () => {
  test("every route of the API document has a row in the table", async () => {
    const described = (await operations()).map(({ route }) => route);
    expect(described.length).toBeGreaterThanOrEqual(100);
    expect(described.filter((route) => !inTable.has(route))).toEqual([]);
  });
});

type Operation = { method: string; path: string; route: string; isProtected: boolean };

/** The operations in the OpenAPI document; `route` is written as in the table. */
async function operations(): Promise<Operation[]> {
  const { body } = await used.people.guest.get("/openapi.json");
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
  test("the API document declares a token wherever the table above expects a 401", async () => {
    const expected = rows.filter((row) => row.expected[0] === 401 && !row.route.endsWith("of the original"));
    const described = (await operations()).filter(({ isProtected }) => isProtected).map(({ route }) => route);
    expect(described).toEqual(expect.arrayContaining([...new Set(expected.map(({ route }) => routeOf(route)))]));
  });

  test("without a valid token every protected route returns 401, whatever else is wrong", async () => {
    const isProtected = (await operations()).filter((operation) => operation.isProtected);
    expect(isProtected.length).toBeGreaterThanOrEqual(30);
    const { id: fileID } = await fresh.file(used.people);
    const before = await everything(used.server);
    for (const { method, path } of isProtected) {
      for (const id of [fileID, 999_999, "x"]) {
        for (const token of [null, "nonsense", `${used.people.owner.token}x`]) {
          const junk = method === "GET" ? {} : { body: "not JSON", headers: { "Content-Type": "text/plain" } };
          const answer = await client(used.server, token).request(method, path.replace(/\{\w+\}/g, String(id)), junk);
          expect([method, path, id, token, answer.status]).toEqual([method, path, id, token, 401]);
          expect(answer.body.error).toBeString();
        }
      }
    }
    expect(await everything(used.server)).toEqual(before);
  });

  const { photo, post, album, file, comment } = fresh;
  test.each([
    ["/photos", photo, { title: "" }],
    ["/blog", post, { title: "" }],
    ["/albums", album, { name: "" }],
    ["/files", file, { name: "" }],
    ["/comments", comment, { content: "" }],
  ])("%s/:id: checks the record first, then the permission, then the input", async (path, prepare, wrong) => {
    const { reader, stranger, owner, admin } = used.people;
    const { id } = await prepare(used.people);
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
      expect([path, (await used.people.reader.post(api + path, {})).status]).toEqual([path, 403]);
    }
    const { id } = await fresh.album(used.people);
    expect((await used.people.reader.post(`${api}/albums/999999/photos`, {})).status).toBe(404);
    expect((await used.people.reader.post(`${api}/albums/${id}/photos`, {})).status).toBe(403);
    expect((await used.people.stranger.post(`${api}/albums/${id}/photos`, { photoID: 999_999 })).status).toBe(403);
    expect((await used.people.stranger.delete(`${api}/albums/${id}/photos/999999`)).status).toBe(403);
    expect((await used.people.owner.post(`${api}/albums/${id}/photos`, {})).status).toBe(400);
  });

  test("a malformed id is a 400 and an unknown one a 404, also for a guest", async () => {
    for (const path of ["/photos", "/blog", "/albums"]) {
      expect((await used.people.guest.get(`${api}${path}/999999`)).status).toBe(404);
      for (const malformed of ["0", "-1", "1.5", "x", "01", "1e3", "99999999999999999999"]) {
        expect((await used.people.guest.get(`${api}${path}/${malformed}`)).status).toBe(400);
      }
    }
  });
});
