// Runs on other engines only with TEST_LONG: the list of untitled photos is a list as the others, which run there.
import { beforeAll, describe, expect, test } from "bun:test";
import { type Client, uncached } from "../../../tests/kit/client.ts";
import { png } from "../../../tests/kit/files/png.ts";
import { useServer } from "../../../tests/kit/use-server.ts";

const server = useServer();
const { guest, owner, stranger } = server.people();

async function open(who: Client, path: string, language = "en"): Promise<string> {
  const { body } = await who.get(path, { ...uncached, Accept: "text/html", "Accept-Language": language });
  return typeof body === "string" ? body : JSON.stringify(body);
}
/** A photo that has the name of its file, unless a title is sent. */
const take = async (name: string, fields: object = {}) => {
  const fileID = (await owner.upload(name, png(640, 480))).body.id;
  const photos = [{ fileID, takenAt: "2024-05-12T10:00:00Z", ...fields }];
  const { body } = await owner.post("/api/v1/photos/many", { photos });
  return (await owner.get(`/api/v1/photos/${body.results[0].photoID}`)).body;
};
const untitled = async (query = "") =>
  (await owner.get(`/api/v1/photos?owner=me&untitled=true&pageSize=50${query}`)).body.map(
    ({ id }: { id: number }) => id,
  );

let photo: { id: number; title: string; isUntitled: boolean };
let album: { id: number; visibility: string };
const pages = () => ["/photos", "/", `/photos/${photo.id}`, "/feed.xml", "/feed.json", "/people/owner"];

beforeAll(async () => {
  photo = await take("IMG-2198.jpg");
  album = (await owner.post("/api/v1/albums", { name: "Harbour", visibility: "private" })).body;
  await owner.post(`/api/v1/albums/${album.id}/photos`, { photoID: photo.id });
});

describe("a title that is the name of a file", () => {
  test("is kept by the API, and shown as the date on every page and feed", async () => {
    expect(photo).toMatchObject({ title: "IMG-2198", isUntitled: true });
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

  test("is one that nobody has sent: any title that was sent is shown", async () => {
    const named = await take("summer_at-sea.png");
    expect(named).toMatchObject({ title: "summer at-sea", isUntitled: true });
    // The name of this one's file is taken.
    expect(await take("summer_at-sea.png")).toMatchObject({ title: "summer at-sea", isUntitled: true });
    const { body: other } = await owner.upload("DSC_0002.png", png(6, 4));
    const path = `/api/v1/photos/${named.id}`;
    expect((await owner.put(path, { fileID: other.id, description: "…" })).body.isUntitled).toBe(true);
    expect((await owner.put(path, { title: "summer at-sea" })).body.isUntitled).toBe(false);
    expect((await owner.put(path, { fileID: named.fileID })).body.isUntitled).toBe(false);

    const titles = ["DSC_0002", "DSC_0002.png", "IMG_2198", "20240512_143015", "summer at-sea"];
    for (const title of titles) {
      const { body } = await owner.post("/api/v1/photos", { title, fileID: other.id });
      expect(body).toMatchObject({ title, isUntitled: false });
      expect(await open(guest, `/photos/${body.id}`)).toContain(`<h1 class="p-name" dir="auto">${title}</h1>`);
      expect(await take("a.png", { title })).toMatchObject({ title, isUntitled: false });
    }
    const [one, two] = [await take("DSC_0003.png"), await take("DSC_0004.png")];
    await owner.post("/api/v1/photos/batch", { ids: [one.id], set: { title: "DSC_0003" } });
    await owner.post("/api/v1/photos/batch", { ids: [two.id], retitle: { title: "{title}" } });
    for (const { id } of [one, two])
      expect((await owner.get(`/api/v1/photos/${id}`)).body).toMatchObject({ isUntitled: false });
  });

  test("lets its owner list such photos, until they have titles", async () => {
    const hidden = await take("DSC_0001.png", { visibility: "private" });
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
    expect(await untitled("&sort=takenAt")).not.toContain(hidden.id);
  });
});
