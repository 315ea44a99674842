// Runs only with TEST_LONG: a browser takes long, and tests/studio/blog.test.ts is the story of the studio in npm test.
import { beforeAll, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describeInBrowser } from "../kit/browser.ts";
import { readVideoFile } from "../kit/files/videos.ts";
import type { Client } from "../kit/client.ts";
import { person } from "../kit/people.ts";
import { bytesOf, quadrants } from "../kit/files/pictures.ts";
import { newDirectory, useScratch } from "../kit/scratch.ts";
import { expectNoBarriers, expectNoRareBarriers } from "./barriers.ts";
import { dropPaths } from "./drop.ts";
import { eventually, phoneOptions, sizesOf, useStudio } from "./studio.ts";
import { fingersOf, middleOf } from "./touch.ts";

const scratch = useScratch();
const photos = "/api/v1/photos";
/** So high that every photo of these tests is near the screen. */
const tall = { viewport: { width: 1280, height: 2400 } };

/** A photo for each time; null has no date. Returns their ids. */
async function addPhotos(chief: Client, fileID: number, times: (string | null)[]): Promise<number[]> {
  const ids: number[] = [];
  for (const [index, takenAt] of times.entries()) {
    const { body } = await chief.post(photos, { fileID, title: `Photo ${index}`, takenAt, visibility: "public" });
    ids.push(body.id);
  }
  return ids;
}

const daysOf = (month: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${month}-${String(28 - (index % 28)).padStart(2, "0")}T12:00:00.000Z`);

const cell = (page: Page, id: number) => page.locator(`[data-photo="${id}"]`);
const selected = (page: Page, count: number) => page.getByText(`${count} selected`).waitFor();

describeInBrowser("the photos of the studio", () => {
  /** 30 of June, 5 of May, 2 without a date. */
  let june: number[] = [];
  let may: number[] = [];
  let undated: number[] = [];
  const studio = useStudio();
  beforeAll(async () => {
    const { chief } = studio;
    const { body } = await chief.upload("sea.jpg", await bytesOf(quadrants(300, 200).jpeg()), {
      path: "/By the sea",
    });
    june = await addPhotos(chief, body.id, daysOf("2026-06", 30));
    may = await addPhotos(chief, body.id, daysOf("2026-05", 5));
    undated = await addPhotos(chief, body.id, [null, null]);
  });

  const read = async (id: number) => (await studio.chief.get(`${photos}/${id}`)).body;

  test("shows months with their counts, and photos without a date at the end", async () => {
    await using tab = await studio.open("/photos", tall);
    const { page } = tab;
    await page.getByRole("heading", { name: "June 2026" }).waitFor();
    const headings = await page.getByRole("heading", { level: 2 }).allTextContents();
    expect(headings).toEqual(["June 2026", "May 2026", "Without a date"]);
    await page.getByText("35 and some undated").waitFor();
    await cell(page, undated[1] ?? 0).waitFor();
    expect(tab.complaints).toEqual([]);
  });

  test("shows months with few photos side by side; arrow keys and ranges go through them in their order", async () => {
    const few = await person(studio.server, "few");
    const { body } = await few.upload("sea.jpg", await bytesOf(quadrants(300, 200).jpeg()));
    const months = ["2026-03", "2026-02", "2026-01"].flatMap((month) => daysOf(month, 1));
    const ids = await addPhotos(few, body.id, [...months, ...daysOf("2025-12", 6)]);
    await using tab = await studio.open("/photos", { username: "few" });
    const { page } = tab;
    const boxOf = async (name: string) => {
      const box = await page.getByRole("region", { name }).boundingBox();
      if (!box) throw new Error(`${name} is not shown.`);
      return box;
    };
    await cell(page, ids[8] ?? 0).waitFor();
    const [march, february, december] = [
      await boxOf("March 2026"),
      await boxOf("February 2026"),
      await boxOf("December 2025"),
    ];
    expect(february.y).toBe(march.y);
    expect(february.x).toBeGreaterThanOrEqual(march.x + march.width);
    expect(december.y).toBeGreaterThanOrEqual(march.y + march.height);
    const focused = async () => Number(await page.locator(":focus").getAttribute("data-photo"));
    await cell(page, ids[0] ?? 0).focus();
    await page.keyboard.press("ArrowRight");
    expect(await focused()).toBe(ids[1] ?? 0);
    await page.keyboard.press("ArrowDown");
    expect(ids.slice(3)).toContain(await focused());
    await page.keyboard.press("ArrowUp");
    expect(await focused()).toBe(ids[1] ?? 0);
    await page.keyboard.press("x");
    await cell(page, ids[3] ?? 0).click({ modifiers: ["Shift"] });
    await selected(page, 3);
    expect(tab.complaints).toEqual([]);
  });

  for (const { name, options } of sizesOf("phone")) {
    test(`edits 30 photos at once, ${name}: a whole month, new titles by number, tags, a shifted date`, async () => {
      await using tab = await studio.open("/photos", options);
      const { page } = tab;
      await cell(page, june[0] ?? 0).waitFor();
      await expectNoBarriers(page);
      await page.getByRole("button", { name: "Select all of June 2026" }).click();
      await selected(page, 30);
      await expectNoBarriers(page);
      await page.getByRole("button", { name: "Edit", exact: true }).click();
      const dialog = page.getByRole("dialog", { name: "Edit 30 photos" });
      await expectNoBarriers(page);
      await dialog.getByLabel("Title").fill("Lisbon {nn}");
      await dialog.getByLabel("Add tags").fill("travel, sea,");
      await dialog.getByLabel("Visibility").selectOption("private");
      await dialog.getByLabel("Date", { exact: true }).selectOption("Shift");
      await dialog.getByLabel("Hours").fill("2");
      await dialog.getByRole("button", { name: "Apply" }).click();
      await page.getByText("30 changed.").waitFor();
      const changed = await Promise.all(june.map(read));
      const oldest = changed.toSorted((one, other) => Date.parse(one.takenAt) - Date.parse(other.takenAt))[0];
      expect(oldest.title).toBe("Lisbon 01");
      for (const photo of changed) {
        expect(photo.tags.toSorted()).toEqual(["sea", "travel"]);
        expect(photo.visibility).toBe("private");
        expect(photo.takenAt.slice(11)).toBe("14:00:00.000Z");
      }
      await page.getByRole("button", { name: "Undo" }).click();
      const isRestored = async () =>
        (await Promise.all(june.map(read))).every(({ title }) => title.startsWith("Photo"));
      await eventually(isRestored, true);
      await eventually(async () => (await read(june[3] ?? 0)).visibility, "public");
      expect((await read(june[3] ?? 0)).tags).toEqual([]);
      expect(tab.complaints).toEqual([]);
    });
  }

  test("selects a range with the shift key, over months, and deletes it with a way back", async () => {
    await using tab = await studio.open("/photos", tall);
    const { page } = tab;
    const [from = 0, to = 0] = [may[0], may[3]];
    await cell(page, from).hover();
    await page.getByRole("button", { name: "Select Photo 0" }).last().click();
    await cell(page, to).click({ modifiers: ["Shift"] });
    await selected(page, 4);
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Download as zip" }).click();
    expect((await download).suggestedFilename()).toBe("photos.zip");
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByText("Moved 4 photos to the trash. 1 file is kept, because something else uses it.").waitFor();
    await cell(page, to).waitFor({ state: "detached" });
    expect((await studio.chief.get(`${photos}/${to}`)).status).toBe(404);
    await page.getByRole("button", { name: "Undo" }).click();
    await cell(page, to).waitFor();
    expect((await read(to)).id).toBe(to);
    expect(tab.complaints).toEqual([]);
  });

  test("marks favourites and finds them; the filter is in the address", async () => {
    await using tab = await studio.open("/photos", tall);
    const { page } = tab;
    await cell(page, may[1] ?? 0).focus();
    await page.keyboard.press("f");
    await eventually(async () => (await read(may[1] ?? 0)).isFavourite, true);
    await page.getByRole("button", { name: "Favourites" }).click();
    await page.waitForURL(/favourite=only/);
    await page.getByRole("heading", { name: "June 2026" }).waitFor({ state: "detached" });
    await cell(page, may[1] ?? 0).waitFor();
    expect(await page.locator("[data-photo]").count()).toBe(1);
    await page.reload();
    await cell(page, may[1] ?? 0).waitFor();
    await page.getByRole("button", { name: "Clear filters" }).click();
    await page.getByRole("heading", { name: "June 2026" }).waitFor();
    expect(tab.complaints).toEqual([]);
  });

  test("finds those that are in no album, and no longer when they are in one", async () => {
    const [first = 0, second = 0] = may;
    const { body: album } = await studio.chief.post("/api/v1/albums", { name: "Some" });
    await studio.chief.post(`/api/v1/albums/${album.id}/photos`, { photoID: first });
    await using tab = await studio.open("/photos", tall);
    const { page } = tab;
    await cell(page, first).waitFor();
    await page.getByRole("button", { name: "Filter" }).click();
    await page.getByText("Not in an album").click();
    await page.waitForURL(/album=none/);
    await cell(page, first).waitFor({ state: "detached" });
    await cell(page, second).waitFor();
    await studio.chief.post(`/api/v1/albums/${album.id}/photos`, { photoID: second });
    await cell(page, second).waitFor({ state: "detached" });
    expect(tab.complaints).toEqual([]);
  });

  test("corrects the date and the place of a photo, and saves by itself", async () => {
    await using tab = await studio.open(`/photos/${undated[0]}`);
    const { page } = tab;
    await page.getByRole("button", { name: "Details", exact: true }).click();
    const panel = page.getByRole("complementary", { name: "Details" });
    await panel.getByLabel("Description").fill("The last ferry.");
    await panel.getByLabel("Date").fill("2026-05-30T18:15:00");
    await panel.getByLabel("Latitude").fill("38.7071, -9.1355");
    await panel.getByText("38.7071° N, 9.1355° W").waitFor();
    await panel.getByText("Saved").waitFor();
    const { takenAt, place, description } = await read(undated[0] ?? 0);
    expect([takenAt, place.latitude, place.longitude, description]).toEqual([
      "2026-05-30T18:15:00.000Z",
      38.7071,
      -9.1355,
      "The last ferry.",
    ]);
    const link = await panel.getByRole("link", { name: "sea.jpg" }).getAttribute("href");
    expect(link).toMatch(/^\/studio\/files\/By%20the%20sea\?select=\d+$/);
    expect(tab.complaints).toEqual([]);
  });

  test("shows a conflict and loses nothing; changes of other fields are merged", async () => {
    const id = may[4] ?? 0;
    await using tab = await studio.open(`/photos/${id}`);
    const { page } = tab;
    await page.getByRole("button", { name: "Details", exact: true }).click();
    const panel = page.getByRole("complementary", { name: "Details" });
    await panel.getByText("Saved").waitFor();
    // Events would show the change before anything is typed.
    await page.route("**/api/v1/events*", (route) => route.abort());
    await page.route(`**/api/v1/photos/${id}`, async (route) => {
      if (route.request().method() === "PUT")
        await studio.chief.put(`${photos}/${id}`, { title: "Theirs", altText: "A ferry" });
      await page.unroute(`**/api/v1/photos/${id}`);
      await route.continue();
    });
    await panel.getByLabel("Title").fill("Mine");
    await panel.getByText("Someone else changed this").waitFor();
    expect(await panel.getByLabel("Title").inputValue()).toBe("Mine");
    await panel.getByText("Title: Theirs").waitFor();
    await panel.getByRole("button", { name: "Keep mine" }).click();
    await panel.getByText("Saved").waitFor();
    const { title, altText } = await read(id);
    expect([title, altText]).toEqual(["Mine", "A ferry"]);
    expect(tab.complaints.filter((text) => !text.startsWith("412") && !text.includes("ERR_FAILED"))).toEqual([]);
  });

  test("is used with fingers: a long touch selects, a swipe turns over, two fingers zoom, a swipe down closes", async () => {
    await using tab = await studio.open("/photos", phoneOptions);
    const { page } = tab;
    const fingers = await fingersOf(tab);
    await cell(page, june[0] ?? 0).waitFor();
    await fingers.hold(cell(page, june[0] ?? 0), () => selected(page, 1));
    await cell(page, june[1] ?? 0).tap();
    await selected(page, 2);
    await page.getByRole("button", { name: "End the selection" }).tap();

    await cell(page, june[1] ?? 0).tap();
    const next = page.getByRole("button", { name: "Next photo" });
    await next.waitFor();
    const { y } = await middleOf(next);
    await fingers.swipe({ x: 300, y }, { x: 80, y });
    await page.waitForURL(`**/photos/${june[2]}*`);
    await fingers.swipe({ x: 80, y }, { x: 300, y });
    await page.waitForURL(`**/photos/${june[1]}*`);

    const picture = page.getByRole("img", { name: "Photo 1" });
    const widthOf = async () => Math.round((await picture.boundingBox())?.width ?? 0);
    const width = await widthOf();
    await expectNoRareBarriers(page);
    // Beside the arrows.
    const beside = { x: 195, y: y - 150 };
    await fingers.pinch(beside, 80, 240);
    await eventually(widthOf, 3 * width);
    await fingers.swipe({ x: 300, y }, { x: 80, y });
    expect(new URL(page.url()).pathname).toEndWith(`/photos/${june[1]}`);
    await fingers.pinch(beside, 300, 60);
    await eventually(widthOf, width);

    await page.getByRole("button", { name: "Details", exact: true }).tap();
    await page.getByRole("complementary", { name: "Details" }).waitFor();
    await expectNoBarriers(page);
    await page.getByRole("button", { name: "Close the details" }).tap();
    await fingers.swipe({ x: 195, y: y - 100 }, { x: 195, y: y + 200 });
    await page.waitForURL("**/studio/photos");
    await cell(page, june[1] ?? 0).waitFor();
    expect(tab.complaints).toEqual([]);
  });

  test("plays a video where it is shown", async () => {
    const { body: file } = await studio.chief.upload("video.mp4", readVideoFile("black.mp4"));
    const { body: video } = await studio.chief.post(photos, { fileID: file.id, title: "Video" });
    await using tab = await studio.open(`/photos/${video.id}`, phoneOptions);
    const { page } = tab;
    const player = page.locator("video");
    const { height } = (await player.boundingBox()) ?? { height: 0 };
    // The first of the buttons of the browser.
    await player.tap({ position: { x: 25, y: height - 48 } });
    await eventually(() => page.evaluate<boolean>("document.querySelector('video').currentTime > 0"), true);
    await page
      .getByRole("button", { name: "Next photo" })
      .or(page.getByRole("button", { name: "Previous photo" }))
      .first()
      .tap();
    await player.waitFor({ state: "detached" });
    expect(tab.complaints).toEqual([]);
  });

  test("takes pictures and folders that are dropped on it", async () => {
    const folder = newDirectory(scratch);
    mkdirSync(join(folder, "Trip", "Day 1"), { recursive: true });
    for (const [index, path] of ["alone.jpg", "Trip/one.jpg", "Trip/Day 1/two.jpg"].entries()) {
      await Bun.write(join(folder, path), await bytesOf(quadrants(90 + index, 60).jpeg()));
    }
    await using tab = await studio.open("/photos", tall);
    const { page } = tab;
    await dropPaths(tab, page.getByRole("heading", { level: 1 }), [join(folder, "alone.jpg"), join(folder, "Trip")]);
    await page.getByRole("heading", { name: "3 files uploaded" }).waitFor();
    for (const title of ["alone", "one", "two"])
      await page.getByRole("link", { name: `${title}, Public`, exact: true }).waitFor();
    expect(tab.complaints).toEqual([]);
  });
});
