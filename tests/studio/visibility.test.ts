// Runs only with TEST_LONG: a browser takes long, and tests/studio/blog.test.ts is the story of the studio in npm test.
import { beforeAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { describeInBrowser, findBarriers, type Tab } from "../kit/browser.ts";
import { client } from "../kit/client.ts";
import { isLong } from "../kit/long.ts";
import { bytesOf, plain } from "../kit/files/pictures.ts";
import { useScratch } from "../kit/scratch.ts";
import { expectNoBarriers } from "./barriers.ts";
import { eventually, sizes, useStudio } from "./studio.ts";
import { middleOf } from "./touch.ts";

const year = new Date().getFullYear();

describeInBrowser("who sees what is uploaded", () => {
  const scratch = useScratch();
  const studio = useStudio();
  beforeAll(async () => {
    await studio.chief.put("/api/v1/settings", { defaultVisibility: "private" });
  });

  for (const { name, options } of sizes) {
    test(`is shown and chosen before photos are uploaded, ${name}`, async () => {
      await using tab = await studio.open("/photos", options);
      const { page } = tab;
      const key = name.replaceAll(/\D/g, "");
      await openMenu(page);
      expect(await checkedIn(page)).toEqual(["Private Only you and admins can see it. ✓"]);
      expect(await findBarriers(page, ["color-contrast", "aria-required-children", "aria-allowed-role"])).toEqual([]);
      await chooseFrom(page, [await picture(`quiet${key}.jpg`)]);
      await stored(page);
      expect(await visibilityOf(`quiet${key}`)).toEqual(["private", "private"]);

      await openMenu(page);
      await page.getByRole("menuitemradio", { name: /^Public/ }).click();
      expect(await checkedIn(page)).toEqual(["Public Everyone can see what you upload. ✓"]);
      await chooseFrom(page, [await picture(`loud${key}.jpg`)]);
      await eventually(() => titlesFor("guest"), [`loud${key}`, ...(key === "390" ? ["loud1280"] : [])]);
      expect(await visibilityOf(`loud${key}`)).toEqual(["public", "public"]);
      // The original of a public photo is public: the first upload, a private one, has not hidden the directory.
      expect((await client(studio.server).get(`/api/v1/files?path=/photos/${year}`)).body).toHaveLength(
        key === "390" ? 2 : 1,
      );
      await page.getByRole("link", { name: `loud${key}, Public` }).waitFor();
      await page.getByRole("link", { name: `quiet${key}, Private` }).waitFor();
      expect(tab.complaints).toEqual([]);
    });
  }

  test("is decided by where files are dropped, in Photos and in Files", async () => {
    await using tab = await studio.open("/photos");
    const { page } = tab;
    for (const [visibility, place] of [
      ["public", "/photos"],
      ["private", "/photos"],
      ["public", "/files"],
      ["private", "/files"],
    ] as const) {
      await page.goto(`/studio${place}`);
      await page.getByRole("main").getByRole("heading").first().waitFor();
      const name = `dropped ${visibility} ${place.slice(1)}.jpg`;
      const { buffer } = await picture(name);
      writeFileSync(join(scratch, name), buffer);
      const zone = place === "/photos" ? page.getByRole("main") : page.getByRole("grid");
      await drop(tab, zone, page.locator(`[data-drop=${visibility}]`), join(scratch, name));
      await stored(page);
      const path = place === "/files" ? "/" : `/photos/${year}`;
      expect(await fileIn(path, name)).toBe(visibility);
    }
    expect(tab.complaints).toEqual([]);
  });

  test("is decided by a private folder, and then there is no choice", async () => {
    const { chief, server } = studio;
    await chief.post("/api/v1/directories", { name: "Papers", visibility: "private" });
    await chief.post("/api/v1/directories", { name: "2026", path: "/Papers", visibility: "public" });
    await chief.upload("open.txt", "x", { path: "/Papers/2026", visibility: "public" });
    await using tab = await studio.open("/files/Papers/2026");
    const { page } = tab;
    await page.getByRole("img", { name: "Private because of its folder" }).waitFor();
    await page.getByRole("button", { name: "New" }).click();
    await page.getByRole("menuitem", { name: "Private because of the folder" }).waitFor();
    expect(await page.getByRole("menuitemradio").count()).toBe(0);
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("menuitem", { name: "Upload files" }).click();
    await (await chooser).setFiles([{ name: "tax.txt", mimeType: "text/plain", buffer: Buffer.from("tax") }]);
    const tray = page.getByRole("region", { name: "Uploads" });
    await tray.getByRole("img", { name: "Private because of its folder" }).waitFor();
    await stored(page);
    expect((await client(server).get("/api/v1/search?q=tax")).body).toEqual([]);
    await page.getByRole("grid").getByText("open.txt").click({ button: "right" });
    await page.getByRole("menuitem", { name: "Rename" }).waitFor();
    expect(await page.getByRole("menuitem", { name: /Make (public|private)/ }).count()).toBe(0);
    expect(tab.complaints).toEqual([]);
  });

  test.if(isLong)(
    "stays so if a large upload goes on after the page was loaded again, and can be changed in the tray",
    async () => {
      await using tab = await studio.open("/files");
      const { page } = tab;
      page.on("dialog", (dialog) => void dialog.accept());
      let isHeld = true;
      // Parts of resumable uploads.
      await page.route("**/api/v1/uploads/*", (route) =>
        route.request().method() === "PATCH" && isHeld ? undefined : route.fallback(),
      );
      for (const name of ["first.bin", "second.bin"]) {
        await page.getByRole("button", { name: "New" }).click();
        const isPublic = name === "second.bin";
        if (isPublic) await page.getByRole("menuitemradio", { name: /^Public/ }).click();
        const chooser = page.waitForEvent("filechooser");
        await page.getByRole("menuitem", { name: "Upload files" }).click();
        const buffer = Buffer.alloc(9 * 2 ** 20, name);
        await (await chooser).setFiles([{ name, mimeType: "application/octet-stream", buffer }]);
      }
      const tray = page.getByRole("region", { name: "Uploads" });
      await tray.getByRole("button", { name: "Some public, some private" }).waitFor();
      await expectNoBarriers(page);
      await eventually(() => countKept(page), 2);
      await page.reload();
      await tray.getByRole("img", { name: "Public" }).waitFor();
      await tray.getByRole("img", { name: "Private" }).waitFor();
      await tray.getByRole("button", { name: "Some public, some private" }).click();
      await page.getByRole("menuitemradio", { name: /^Private/ }).click();
      await page.keyboard.press("Escape");
      await tray.getByRole("button", { name: /^Private: only you/ }).waitFor();
      isHeld = false;
      await tray.getByRole("button", { name: "Pause" }).click();
      await tray.getByRole("button", { name: "Continue" }).click();
      await page.getByRole("heading", { name: "2 files uploaded" }).waitFor();
      expect([await fileIn("/", "first.bin"), await fileIn("/", "second.bin")]).toEqual(["private", "private"]);
      expect(tab.complaints.filter((complaint) => !/^404 .api.v1.uploads/.test(complaint))).toEqual([]);
    },
  );

  test("is marked in the lists of posts, albums and files, with a text", async () => {
    const { chief } = studio;
    for (const visibility of ["public", "private"]) {
      await chief.post("/api/v1/albums", { name: `An album, ${visibility}`, visibility });
      await chief.post("/api/v1/blog", { title: `A post, ${visibility}`, content: "x", visibility });
      await chief.upload(`a file, ${visibility}.txt`, visibility, { path: "/Marked", visibility });
    }
    await chief.put(
      `/api/v1/files/${(await chief.get("/api/v1/files?path=/")).body.find(({ name }: any) => name === "Marked").id}`,
      { visibility: "public" },
    );
    await chief.post("/api/v1/blog", { title: "A draft", content: "x", visibility: "public", publishedAt: null });
    await using tab = await studio.open("/albums");
    const { page } = tab;
    for (const path of ["/albums", "/blog", "/files/Marked"]) {
      await page.goto(`/studio${path}`);
      const main = page.getByRole("main");
      await main
        .getByText(/, public/)
        .first()
        .waitFor();
      for (const [label, visibility] of [
        ["Public", "public"],
        ["Private", "private"],
      ] as const) {
        const row = main
          .locator("li, [role=row], div.relative.flex")
          .filter({ hasText: `, ${visibility}` })
          .last();
        expect(await row.getByRole("img", { name: label, exact: true }).count()).toBe(1);
      }
    }
    await page.goto("/studio/blog");
    await page.getByRole("img", { name: "Private until it is published" }).waitFor();
    expect(tab.complaints).toEqual([]);
  });

  const titlesFor = async (who: "guest" | "chief"): Promise<string[]> => {
    const { body } = await (who === "chief" ? studio.chief : client(studio.server)).get(
      `/api/v1/photos${who === "chief" ? "?owner=me" : ""}`,
    );
    return body.map(({ title }: { title: string }) => title);
  };

  /** That of the photo, and that of its file. */
  async function visibilityOf(title: string): Promise<string[]> {
    const { body } = await studio.chief.get("/api/v1/photos?owner=me&pageSize=100");
    const photo = body.find((one: { title: string }) => one.title === title);
    return [photo.visibility, photo.file.visibility];
  }

  async function fileIn(path: string, name: string): Promise<string | undefined> {
    const { body } = await studio.chief.get(`/api/v1/files?path=${path}`);
    return body.find((file: { name: string }) => file.name === name)?.visibility;
  }
});

const openMenu = (page: Page): Promise<void> => page.getByRole("button", { name: "Upload" }).first().click();

const checkedIn = (page: Page): Promise<string[]> =>
  page
    .getByRole("menuitemradio", { checked: true })
    .allInnerTexts()
    .then((texts) => texts.map((text) => text.replaceAll(/\s+/g, " ")));

type Picture = { name: string; mimeType: string; buffer: Buffer };

async function picture(name: string): Promise<Picture> {
  const jpeg = await bytesOf(plain(48, 32, "teal").jpeg());
  return { name, mimeType: "image/jpeg", buffer: Buffer.concat([jpeg, Buffer.from(name)]) };
}

async function chooseFrom(page: Page, files: Picture[]): Promise<void> {
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("menuitem", { name: "Choose files…" }).click();
  await (await chooser).setFiles(files);
}

/** All uploads that the tray shows. */
async function stored(page: Page): Promise<void> {
  const tray = page.getByRole("region", { name: "Uploads" });
  await tray.getByRole("heading", { name: /^\d+ files? uploaded$/ }).waitFor();
  await tray.getByRole("button", { name: "Close" }).click();
}

/** Drags a file of this machine over a zone, and drops it on what appears there. */
async function drop({ page, context }: Tab, zone: Locator, target: Locator, path: string): Promise<void> {
  const session = await context.newCDPSession(page);
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  const over = await middleOf(zone);
  for (const type of ["dragEnter", "dragOver"] as const) {
    await session.send("Input.dispatchDragEvent", { type, ...over, data });
  }
  await target.waitFor();
  const at = await middleOf(target);
  for (const type of ["dragOver", "dragOver", "drop"] as const) {
    await session.send("Input.dispatchDragEvent", { type, ...at, data });
  }
  await session.detach();
}

const countKept = (page: Page): Promise<number> =>
  page.evaluate(`new Promise((resolve) => {
    const opening = indexedDB.open("vitrine-uploads");
    opening.onsuccess = () => {
      const counting = opening.result.transaction("files").objectStore("files").count();
      counting.onsuccess = () => resolve(counting.result);
    };
  })`);
