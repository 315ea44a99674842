import { beforeAll, expect, test } from "bun:test";
import type { Client } from "../../../tests/kit/client.ts";
import { png } from "../../../tests/kit/files/png.ts";
import { withDatabase } from "../../../tests/kit/server.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { maintainedCounts } from "../../platform/database/counts.ts";
import type { Database } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import { commentCounts } from "./tables.ts";

const api = "/api/v1";
/** More than one page of the site has: so its heading shows the stored count. */
const count = 110;
/** What the comments are on: its field, and its list. */
const targets = {
  post: { field: "blogPostID", list: "blog" },
  photo: { field: "photoID", list: "photos" },
} as const;

const server = useServer();
const people = server.people();
const { owner, stranger, guest, admin } = people;

beforeAll(() => admin.put(`${api}/settings`, { photoComments: true }));

async function createTarget(kind: keyof typeof targets): Promise<{ id: number; page: string }> {
  if (kind === "post") {
    const { body } = await owner.post(`${api}/blog`, { title: "Talk", content: "About this." });
    return { id: body.id, page: `/blog/${body.slug}` };
  }
  const { body: file } = await owner.upload("a.png", png(2, 2));
  const { body } = await owner.post(`${api}/photos`, { title: "Talk", fileID: file.id });
  return { id: body.id, page: `/photos/${body.id}` };
}

const recount = (db: Database) => maintainedCounts([commentCounts])[0]!.rebuild(db);
const setStatus = (id: number | undefined, status: string) => owner.put(`${api}/comments/${id}`, { status });

test.each(["post", "photo"] as const)(
  "the comments on a %s are counted for each visitor after every change",
  async (kind) => {
    const { field, list } = targets[kind];
    const target = await createTarget(kind);
    const write = (who: Client) => who.post(`${api}/comments`, { [field]: target.id, content: "A remark" });
    const written = await Promise.all(Array.from({ length: count }, (_, index) => write(index % 2 ? stranger : admin)));
    const ids = written.map(({ body }) => body.id as number);

    /** The number in the heading of the page is that of the comments that the visitor sees. */
    async function expectCounted(after: string): Promise<void> {
      for (const [name, who] of Object.entries({ owner, stranger, guest, admin })) {
        const seen = (await who.get(`${api}/comments?${field}=${target.id}`)).body.length;
        const page = (await who.get<string>(target.page, { Accept: "text/html" })).body;
        const [, shown] = /id="comments-title">[^<]*<span[^>]*>(\d+)</.exec(page) ?? [];
        expect([after, name, Number(shown)]).toEqual([after, name, seen]);
      }
      expect([after, await withDatabase(server, recount)]).toEqual([after, 0]);
    }

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
    await owner.delete(`${api}/${list}/${target.id}`);
    const deleted = (await owner.get(`${api}/trash`)).body.find((entry: any) => entry.kind === kind);
    await owner.delete(`${api}/trash/${deleted.id}`);
    expect(
      await withDatabase(server, (db) => db.all(sql`SELECT * FROM comment_counts WHERE target_kind = ${kind}`)),
    ).toEqual([]);
  },
);
