import { beforeAll, describe, expect, test } from "bun:test";
import { api, uploadPicture } from "../../../tests/kit/every-kind.ts";
import { type Client, client } from "../../../tests/kit/client.ts";
import { withDatabase } from "../../../tests/kit/server.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { sql } from "../../platform/database/sql.ts";
import { maintainedCounts } from "../../platform/database/counts.ts";
import { heartCounts } from "./tables.ts";

const server = useServer();
const people = server.people();
const switchTo = (hearts: boolean) => people.admin.put(`${api}/settings`, { hearts });

async function createAll(): Promise<string[]> {
  const { owner } = people;
  const made = async (path: string, body: object) =>
    `${api}/${path}/${(await owner.post(`${api}/${path}`, body)).body.id}`;
  return [
    await made("photos", { title: "Dusk", fileID: await uploadPicture(owner) }),
    await made("albums", { name: "Lisbon" }),
    await made("blog", { title: "Post", content: "…" }),
  ];
}

const put = (who: Client, path: string, headers: Record<string, string> = {}) =>
  who.request("PUT", `${path}/heart`, { headers });
const cookieOf = ({ headers }: { headers: Headers }) => ({ Cookie: headers.get("set-cookie")?.split(";")[0] ?? "" });

describe("hearts", () => {
  test("are off by default", async () => {
    const [photo = ""] = await createAll();
    expect((await people.guest.get(`${photo}/heart`)).body).toEqual({ hearts: 0, hasHeart: false, isOpen: false });
    const { status, body } = await put(people.stranger, photo);
    expect([status, body.error]).toEqual([403, "Hearts are switched off on this site."]);
  });

  describe("switched on", () => {
    beforeAll(() => switchTo(true));

    test("each account gives one, and a guest one for each cookie, which is set by the first", async () => {
      const { stranger, owner, guest } = people;
      for (const path of await createAll()) {
        const etag = (await guest.get(path)).headers.get("etag");
        expect((await put(stranger, path)).body).toEqual({ hearts: 1, hasHeart: true, isOpen: true });
        const again = await put(stranger, path);
        expect([again.body.hearts, again.headers.get("set-cookie")]).toEqual([1, null]);
        expect((await put(owner, path)).body.hearts).toBe(2);

        expect((await guest.get(`${path}/heart`)).headers.get("set-cookie")).toBeNull();
        const first = await put(guest, path);
        expect(first.body).toEqual({ hearts: 3, hasHeart: true, isOpen: true });
        expect(first.headers.get("set-cookie")).toMatch(
          /^vitrine-hearts=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/,
        );
        const cookie = cookieOf(first);
        expect((await put(guest, path, cookie)).body.hearts).toBe(3);
        const read = await guest.get(`${path}/heart`, cookie);
        expect([read.body.hasHeart, read.headers.get("cache-control")]).toEqual([true, "private, no-store"]);
        expect((await guest.get(`${path}/heart`)).body).toEqual({ hearts: 3, hasHeart: false, isOpen: true });

        const take = () => guest.request("DELETE", `${path}/heart`, { headers: cookie });
        expect((await take()).body).toEqual({ hearts: 2, hasHeart: false, isOpen: true });
        expect((await take()).body.hearts).toBe(2);
        // A heart is no change of the record: whoever edits it meanwhile can save.
        expect((await guest.get(path)).headers.get("etag")).toBe(etag);
      }
    });

    test("no page of another site gives one, and nobody to what they may not see", async () => {
      const { owner, stranger, guest } = people;
      for (const path of await createAll()) {
        expect((await put(guest, path, { Origin: "https://elsewhere.example" })).status).toBe(403);
        await owner.put(path, { visibility: "private" });
        for (const who of [guest, stranger]) {
          expect((await put(who, path)).status).toBe(404);
          expect((await who.get(`${path}/heart`)).status).toBe(404);
        }
        expect((await put(owner, path)).body.hearts).toBe(1);
      }
    });

    test("many at once are all counted, and go with what they were given to", async () => {
      const { owner, guest } = people;
      const [photo = ""] = await createAll();
      await Promise.all(Array.from({ length: 12 }, () => put(client(server), photo)));
      expect((await guest.get(`${photo}/heart`)).body.hearts).toBe(12);
      await withDatabase(server, async (db) => expect(await maintainedCounts([heartCounts])[0]!.rebuild(db)).toBe(0));
      await owner.delete(photo);
      await owner.delete(`${api}/trash`);
      const id = Number(photo.split("/").at(-1));
      const left = await withDatabase(server, (db) =>
        db.all(sql`
          SELECT target_id FROM hearts WHERE target_kind = 'photo' AND target_id = ${id}
          UNION ALL SELECT id FROM heart_counts WHERE target_kind = 'photo' AND id = ${id}`),
      );
      expect(left).toEqual([]);
    });
  });
});
