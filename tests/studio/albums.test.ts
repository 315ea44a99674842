// Runs only with TEST_LONG: a browser takes long, and tests/studio/blog.test.ts is the story of the studio in npm test.
import { beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { describeInBrowser } from "../kit/browser.ts";
import { bytesOf, plain } from "../kit/files/pictures.ts";
import { expectNoBarriers, expectNoRareBarriers } from "./barriers.ts";
import { eventually, phoneOptions, sizesOf, useStudio } from "./studio.ts";
import { fingersOf, middleOf } from "./touch.ts";

describeInBrowser("albums in the studio", () => {
  /** Of photos with the titles A to F. */
  let photoIDs: number[];
  const studio = useStudio();
  beforeAll(async () => {
    photoIDs = [];
    for (const [index, title] of Array.from("ABCDEF").entries()) {
      const bytes = await bytesOf(plain(90 + index, 60, `hsl(${index * 60}, 40%, 50%)`).jpeg());
      const { body: file } = await studio.chief.upload(`${title}.jpg`, bytes);
      photoIDs.push((await studio.chief.post("/api/v1/photos", { title, fileID: file.id })).body.id);
    }
  });

  for (const { name, options } of sizesOf("desktop")) {
    test(`are ordered by the mouse, and by the keyboard alone, which says where a photo is, ${name}`, async () => {
      const id = await createAlbum("Ordered");
      await using tab = await studio.open(`/albums/${id}`, options);
      const { page } = tab;
      await dragWithMouse(page, "A", "D");
      await expectOrder(page, id, "BCDAEF");

      await photo(page, "B").focus();
      await page.keyboard.press("Space");
      await page.getByText("B picked up. Position 1 of 6.").waitFor();
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("ArrowRight");
      await page.getByText("Position 3 of 6.").waitFor();
      await page.keyboard.press("Space");
      await page.getByText("B put down at position 3.").waitFor();
      await expectOrder(page, id, "CDBAEF");
      expect(await page.locator(":focus").getAttribute("aria-label")).toBe("B, Public");

      await page.keyboard.press("Space");
      await page.keyboard.press("Home");
      await page.keyboard.press("Escape");
      await page.getByText("B is back where it was.").waitFor();
      await expectOrder(page, id, "CDBAEF");
      expect(tab.complaints).toEqual([]);
    });
  }

  test("are ordered by a finger that rests on a photo first", async () => {
    const id = await createAlbum("Touched");
    await using tab = await studio.open(`/albums/${id}`, phoneOptions);
    const { page } = tab;
    await (await fingersOf(tab)).drag(photo(page, "A"), photo(page, "D"));
    await expectOrder(page, id, "BCDAEF");
    expect(tab.complaints).toEqual([]);
  });

  for (const { name, options } of sizesOf("phone")) {
    test(`are created, filled from the library, nested, and deleted with a way back ${name}`, async () => {
      const album = `Journey ${name}`;
      const parent = `Around ${name}`;
      await createAlbum(parent);
      await using tab = await studio.open("/albums", options);
      const { page } = tab;
      await page.getByRole("button", { name: "New album" }).first().click();
      await page.getByLabel("Name").fill(album);
      await page.getByLabel("Description").fill("Five days.");
      await expectNoRareBarriers(page);
      await page.getByRole("button", { name: "Create" }).click();
      await page.getByRole("heading", { name: album, level: 1 }).waitFor();

      await page.getByRole("button", { name: "Add photos" }).first().click();
      await page.getByRole("menuitem", { name: "From the library…" }).click();
      const picker = page.getByRole("dialog");
      for (const title of ["B", "E"]) await picker.getByRole("option", { name: title, exact: true }).click();
      await expectNoBarriers(page);
      await picker.getByRole("button", { name: "Add 2" }).click();
      await photo(page, "E").waitFor();
      await expectNoBarriers(page);

      await page.locator("[data-part=select]").nth(1).click();
      const download = page.waitForEvent("download");
      await page.getByRole("button", { name: "Download" }).click();
      expect((await download).suggestedFilename()).toMatch(/\.(jpe?g|png)$/);
      await page.getByRole("button", { name: "Use as cover" }).click();
      await page.getByRole("option", { name: "E, cover" }).waitFor();
      await photo(page, "B").focus();
      await page.keyboard.press("x");
      await page.getByRole("button", { name: "Remove from album" }).click();
      await photo(page, "B").waitFor({ state: "detached" });
      await page.getByText("1 photo was removed").waitFor();
      await page.getByRole("button", { name: "Undo" }).last().click();
      await photo(page, "B").waitFor();

      await page.getByRole("main").getByRole("button", { name: "More" }).click();
      await page.getByRole("menuitem", { name: "Move into another album…" }).click();
      await page.getByRole("dialog").getByRole("button", { name: parent }).click();
      await page.getByRole("main").getByRole("link", { name: parent }).click();
      await page.getByRole("heading", { name: parent, level: 1 }).waitFor();
      await page.getByRole("button", { name: `Actions for ${album}` }).click();
      await page.getByRole("menuitem", { name: "Delete" }).click();
      await page.getByText(`“${album}” is in the trash.`).waitFor();
      await page.getByRole("link", { name: album }).waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Undo" }).last().click();
      await page.getByRole("link", { name: album }).waitFor();

      await page.goto("/studio/albums");
      await page.getByRole("link", { name: parent }).waitFor();
      await expectNoBarriers(page);
      expect(tab.complaints).toEqual([]);
    });
  }

  test("are moved to the end of an album that is not loaded to its end", async () => {
    const { chief } = studio;
    const { fileID } = (await chief.get(`/api/v1/photos/${photoIDs[0]}`)).body;
    const ids: number[] = [];
    for (let number = 1; number <= 104; number++) {
      ids.push((await chief.post("/api/v1/photos", { title: `Number ${number}`, fileID })).body.id);
    }
    const { id } = (await chief.post("/api/v1/albums", { name: "Long" })).body;
    await chief.post("/api/v1/photos/batch", { ids, albumID: id });
    await using tab = await studio.open(`/albums/${id}`);
    const { page } = tab;
    await photo(page, "Number 1").focus();
    await page.keyboard.press("x");
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Move to the end" }).click();
    const lastID = async () => (await chief.get(`/api/v1/albums/${id}?page=104&pageSize=1`)).body.photos[0]?.id;
    await eventually(lastID, ids[0]);
    expect(tab.complaints).toEqual([]);
  });

  for (const { id: size, name, options } of sizesOf("desktop")) {
    test(`have an order among themselves, an order by date, and filters, ${name}`, async () => {
      const { chief } = studio;
      const tag = size === "desktop" ? "Sea" : "Lake";
      const names = ["One", "Two", "Three"].map((word) => `${word} ${name}`);
      for (const each of names.toReversed()) await chief.post("/api/v1/albums", { name: each });
      const shown = async () => {
        const { body } = await chief.get("/api/v1/albums?sort=position&parentID=none");
        return body.flatMap((album: { name: string }) => (names.includes(album.name) ? [album.name] : []));
      };
      await using tab = await studio.open("/albums", options);
      const { page } = tab;
      const card = (each = "") => page.getByRole("link", { name: each });
      await page.getByRole("button", { name: `Actions for ${names[0]}` }).click();
      await page.getByRole("menuitem", { name: "Move later" }).click();
      await eventually(shown, [names[1], names[0], names[2]]);
      if (size === "desktop") {
        await card(names[2]).focus();
        await page.keyboard.press("Alt+ArrowLeft");
        await page.getByText(`${names[2]} is now at position 2`).waitFor();
        await eventually(shown, [names[1], names[2], names[0]]);
        const [start, end] = [await middleOf(card(names[0])), await middleOf(card(names[1]))];
        await page.mouse.move(start.x, start.y);
        await page.mouse.down();
        await page.mouse.move(end.x, end.y, { steps: 5 });
        await page.mouse.up();
        await eventually(shown, [names[0], names[1], names[2]]);
      }

      await page.getByRole("button", { name: "New album" }).first().click();
      await page.getByLabel("Name").fill(`Smart ${name}`);
      await page.getByRole("checkbox", { name: "Smart album" }).check();
      await page.getByRole("button", { name: "Create" }).click();
      await page.getByText("Choose at least one condition.").waitFor();
      await page.getByLabel("Tags").fill(tag);
      await page.keyboard.press("Enter");
      await page.getByLabel("From").fill("2026-06-01");
      await page.getByLabel("To", { exact: true }).fill("2026-06-30");
      await expectNoBarriers(page);
      await page.getByRole("button", { name: "Create" }).click();
      await page.getByText("No photos match its filter yet.").waitFor();
      await page.getByText(`Smart album: ${tag}, from`).waitFor();
      expect(await page.getByRole("button", { name: "Add photos" }).count()).toBe(0);
      for (const [index, day] of ["29", "30"].entries()) {
        await chief.put(`/api/v1/photos/${photoIDs[index]}`, {
          tags: [tag.toLowerCase()],
          takenAt: `2026-06-${day}T12:00:00Z`,
        });
      }
      await page.getByRole("option", { name: /^A,/ }).waitFor();
      await page.getByText("Ordered by date, newest first.").waitFor();
      await expectNoBarriers(page);
      const titles = await page.getByRole("option").evaluateAll((all) => all.map((one) => one.ariaLabel));
      expect(titles).toEqual([expect.stringMatching(/^B,/), expect.stringMatching(/^A,/)]);
      await page.getByRole("button", { name: "Share…", exact: true }).click();
      const sharing = page.getByRole("dialog", { name: /^Share/ });
      await sharing.getByText("Guests cannot send pictures to a smart album").waitFor();
      expect(await sharing.getByLabel("Guests can send pictures").count()).toBe(0);
      await sharing.getByRole("button", { name: "Create link" }).click();
      await sharing.getByRole("button", { name: "Create another" }).click();
      await sharing.getByRole("button", { name: "Change" }).click();
      await page.getByRole("menuitem", { name: "Change" }).click();
      const changing = page.getByRole("dialog", { name: "Change link" });
      await changing.getByText("Guests cannot send pictures to a smart album").waitFor();
      expect(await changing.getByLabel("Guests can send pictures").count()).toBe(0);
      expect(tab.complaints).toEqual([]);
    });
  }

  async function createAlbum(name: string): Promise<number> {
    const { body } = await studio.chief.post("/api/v1/albums", { name });
    await studio.chief.put(`/api/v1/albums/${body.id}/photos`, { photoIDs });
    return body.id;
  }

  const photo = (page: Page, title: string) =>
    page.getByRole("listbox").getByRole("option", { name: new RegExp(`^${title}(, cover)?, Public$`) });

  async function dragWithMouse(page: Page, from: string, to: string): Promise<void> {
    const [start, end] = [await middleOf(photo(page, from)), await middleOf(photo(page, to))];
    await page.mouse.move(start.x, start.y);
    await page.mouse.down();
    await page.mouse.move((start.x + end.x) / 2, end.y, { steps: 3 });
    await page.mouse.move(end.x, end.y, { steps: 3 });
    await page.mouse.up();
  }

  /** On the screen at once, and soon on the server. */
  async function expectOrder(page: Page, id: number, titles: string): Promise<void> {
    await photo(page, titles[0] ?? "").waitFor();
    const shown = await page
      .locator("[data-position]")
      .evaluateAll((tiles) =>
        tiles
          .toSorted(
            (one, other) => Number(one.getAttribute("data-position")) - Number(other.getAttribute("data-position")),
          )
          .map((tile) => tile.getAttribute("aria-label")?.split(",")[0]),
      );
    expect(shown.join("")).toBe(titles);
    await eventually(async () => {
      const { body } = await studio.chief.get(`/api/v1/albums/${id}`);
      return body.photos.map(({ title }: { title: string }) => title).join("");
    }, titles);
  }
});
