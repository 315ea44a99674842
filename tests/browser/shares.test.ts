// Runs only with TEST_LONG: a browser takes long, and tests/browser/reading.test.ts is the story of the site in npm test.
import { beforeAll, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { png } from "../kit/files/png.ts";
import { useServer } from "../kit/use-server.ts";
import { browserPath, describeInBrowser, findBarriers, openTab, sharedBrowser, type Tab } from "../kit/browser.ts";
import { arriveAt, overflowOf, ways } from "./ways.ts";

const secret = "open sesame";
const picture = png(1200, 800);
const server = useServer();
const owner = server.person("owner", "admin");
let browser: Browser;
let albumID: number;

beforeAll(async () => {
  if (!browserPath) return;
  browser = await sharedBrowser();
  ({ id: albumID } = (await owner.post("/api/v1/albums", { name: "Summer by the sea", visibility: "private" })).body);
  for (const title of ["Harbour", "Lighthouse"]) {
    const { body: file } = await owner.upload(`${title} 1.png`, picture, { visibility: "private" });
    const { body: photo } = await owner.post("/api/v1/photos", { title, fileID: file.id, visibility: "private" });
    await owner.post(`/api/v1/albums/${albumID}/photos`, { photoID: photo.id });
  }
});

for (const { name, hasScript, options } of ways) {
  describeInBrowser(name, () => {
    test("a guest opens a shared album with its password, looks at a photo, downloads it, and sends another one", async () => {
      const wanted = { kind: "album", id: albumID, password: secret, allowDownload: true, allowUpload: true };
      const { body: share } = await owner.post("/api/v1/shares", wanted);
      const start = `/s/${share.token}`;
      await using tab = await openTab(browser, server.url, options);
      const page = await tab.open(start);
      const arrive = (heading: string) => arriveAt(page, { hasScript }, heading);
      await arrive("This link has a password");
      expect(await page.content()).not.toContain("Summer");
      await page.getByLabel("Password").fill("guessed");
      await page.getByRole("button", { name: "Open" }).click();
      await page.getByText("This password is wrong.").waitFor();
      expect(await overflowOf(page)).toBe(0);
      await page.getByLabel("Password").fill(secret);
      await page.getByRole("button", { name: "Open" }).click();
      await arrive("Summer by the sea");
      expect(await overflowOf(page)).toBe(0);

      await page.locator(".photos > a").first().click();
      if (hasScript) await page.locator(".pswp__caption", { hasText: "Harbour" }).click();
      await arrive("Harbour");
      expect(await overflowOf(page)).toBe(0);
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("link", { name: "Download" }).click(),
      ]);
      expect(download.suggestedFilename()).toBe("Harbour 1.png");
      expect(new Uint8Array(await Bun.file(await download.path()).arrayBuffer())).toEqual(picture);
      await page.getByRole("link", { name: "Summer by the sea" }).click();
      await arrive("Summer by the sea");

      await page.getByRole("link", { name: "Add pictures" }).click();
      const notes = { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("No picture") };
      const shot = (name: string) => ({ name, mimeType: "image/png", buffer: Buffer.from(png(600, 400)) });
      await page.getByLabel("Your name").fill("Grace");
      if (hasScript) await sendMany(tab, notes, ["beach.png", "pier.png", "gulls.png"].map(shot));
      else {
        await page.getByLabel("Picture or video").setInputFiles(notes);
        await page.getByRole("button", { name: "Send" }).click();
        await page.getByRole("alert").waitFor();
        expect(await overflowOf(page)).toBe(0);
        await page.getByLabel("Your name").fill("Grace");
        await page.getByLabel("Picture or video").setInputFiles(shot("beach.png"));
        await page.getByRole("button", { name: "Send" }).click();
        await page.getByRole("status").waitFor();
      }
      // Asked once.
      await page.reload();
      await page.locator("#guest-name").waitFor();
      expect(await page.getByLabel("Your name").inputValue()).toBe("Grace");
      const { body: uploads } = await owner.get(`/api/v1/shares/${share.id}/uploads`);
      const names = hasScript ? ["beach.png", "gulls.png", "pier.png"] : ["beach.png"];
      expect(uploads.map(({ name, guestName }: any) => `${guestName}: ${name}`).toSorted()).toEqual(
        names.map((name) => `Grace: ${name}`),
      );
      await page.getByRole("link", { name: "Back" }).click();
      await arrive("Summer by the sea");
      expect(tab.complaints).toEqual([`401 ${start}`, `401 ${start}`, ...(hasScript ? [] : [`400 ${start}/upload`])]);
    });
  });
}

type Picked = { name: string; mimeType: string; buffer: Buffer };

/** Chooses and drops pictures, and one that is none, and sends them. The connection is lost once. */
async function sendMany({ page, complaints }: Tab, refused: Picked, [first, ...others]: Picked[]): Promise<void> {
  await page.route("**/shared/uploads", (route) => route.abort("connectionreset"), { times: 1 });
  await page.getByLabel("Pictures and videos").setInputFiles([refused, ...others]);
  const dropped = await page.evaluateHandle(
    ([name, type, bytes]) => {
      const { DataTransfer, File, Uint8Array } = globalThis as any;
      const files = new DataTransfer();
      files.items.add(new File([Uint8Array.from(bytes)], name, { type }));
      return files;
    },
    [first?.name, first?.mimeType, [...(first?.buffer ?? [])]] as const,
  );
  await page.locator(".drop").dispatchEvent("drop", { dataTransfer: dropped });
  await page.getByText("This is not a picture or a video.").waitFor();
  expect(await findBarriers(page)).toEqual([]);
  expect(await overflowOf(page)).toBe(0);
  await page.getByRole("button", { name: "Send 3 pictures" }).click();
  await page.getByText("2 of 4 sent. 2 could not be sent.").waitFor();
  await page.getByText("The connection was lost.").waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.getByRole("button", { name: "Remove: notes.txt" }).click();
  await page.getByRole("button", { name: "Try again (1)" }).click();
  await page.getByText("Thank you. 3 sent.").waitFor();
  expect(complaints.splice(-1).join()).toContain("ERR_CONNECTION_RESET");
}
