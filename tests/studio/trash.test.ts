import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { browserPath, findBarriers } from "../browser/browser.ts";
import { overflowOf } from "../browser/ways.ts";
import { addDeepFolder } from "./many-entries.ts";
import { eventually, sizes, startStudio, type Studio } from "./studio.ts";

const api = "/api/v1";

describe.skipIf(!browserPath)("the trash", () => {
  let studio: Studio;
  const namesIn = async (path: string): Promise<string[]> =>
    (await studio.chief.get(path)).body.map(({ name, title }: { name?: string; title?: string }) => name ?? title);
  const trashFile = async (name: string) => {
    const { body } = await studio.chief.upload(name, name);
    await studio.chief.delete(`${api}/files/${body.id}`);
  };
  beforeAll(async () => {
    studio = await startStudio();
  }, 120_000);
  afterAll(() => studio[Symbol.asyncDispose]());

  test("restores a folder of 2,000 files, and many records at once", async () => {
    const folder = await addDeepFolder(studio.chief, "Many");
    await studio.chief.delete(`${api}/files/${folder.id}`);
    const { body: post } = await studio.chief.post(`${api}/blog`, { title: "Ferries", content: "Late." });
    await studio.chief.delete(`${api}/blog/${post.id}`);
    for (const name of ["one.txt", "two.txt"]) await trashFile(name);
    await using tab = await studio.open("/trash");
    const { page } = tab;
    await page.getByRole("button", { name: "Restore Many" }).click();
    await page.getByText("1 item restored").waitFor();
    expect(await namesIn(`${api}/files?path=/Many`)).toHaveLength(10);

    await page.getByRole("button", { name: "Posts" }).click();
    await page.getByText("one.txt").waitFor({ state: "detached" });
    await page.getByText("Ferries").waitFor();
    await page.getByRole("button", { name: "Files", exact: true }).click();
    await page.getByLabel("Select one.txt").check();
    await page.getByLabel("Select two.txt").check();
    await page.getByText("2 selected").waitFor();
    await page.getByRole("button", { name: "Restore", exact: true }).click();
    await page.getByText("2 items restored").waitFor();
    expect(await namesIn(`${api}/files`)).toEqual(["Many", "one.txt", "two.txt"]);
    expect(tab.complaints).toEqual([]);
  }, 180_000);

  test("asks before it deletes permanently, and can be emptied", async () => {
    for (const name of ["red.txt", "green.txt", "blue.txt"]) await trashFile(name);
    await using tab = await studio.open("/trash", sizes[1]!.options);
    const { page } = tab;
    await page.getByRole("button", { name: "Delete red.txt permanently" }).tap();
    const dialog = page.getByRole("dialog", { name: "Delete 1 item permanently?" });
    await dialog.getByRole("button", { name: "Cancel" }).tap();
    await page.getByRole("button", { name: "Delete red.txt permanently" }).tap();
    await dialog.getByRole("button", { name: "Delete permanently" }).tap();
    await page.getByText("1 item deleted permanently").waitFor();
    expect(await namesIn(`${api}/trash`)).not.toContain("red.txt");
    expect(await namesIn(`${api}/trash`)).toContain("blue.txt");
    await page.getByRole("button", { name: "Empty trash" }).tap();
    await page.getByRole("dialog").getByRole("button", { name: "Delete permanently" }).tap();
    await page.getByText("The trash is empty").waitFor();
    await eventually(() => namesIn(`${api}/trash`), []);
    expect(tab.complaints).toEqual([]);
  }, 180_000);

  for (const { name, options, colorSchemes } of sizes) {
    for (const colorScheme of colorSchemes) {
      test(`has no barriers ${name}, ${colorScheme}`, async () => {
        await trashFile("a rather long name that does not fit into one line of a narrow window.txt");
        await using tab = await studio.open("/trash", { ...options, colorScheme });
        const { page } = tab;
        await page
          .getByLabel(/^Select a rather/)
          .first()
          .check();
        await page.getByText("1 selected").waitFor();
        expect(await findBarriers(page)).toEqual([]);
        expect(await overflowOf(page)).toBe(0);
        expect(tab.complaints).toEqual([]);
      }, 180_000);
    }
  }
});
