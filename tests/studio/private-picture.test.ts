// Runs only with TEST_LONG: a browser takes long, and tests/studio/blog.test.ts is the story of the studio in npm test.
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { describeInBrowser, openTab, type Tab } from "../kit/browser.ts";
import { crawlAsGuest, findTraces, visitAgain, type Wanted } from "../kit/guest-crawl.ts";
import { bytesOf } from "../kit/files/pictures.ts";
import { dropPaths } from "./drop.ts";
import { useScratch } from "../kit/scratch.ts";
import { eventually, useStudio } from "./studio.ts";

const api = "/api/v1";
const name = "quillfeather.jpg";
const title = "Marigold terrace";

/** Coloured fields, unlike any other picture of the site. */
const fields = (seed: number) => {
  const colours = Array.from({ length: 6 * 4 * 3 }, (_, index) => (seed * 7919 + index * index * 2654435761) % 251);
  const tiny = sharp(Uint8Array.from(colours), { raw: { width: 6, height: 4, channels: 3 } });
  return bytesOf(tiny.resize(900, 600, { kernel: "nearest", fit: "fill" }).jpeg());
};

describeInBrowser("a picture as its owner understands it", () => {
  const folder = useScratch();
  const studio = useStudio();

  test("private and deleted, it is nowhere; restored, it is where it was", async () => {
    const { chief, server } = studio;
    const bytes = await fields(1);
    writeFileSync(join(folder, name), bytes);
    const { body: album } = await chief.post(`${api}/albums`, { name: "Terraces" });
    const { body: otherFile } = await chief.upload("other.jpg", await fields(2), { path: "/others" });
    const { body: other } = await chief.post(`${api}/photos`, { title: "Other", fileID: otherFile.id });
    const { body: shared } = await chief.post(`${api}/albums`, { name: "Shared" });
    for (const { id } of [album, shared]) await chief.post(`${api}/albums/${id}/photos`, { photoID: other.id });

    // The owner uploads the picture, and uses it.
    await using tab = await studio.open(`/albums/${album.id}`);
    await dropPaths(tab, tab.page.getByRole("main"), [join(folder, name)]);
    const find = async () =>
      (await chief.get(`${api}/photos?owner=me`)).body.find((one: any) => one.file?.name === name);
    await eventually(async () => (await find()) !== undefined, true);
    const photo = await find();
    await chief.put(`${api}/photos/${photo.id}`, { title, tags: ["lanternfish"], altText: "Seen from the gazebo" });
    await chief.put(`${api}/albums/${album.id}`, { coverPhotoID: photo.id });
    await chief.post(`${api}/blog`, { title: "Walks", content: `![[photo:${photo.id}]]`, coverID: photo.id });
    await chief.put(`${api}/photos/${photo.id}`, { visibility: "public" });
    await chief.put(`${api}/files/${photo.fileID}`, { visibility: "public" });
    const { body: share } = await chief.post(`${api}/shares`, { kind: "album", id: shared.id, allowDownload: true });

    const { thumbhash, file } = (await chief.get(`${api}/photos/${photo.id}`)).body;
    const wanted: Wanted = {
      bytes,
      words: [
        "quillfeather",
        title,
        "lanternfish",
        "gazebo",
        thumbhash,
        file.sha256,
        new RegExp(`/photos/${photo.id}(?!\\d)`),
        new RegExp(`/files/${file.id}(?!\\d)`),
      ],
    };
    const known = {
      words: [title, name, "lanternfish", file.path, `${file.path}/${name}`, "Walks"],
      highestID: Math.max(photo.id, file.id, share.id) + 2,
      starts: [
        `/s/${share.token}`,
        `/s/${share.token}${api}/albums/${shared.id}`,
        "/people/chief",
        "/tags/lanternfish",
      ],
    };
    const trace = async () => findTraces(await crawlAsGuest(server.url, known), wanted);
    const addressesOf = (traces: Map<string, string[]>) => [...traces.keys()].map(comparable).toSorted();
    const throughLink = (path: string) => `/s/${share.token}${path}`;
    /** Nothing leads to it, and who knows the addresses from before finds nothing there, with the link or without. */
    const expectNowhere = async (before: string[]) => {
      expect([...(await trace())]).toEqual([]);
      const again = await visitAgain(server.url, [...before, ...before.map(throughLink)]);
      expect([...(await findTraces(again, wanted))]).toEqual([]);
    };

    const atFirst = await trace();
    // The crawl finds it in all the places where it can be.
    const places = [
      /^\/$/,
      new RegExp(`^/photos/${photo.id}$`),
      /^\/photos$/,
      /^\/albums\/\d+/,
      /^\/blog\/walks$/,
      /^\/search\?/,
      /^\/browse\//,
      /^\/tags\/lanternfish$/,
      /^\/people\/chief/,
      /^\/sitemap/,
      /^\/photos\/feed\.xml$/,
      /^\/feed\.json$/,
      new RegExp(`^${api}/photos/${photo.id}/image`),
      new RegExp(`^${api}/files/${file.id}/content`),
      new RegExp(`^${api}/files/\\d+/zip`),
      new RegExp(`^${api}/albums/\\d+/zip`),
      new RegExp(`^${api}/photos/zip`),
      new RegExp(`^${api}/photos$`),
      new RegExp(`^${api}/search\\?`),
      new RegExp(`^${api}/files/dir/`),
    ];
    const missing = places.filter((place) => ![...atFirst.keys()].some((path) => place.test(path)));
    expect(missing.map(String)).toEqual([]);
    const kinds = new Set([...atFirst.values()].flat());
    expect([...kinds]).toEqual(expect.arrayContaining(["its bytes", "its picture", "quillfeather", title]));
    const before = [...atFirst.keys()];
    // From the second or third request on, responses come from memory.
    for (let times = 0; times < 3; times++) await visitAgain(server.url, before);

    const { page } = tab;
    await choosePhoto(tab, photo.id);
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Make private" }).click();
    // While somebody points at it, the message stays, and what it says can be undone.
    await page.getByText("1 now private.").hover();
    await expectNowhere(before);

    // Undo restores both.
    await page.keyboard.press("Control+z");
    await eventually(async () => (await visitAgain(server.url, [file.url])).get(file.url)?.status, 200);
    expect(addressesOf(await trace())).toEqual(addressesOf(atFirst));

    await page.getByRole("button", { name: "End the selection" }).click();
    await choosePhoto(tab, photo.id);
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByText("Moved 1 photo and its file to the trash.").waitFor();
    await expectNowhere(before);

    await tab.open("/studio/trash");
    await page.getByRole("button", { name: `Restore ${title}` }).click();
    await page.getByText("1 item restored").waitFor();
    const restored = await trace();
    expect(addressesOf(restored)).toEqual(addressesOf(atFirst));
    expect(tab.complaints).toEqual([]);

    // A guest sees it in a browser.
    await using visitor = await openTab(studio.browser, server.url, { locale: "en" });
    await visitor.open(`/photos/${photo.id}`);
    await visitor.page.getByRole("heading", { name: title }).waitFor();
    expect(visitor.complaints).toEqual([]);
  });

  test("the messages say what has become of the files, and undoing restores what was there", async () => {
    const { chief } = studio;
    const read = async (id: number) => {
      const { visibility, file } = (await chief.get(`${api}/photos/${id}`)).body;
      return [visibility, file?.visibility];
    };
    const create = async (title: string, seed: number) => {
      const { body: file } = await chief.upload(`${title}.jpg`, await fields(seed));
      return (await chief.post(`${api}/photos`, { title, fileID: file.id })).body;
    };
    const [single, used] = [await create("Single", 3), await create("Used", 4)];
    await chief.post(`${api}/photos`, { title: "Second", fileID: used.fileID });
    await chief.put(`${api}/files/${single.fileID}`, { visibility: "private" });

    await using tab = await studio.open("/photos");
    const { page } = tab;
    const makePrivate = async () => {
      await page.getByRole("button", { name: "More actions" }).click();
      await page.getByRole("menuitem", { name: "Make private" }).click();
    };
    // The original was private before, and stays so when the change is undone.
    await choosePhoto(tab, single.id, "Single");
    await makePrivate();
    await page.getByText("1 now private.").waitFor();
    expect(await read(single.id)).toEqual(["private", "private"]);
    await page.getByRole("button", { name: "Undo" }).click();
    await eventually(() => read(single.id), ["public", "private"]);

    await choosePhoto(tab, used.id, "Used");
    await makePrivate();
    const stays = "1 original stays public, because something else that is public uses it.";
    await page.getByText(`1 now private. ${stays}`).waitFor();
    expect(await read(used.id)).toEqual(["private", "public"]);
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByText("Moved 1 photo to the trash. 1 file is kept, because something else uses it.").waitFor();
    expect((await chief.get(`${api}/files/${used.fileID}`)).status).toBe(200);
    expect(tab.complaints).toEqual([]);

    await using german = await studio.open(`/photos/${single.id}`, { locale: "de" });
    await german.page.getByRole("heading", { name: "Single" }).waitFor();
    // The script of the next screen comes late: the photo is not read again once it is deleted.
    await german.page.route("**/*.js", async (route) => {
      await Bun.sleep(1000);
      await route.continue();
    });
    await german.page.keyboard.press("Delete");
    await german.page.getByText("1 Foto mit seiner Datei in den Papierkorb verschoben.").waitFor();
    expect((await chief.get(`${api}/files/${single.fileID}`)).status).toBe(404);
    await german.page.keyboard.press("Control+z");
    await eventually(() => read(single.id), ["public", "private"]);
    expect(german.complaints).toEqual([]);
  });

  test("the settings can keep all originals private", async () => {
    await using tab = await studio.open("/settings");
    const { page } = tab;
    await page.getByLabel("Stay private").check();
    const form = page.getByRole("form").filter({ has: page.getByLabel("Stay private") });
    await form.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
    const { body: settings } = await studio.chief.get(`${api}/settings`);
    expect(settings.originalVisibility).toBe("private");
    await page.getByRole("button", { name: "Undo" }).click();
    const read = async () => (await studio.chief.get(`${api}/settings`)).body.originalVisibility;
    await eventually(read, "same");
    expect(tab.complaints).toEqual([]);
  });

  async function choosePhoto(tab: Tab, id: number, name = title): Promise<void> {
    await tab.open("/studio/photos");
    const cell = tab.page.locator(`[data-photo="${id}"]`);
    await cell.hover();
    await tab.page.getByRole("button", { name: `Select ${name}` }).click();
    await tab.page.getByText("1 selected").waitFor();
  }
});

/** Cursors and versions of pictures may contain times. */
const comparable = (path: string): string => path.replaceAll(/([?&](?:cursor|v)=)[^&]*/g, "$1");
