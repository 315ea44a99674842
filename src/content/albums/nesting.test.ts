import { describe, expect, test } from "bun:test";
import { visitPages } from "../../../tests/kit/cursors.ts";
import type { Client } from "../../../tests/kit/client.ts";
import { useServer } from "../../../tests/kit/use-server.ts";

const albums = "/api/v1/albums";

const server = useServer();
const { owner, stranger, guest } = server.people();

const create = async (name: string, more: object = {}) => (await owner.post(albums, { name, ...more })).body;
const parentOf = async (who: Client, { id }: { id: number }) => (await who.get(`${albums}/${id}`)).body.parentID;
const namesIn = async (who: Client, parent: number | "none") =>
  (await who.get(`${albums}?parentID=${parent}&pageSize=1000`)).body.map(({ name }: any) => name);

/** Albums in each other, the outermost first. */
async function createChain(length: number): Promise<any[]> {
  const chain: any[] = [];
  while (chain.length < length) chain.push(await create("Level", { parentID: chain.at(-1)?.id ?? null }));
  return chain;
}

describe("an album in another", () => {
  test("has a description, is listed in its parent, and can be moved", async () => {
    const [year, other] = [await create("2026"), await create("Archive")];
    const lisbon = await create("Lisbon", { parentID: year.id, description: "A week of azulejos." });
    expect(lisbon).toMatchObject({ parentID: year.id, description: "A week of azulejos." });
    const porto = await create("Porto", { parentID: year.id });
    expect(await namesIn(guest, year.id)).toEqual(["Porto", "Lisbon"]);
    const pages = await visitPages(guest, `${albums}?parentID=${year.id}&order=asc`, 1);
    expect(pages.map((page) => page.map(({ name }) => name))).toEqual([["Lisbon"], ["Porto"]]);
    const top = await namesIn(guest, "none");
    expect(top).toContain("2026");
    expect(top).not.toContain("Lisbon");
    expect((await guest.get("/api/v1/search?q=azulejos")).body).toMatchObject([{ kind: "album", id: lisbon.id }]);
    const moved = await owner.put(`${albums}/${lisbon.id}`, { parentID: other.id, description: "Tiles." });
    expect(moved.body).toMatchObject({ name: "Lisbon", parentID: other.id, description: "Tiles." });
    expect((await owner.put(`${albums}/${porto.id}`, { parentID: null })).body.parentID).toBeNull();
    expect([await namesIn(guest, year.id), await namesIn(guest, other.id)]).toEqual([[], ["Lisbon"]]);
  });

  test("is at the top level while its parent is in the trash, and returns below it", async () => {
    const [outer, inner] = await createChain(2);
    await owner.delete(`${albums}/${outer.id}`);
    expect(await parentOf(owner, inner)).toBeNull();
    expect((await owner.get(`${albums}?parentID=none`)).body.map(({ id }: any) => id)).toContain(inner.id);
    expect(await namesIn(owner, outer.id)).toEqual([]);
    const entry = (await owner.get("/api/v1/trash")).body.find(({ recordID }: any) => recordID === outer.id);
    await owner.post(`/api/v1/trash/${entry.id}/restore`);
    expect(await parentOf(guest, inner)).toBe(outer.id);
    await owner.delete(`${albums}/${outer.id}`);
    const again = (await owner.get("/api/v1/trash")).body.find(({ recordID }: any) => recordID === outer.id);
    expect((await owner.delete(`/api/v1/trash/${again.id}`)).status).toBe(200);
    expect(await parentOf(guest, inner)).toBeNull();
  });

  test("hides a private parent from others", async () => {
    const [outer, inner] = await createChain(2);
    await owner.put(`${albums}/${outer.id}`, { visibility: "private" });
    expect([await parentOf(guest, inner), await parentOf(stranger, inner)]).toEqual([null, null]);
    expect(await parentOf(owner, inner)).toBe(outer.id);
    expect((await guest.get(`${albums}?parentID=none`)).body.map(({ id }: any) => id)).toContain(inner.id);
    expect([await namesIn(guest, outer.id), await namesIn(owner, outer.id)]).toEqual([[], ["Level"]]);
    const hidden = await stranger.post(albums, { name: "x", parentID: outer.id });
    const missing = await stranger.post(albums, { name: "x", parentID: 99_999 });
    expect([hidden.status, missing.status]).toEqual([400, 400]);
    expect(hidden.body.error).toBe(`"parentID" is invalid: there is no album ${outer.id}.`);
  });
});

describe("what is refused", () => {
  test("cycles, and more than eight albums in each other", async () => {
    const chain = await createChain(8);
    const ninth = await owner.post(albums, { name: "x", parentID: chain[7].id });
    const tooDeep = `"parentID" is too deep: at most 8 albums can be in each other.`;
    expect([ninth.status, ninth.body.error]).toEqual([400, tooDeep]);
    for (const below of [0, 3, 7]) {
      const cycle = await owner.put(`${albums}/${chain[0].id}`, { parentID: chain[below].id });
      expect([cycle.status, cycle.body.error]).toEqual([400, `"parentID" must not be the album itself or one in it.`]);
    }
    const [top, child] = await createChain(2);
    const high = await owner.put(`${albums}/${top.id}`, { parentID: chain[6].id });
    expect([high.status, high.body.error]).toEqual([400, tooDeep]);
    expect((await owner.put(`${albums}/${child.id}`, { parentID: chain[6].id })).status).toBe(200);
    expect((await owner.put(`${albums}/${top.id}`, { parentID: chain[5].id })).status).toBe(200);
  });

  test("albums of others, and bad input", async () => {
    const parent = await create("Mine");
    const foreign = await stranger.post(albums, { name: "x", parentID: parent.id });
    expect([foreign.status, foreign.body.error]).toEqual([
      403,
      `Only the owner of "Mine" or an admin can put albums into it.`,
    ]);
    for (const [body, error] of [
      [{ parentID: "1" }, '"parentID" must be a whole number.'],
      [{ parentID: 0 }, '"parentID" must be at least 1.'],
      [{ description: 5 }, '"description" must be a string.'],
    ] as const) {
      const refused = await owner.put(`${albums}/${parent.id}`, body);
      expect([refused.status, refused.body.error]).toEqual([400, error]);
    }
    const filtered = await guest.get(`${albums}?parentID=x`);
    expect([filtered.status, filtered.body.error]).toEqual([400, '"parentID" must be `none` or the id of an album.']);
  });

  test("of many simultaneous moves, those that would make a cycle", async () => {
    const some = await Promise.all(Array.from({ length: 6 }, () => create("Moved")));
    const moves = some.flatMap((one) => some.map((other) => [one.id, other.id] as const));
    for (const { status } of await Promise.all(
      moves.map(([id, parentID]) => owner.put(`${albums}/${id}`, { parentID })),
    )) {
      expect(status).toBeOneOf([200, 400]);
    }
    for (const album of some) {
      let depth = 1;
      for (let id = await parentOf(owner, album); id !== null; id = await parentOf(owner, { id })) {
        expect(++depth).toBeLessThanOrEqual(6);
      }
    }
  });
});
