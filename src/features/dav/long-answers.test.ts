import { beforeAll, expect, test } from "bun:test";
import { type Dav, davOf, davWith, hrefsIn } from "../../../tests/dav/client.ts";
import { withDatabase } from "../../../tests/kit/server.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { sql } from "../../platform/database/sql.ts";
import { writeInner } from "./xml-writer.ts";

const server = useServer();
const { owner } = server.people();
const entries = 100;
let own: Dav;
let guest: Dav;
let directoryID = 0;
beforeAll(async () => {
  own = await davOf(server, owner, "owner");
  const { body } = await owner.post("/api/v1/directories", { path: "/", name: "many" });
  directoryID = body.id;
  await withDatabase(server, (db) =>
    db.transaction((tx) =>
      tx.run(sql`
        WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${entries})
        INSERT INTO files (parent_id, owner_id, name, name_key, order_key, size, is_private, created_at, updated_at)
        SELECT CAST(${directoryID} AS BIGINT), CAST(${owner.userID} AS BIGINT), 'd' || n, 'd' || n, '0d' || n, 0, 0, 1, 1 FROM numbers`),
    ),
  );
  const { body: link } = await owner.post("/api/v1/shares", { kind: "directory", id: directoryID });
  guest = davWith(server, "share", link.token);
});

const asking = (inner: string, namespace = "x") =>
  `<propfind xmlns="DAV:" xmlns:x="${namespace}"><prop>${inner}</prop></propfind>`;
const named = (count: number) => Array.from({ length: count }, (_, index) => `<x:p${index}/>`).join("");
const find = (dav: Dav, path: string, body: string) => dav("PROPFIND", path, { headers: { Depth: "1" }, body });
const patching = (inner: string, namespace = "x") =>
  `<propertyupdate xmlns="DAV:" xmlns:x="${namespace}"><set><prop>${inner}</prop></set></propertyupdate>`;
const locking = (inner: string, namespace = "x") =>
  `<lockinfo xmlns="DAV:" xmlns:x="${namespace}"><lockscope><shared/></lockscope><locktype><write/></locktype><owner>${inner}</owner></lockinfo>`;

test("a request can ask for 200 properties, with names and namespaces of 400 characters", async () => {
  const [longest, tooLong] = ["x".repeat(400), "x".repeat(401)];
  for (const dav of [own, guest]) {
    const at = dav === own ? "many/" : "";
    expect((await find(dav, at, asking(named(200), longest))).status).toBe(207);
    expect((await find(dav, at, asking(`<x:${longest}/>`))).status).toBe(207);
    for (const body of [asking(named(201)), asking("<x:p/>", tooLong), asking(`<x:${tooLong}/>`)])
      expect((await find(dav, at, body)).status).toBe(400);
    const more = `<propfind xmlns="DAV:"><allprop/><include>${named(201).replaceAll("x:", "")}</include></propfind>`;
    expect((await find(dav, at, more)).status).toBe(400);
  }
  for (const body of [patching(named(201)), patching("<x:p/>", tooLong), patching(`<x:p x:${tooLong}=""/>`)])
    expect((await own("PROPPATCH", "many", { body })).status).toBe(400);
});

test("what nothing has is named for each entry of a list, but not when the names are longer than the list", async () => {
  const few = await (await find(guest, "", asking("<x:p/>"))).text();
  expect([hrefsIn(few).length, few.split("404 Not Found").length - 1]).toEqual([entries + 1, entries + 1]);
  const many = await (await find(guest, "", asking(named(200), "x".repeat(400)))).text();
  expect(hrefsIn(many).length).toBe(entries + 1);
  expect(many.split("<x:p199 ").length - 1).toBeGreaterThan(5);
  expect(many.length).toBeLessThan(2.5 * 2 ** 20);
});

test("a short name that stands for a long namespace is not written again and again", async () => {
  const body = [named(3000), "x".repeat(400)] as const;
  expect((await own("LOCK", "many", { body: locking(...body) })).status).toBe(400);
  expect((await own("PROPPATCH", "many", { body: patching(`<x:one>${body[0]}</x:one>`, body[1]) })).status).toBe(507);
  let visited = 0;
  const child = {
    namespace: body[1],
    name: "a",
    children: [],
    get attributes() {
      return (visited++, []);
    },
  };
  const parent = { namespace: "", name: "b", attributes: [], children: Array.from({ length: 1000 }, () => child) };
  const room = { left: 2000, refuse: () => new Error("There is no room.") };
  expect(() => writeInner(parent, room)).toThrow("There is no room.");
  expect(visited).toBeLessThan(10);
});

test("the locks of a directory are not all told for each entry in it", async () => {
  for (let count = 0; count < 20; count++)
    expect((await own("LOCK", "many", { body: locking("o".repeat(900)) })).status).toBe(200);
  const told = await (await find(own, "many/", asking('<lockdiscovery xmlns="DAV:"/>'))).text();
  expect(told.split("<d:activelock>").length - 1).toBeGreaterThan(entries);
  expect(told.length).toBeLessThan(entries * 8000);
  await withDatabase(server, (db) => db.transaction((tx) => tx.run(sql`DELETE FROM dav_locks`)));
});

test("what clients have noted comes with each file, though it is read for some files at a time", async () => {
  const value = `<x:note xmlns:x="x">${"n".repeat(120_000)}</x:note>`;
  await withDatabase(server, (db) =>
    db.transaction((tx) =>
      tx.run(sql`
        INSERT INTO dav_properties (file_id, namespace, name, value)
        SELECT id, 'x', 'note', ${value} FROM files WHERE parent_id = ${directoryID} AND name < 'd30'`),
    ),
  );
  const told = await (await find(own, "many/", asking("<x:note/>"))).text();
  const has = (name: string) =>
    told.split(`<d:href>/dav/many/${name}/</d:href>`)[1]?.startsWith("<d:propstat><d:prop><x:note");
  expect(told.split(value).length - 1).toBe(24);
  expect([has("d1"), has("d2"), has("d29")]).toEqual([true, true, true]);
  expect(hrefsIn(told).length).toBe(entries + 1);
});
