// Runs only with TEST_LONG: a browser takes long, and tests/studio/blog.test.ts is the story of the studio in npm test.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { describeInBrowser } from "../kit/browser.ts";
import { bytesOf, corners, distance, meanCorners, quadrants, readBytes } from "../kit/files/pictures.ts";
import { expectNoBarriers } from "./barriers.ts";
import { eventually, sizes, useStudio } from "./studio.ts";
import { fingersOf } from "./touch.ts";

const photos = "/api/v1/photos";
const [red, , blue, yellow] = corners;

describeInBrowser("a picture is turned and cropped", () => {
  const studio = useStudio();
  const editsOf = async (id: number) => (await studio.chief.get(`${photos}/${id}`)).body.edits;
  const handle = async (page: Page, sides: string) => {
    const box = await page.locator(`[data-handle="${sides}"]`).boundingBox();
    return { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 };
  };

  test("by keyboard and mouse, with undo, and by touch on a phone", async () => {
    const { chief } = studio;
    const { body: file } = await chief.upload("quarters.png", await bytesOf(quadrants(1200, 800).png()));
    const { body: photo } = await chief.post(photos, { title: "Quarters", fileID: file.id });
    const seen = async () => meanCorners((await readBytes(studio.chief, `${photos}/${photo.id}/image?w=320`)).bytes);
    const [desktop, phone] = sizes.map(({ options }) => options);
    {
      await using tab = await studio.open(`/photos/${photo.id}`, desktop);
      const { page } = tab;
      await page.getByRole("button", { name: "Rotate and crop" }).click();
      const area = page.getByRole("group", { name: "Crop area" });
      await page.locator("[role=group]:focus").waitFor();
      await expectNoBarriers(page);
      expect(await page.getByRole("button", { name: "Save" }).isDisabled()).toBe(true);

      // A quarter to the right by its key, and half of the picture by the mouse.
      await page.keyboard.press("r");
      await page.getByText("800 × 1,200 pixels").waitFor();
      const [from, frame] = [await handle(page, "0 1"), await area.boundingBox()];
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      await page.mouse.move(from.x, from.y - (frame?.height ?? 0) / 2 - 3, { steps: 4 });
      await page.mouse.up();
      await page.getByText(/800 × 5\d\d pixels · Visitors see only this part/).waitFor();
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("The picture was changed.").waitFor();
      expect(await editsOf(photo.id)).toMatchObject({ turn: 90, flip: false, crop: { x: 0, y: 0, width: 1 } });
      expect(distance(await seen(), [blue, red, blue, red] as typeof corners)).toBeLessThan(12);
      const shown = page.getByRole("img", { name: "Quarters" });
      await eventually(async () => (await shown.getAttribute("width")) ?? "", "800");
      await page.getByRole("button", { name: "Undo" }).click();
      await eventually(async () => (await shown.getAttribute("width")) ?? "", "1200");
      expect(await editsOf(photo.id)).toBeNull();

      // A shape, moved and made smaller by the arrow keys.
      await page.keyboard.press("c");
      await page.getByLabel("Shape").selectOption("1:1");
      await page.getByText("800 × 800 pixels").waitFor();
      await area.focus();
      for (const keys of ["ArrowRight", "ArrowRight", "Shift+ArrowLeft"]) await page.keyboard.press(keys);
      await page.getByText("788 × 788 pixels").waitFor();
      await page.getByRole("button", { name: "Mirror" }).click();
      await page.getByRole("button", { name: "Save" }).click();
      await eventually(async () => (await editsOf(photo.id))?.flip, true);
      const { x, width, height } = (await editsOf(photo.id)).crop;
      expect([x, width, height].map((value) => Math.round(value * 1000))).toEqual([157, 657, 985]);
      expect(tab.complaints).toEqual([]);
    }
    await using tab = await studio.open(`/photos/${photo.id}`, phone);
    const { page } = tab;
    await page.getByRole("button", { name: "More actions" }).tap();
    await page.getByRole("menuitem", { name: "Rotate and crop" }).tap();
    await page.getByRole("button", { name: "Reset" }).tap();
    await page.getByText("1,200 × 800 pixels").waitFor();
    const fingers = await fingersOf(tab);
    const frame = await page.getByRole("group", { name: "Crop area" }).boundingBox();
    const from = await handle(page, "-1 -1");
    await fingers.pull(from, { x: from.x + (frame?.width ?? 0) / 2 + 3, y: from.y + (frame?.height ?? 0) / 2 + 3 });
    await page.getByText(/5\d\d × 3\d\d pixels/).waitFor();
    await expectNoBarriers(page);
    await page.getByRole("button", { name: "Save" }).tap();
    await eventually(async () => (await editsOf(photo.id))?.flip, false);
    expect(distance(await seen(), [yellow, yellow, yellow, yellow] as typeof corners)).toBeLessThan(12);
    expect(tab.complaints).toEqual([]);
  });
});
