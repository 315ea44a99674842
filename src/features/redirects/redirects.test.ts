import { afterAll, expect, test } from "bun:test";
import { observe } from "../../platform/database/observe.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { png } from "../../../tests/kit/files/png.ts";
import { useServer } from "../../../tests/kit/use-server.ts";

const api = "/api/v1";
let statements = 0;
const stop = observe((_engine, queries) => ({
  ...queries,
  ...(queries.all && { all: <Row>(query: Sql) => (statements++, queries.all!<Row>(query)) }),
  ...(queries.get && { get: <Row>(query: Sql) => (statements++, queries.get!<Row>(query)) }),
}));
afterAll(stop);
const server = useServer();
const { guest, owner, admin } = server.people();

const add = async (from: string, to: string) => (await admin.post(`${api}/redirects`, { from, to })).body;
const listed = async (query = "") =>
  (await admin.get(`${api}/redirects?cursor=${query}`)).body.map(({ from }: any) => from);
const leads = async (path: string) => {
  const { status, headers } = await guest.request("GET", path, { redirect: "manual" });
  return status === 301 ? headers.get("location") : status;
};

test("redirects are found by their addresses, changed, and never lead in a circle", async () => {
  const { body: post } = await owner.post(`${api}/blog`, { title: "Lisbon", content: "Text" });
  const { body: album } = await owner.post(`${api}/albums`, { name: "Porto" });
  const one = await add("https://old.example/2019/05/Lisbon_100%25/", "/blog/lisbon");
  expect(one).toMatchObject({ from: "/2019/05/Lisbon_100%", to: "/blog/lisbon", title: "Lisbon", recordID: post.id });
  const other = await add("/café", "/albums");
  expect(other).toMatchObject({ from: "/café", to: "/albums", title: null, kind: "path" });

  for (const q of ["lisbon_", "100%25", "https://old.example/2019/05/Lisbon_100%25/", "/2019/"])
    expect([q, await listed(`&q=${encodeURIComponent(q)}`)]).toEqual([q, [one.from]]);
  expect(await listed(`&q=${encodeURIComponent("/caf%C3%A9/")}`)).toEqual(["/café"]);
  expect(await listed("&q=2019_")).toEqual([]);

  const refused = async (id: number | null, body: object) => {
    const sent = id === null ? admin.post(`${api}/redirects`, body) : admin.put(`${api}/redirects/${id}`, body);
    const { code, field } = (await sent).body;
    return [code, field];
  };
  const cases: [number | null, object, string, string][] = [
    [null, { from: "/", to: "/blog" }, "invalid", "from"],
    [null, { from: "/a", to: "https://elsewhere.example/" }, "invalid", "to"],
    [null, { from: "/a", to: "/albums/999999" }, "invalid", "to"],
    [null, { from: "/caf%C3%A9/", to: "/photos" }, "conflict", "from"],
    [null, { from: "/a", to: "/a/" }, "conflict", "to"],
    [null, { from: "/a", to: "/a?page=2" }, "conflict", "to"],
    [null, { from: "/albums", to: "/café" }, "conflict", "to"],
    [one.id, { from: "/café" }, "conflict", "from"],
    [one.id, { to: "/café" }, "conflict", "to"],
    [other.id, { from: "/albums" }, "conflict", "to"],
  ];
  for (const [id, body, code, field] of cases) expect([body, await refused(id, body)]).toEqual([body, [code, field]]);

  const changed = await admin.put(`${api}/redirects/${one.id}`, { from: "/lisboa", to: `/albums/${album.id}` });
  expect(changed.body).toMatchObject({ from: "/lisboa", title: "Porto", recordID: album.id });
  expect(await leads("/lisboa/")).toBe(`/albums/${album.id}`);
  expect(await leads("/2019/05/Lisbon_100%25/")).toBe(404);
  await owner.delete(`${api}/albums/${album.id}`);
  expect((await admin.get(`${api}/redirects/${one.id}`)).body).toMatchObject({ to: null, title: null });
  expect((await admin.put(`${api}/redirects/${one.id}`, { from: "/lissabon" })).body).toMatchObject({ to: null });

  const { body } = await admin.post(`${api}/redirects/remove`, { ids: [one.id, 999_999, other.id] });
  expect(body.changed).toBe(2);
  expect(body.results.map(({ status }: any) => status)).toEqual([200, 404, 200]);
  expect(await listed()).toEqual([]);
});

test("the path of a tag is decoded once", async () => {
  for (const [tag, path] of [
    ["50%", "/tags/50%25"],
    ["a%20b", "/tags/a%2520b"],
    ["a b", "/tags/a%20b"],
  ] as const) {
    const { status } = await owner.post(`${api}/blog`, { title: "Tagged", content: "Text", tags: [tag] });
    expect(status).toBe(201);
    const from = `/from${path}`;
    const redirect = await add(from, path);
    expect(redirect).toMatchObject({ kind: "tag", to: path, title: tag });
    expect(await leads(from)).toBe(path);
    await admin.post(`${api}/redirects/remove`, { ids: [redirect.id] });
  }
});

test("a page of redirects costs the same number of statements, however many it has", async () => {
  const { body: file } = await owner.upload("a.png", png(2, 2));
  const make = async (path: string, body: object) => (await owner.post(api + path, body)).body.id as number;
  const addRound = async (round: number) => {
    const photo = await make("/photos", { title: `Photo ${round}`, fileID: file.id });
    const album = await make("/albums", { name: `Album ${round}` });
    await make("/blog", { title: `Round ${round}`, content: "Text" });
    const targets = [`/blog/round-${round}`, `/photos/${photo}`, `/albums/${album}`, "/tags/sea"];
    for (const [index, to] of [...targets, `${api}/files/${file.id}/content`].entries())
      expect((await add(`/round/${round}/${index}`, to)).to).toBe(to);
  };
  /** The least of some attempts: jobs may send statements meanwhile. */
  const count = async () => {
    const costs: number[] = [];
    for (let attempt = 0; attempt < 5; attempt++) {
      const before = statements;
      await listed("&pageSize=100");
      costs.push(statements - before);
    }
    return [(await listed("&pageSize=100")).length, Math.min(...costs)];
  };
  await addRound(1);
  const [few, cost = 0] = await count();
  await addRound(2);
  await addRound(3);
  expect(few).toBe(5);
  expect(cost).toBeGreaterThan(3);
  expect(await count()).toEqual([15, cost]);
});
