// Runs only with TEST_LONG: a browser takes long, and tests/studio/blog.test.ts is the story of the studio in npm test.
import { expect, test } from "bun:test";
import { describeInBrowser } from "../kit/browser.ts";
import { overflowOf } from "../browser/ways.ts";
import { png } from "../kit/files/png.ts";
import { expectNoBarriers } from "./barriers.ts";
import { eventually, sizesOf, useStudio } from "./studio.ts";

const api = "/api/v1";

for (const { name, options } of sizesOf("phone")) {
  describeInBrowser(`many at once, ${name}`, () => {
    const studio = useStudio();
    const read = async () =>
      (await studio.chief.get(`${api}/photos?sort=createdAt`)).body.map(
        ({ description, takenAt, place }: Record<string, unknown>) => ({ description, takenAt, place }),
      );

    test("photos get a description, a date, a place and an album, which is undone", async () => {
      for (let number = 1; number <= 3; number++) {
        const { body } = await studio.chief.upload(`pier-${number}.png`, png(60 + number, 40));
        await studio.chief.post(`${api}/photos`, {
          fileID: body.id,
          title: `Pier ${number}`,
          takenAt: "2026-06-01T10:00:00Z",
        });
      }
      const before = await read();
      await using tab = await studio.open("/photos", options);
      const { page } = tab;
      await page.getByRole("button", { name: "Select all of June 2026" }).click();
      await page.getByRole("button", { name: "Edit", exact: true }).click();
      const dialog = page.getByRole("dialog", { name: /^Edit \d photos/ });
      await dialog.getByLabel("Description").fill("A walk along the water.");
      await dialog.getByLabel("Date", { exact: true }).selectOption("Set for all");
      await dialog.getByLabel("Taken").fill("2025-05-04T12:00:00");
      await dialog.getByLabel("Latitude").fill("38.7071, -9.1355");
      await dialog.getByRole("button", { name: "Choose an album" }).click();
      await page.getByLabel("Search albums").fill("Piers");
      await page.getByRole("button", { name: "New album “Piers”" }).click();
      await dialog.getByRole("button", { name: "Piers" }).waitFor();
      await expectNoBarriers(page);
      expect(await overflowOf(page)).toBe(0);
      await dialog.getByRole("button", { name: "Apply" }).click();
      await page.getByText("3 changed.").waitFor();
      for (const photo of await read()) {
        expect(photo).toMatchObject({
          description: "A walk along the water.",
          takenAt: "2025-05-04T12:00:00.000Z",
          place: { latitude: 38.7071, longitude: -9.1355 },
        });
      }
      const albums = async () =>
        (await studio.chief.get(`${api}/albums`)).body.map((one: { photoCount: number }) => one.photoCount);
      expect(await albums()).toEqual([3]);
      await page.getByRole("button", { name: "Undo" }).click();
      await eventually(read, before);
      await eventually(albums, [0]);

      await page.getByRole("button", { name: "Edit", exact: true }).click();
      await dialog.getByLabel("Date", { exact: true }).selectOption("Set the time zone");
      await dialog.getByLabel("Time zone of the camera").selectOption("Asia/Tokyo");
      await dialog.getByRole("button", { name: "Apply" }).click();
      const times = async () => (await read()).map((photo: { takenAt: string }) => photo.takenAt);
      await eventually(times, Array(3).fill("2026-06-01T01:00:00.000Z"));
      await page.getByRole("button", { name: "Undo" }).last().click();
      await eventually(read, before);

      // A photo that was in the album before stays in it.
      const [{ id: albumID }] = (await studio.chief.get(`${api}/albums`)).body;
      const [{ id: photoID }] = (await studio.chief.get(`${api}/photos`)).body;
      await studio.chief.post(`${api}/albums/${albumID}/photos`, { photoID });
      await page.getByRole("button", { name: "Edit", exact: true }).click();
      await dialog.getByRole("button", { name: "Choose an album" }).click();
      await page.getByRole("button", { name: /^Piers/ }).click();
      await dialog.getByRole("button", { name: "Apply" }).click();
      await eventually(albums, [3]);
      await page.getByRole("button", { name: "Undo" }).last().click();
      await eventually(albums, [1]);
      await studio.chief.delete(`${api}/albums/${albumID}/photos/${photoID}`);

      await tab.open("/studio/activity");
      const line = page.getByRole("group").filter({ hasText: "chief changed 3 photos" }).first();
      await line.locator("summary").click();
      await line.getByRole("link", { name: "the photo “Pier 2”" }).waitFor();
      await expectNoBarriers(page);

      await page.keyboard.press("Control+k");
      const palette = page.getByRole("dialog", { name: "Search" });
      await palette.getByText("Recent", { exact: true }).waitFor();
      await palette.getByRole("option", { name: "Pier 3" }).locator("img").waitFor();
      const { height } = (await palette.boundingBox()) ?? { height: 0 };
      await palette.getByRole("combobox").fill("pier");
      await palette.getByText("Photos", { exact: true }).first().waitFor();
      await palette.getByRole("option", { name: "Pier 1" }).locator("img").waitFor();
      await expectNoBarriers(page);
      expect((await palette.boundingBox())?.height).toBe(height);
      await palette.getByRole("combobox").press("Enter");
      await page.waitForURL(/photos\/\d+/);
      expect(tab.complaints).toEqual([]);
    });
  });
}
