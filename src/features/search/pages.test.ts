import { beforeAll, describe, expect, test } from "bun:test";
import { visitPages } from "../../../tests/kit/cursors.ts";
import type { Answer } from "../../../tests/kit/client.ts";
import { useServer } from "../../../tests/kit/use-server.ts";

const api = "/api/v1";
const path = `${api}/search?q=lantern`;
const [named, titled, mentioned] = [105, 110, 120];
let ids: number[];

const server = useServer();
const owner = server.person("owner");
const { guest } = server;
beforeAll(async () => {
  const albums = [
    ...Array.from({ length: mentioned }, (_, number) => ({ name: `Album ${number}`, description: "With a lantern" })),
    ...Array.from({ length: titled }, (_, number) => ({ name: `Lantern ${number}`, description: "lantern" })),
    ...Array.from({ length: named }, () => ({ name: "Lantern" })),
  ];
  // Mixed, so that no field is ahead of the others by its age alone.
  const mixed = albums.map((album, number) => [(number * 101) % albums.length, album] as const);
  const bodies = mixed.toSorted(([one], [other]) => one - other).map(([, album]) => album);
  ids = [];
  for (const body of bodies) ids.push((await owner.post(`${api}/albums`, body)).body.id);
});

const idsOf = (results: any[]): number[] => results.map(({ id }) => id);
const byNumber = (one: number, other: number) => one - other;

function cursorOf({ headers }: Answer): [list: string, id: number, key: number] {
  const text = /cursor=([^&>]+)[^>]*>; rel="next"/.exec(headers.get("link") ?? "")?.[1] ?? "";
  return JSON.parse(Buffer.from(text, "base64url").toString());
}

describe("the results of a search with many matches", () => {
  test.each([7, 64, 335, 1000])(
    "come once each, %d to a page, in the same order as without pages",
    async (pageSize) => {
      const pages = await visitPages(guest, path, pageSize);
      const results = pages.flat();
      expect(idsOf(results).toSorted(byNumber)).toEqual(ids.toSorted(byNumber));
      expect(pages.slice(0, -1).every((page) => page.length === pageSize)).toBe(true);
      expect(results.slice(0, 100)).toEqual((await guest.get(`${path}&limit=100`)).body);
      // Only the newest hundred are ranked together.
      expect(results.slice(0, 100).every(({ title }) => title === "Lantern")).toBe(true);
    },
  );

  test("do not tell how many matches there are that the viewer may not see", async () => {
    const first = await guest.get(`${api}/search?q=album&cursor=&pageSize=50`);
    for (const { id } of first.body) await owner.put(`${api}/albums/${id}`, { visibility: "private" });
    expect(cursorOf(await guest.get(`${api}/search?q=album&cursor=&pageSize=50`)).slice(1)).toEqual([50, 50]);
    const next = (await visitPages(guest, `${api}/search?q=album`, 50)).flat();
    expect(idsOf(next).some((id) => idsOf(first.body).includes(id))).toBe(false);
    expect((await visitPages(owner, `${api}/search?q=album`, 50)).flat()).toHaveLength(next.length + 50);
  });

  test("need a cursor that was made for this search", async () => {
    const [list, id, key] = cursorOf(await guest.get(`${path}&cursor=&pageSize=5`));
    const at = async (search: string, cursor: unknown[]) => {
      const encoded = Buffer.from(JSON.stringify(cursor)).toString("base64url");
      const { status, body } = await guest.get(`${api}/search?q=${search}&cursor=${encoded}`);
      return [status, body.field];
    };
    expect([id, key]).toEqual([5, 5]);
    expect(await at("lantern", [list, id, key])).toEqual([200, undefined]);
    expect(await at("album", [list, id, key])).toEqual([400, "cursor"]);
    for (const forged of [0, -1, 1.5, "5", null]) {
      expect([forged, ...(await at("lantern", [list, forged, 5]))]).toEqual([forged, 400, "cursor"]);
    }
    expect(await at("lantern", [list, Number.MAX_SAFE_INTEGER, 5])).toEqual([200, undefined]);
  });
});
