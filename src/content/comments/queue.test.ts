import { beforeAll, expect, test } from "bun:test";
import type { Client } from "../../../tests/kit/client.ts";
import { useServer } from "../../../tests/kit/use-server.ts";

const api = "/api/v1";

const server = useServer();
const people = server.people();
const reader = server.person("reader", "reader");
beforeAll(async () => {
  await people.admin.put(`${api}/settings`, { approveFirstComments: true });
});

const queue = async (who: Client, query = "") => (await who.get(`${api}/comments/queue${query}`)).body;
const comment = async (who: Client, blogPostID: number) =>
  (await who.post(`${api}/comments`, { content: "Hello", blogPostID })).body;

test("authors see what waits on their posts with the title of each, admins all of it, and approve it together", async () => {
  const { owner, stranger, admin } = people;
  const write = async (who: Client, title: string) => (await who.post(`${api}/blog`, { title, content: "…" })).body;
  const [first, second] = [await write(owner, "First"), await write(stranger, "Second")];
  const comments = [await comment(reader, first.id), await comment(reader, second.id), await comment(reader, first.id)];
  expect(comments.map(({ status }) => status)).toEqual(["waiting", "waiting", "waiting"]);
  const on = { post: { id: first.id, kind: "post", title: "First", slug: first.slug }, photo: null, album: null };
  expect(await queue(owner)).toEqual([
    { ...comments[0], ...on },
    { ...comments[2], ...on },
  ]);
  expect((await queue(stranger)).map(({ id }: any) => id)).toEqual([comments[1].id]);
  expect((await queue(admin)).map((one: any) => one.post.title)).toEqual(["First", "Second", "First"]);
  expect(await queue(reader)).toEqual([]);

  const page = await admin.get(`${api}/comments/queue?pageSize=2`);
  expect(page.body).toHaveLength(2);
  const next = /<[^>]*(\/api[^>]*)>; rel="next"/.exec(page.headers.get("Link") ?? "")?.[1] as string;
  expect((await admin.get(next)).body.map(({ id }: any) => id)).toEqual([comments[2].id]);

  const ids = comments.map(({ id }) => id);
  const approved = await owner.post(`${api}/comments/batch`, { ids, status: "visible" });
  expect(approved.body.results.map(({ status }: any) => status)).toEqual([200, 404, 200]);
  expect(await queue(owner)).toEqual([]);
  expect((await queue(owner, "?status=visible")).map(({ id }: any) => id)).toEqual([ids[2], ids[0]]);
  await admin.post(`${api}/comments/batch`, { ids: [ids[1]], status: "hidden" });
  expect(await queue(admin)).toEqual([]);
  expect((await queue(stranger, "?status=hidden")).map(({ id }: any) => id)).toEqual([ids[1]]);
  await owner.delete(`${api}/blog/${first.id}`);
  expect(await queue(owner, "?status=hidden")).toEqual([]);
});

test("what is asked for must exist", async () => {
  const { admin, guest } = people;
  expect((await admin.get(`${api}/comments/queue?status=odd`)).status).toBe(400);
  expect((await guest.get(`${api}/comments/queue`)).status).toBe(401);
});
