import { beforeAll, expect, test } from "bun:test";
import { type Client, withDatabase } from "../../../tests/kit.ts";
import { useServer } from "../../../tests/use-server.ts";
import { sql } from "../../platform/database/sql.ts";
import { commentCounts } from "./count.ts";

const api = "/api/v1";
/** More than one page of the site has: so its heading shows the stored count. */
const count = 110;
let post: { id: number; slug: string };
let ids: number[];

const server = useServer();
const people = server.people();
const { owner, stranger, guest, admin } = people;

beforeAll(async () => {
  post = (await owner.post(`${api}/blog`, { title: "Talk", content: "About this." })).body;
  const write = (who: Client) => who.post(`${api}/comments`, { blogPostID: post.id, content: "A remark" });
  const written = await Promise.all(Array.from({ length: count }, (_, index) => write(index % 2 ? stranger : admin)));
  ids = written.map(({ body }) => body.id);
});

/** The number in the heading of the post's page is that of the comments that the visitor sees. */
async function expectCounted(after: string): Promise<void> {
  for (const [name, who] of Object.entries({ owner, stranger, guest, admin })) {
    const seen = (await who.get(`${api}/comments?blogPostID=${post.id}`)).body.length;
    const page = (await who.get<string>(`/blog/${post.slug}`, { Accept: "text/html" })).body;
    const [, shown] = /id="comments-title">[^<]*<span[^>]*>(\d+)</.exec(page) ?? [];
    expect([after, name, Number(shown)]).toEqual([after, name, seen]);
  }
  expect([after, await withDatabase(server, commentCounts.rebuild)]).toEqual([after, 0]);
}

const setStatus = (id: number | undefined, status: string) => owner.put(`${api}/comments/${id}`, { status });

test("the comments on a post are counted for each visitor after every change", async () => {
  await expectCounted("create");
  await setStatus(ids[0], "hidden");
  await setStatus(ids[1], "hidden");
  await setStatus(ids[3], "waiting");
  await expectCounted("hide");
  await setStatus(ids[1], "visible");
  await owner.put(`${api}/comments/${ids[1]}`, { status: "visible" });
  await stranger.put(`${api}/comments/${ids[5]}`, { content: "Another remark" });
  await expectCounted("show");
  for (const id of [ids[0], ids[2], ids[3]]) await owner.delete(`${api}/comments/${id}`);
  await expectCounted("delete");
  const entries = (await owner.get(`${api}/trash`)).body.filter(({ kind }: any) => kind === "comment");
  await owner.post(`${api}/trash/${entries[0].id}/restore`);
  await owner.delete(`${api}/trash/${entries[1].id}`);
  await expectCounted("restore, and permanent deletion");
  await owner.delete(`${api}/blog/${post.id}`);
  const deleted = (await owner.get(`${api}/trash`)).body.find(({ kind }: any) => kind === "post");
  await owner.delete(`${api}/trash/${deleted.id}`);
  expect(await withDatabase(server, (db) => db.all(sql`SELECT * FROM comment_counts`))).toEqual([]);
});
