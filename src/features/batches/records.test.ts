import { describe, expect, test } from "bun:test";
import type { Client } from "../../../tests/kit/client.ts";
import { useServer } from "../../../tests/kit/use-server.ts";

const server = useServer();
const { owner, stranger, guest } = server.people();

const kinds = [
  { kind: "post", path: "/api/v1/blog", draft: { title: "Post", content: "…" } },
  { kind: "album", path: "/api/v1/albums", draft: { name: "Album" } },
];

describe.each(kinds)("a batch of records of the kind $kind", ({ kind, path, draft }) => {
  const create = async (who: Client, more: object = {}) => (await who.post(path, { ...draft, ...more })).body.id;
  const batch = (who: Client, body: object) => who.post(`${path}/batch`, body);
  const statuses = ({ body }: { body: any }) => body.results.map(({ status }: any) => status);

  test("changes who can see them, and reports each that is refused", async () => {
    const ids = [
      await create(owner),
      await create(stranger),
      await create(stranger, { visibility: "private" }),
      await create(owner),
    ];
    const { body } = await batch(owner, { ids, visibility: "private" });
    expect([body.changed, statuses({ body })]).toEqual([2, [200, 403, 404, 200]]);
    const seen = await Promise.all(ids.map(async (id) => (await guest.get(`${path}/${id}`)).status));
    expect(seen).toEqual([404, 200, 404, 404]);
    expect((await guest.get(path)).headers.get("X-Total-Count")).toBe("1");
  });

  test("moves them to the trash, and the same ids bring them back", async () => {
    const ids = await Promise.all(Array.from({ length: 30 }, () => create(owner)));
    expect((await batch(owner, { ids, trash: true })).body.changed).toBe(30);
    expect((await guest.get(`${path}/${ids[0]}`)).status).toBe(404);
    const { body } = await owner.post("/api/v1/trash/restore", { records: ids.map((id) => ({ kind, id })) });
    expect(body.changed).toBe(30);
    expect((await guest.get(`${path}/${ids[0]}`)).status).toBe(200);
  });

  test("two batches in opposite order both succeed", async () => {
    const ids = await Promise.all(Array.from({ length: 30 }, () => create(owner)));
    const both = [
      batch(owner, { ids, visibility: "private" }),
      batch(owner, { ids: ids.toReversed(), visibility: "public" }),
    ];
    for (const { body } of await Promise.all(both)) expect(body.changed).toBe(30);
  });

  test("needs a change, and a token", async () => {
    const refused = await batch(owner, { ids: [1] });
    expect([refused.status, refused.body.error]).toEqual([400, 'Send "visibility", or "trash": true.']);
    expect((await batch(guest, { ids: [1], trash: true })).status).toBe(401);
  });
});
