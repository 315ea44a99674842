import { beforeAll, expect, test } from "bun:test";
import { api, uploadPicture } from "../../../tests/kit/every-kind.ts";
import type { Client } from "../../../tests/kit/client.ts";
import { useServer } from "../../../tests/kit/use-server.ts";

const server = useServer();
const { owner, stranger, admin, guest } = server.people();
beforeAll(() => admin.put(`${api}/settings`, { photoComments: true }));

type Made = { id: number };
const make = async (path: string, fields: object): Promise<Made> => (await owner.post(`${api}/${path}`, fields)).body;
const kinds = [
  { path: "blog", field: "blogPostID", create: () => make("blog", { title: "Post", content: "…" }) },
  {
    path: "photos",
    field: "photoID",
    create: async () => make("photos", { title: "Dusk", fileID: await uploadPicture(owner) }),
  },
  { path: "albums", field: "albumID", create: () => make("albums", { name: "Lisbon" }) },
];

/** What somebody gets who knows only the number. Responses to guests come from memory from the second request on, long ones from the third. */
async function look(who: Client, query: string) {
  const seen: unknown[] = [];
  for (let time = 0; time < 4; time++) {
    const { status, body, headers } = await who.get(`${api}/comments?${query}`);
    const etag = headers.get("etag") ?? "";
    const again = await who.get(`${api}/comments?${query}`, { "If-None-Match": etag });
    const sent = [...headers]
      .filter(([name]) => !/^(date|x-request-id|ratelimit.*)$/.test(name))
      .map(([name, value]) => [name, value.replace(/ID=\d+/, "")]);
    seen.push({ status, body, sent, again: again.status });
  }
  return seen;
}

const byField = kinds.map(({ field, ...kind }) => [field, kind] as const);

test.each(byField)(
  "the filter %s finds nothing of what is hidden, deleted or unknown, as if it were empty",
  async (field, kind) => {
    const { path, create } = kind;
    const [empty, hidden, deleted] = [await create(), await create(), await create()];
    const comment = { content: "Kept back", [field]: hidden.id };
    await owner.post(`${api}/comments`, comment);
    await owner.post(`${api}/comments`, { ...comment, content: "A second" });
    await owner.put(`${api}/${path}/${hidden.id}`, { visibility: "private" });
    await owner.post(`${api}/comments`, { content: "Gone", [field]: deleted.id });
    await owner.delete(`${api}/${path}/${deleted.id}`);
    const next = deleted.id + 1;
    for (const who of [guest, stranger]) {
      for (const more of ["", "&cursor=&pageSize=1", "&status=visible"]) {
        const expected = await look(who, `${field}=${empty.id}${more}`);
        expect(expected[0]).toMatchObject({ status: 200, body: [], again: 304 });
        for (const id of [hidden.id, deleted.id, next, 999_999])
          expect([id, await look(who, `${field}=${id}${more}`)]).toEqual([id, expected]);
      }
    }
    expect((await owner.get(`${api}/comments?${field}=${hidden.id}`)).body).toHaveLength(2);
    expect((await owner.get(`${api}/comments?${field}=${deleted.id}`)).body).toEqual([]);

    // What was kept of them ends when there is something to see.
    await owner.put(`${api}/${path}/${hidden.id}`, { visibility: "public" });
    expect((await guest.get(`${api}/comments?${field}=${hidden.id}`)).body).toHaveLength(2);
    expect((await create()).id).toBe(next);
    await owner.post(`${api}/comments`, { content: "First", [field]: next });
    expect((await guest.get(`${api}/comments?${field}=${next}`)).body).toMatchObject([{ content: "First" }]);
    const { body: trash } = await owner.get(`${api}/trash`);
    await owner.post(`${api}/trash/${trash[0].id}/restore`);
    expect((await guest.get(`${api}/comments?${field}=${deleted.id}`)).body).toMatchObject([{ content: "Gone" }]);

    for (const value of ["", "0", "-1", "first", "1.5", "1e3"])
      expect([value, (await guest.get(`${api}/comments?${field}=${value}`)).status]).toEqual([value, 400]);
  },
);
