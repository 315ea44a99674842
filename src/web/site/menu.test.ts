// Runs on other engines only with TEST_LONG: the pages use the same statements as the tests of the API.
import { describe, expect, test } from "bun:test";
import type { Client } from "../../../tests/kit/client.ts";
import { createPeople } from "../../../tests/kit/people.ts";
import { startServer, withDatabase } from "../../../tests/kit/server.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { hasPublicFiles } from "../../content/files/public-files.ts";

const server = useServer();
const people = server.people();

const pages = ["/blog", "/photos", "/albums", "/people/owner", "/nothing"];

/** Whether each of these pages leads to the files. Each is read three times, so that it comes from the cache if it may. */
async function menus(who: Client = people.guest): Promise<boolean> {
  const found = new Set<boolean>();
  for (const path of pages) {
    for (let round = 0; round < 3; round++) {
      found.add((await who.get<string>(path, { Accept: "text/html" })).body.includes('<a href="/browse"'));
    }
  }
  expect(found.size).toBe(1);
  return found.has(true);
}

const lists = async (path: string): Promise<boolean> => (await people.guest.get<string>(path)).body.includes("/browse");

describe("the menu of the site", () => {
  test("shows Files from the first public file to the last, on every page", async () => {
    const { owner, guest } = people;
    expect(await menus()).toBe(false);
    expect([await lists("/sitemap.xml"), await lists("/llms.txt")]).toEqual([false, false]);
    await owner.upload("diary.txt", "secret", { path: "/mine", visibility: "private" });
    await owner.post("/api/v1/directories", { name: "empty" });
    expect(await menus()).toBe(false);
    expect(await menus(owner)).toBe(false);

    const { body: file } = await owner.upload("notes.txt", "for everyone", { path: "/letters/2026" });
    expect(await menus()).toBe(true);
    expect([await lists("/sitemap.xml"), await lists("/llms.txt")]).toEqual([true, true]);
    const { body: entries } = await guest.get("/api/v1/files?path=/");
    const { id } = entries.find(({ name }: { name: string }) => name === "letters");
    for (const [hide, show] of [
      [
        () => owner.put(`/api/v1/files/${file.id}`, { visibility: "private" }),
        () => owner.put(`/api/v1/files/${file.id}`, { visibility: "public" }),
      ],
      [
        () => owner.put(`/api/v1/files/${id}`, { visibility: "private" }),
        () => owner.put(`/api/v1/files/${id}`, { visibility: "public" }),
      ],
      [
        () => owner.post(`/api/v1/files/${file.id}/move`, { path: "/mine" }),
        () => owner.post(`/api/v1/files/${file.id}/move`, { path: "/letters/2026" }),
      ],
    ] as const) {
      expect((await hide()).status).toBe(200);
      expect(await menus()).toBe(false);
      expect((await show()).status).toBe(200);
      expect(await menus()).toBe(true);
    }
    await owner.delete(`/api/v1/files/${id}`);
    expect(await menus()).toBe(false);
  });

  test("shows no Files if an admin has switched that off; the files stay where they are", async () => {
    const { owner, admin, guest } = people;
    await owner.upload("open.txt", "for everyone");
    expect(await menus()).toBe(true);
    const files = { kind: "section", section: "files" };
    const { status } = await admin.put("/api/v1/settings", { menu: [{ ...files, isHidden: true }] });
    expect(status).toBe(200);
    expect(await menus()).toBe(false);
    expect(await lists("/sitemap.xml")).toBe(false);
    expect((await guest.get<string>("/browse")).body).toContain("open.txt");
    await admin.put("/api/v1/settings", { menu: [files] });
    expect(await menus()).toBe(true);
  });

  test("asks once for any number of files; of very many directories below a private one it looks at a part", async () => {
    await using other = await startServer();
    const { owner } = await createPeople(other);
    await owner.post("/api/v1/directories", { name: "mine", visibility: "private" });
    for (let number = 0; number < 4; number++) await owner.upload("a.txt", "x", { path: `/mine/${number}` });
    await withDatabase(other, async (db) => {
      expect(await hasPublicFiles(db)).toBe(false);
      expect([await hasPublicFiles(db, 4), await hasPublicFiles(db, 3)]).toEqual([false, true]);
    });
    await owner.upload("deep.txt", "x", { path: "/a/b/c" });
    await withDatabase(other, async (db) => expect(await hasPublicFiles(db)).toBe(true));
  });
});
