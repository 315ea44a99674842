// Runs only with TEST_LONG: a browser takes long, and tests/studio/blog.test.ts is the story of the studio in npm test.
import { expect, test } from "bun:test";
import sharp from "sharp";
import { describeInBrowser } from "../kit/browser.ts";
import { bytesOf } from "../kit/files/pictures.ts";
import { expectNoBarriers } from "./barriers.ts";
import { eventually, sizes, useStudio } from "./studio.ts";

const samples = new URL("../../src/web/site/setup/samples/pictures/", import.meta.url).pathname;
const photos = "/api/v1/photos";

describeInBrowser("duplicates", () => {
  const studio = useStudio();
  const titles = async () =>
    (await studio.chief.get(`${photos}?owner=me`)).body.map(({ title }: any) => title).toSorted();

  test("are kept or deleted group by group by keyboard, with undo, and are remembered as none on a phone", async () => {
    for (const name of ["forest", "lake"]) {
      for (const width of [1200, 500]) {
        const bytes = await bytesOf(sharp(`${samples}${name}.jpg`).resize({ width }).jpeg());
        const { body: file } = await studio.chief.upload(`${name}-${width}.jpg`, bytes);
        await studio.chief.post(photos, { title: `${name} ${width}`, fileID: file.id });
      }
    }
    const [desktop, phone] = sizes.map(({ options }) => options);
    {
      await using tab = await studio.open("/photos/duplicates", desktop);
      const { page } = tab;
      await page.getByText("2 pictures with copies").waitFor();
      await expectNoBarriers(page);
      expect(await page.getByRole("checkbox", { name: "Keep “lake 1200”" }).isChecked()).toBe(true);
      await page.getByRole("checkbox", { name: "Keep “lake 500”" }).focus();
      await page.keyboard.press("Space");
      await page.getByRole("button", { name: "Keep all" }).waitFor();
      await page.keyboard.press("Space");
      await page.getByRole("button", { name: "Keep 1, delete 1" }).first().focus();
      await page.keyboard.press("Enter");
      await page.getByText("1 picture with copies").waitFor();
      await page.locator("input:focus").waitFor({ state: "attached" });
      await eventually(titles, ["forest 1200", "forest 500", "lake 1200"]);
      await page.getByRole("button", { name: "Undo" }).click();
      await page.getByText("2 pictures with copies").waitFor();
      expect(await titles()).toHaveLength(4);
      await page.goto(`${studio.server.url}/studio`);
      await page.getByRole("link", { name: "2 pictures have copies" }).waitFor();
      expect(tab.complaints).toEqual([]);
    }
    await using tab = await studio.open("/", phone);
    const { page } = tab;
    await page.getByRole("link", { name: "2 pictures have copies" }).tap();
    await page.getByRole("button", { name: "Not duplicates" }).first().tap();
    await page.getByText("1 picture with copies").waitFor();
    await page.getByRole("button", { name: "Not duplicates" }).tap();
    await page.getByText("No duplicates").waitFor();
    await expectNoBarriers(page);
    await page.reload();
    await page.getByText("No duplicates").waitFor();
    expect(await titles()).toHaveLength(4);
    expect(tab.complaints).toEqual([]);
  });
});
