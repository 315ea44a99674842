// Runs only with TEST_LONG: a browser takes long, and tests/studio/blog.test.ts is the story of the studio in npm test.
import { expect, test } from "bun:test";
import { describeInBrowser } from "../kit/browser.ts";
import { expectNoBarriers } from "./barriers.ts";
import { eventually, sizesOf, useStudio } from "./studio.ts";

const api = "/api/v1";
const long = "a rather long name that does not fit into one line of a narrow window.txt";

describeInBrowser("the trash", () => {
  const namesIn = async (path: string): Promise<string[]> =>
    (await studio.chief.get(path)).body.map(({ name, title }: { name?: string; title?: string }) => name ?? title);
  const trashFile = async (name: string) => {
    const { body } = await studio.chief.upload(name, name);
    await studio.chief.delete(`${api}/files/${body.id}`);
  };
  const studio = useStudio();

  test("restores records of each kind, and many at once", async () => {
    const { body: post } = await studio.chief.post(`${api}/blog`, { title: "Ferries", content: "Late." });
    await studio.chief.delete(`${api}/blog/${post.id}`);
    for (const name of ["one.txt", "two.txt"]) await trashFile(name);
    await using tab = await studio.open("/trash");
    const { page } = tab;
    await page.getByText("one.txt").waitFor();
    await page.getByLabel("Show").selectOption("Posts");
    await page.getByText("one.txt").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Restore Ferries" }).click();
    await page.getByText("1 item restored").waitFor();
    expect(await namesIn(`${api}/blog`)).toEqual(["Ferries"]);
    await page.getByLabel("Show").selectOption("Files");
    await page.getByLabel("Select one.txt").check();
    await page.getByLabel("Select two.txt").check();
    await page.getByText("2 selected").waitFor();
    await page.getByRole("button", { name: "Restore", exact: true }).click();
    await page.getByText("2 items restored").waitFor();
    expect(await namesIn(`${api}/files`)).toEqual(["one.txt", "two.txt"]);
    expect(tab.complaints).toEqual([]);
  });

  for (const { name, options } of sizesOf("phone")) {
    test(`asks before it deletes permanently, and can be emptied, ${name}`, async () => {
      for (const name of ["red.txt", "green.txt", "blue.txt", long]) await trashFile(name);
      await using tab = await studio.open("/trash", options);
      const { page } = tab;
      await page.getByLabel(`Select ${long}`).check();
      await page.getByText("1 selected").waitFor();
      await expectNoBarriers(page);
      await page.getByRole("button", { name: "Clear selection" }).click();
      await page.getByRole("button", { name: "Delete red.txt permanently" }).click();
      const dialog = page.getByRole("dialog", { name: "Delete 1 item permanently?" });
      await expectNoBarriers(page);
      await dialog.getByRole("button", { name: "Cancel" }).click();
      await page.getByRole("button", { name: "Delete red.txt permanently" }).click();
      await dialog.getByRole("button", { name: "Delete permanently" }).click();
      await page.getByText("1 item deleted permanently").waitFor();
      expect(await namesIn(`${api}/trash`)).not.toContain("red.txt");
      expect(await namesIn(`${api}/trash`)).toContain("blue.txt");
      await page.getByRole("button", { name: "Empty trash" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete permanently" }).click();
      await page.getByText("The trash is empty").waitFor();
      await eventually(() => namesIn(`${api}/trash`), []);
      expect(tab.complaints).toEqual([]);
    });
  }
});
