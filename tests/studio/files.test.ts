// Runs only with TEST_LONG: a browser takes long, and tests/studio/blog.test.ts is the story of the studio in npm test.
import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { describeInBrowser } from "../kit/browser.ts";
import { png } from "../kit/files/png.ts";
import { member } from "../kit/people.ts";
import { isLong } from "../kit/long.ts";
import { bytesOf, noise } from "../kit/files/pictures.ts";
import { newDirectory, useScratch } from "../kit/scratch.ts";
import { expectNoBarriers, expectNoRareBarriers } from "./barriers.ts";
import { dropPaths } from "./drop.ts";
import { addDeepFolder, addLargeFolder } from "./many-entries.ts";
import { eventually, sizesOf, useStudio } from "./studio.ts";
import { fingersOf } from "./touch.ts";

const scratch = useScratch();
const api = "/api/v1";

describeInBrowser("the file manager", () => {
  const upload = (name: string, content: Bun.BlobPart, path = "/") => studio.chief.upload(name, content, { path });
  const namesIn = async (path: string): Promise<string[]> =>
    (await studio.chief.get(`${api}/files?path=${encodeURIComponent(path)}`)).body.map(
      ({ name }: { name: string }) => name,
    );
  const studio = useStudio();

  for (const { name, options, id: size } of sizesOf("phone")) {
    test(`moves a folder of 2,000 files, deletes it, and restores it at once and from the trash, ${name}`, async () => {
      const { id } = await addDeepFolder(studio.chief, `Many ${size}`);
      await studio.chief.post(`${api}/directories`, { name: `Target ${size}` });
      const target = `/Target ${size}`;
      await using tab = await studio.open("/files", options);
      const { page } = tab;
      const choose = async (action: string) => {
        await page.getByRole("button", { name: `Actions for Many ${size}` }).click();
        await page.getByRole("menuitem", { name: action }).click();
      };
      await choose("Move to…");
      const picker = page.getByRole("dialog");
      await picker.getByRole("treeitem", { name: `Target ${size}` }).click();
      await expectNoBarriers(page);
      await picker.getByRole("button", { name: "Move here" }).click();
      await page.getByText(`1 item moved to Target ${size}`).waitFor();
      expect(await namesIn(`${target}/Many ${size}`)).toHaveLength(10);
      expect(await namesIn("/")).not.toContain(`Many ${size}`);

      await tab.open(`/studio/files${target}`);
      await choose("Delete");
      await entry(page, `Many ${size}`).waitFor({ state: "detached" });
      await eventually(() => namesIn(target), []);
      await page.getByRole("button", { name: "Undo" }).last().click();
      await entry(page, `Many ${size}`).waitFor();
      expect(await namesIn(`${target}/Many ${size}/week/day`)).toHaveLength(20);
      expect((await studio.chief.get(`${api}/files/${id}`)).body.path).toBe(target);

      await choose("Delete");
      await eventually(() => namesIn(target), []);
      await tab.open("/studio/trash");
      await page.getByRole("button", { name: `Restore Many ${size}` }).click();
      await page.getByText("1 item restored").waitFor();
      expect(await namesIn(`${target}/Many ${size}`)).toHaveLength(10);
      expect(tab.complaints).toEqual([]);
    });
  }

  test("renames in place, makes folders, and asks what happens to names that are taken", async () => {
    for (const path of ["/Work", "/Work/Old"]) await upload("plan.txt", `Plan of ${path}`, path);
    await using tab = await studio.open("/files/Work");
    const { page } = tab;
    await page.getByRole("grid").waitFor();
    await page.keyboard.press("Control+Shift+N");
    await page.getByLabel("New name").fill("New");
    await page.keyboard.press("Enter");
    await page.getByText("Renamed to “New”").waitFor();
    expect(await namesIn("/Work")).toEqual(["New", "Old", "plan.txt"]);

    await focusOn(page, "plan.txt");
    await page.keyboard.press("F2");
    await page.keyboard.type("idea");
    await page.keyboard.press("Enter");
    await entry(page, "idea.txt").waitFor();
    await page.getByText("Renamed to “idea.txt”").waitFor();
    await page.keyboard.press("F2");
    await page.keyboard.type("plan");
    await page.keyboard.press("Enter");
    await entry(page, "plan.txt").waitFor();

    for (const [choice, expected] of [
      ["Keep both", ["plan (1).txt", "plan.txt"]],
      ["Skip", ["plan (1).txt", "plan.txt"]],
      ["Replace", ["plan (1).txt", "plan.txt"]],
    ] as const) {
      await entry(page, "plan.txt").click({ button: "right" });
      await page.getByRole("menuitem", { name: "Copy to…" }).click();
      const picker = page.getByRole("dialog");
      await picker.getByRole("treeitem", { name: "Old", exact: true }).click();
      await picker.getByRole("button", { name: "Copy here" }).click();
      await page.getByRole("button", { name: choice }).waitFor();
      await expectNoRareBarriers(page);
      await page.getByRole("button", { name: choice }).click();
      await eventually(async () => (await namesIn("/Work/Old")).toSorted(), [...expected]);
    }
    const replaced = async () => {
      const { body } = await studio.chief.get(`${api}/files/dir/Work/Old/plan.txt`);
      return (await studio.chief.get(`${api}/files/${body.id}/content`)).body;
    };
    await eventually(replaced, "Plan of /Work");
    expect(tab.complaints).toEqual([]);
  });

  for (const { name, options } of sizesOf("phone")) {
    test(`replaces a file and goes back to its version, ${name}`, async () => {
      const { body: file } = await upload(`letter ${options.viewport.width}.txt`, "The first text", "/Letters");
      await using tab = await studio.open("/files/Letters", options);
      const { page } = tab;
      await page.getByRole("button", { name: `Actions for ${file.name}` }).click();
      await page.getByRole("menuitem", { name: "Details" }).click();
      const details = page.getByRole("dialog", { name: "Details" });
      await details.getByText("No earlier versions").waitFor();
      const chooser = page.waitForEvent("filechooser");
      await details.getByRole("button", { name: "Replace content…" }).click();
      await (
        await chooser
      ).setFiles({ name: "other.txt", mimeType: "text/plain", buffer: Buffer.from("The second text") });
      const contentOf = async () => (await studio.chief.get(`${api}/files/${file.id}/content`)).body;
      await details.getByRole("list", { name: "Versions" }).waitFor();
      expect(await contentOf()).toBe("The second text");
      await details.getByRole("button", { name: /^Restore/ }).click();
      await page.getByText(/^The version of .* was restored$/).waitFor();
      expect(await contentOf()).toBe("The first text");
      await expectNoBarriers(page);
      expect(tab.complaints).toEqual([]);
    });
  }

  test("uploads a folder that was chosen, and files and folders that are dropped on one", async () => {
    const root = newDirectory(scratch);
    mkdirSync(join(root, "Trip", "Day 1"), { recursive: true });
    writeFileSync(join(root, "Trip", "list.txt"), "One\n");
    writeFileSync(join(root, "Trip", "Day 1", "note.txt"), "Two\n");
    await studio.chief.post(`${api}/directories`, { name: "Uploads" });
    await using tab = await studio.open("/files/Uploads");
    const { page } = tab;
    await page.getByRole("button", { name: "New", exact: true }).click();
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("menuitem", { name: "Upload a folder" }).click();
    await (await chooser).setFiles(join(root, "Trip"));
    await entry(page, "Trip").waitFor();
    mkdirSync(join(root, "Late"));
    for (const path of ["dropped.txt", "Late/four.txt"]) writeFileSync(join(root, path), path);
    await dropPaths(tab, entry(page, "Trip"), [join(root, "dropped.txt"), join(root, "Late")]);
    await entry(page, "Trip").dblclick();
    for (const name of ["dropped.txt", "list.txt", "Late"]) await entry(page, name).waitFor();
    await eventually(() => namesIn("/Uploads/Trip/Late"), ["four.txt"]);
    expect(await namesIn("/Uploads/Trip/Day 1")).toEqual(["note.txt"]);
    expect(tab.complaints).toEqual([]);
  });

  test("moves what is dragged to the tree and to the path, and selects with a box", async () => {
    for (const name of ["one.txt", "two.txt", "three.txt"]) await upload(name, name, "/Drag/From");
    await studio.chief.post(`${api}/directories`, { name: "To", path: "/Drag" });
    await using tab = await studio.open("/files/Drag/From");
    const { page } = tab;
    await entry(page, "one.txt")
      .getByText("one.txt")
      .dragTo(page.getByRole("treeitem", { name: "To", exact: true }));
    await page.getByText("1 item moved to To").waitFor();
    await entry(page, "two.txt")
      .getByText("two.txt")
      .dragTo(page.getByRole("link", { name: "Drag", exact: true }));
    await page.getByText("1 item moved to Drag").waitFor();
    expect([await namesIn("/Drag/To"), await namesIn("/Drag")]).toEqual([["one.txt"], ["From", "To", "two.txt"]]);
    await entry(page, "three.txt").click();
    await page.keyboard.press("Control+c");
    await page.getByRole("treeitem", { name: "To", exact: true }).click();
    await entry(page, "one.txt").waitFor();
    await page.keyboard.press("Control+v");
    await entry(page, "three.txt").waitFor();
    await page.keyboard.press("Backspace");
    await entry(page, "To").waitFor();
    const box = (await page.getByRole("grid").boundingBox())!;
    await page.mouse.move(box.x + box.width - 60, box.y + box.height - 40);
    await page.mouse.down();
    await page.mouse.move(box.x + 200, box.y + 80, { steps: 5 });
    await page.mouse.up();
    await page.getByText("2 selected").waitFor();
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download" }).click();
    expect((await download).suggestedFilename()).toBe("files.zip");
    expect(tab.complaints).toEqual([]);
  });

  test("shows small pictures of photos, and loads no large original", async () => {
    const large = async () => bytesOf(noise(400, 300).png());
    const { body: file } = await upload("photo.png", await large(), "/Pictures");
    await upload("file.png", Buffer.concat([await large(), Buffer.from("other")]), "/Pictures");
    await upload("small.png", png(20, 20), "/Pictures");
    expect(file.size).toBeGreaterThan(100_000);
    const { body: photo } = await studio.chief.post(`${api}/photos`, { title: "Photo", fileID: file.id });
    await using tab = await studio.open("/files");
    const { page } = tab;
    const loaded: string[] = [];
    page.on("request", (request) => request.url().includes("/content") && loaded.push(request.url()));
    await page.goto("/studio/files/Pictures");
    await entry(page, "photo.png").locator(`img[src*="/photos/${photo.id}/image"]`).waitFor();
    await entry(page, "small.png").locator("img").waitFor();
    expect(await entry(page, "file.png").locator("img").count()).toBe(0);
    expect(loaded).toHaveLength(1);
    expect(tab.complaints).toEqual([]);
  });

  test("shows what others own without what only they can do, and changes who sees many files", async () => {
    await member(studio.server, "grace", "author");
    for (const name of ["one.txt", "two.txt"]) await upload(name, name, "/Foreign");
    await using foreign = await studio.open("/files/Foreign", { username: "grace" });
    await entry(foreign.page, "one.txt").click({ button: "right" });
    await foreign.page.getByRole("menuitem", { name: "Download" }).waitFor();
    expect(await foreign.page.getByRole("menuitem", { name: "Rename" }).count()).toBe(0);
    await foreign.page.getByRole("menuitem", { name: "Details" }).click();
    await foreign.page.getByRole("dialog").getByRole("link", { name: "Download" }).waitFor();
    expect(await foreign.page.getByRole("dialog").getByText("Versions").count()).toBe(0);
    await foreign.page.keyboard.press("Escape");

    await using tab = await studio.open("/files/Foreign");
    await entry(tab.page, "one.txt").click();
    await tab.page.keyboard.press("Control+a");
    await tab.page.getByRole("button", { name: "More actions" }).click();
    await tab.page.getByRole("menuitem", { name: "Make private" }).click();
    await tab.page.getByText("2 items are now private").waitFor();
    await foreign.page.reload();
    await foreign.page.getByText("This folder is empty").waitFor();
    expect([...foreign.complaints, ...tab.complaints]).toEqual([]);
  });

  test("shows pictures, texts, Markdown and PDFs", async () => {
    const folder = "/Shown";
    await upload("a.png", png(40, 30), folder);
    // Chromium cannot show this format; the server has the photo as a JPEG.
    const { body: heic } = await upload("0.heic", Bun.file("tests/fixtures/quadrants.heic"), folder);
    await studio.chief.post(`${api}/photos`, { title: "Quadrants", fileID: heic.id });
    await upload("b.txt", "Plain text", folder);
    await upload("c.md", "# A heading\n\nand *text*\n\n- [x] done\n- [ ] open\n\n```\ncode\n```", folder);
    await using tab = await studio.open("/files/Shown");
    const { page, context } = tab;
    const printer = await context.newPage();
    await printer.setContent("<h1>Printed</h1>");
    await upload("d.pdf", new Uint8Array(await printer.pdf()), folder);
    await printer.close();
    await entry(page, "d.pdf").waitFor();
    await focusOn(page, "0.heic");
    await page.keyboard.press("Space");
    const converted = page.getByRole("dialog").getByRole("img", { name: "0.heic" });
    expect(await converted.evaluate((image: any) => image.decode().then(() => image.naturalWidth > 0))).toBe(true);
    await page.keyboard.press("ArrowRight");
    const picture = page.getByRole("img", { name: "a.png" });
    await picture.waitFor();
    expect(await picture.evaluate((image: any) => image.decode().then(() => image.naturalWidth))).toBe(40);
    await page.keyboard.press("ArrowRight");
    await page.getByText("Plain text").waitFor();
    await page.keyboard.press("ArrowRight");
    await page.getByRole("heading", { name: "A heading" }).waitFor();
    await expectNoBarriers(page);
    await page.keyboard.press("ArrowRight");
    // Not every browser shows PDFs.
    const showsPDF = await page.evaluate<boolean>("navigator.pdfViewerEnabled");
    if (showsPDF) await page.frameLocator("iframe[title='d.pdf']").locator("body").waitFor();
    else await page.getByRole("dialog").getByText("d.pdf").first().waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(tab.complaints).toEqual([]);
  });

  test("reaches the end of a folder with 5,000 entries", async () => {
    await addLargeFolder(studio.server, studio.chief, "Large", 5000);
    await using tab = await studio.open("/files/Large");
    const { page } = tab;
    await entry(page, "file 1.txt").waitFor();
    await page.getByText("more than 1,200 items").waitFor();
    await page.keyboard.press("End");
    await page.getByText("5,000 items").waitFor();
    await entry(page, "file 5000.txt").waitFor();
    expect(await page.getByRole("row").count()).toBeLessThan(100);
    await page.getByRole("button", { name: "Size" }).click();
    await page.getByRole("button", { name: "Size" }).click();
    await page.keyboard.press("Control+Home");
    await page.getByRole("grid").evaluate((grid: any) => grid.querySelector("[role=rowgroup]").scrollTo(0, 0));
    await page.getByRole("row").nth(1).filter({ hasText: "file 5000.txt" }).waitFor();
    await page.getByRole("row").nth(1).click();
    await page.keyboard.press("Control+a");
    await page.getByText("5,000 selected").waitFor();
    expect(tab.complaints).toEqual([]);
  });

  for (const { name, options, id } of sizesOf("phone")) {
    test(`has no barriers ${name}`, async () => {
      const folder = `/Looks ${id}`;
      await upload("a rather long name that does not fit into a narrow window.txt", "text", folder);
      await upload("b.png", png(20, 20), folder);
      await studio.chief.post(`${api}/directories`, { name: "c", path: folder, visibility: "private" });
      await using tab = await studio.open(`/files${folder}`, options);
      const { page } = tab;
      await entry(page, "b.png").waitFor();
      if (id === "phone") {
        const isSelected = () => page.getByText("1 selected").waitFor();
        await (await fingersOf(tab)).hold(entry(page, "b.png"), isSelected);
      } else await entry(page, "b.png").click();
      await page.getByText("1 selected").waitFor();
      await expectNoBarriers(page);
      await page.getByRole("button", { name: "Clear selection" }).click();
      await page.getByRole("button", { name: "Show as" }).click();
      await page.getByRole("menuitemcheckbox", { name: "Grid" }).click();
      await page.getByRole("button", { name: "Actions for b.png" }).click();
      await page.getByRole("menuitem", { name: "Details" }).click();
      await page.getByText("Nothing uses this file.").waitFor();
      await expectNoBarriers(page);
      expect(tab.complaints).toEqual([]);
    });
  }

  test.skipIf(!isLong)("stays quick with 100,000 entries in a folder", async () => {
    await addLargeFolder(studio.server, studio.chief, "Huge", 100_000);
    await using tab = await studio.open("/files/Huge");
    const { page } = tab;
    await entry(page, "file 1.txt").waitFor();
    await page.keyboard.press("End");
    await page.getByText("100,000 items").waitFor();
    await entry(page, "file 100000.txt").waitFor();
    expect(await page.getByRole("row").count()).toBeLessThan(100);
    const times: number[] = [];
    for (let presses = 0; presses < 20; presses++) {
      const begin = performance.now();
      await page.keyboard.press("ArrowUp");
      times.push(performance.now() - begin);
    }
    console.log(`A key takes ${times.toSorted((one, other) => one - other)[10]?.toFixed(0)} ms at the median.`);
    await entry(page, "file 99980.txt").and(page.locator(":focus")).waitFor();
    expect(tab.complaints).toEqual([]);
  });
});

/** An entry in the list or the grid. */
const entry = (page: Page, name: string): Locator =>
  page
    .getByRole("grid")
    .locator("[data-index]")
    .filter({ has: page.getByText(name, { exact: true }) });

/** Types the name, as one does in a file manager. */
async function focusOn(page: Page, name: string): Promise<void> {
  await entry(page, name).waitFor();
  await page.getByRole("grid").locator("[tabindex='0']").focus();
  await page.keyboard.type(name.toLowerCase().split(" ")[0] ?? "");
  await entry(page, name).and(page.locator("[aria-selected=true]")).waitFor();
}
