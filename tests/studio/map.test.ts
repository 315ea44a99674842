// Runs only with TEST_LONG: a browser takes long, and tests/studio/blog.test.ts is the story of the studio in npm test.
// Runs on the embedded engines only: what the database does for the map is tested on all of them over HTTP.
import { beforeAll, expect, test } from "bun:test";
import { describeInBrowser, whenTrue } from "../kit/browser.ts";
import { overflowOf } from "../browser/ways.ts";
import { isLong } from "../kit/long.ts";
import { bytesOf, quadrants } from "../kit/files/pictures.ts";
import { expectNoBarriers } from "./barriers.ts";
import { sizes, useStudio } from "./studio.ts";

const cities: [name: string, latitude: number, longitude: number][] = [
  ["Lisboa", 38.7071, -9.1355],
  ["Lisboa, Alfama", 38.7118, -9.1306],
  ["Sintra", 38.8029, -9.3817],
  ["Wien", 48.2082, 16.3738],
];

describeInBrowser("the map in the studio", () => {
  const studio = useStudio();
  let fileID: number;
  beforeAll(async () => {
    fileID = (await studio.chief.upload("a.jpg", await bytesOf(quadrants(96, 64).jpeg()))).body.id;
  });

  test("says how photos get a place, and shows where they were taken", async () => {
    for (const [index, { id, options, colorSchemes }] of sizes.entries()) {
      await using tab = await studio.open("/", { ...options, colorScheme: colorSchemes[0] });
      const { page } = tab;
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox").fill("map");
      await page.getByRole("option", { name: /^Map/ }).click();
      await page.getByRole("heading", { name: "Map", level: 1 }).waitFor();
      if (index === 0) {
        await page.getByText("Photos get a place from their files").waitFor();
        await expectNoBarriers(page);
        for (const [name, latitude, longitude] of cities) {
          const place = { latitude, longitude, name };
          const photo = { title: name, fileID, place, takenAt: "2026-06-01T10:00:00Z", visibility: "private" };
          expect((await studio.chief.post("/api/v1/photos", photo)).status).toBe(201);
        }
      }
      const places = page.getByRole("region", { name: "Places" }).getByRole("button");
      const map = page.getByRole("group", { name: "Map of your photos" });
      await places.filter({ hasText: "3 photos" }).waitFor();
      await places.filter({ hasText: "Wien" }).waitFor();
      expect([id, await overflowOf(page)]).toEqual([id, 0]);
      await expectNoBarriers(page);

      // By keyboard, by a button, and by pressing a cluster, which shows its photos.
      await map.focus();
      for (const key of ["ArrowUp", "+", "-"]) await page.keyboard.press(key);
      await page.getByRole("button", { name: "Zoom in" }).click();
      await page.waitForURL(/zoom=/);
      await page.getByRole("button", { name: "Whole world" }).click();
      await page.waitForURL(/zoom=[12]\./);
      await map.locator("a").filter({ hasText: "3" }).click();
      const photos = page.getByRole("region", { name: /3 photos/ });
      await photos.getByRole("link", { name: "Sintra" }).waitFor();
      await page.waitForURL(/zoom=1[01]/);
      await page.getByRole("button", { name: "All places" }).click();
      await places.filter({ hasText: "2 photos" }).click();
      const nearer = page.getByRole("region", { name: /2 photos/ });
      await nearer.getByRole("link", { name: "Lisboa, Alfama" }).waitFor();
      expect(await nearer.getByRole("link", { name: "Lisboa" }).count()).toBe(2);
      await expectNoBarriers(page);

      // A photo, and the way back to the same place.
      await nearer.getByRole("link", { name: "Lisboa, Alfama" }).click();
      await page.waitForURL(/\/studio\/photos\/\d+/);
      await page.getByText("Lisboa, Alfama").first().waitFor();
      await page.goBack();
      await nearer.getByRole("link", { name: "Show these photos" }).click();
      await page.waitForURL(/\/studio\/photos\?bbox=/);
      await page.getByRole("link", { name: "Area of the map" }).waitFor();
      await page.getByText("2 photos").first().waitFor();
      await expectNoBarriers(page);
      await page.getByRole("button", { name: "Remove the area" }).click();
      await page.getByText("4 photos").first().waitFor();
      expect([id, tab.complaints]).toEqual([id, []]);
    }
  });

  test.if(isLong)("chooses the area of a smart album, and counts what matches meanwhile", async () => {
    for (const { id, name, options } of sizes) {
      await using tab = await studio.open("/albums", options);
      const { page } = tab;
      await page.getByRole("button", { name: "New album" }).first().click();
      const dialog = page.getByRole("dialog", { name: "New album" });
      await dialog.getByLabel("Name").fill(`Near Lisbon ${name}`);
      await dialog.getByRole("checkbox", { name: "Smart album" }).check();
      await dialog.getByLabel("From").fill("2026-01-01");
      await dialog.getByText("4 photos match.").waitFor();
      await dialog.getByRole("button", { name: "Choose an area" }).click();
      const map = dialog.getByRole("group", { name: "Map for choosing an area" });
      await map.locator("a").filter({ hasText: "3" }).click();
      // When the map has arrived, the places are apart.
      await map.locator("a").filter({ hasText: "2" }).waitFor();
      await dialog.getByRole("button", { name: "Use this area" }).click();
      await dialog.getByText("3 photos match.").waitFor();
      const { width } = (await map.locator(".outline").boundingBox()) ?? { width: 0 };
      expect(width).toBeGreaterThan(100);
      await expectNoBarriers(page);
      expect([id, await overflowOf(page)]).toEqual([id, 0]);
      await dialog.getByRole("button", { name: "Remove the area" }).click();
      await dialog.getByText("4 photos match.").waitFor();
      expect(await map.locator(".outline").count()).toBe(0);
      await dialog.getByRole("button", { name: "Use this area" }).click();
      await dialog.getByRole("button", { name: "Create" }).click();
      await page.getByText("an area of the map").first().waitFor();
      await page.getByText("3 photos").first().waitFor();
      expect([id, tab.complaints]).toEqual([id, []]);
    }
  });

  test.skipIf(!isLong)("loads tiles only from the server that an admin names", async () => {
    await using tab = await studio.open("/settings");
    const { page } = tab;
    const form = page.getByRole("form", { name: "Map" });
    await form.getByText("It learns their IP addresses").waitFor();
    const save = form.getByRole("button", { name: "Save" });
    await form.getByLabel("Address of the tiles").fill("http://tiles.example/{z}/{x}/{y}.png");
    await save.click();
    await form.getByText("This must be an https address").waitFor();
    await form.getByLabel("Address of the tiles").fill("https://tiles.example/{z}/{x}/{y}.png");
    await save.click();
    await form.getByText("Enter the source of the map").waitFor();
    await expectNoBarriers(page);
    await form.getByLabel("Source").fill("© Tiles Example");
    await save.click();
    await page.getByText("Saved.").waitFor();
    const tile = await bytesOf(quadrants(16, 16).png());
    const asked: string[] = [];
    await page.route("https://tiles.example/**", (route) => {
      asked.push(new URL(route.request().url()).pathname);
      return route.fulfill({ contentType: "image/png", body: Buffer.from(tile) });
    });
    const refusals = tab.complaints.length;
    await tab.open("/studio/map?lat=38.7&lon=-9.1&zoom=5");
    await page.getByText("© Tiles Example").waitFor();
    await page.locator(".tiles image").first().waitFor();
    await whenTrue(page, "performance.getEntriesByType('resource').some(({ name }) => name.includes('tiles.example'))");
    expect(asked).toContain("/5/15/12.png");
    expect(
      tab.complaints.slice(refusals).filter((text) => !text.includes("loads from elsewhere: https://tiles.example/")),
    ).toEqual([]);
    await tab.open("/studio/settings");
    await form.getByLabel("Address of the tiles").fill("");
    await form.getByLabel("Source").fill("");
    await save.click();
    await page.getByText("Saved.").waitFor();
    expect((await studio.chief.get("/api/v1/settings")).body.mapTiles).toBeNull();
  });
});
