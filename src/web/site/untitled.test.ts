// Runs on other engines only with TEST_LONG: the list of untitled photos is a list as the others, which run there.
import { beforeAll, describe, expect, test } from "bun:test";
import { type Client, png, uncached } from "../../../tests/kit.ts";
import { useServer } from "../../../tests/use-server.ts";

const server = useServer();
const { guest, owner, stranger } = server.people();

async function open(who: Client, path: string, language = "en"): Promise<string> {
  const { body } = await who.get(path, { ...uncached, Accept: "text/html", "Accept-Language": language });
  return typeof body === "string" ? body : JSON.stringify(body);
}
const take = async (name: string, fields: object = {}) => {
  const fileID = (await owner.upload(name, png(640, 480))).body.id;
  return (await owner.post("/api/v1/photos", { title: name, fileID, takenAt: "2024-05-12T10:00:00Z", ...fields })).body;
};
const untitled = async (query = "") =>
  (await owner.get(`/api/v1/photos?owner=me&untitled=true&pageSize=50${query}`)).body.map(
    ({ id }: { id: number }) => id,
  );

let photo: { id: number; title: string; isUntitled: boolean };
let album: { id: number; visibility: string };
const pages = () => ["/photos", "/", `/photos/${photo.id}`, "/feed.xml", "/feed.json", "/people/owner"];

beforeAll(async () => {
  photo = await take("IMG_2198.jpg", { title: "IMG_2198" });
  album = (await owner.post("/api/v1/albums", { name: "Harbour", visibility: "private" })).body;
  await owner.post(`/api/v1/albums/${album.id}/photos`, { photoID: photo.id });
});

describe("a title that is the name of a file", () => {
  test("is kept by the API, and shown as the date on every page and feed", async () => {
    expect(photo).toMatchObject({ title: "IMG_2198", isUntitled: true });
    const post = (
      await owner.post("/api/v1/blog", { title: "Trip", content: `![[photo:${photo.id}]]`, coverID: photo.id })
    ).body;
    for (const path of [...pages(), `/blog/${post.slug}`, `/oembed?url=${server.url}/photos/${photo.id}`]) {
      const page = await open(guest, path);
      expect([path, page.includes("May 12, 2024"), /2198(?!\.jpg)/.test(page)]).toEqual([path, true, false]);
      expect(page).not.toContain("Harbour");
    }
    const page = await open(guest, `/photos/${photo.id}`);
    expect(page).toContain("<title>May 12, 2024");
    expect(page).toContain('<h1 class="p-name" dir="auto">May 12, 2024</h1>');
    expect(page).toContain('alt="May 12, 2024"');
    expect(page).toContain('"name":"May 12, 2024"');
    expect(await open(guest, "/photos", "de")).toContain('data-caption="12. Mai 2024"');
    expect(await open(guest, "/search?q=2198")).toContain("May 12, 2024");
    expect((await owner.get(`/api/v1/blog/${post.id}`)).body.html).toContain('alt="2024-05-12"');
    await owner.delete(`/api/v1/blog/${post.id}`);
  });

  test("is described by a public album of its owner, and by the place if that may be shown", async () => {
    await owner.put(`/api/v1/albums/${album.id}`, { visibility: "public" });
    const foreign = (await stranger.post("/api/v1/albums", { name: "Thieves" })).body;
    await stranger.post(`/api/v1/albums/${foreign.id}/photos`, { photoID: photo.id });
    for (const path of ["/photos", "/", `/photos/${photo.id}`]) {
      expect(await open(guest, path)).toContain("May 12, 2024, in “Harbour”");
    }
    expect(await open(guest, `/photos/${photo.id}`, "de")).toContain("12. Mai 2024, in „Harbour“");

    const place = { latitude: 38.7, longitude: -9.1, name: "Lisboa" };
    await owner.put(`/api/v1/photos/${photo.id}`, { place });
    for (const path of pages()) expect(await open(guest, path)).not.toContain("Lisboa");
    await owner.put(`/api/v1/photos/${photo.id}`, { showLocation: true });
    for (const path of pages()) expect(await open(guest, path)).toContain("May 12, 2024, Lisboa");
  });

  test("is recognized in the forms that uploads and cameras give, and nothing else is", async () => {
    const titleOf = async (name: string, title: string) => (await take(name, { title })).isUntitled;
    for (const [name, title] of [
      ["summer_at-sea.png", "summer_at-sea.png"],
      ["summer_at-sea.png", "summer_at-sea"],
      ["summer_at-sea.png", "summer at-sea"],
      ["a.png", "DSC01234"],
      ["a.png", "PXL 20240512 143015123.MP"],
      ["a.png", "IMG-20240512-WA0001"],
      ["a.png", "20240512_143015"],
      ["a.png", "WhatsApp Image 2024-05-12 at 14.30.15"],
      ["a.png", "9C0FD2B8-6E4D-4F0D-9C6B-2A9F3B0E7C11"],
    ] as const)
      expect([title, await titleOf(name, title)]).toEqual([title, true]);
    for (const [name, title] of [
      ["summer.png", "Summer"],
      ["a.png", "Harbour at dusk"],
      ["a.png", "2024"],
      ["a.png", "Image of a harbour"],
      ["a.png", "P. and G. 1984"],
    ] as const)
      expect([title, await titleOf(name, title)]).toEqual([title, false]);
  });

  test("lets its owner list such photos, until they have titles", async () => {
    const hidden = await take("DSC_0001.png", { title: "DSC_0001", visibility: "private" });
    expect(await untitled()).toEqual(expect.arrayContaining([photo.id, hidden.id]));
    const ofOwner = `owner=${(await owner.get("/api/v1/me")).body.id}`;
    const shown = (await guest.get(`/api/v1/photos?${ofOwner}&untitled=true`)).body;
    expect(shown.map(({ id }: { id: number }) => id)).not.toContain(hidden.id);
    expect((await guest.get("/api/v1/photos?untitled=true")).status).toBe(400);
    const months = (await owner.get("/api/v1/photos/timeline?owner=me&untitled=true")).body;
    expect(months).toEqual([{ month: "2024-05", count: (await untitled()).length }]);

    const named = await owner.put(`/api/v1/photos/${hidden.id}`, { title: "Two boats" });
    expect(named.body.isUntitled).toBe(false);
    expect(await untitled()).not.toContain(hidden.id);
    expect((await owner.get("/api/v1/photos?owner=me&untitled=false")).body[0].id).toBe(hidden.id);
    await owner.put(`/api/v1/photos/${hidden.id}`, { title: "DSC_0001" });
    expect(await untitled("&sort=takenAt")).toContain(hidden.id);
  });
});
