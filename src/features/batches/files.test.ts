import { describe, expect, test } from "bun:test";
import type { Client } from "../../../tests/kit/client.ts";
import { admin, person } from "../../../tests/kit/people.ts";
import { startServer } from "../../../tests/kit/server.ts";
import { useServer } from "../../../tests/kit/use-server.ts";

const files = "/api/v1/files";

const server = useServer();
const { owner, stranger, guest } = server.people();

const upload = async (who: Client, name: string, fields: Record<string, string> = {}) =>
  (await who.upload(name, name, fields)).body;
const batch = (who: Client, body: object) => who.post(`${files}/batch`, body);
const statuses = ({ body }: { body: any }) => body.results.map(({ status }: any) => status);

describe("a batch of files", () => {
  test("moves them, and reports each that is refused", async () => {
    const some = [await upload(owner, "a.txt"), await upload(owner, "b.txt")];
    await upload(owner, "b.txt", { path: "/moved" });
    const [other, hidden] = [
      await upload(stranger, "c.txt"),
      await upload(stranger, "d.txt", { visibility: "private" }),
    ];
    const ids = [...some, other, hidden].map(({ id }) => id);
    const { status, body } = await batch(owner, { ids, move: { path: "/moved" }, visibility: "private" });
    expect([status, body.changed]).toEqual([200, 1]);
    expect(body.results).toEqual([
      { id: ids[0], status: 200, error: null, copyID: null },
      { id: ids[1], status: 400, error: `There is already a file or directory named "b.txt" here.`, copyID: null },
      { id: ids[2], status: 403, error: "Only the owner or an admin can do this.", copyID: null },
      { id: ids[3], status: 404, error: `There is no file ${ids[3]}.`, copyID: null },
    ]);
    expect((await owner.get(`${files}/${ids[0]}`)).body).toMatchObject({ path: "/moved", visibility: "private" });
    expect((await owner.get(`${files}/${ids[1]}`)).body).toMatchObject({ path: "/", visibility: "public" });
    expect((await guest.get(`${files}/${ids[0]}`)).status).toBe(404);
  });

  test("moves a directory and what lies in it to the trash", async () => {
    const file = await upload(owner, "inner.txt", { path: "/outer" });
    const outer = (await owner.get(files)).body.find(({ name }: any) => name === "outer");
    const trashed = await batch(owner, { ids: [outer.id, file.id], trash: true });
    expect(statuses(trashed)).toEqual([200, 200]);
    expect((await owner.get(`${files}/${file.id}`)).status).toBe(404);
  });

  test("does not move a directory into itself", async () => {
    await upload(owner, "x.txt", { path: "/cycle/below" });
    const top = (await owner.get(files)).body.find(({ name }: any) => name === "cycle");
    const { body } = await batch(owner, { ids: [top.id], move: { path: "/cycle/below" } });
    const refused = { id: top.id, status: 400, error: `"path" must not be inside "cycle" itself.`, copyID: null };
    expect(body.results).toEqual([refused]);
    const copied = await batch(owner, { ids: [top.id], copy: { path: "/cycle/below" } });
    expect(copied.body.results).toEqual([refused]);
  });

  test("copies them with free names, and reports each that is refused", async () => {
    const some = [
      await upload(owner, "one.txt", { path: "/source" }),
      await upload(owner, "inner.txt", { path: "/source/below" }),
      await upload(owner, "one.txt", { path: "/other" }),
      await upload(stranger, "foreign.txt"),
    ];
    const below = (await owner.get(`${files}?path=/source`)).body.find(({ name }: any) => name === "below");
    const ids = [some[0].id, below.id, some[2].id, some[3].id, 99_999];
    const { body } = await batch(owner, { ids, copy: { path: "/copies" } });
    expect([body.changed, statuses({ body })]).toEqual([3, [200, 200, 200, 403, 404]]);
    expect(body.results.map(({ copyID }: any) => copyID !== null)).toEqual([true, true, true, false, false]);
    const { body: copies } = await owner.get(`${files}?path=/copies`);
    expect(copies.map(({ id, name }: any) => [id, name])).toEqual([
      [body.results[1].copyID, "below"],
      [body.results[2].copyID, "one (1).txt"],
      [body.results[0].copyID, "one.txt"],
    ]);
    const { body: inner } = await owner.get(`${files}?path=/copies/below`);
    expect(inner).toMatchObject([{ name: "inner.txt", sha256: some[1].sha256 }]);
    expect((await owner.get(`${files}/${some[0].id}`)).body.path).toBe("/source");
  });

  test("copies nothing of a directory with files of others, and nothing at all beyond the quota", async () => {
    await using small = await startServer({ QUOTA_BYTES: "25" });
    const [ada, bob] = [await person(small, "ada"), await person(small, "bob")];
    const mixed = (await ada.post("/api/v1/directories", { name: "mixed" })).body;
    const [ten, one] = [await upload(ada, "ten bytes.", { path: "/mixed" }), await upload(ada, "1")];
    const refused = await batch(ada, { ids: [one.id, ten.id, ten.id + 1000], copy: { path: "/full" } });
    expect(statuses(refused)).toEqual([200, 200, 404]);
    const over = await batch(ada, { ids: [one.id, ten.id], copy: { path: "/over" } });
    expect([over.status, over.body.error]).toEqual([expect.any(Number), expect.stringContaining("over the limit")]);
    expect(over.status).toBeGreaterThanOrEqual(400);
    expect((await ada.get(`${files}?path=/over`)).status).toBe(404);
    const chief = await admin(small, "chief");
    const moved = await upload(bob, "b");
    expect((await chief.post(`${files}/${moved.id}/move`, { path: "/mixed" })).status).toBe(200);
    const foreign = await batch(ada, { ids: [mixed.id], copy: { path: "/taken" } });
    expect(foreign.body.results).toMatchObject([{ status: 403, copyID: null }]);
    expect((await ada.get(`${files}?path=/taken`)).status).toBe(404);
  });

  test("two batches of the same files in opposite order both succeed", async () => {
    const some = await Promise.all(Array.from({ length: 40 }, (_, index) => upload(owner, `both-${index}.txt`)));
    const ids = some.map(({ id }) => id);
    const results = await Promise.all([
      batch(owner, { ids, move: { path: "/one" } }),
      batch(owner, { ids: ids.toReversed(), visibility: "private" }),
      batch(owner, { ids, move: { path: "/two" } }),
    ]);
    for (const result of results) expect([result.status, result.body.changed]).toEqual([200, 40]);
    const paths = await Promise.all(ids.map(async (id) => (await owner.get(`${files}/${id}`)).body));
    expect(new Set(paths.map(({ path }) => path)).size).toBe(1);
    expect(new Set(paths.map(({ visibility }) => visibility))).toEqual(new Set(["private"]));
  });

  test.each([
    [{ ids: [1] }, "Send at least one of: move, copy, visibility, trash."],
    [{ ids: [1], move: { path: "/../x" } }, '"move.path" must not be "..".'],
    [{ ids: [1], move: {} }, '"move.path" is required.'],
    [{ ids: [1], copy: { path: "/../x" } }, '"copy.path" must not be "..".'],
    [{ ids: [1], copy: { path: "/x" }, trash: true }, '"copy" cannot be combined with other changes.'],
    [{ ids: [1], visibility: "secret" }, '"visibility" must be one of public, private.'],
  ])("%j is refused", async (body, error) => {
    const refused = await batch(owner, body);
    expect([refused.status, refused.body.error]).toEqual([400, error]);
  });
});
