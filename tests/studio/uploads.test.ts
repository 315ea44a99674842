// Runs only with TEST_LONG: a browser takes long, and tests/studio/blog.test.ts is the story of the studio in npm test.
import { expect, test } from "bun:test";
import { utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describeInBrowser, type Tab } from "../kit/browser.ts";
import { client } from "../kit/client.ts";
import { bytesOf, plain } from "../kit/files/pictures.ts";
import { newDirectory, useScratch } from "../kit/scratch.ts";
import { expectNoBarriers } from "./barriers.ts";
import { sizesOf, useStudio } from "./studio.ts";
import { until } from "../kit/until.ts";

const scratch = useScratch();

describeInBrowser("uploads in the studio", () => {
  const studio = useStudio();

  for (const { name, options } of sizesOf("phone")) {
    test(`50 pictures are public in the album, each once, although a connection was cut, ${name}`, async () => {
      const id = await createAlbum("Fifty");
      await using tab = await studio.open(`/albums/${id}`, options);
      const { page } = tab;
      let sent = 0;
      const creations: string[] = [];
      page.on("request", (request) => {
        if (request.method() === "POST" && request.url().includes("/api/v1/photos")) creations.push(request.url());
      });
      await page.route(forms, (route) => (sent++ === 5 ? route.abort("connectionreset") : route.fallback()));
      const title = `fifty${options.viewport.width}`;
      await choose(page, await pictures(title, 50));
      await page.getByRole("heading", { name: "50 files uploaded" }).waitFor();
      expect(sent).toBe(50);
      expect(await titlesIn(id)).toEqual(numbered(title, 50));
      expect(creations.every((url) => url.endsWith("/photos/many"))).toBe(true);
      expect(creations.length).toBeLessThan(40);
      expect(withoutCuts(tab)).toEqual([]);
    });
  }

  test("store a picture once, although the response was lost and its name was taken", async () => {
    const id = await createAlbum("Lost response");
    const path = `/photos/${new Date().getFullYear()}`;
    await studio.chief.upload("lost 01.jpg", "another file", { path });
    await using tab = await studio.open(`/albums/${id}`);
    const { page } = tab;
    const session = await page.context().newCDPSession(page);
    let responses = 0;
    session.on("Fetch.requestPaused", ({ requestId }) => {
      const isLost = responses++ === 0;
      const next = isLost
        ? session.send("Fetch.failRequest", { requestId, errorReason: "ConnectionReset" })
        : session.send("Fetch.continueRequest", { requestId });
      void next.catch(() => {});
    });
    await session.send("Fetch.enable", {
      patterns: [{ urlPattern: forms.replace("**", "*"), requestStage: "Response" }],
    });
    await choose(page, await pictures("lost", 2));
    await page.getByRole("heading", { name: "2 files uploaded" }).waitFor();
    expect(responses).toBe(2);
    expect(await titlesIn(id)).toEqual(numbered("lost", 2));
    const { body } = await studio.chief.get(`/api/v1/files?path=${path}&pageSize=1000&cursor=`);
    const names = body.map(({ name }: { name: string }) => name).filter((name: string) => name.startsWith("lost"));
    expect(names).toEqual(["lost 01 (1).jpg", "lost 01.jpg", "lost 02.jpg"]);
    expect(withoutCuts(tab)).toEqual([]);
  });

  for (const { name, options } of sizesOf("desktop")) {
    test(`go on after the page was loaded again, ${name}`, async () => {
      const id = await createAlbum("Reloaded");
      await using tab = await studio.open(`/albums/${id}`, options);
      const { page } = tab;
      page.on("dialog", (dialog) => void dialog.accept());
      const release = await holdUploads(page, 4);
      const title = `reloaded${options.viewport.width}`;
      await choose(page, await pictures(title, 12));
      await page.getByRole("heading", { name: /^Uploading [2-9] of 12$/ }).waitFor();
      await keptFiles(page, 8);
      await page.reload();
      release();
      await page.getByRole("heading", { name: "12 files uploaded" }).waitFor();
      expect(await titlesIn(id)).toEqual(numbered(title, 12));
      expect(withoutCuts(tab)).toEqual([]);
    });
  }

  test("ask for files that the browser could not keep, and know them when they are chosen again", async () => {
    const id = await createAlbum("Chosen again");
    const files = await Promise.all(
      (await pictures("again", 2)).map(async ({ name, buffer }) => {
        const path = join(studio.server.dataDir, name);
        await Bun.write(path, buffer);
        return path;
      }),
    );
    await using tab = await studio.open(`/albums/${id}`);
    const { page } = tab;
    page.on("dialog", (dialog) => void dialog.accept());
    const release = await holdUploads(page, 0);
    await choose(page, files);
    await page.getByRole("heading", { name: "Uploading 1 of 2" }).waitFor();
    await keptFiles(page, 2);
    // As if there had been no space for them.
    await page.evaluate(`new Promise((resolve) => {
      const opening = indexedDB.open("vitrine-uploads");
      opening.onsuccess = () => {
        const clearing = opening.result.transaction("files", "readwrite").objectStore("files").clear();
        clearing.onsuccess = () => resolve(null);
      };
    })`);
    await page.reload();
    release();
    await page.getByText("The browser can no longer read 2 files.").waitFor();
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Choose files" }).click();
    await (await chooser).setFiles(files);
    await page.getByRole("heading", { name: "2 files uploaded" }).waitFor();
    expect(await titlesIn(id)).toEqual(numbered("again", 2));
    expect(withoutCuts(tab)).toEqual([]);
  });

  test("say it if a file was changed on the disk before it was sent", async () => {
    const directory = newDirectory(scratch);
    const path = join(directory, "changed.jpg");
    writeFileSync(path, "as it was chosen");
    await using tab = await studio.open(`/albums/${await createAlbum("Changed")}`);
    const { page } = tab;
    await page.route("**/known-sizes", (route) => {
      utimesSync(path, new Date(), new Date(Date.now() + 10_000));
      return route.fallback();
    });
    await choose(page, [path]);
    await page.getByText("The file cannot be read. Was it changed or moved? Choose it again.").waitFor();
    expect(tab.complaints.filter((text) => !text.includes("ERR_UPLOAD_FILE_CHANGED"))).toEqual([]);
  });

  test("of pictures that are there already send no bytes, and add their photos to the album", async () => {
    const [first, second] = [await createAlbum("First"), await createAlbum("Second")];
    const files = await pictures("known", 3);
    await using tab = await studio.open(`/albums/${first}`);
    const { page } = tab;
    await choose(page, files);
    await page.getByRole("heading", { name: "3 files uploaded" }).waitFor();
    await page.goto(`/studio/albums/${second}`);
    const sent: string[] = [];
    page.on("request", (request) => {
      if (/\/api\/v1\/(files|uploads)$/.test(request.url())) sent.push(request.method());
    });
    await choose(page, [...files, { ...(files[0] as Picture), name: "the same.jpg" }]);
    await page.getByRole("heading", { name: "4 files uploaded" }).waitFor();
    expect(await page.getByText("Already there").count()).toBe(4);
    expect(sent).toEqual([]);
    expect(await titlesIn(second)).toEqual(numbered("known", 3));
    expect(tab.complaints).toEqual([]);
  });

  for (const { name, options } of sizesOf("phone")) {
    test(`are paused, continued, cancelled and tried again in the tray ${name}`, async () => {
      const key = name.replaceAll(/\D/g, "");
      const id = await createAlbum(`Tray ${key}`);
      await using tab = await studio.open(`/albums/${id}`, options);
      const { page } = tab;
      const release = await holdUploads(page, 1);
      await choose(page, [
        {
          name: "broken.jpg",
          mimeType: "image/jpeg",
          buffer: Buffer.from([0xff, 0xd8, 0xff, 0xe0, ...Buffer.from(`${key} 2019:05:06 07:08:09\0`)]),
        },
        ...(await pictures(`tray${key}`, 5)),
      ]);
      const tray = page.getByRole("region", { name: "Uploads" });
      await tray.getByRole("button", { name: "Pause" }).click();
      await tray.getByRole("heading", { name: /^Paused/ }).waitFor();
      release();
      const showAll = tray.getByRole("button", { name: "Show all" });
      if (await showAll.isVisible()) await showAll.click();
      await tray.getByRole("button", { name: `Cancel tray${key} 04.jpg` }).click();
      await expectNoBarriers(page);
      await tray.getByRole("button", { name: "Continue" }).click();
      await tray.getByRole("heading", { name: "1 file is stored, but not as a photo" }).waitFor();
      // By the year in which it was taken.
      await tray.getByText(/The JPEG file is .* The file is stored in \/photos\/2019/).waitFor();
      await tray.getByRole("button", { name: "Try broken.jpg again" }).click();
      await tray.getByRole("heading", { name: "1 file is stored, but not as a photo" }).waitFor();
      expect(await titlesIn(id)).toEqual(numbered(`tray${key}`, 5).filter((title) => !title.endsWith("04")));
      await tray.getByRole("button", { name: "Close" }).click();
      await tray.waitFor({ state: "detached" });
      expect(tab.complaints).toEqual([]);
    });
  }

  /** Small files are sent there. */
  const forms = "**/api/v1/files";

  type Picture = { name: string; mimeType: string; buffer: Buffer };

  const numbered = (name: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${name} ${String(index + 1).padStart(2, "0")}`);

  /** Small ones, each with other bytes. */
  async function pictures(name: string, count: number): Promise<Picture[]> {
    const seed = Array.from(name).reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 200, 0);
    return Promise.all(
      numbered(name, count).map(async (title, index) => {
        const picture = plain(40 + index, 30 + seed, `rgb(${index}, ${seed}, 120)`).jpeg();
        return { name: `${title}.jpg`, mimeType: "image/jpeg", buffer: Buffer.from(await bytesOf(picture)) };
      }),
    );
  }

  async function createAlbum(name: string): Promise<number> {
    return (await studio.chief.post("/api/v1/albums", { name })).body.id;
  }

  /** As everyone sees them, in the order of their names. */
  async function titlesIn(id: number): Promise<string[]> {
    const { body } = await client(studio.server).get(`/api/v1/albums/${id}`);
    return body.photos.map(({ title }: { title: string }) => title).toSorted();
  }

  async function choose(page: Page, files: Picture[] | string[]): Promise<void> {
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Add photos" }).first().click();
    await page.getByRole("menuitem", { name: "Upload files…" }).click();
    await (await chooser).setFiles(files);
  }

  /** Waits until the browser keeps so many files, for after a reload. */
  async function keptFiles(page: Page, count: number): Promise<void> {
    const isKept = `new Promise((resolve) => {
      const opening = indexedDB.open("vitrine-uploads");
      opening.onsuccess = () => {
        const counting = opening.result.transaction("files").objectStore("files").count();
        counting.onsuccess = () => resolve(counting.result >= ${count});
      };
    })`;
    await until(() => page.evaluate<boolean>(isKept));
  }

  /** Lets some files through, and keeps the others until the returned function is called. */
  async function holdUploads(page: Page, count: number): Promise<() => void> {
    let sent = 0;
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route(forms, async (route) => {
      if (sent++ >= count) await promise;
      await route.fallback().catch(() => {});
    });
    return resolve;
  }

  const withoutCuts = ({ complaints }: Tab) => complaints.filter((text) => !text.includes("ERR_CONNECTION_RESET"));
});
