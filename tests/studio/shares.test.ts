// Runs only with TEST_LONG: a browser takes long, and tests/studio/blog.test.ts is the story of the studio in npm test.
import { beforeAll, expect, test } from "bun:test";
import { describeInBrowser, openTab } from "../kit/browser.ts";
import { bytesOf, plain } from "../kit/files/pictures.ts";
import { expectNoBarriers, expectNoRareBarriers } from "./barriers.ts";
import { sizesOf, useStudio } from "./studio.ts";
import { until } from "../kit/until.ts";

describeInBrowser("share links in the studio", () => {
  let photoID: number;
  const studio = useStudio();
  beforeAll(async () => {
    const { body: file } = await studio.chief.upload("ferry.jpg", await bytesOf(plain(90, 60, "#456").jpeg()));
    photoID = (await studio.chief.post("/api/v1/photos", { title: "Ferry", fileID: file.id })).body.id;
  });

  for (const { name, options } of sizesOf("phone")) {
    test(`lead guests with the password to a private album, and what they send waits for approval ${name}`, async () => {
      const album = `Harbour ${name}`;
      const id = await createAlbum(album);
      await using tab = await studio.open(`/albums/${id}`, options);
      const { page } = tab;
      await page.getByRole("button", { name: "Share…" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Expires").selectOption("7");
      await dialog.getByLabel("Guests can send pictures").check();
      await dialog.getByLabel("Password").fill("short");
      await dialog.getByRole("button", { name: "Create link" }).click();
      await dialog.getByRole("alert").waitFor();
      await expectNoBarriers(page);
      await dialog.getByLabel("Password").fill("tide at nine");
      await dialog.getByRole("button", { name: "Create link" }).click();
      const url = await dialog.getByRole("textbox", { name: "Link" }).inputValue();
      expect(url).toStartWith(`${studio.server.url}/s/`);
      await dialog.getByRole("button", { name: "Done" }).click();

      await using guest = await openTab(studio.browser, studio.server.url, { locale: "en", ...options });
      await guest.open(new URL(url).pathname);
      await guest.page.getByLabel("Password").fill("tide at nine");
      await guest.page.keyboard.press("Enter");
      await guest.page.getByRole("heading", { name: album }).waitFor();
      await sendAsGuest(url, ["one", "two", "three"]);

      await waitForVisit();

      await page.goto("/studio/shares");
      await page.getByRole("link", { name: album }).waitFor();
      const line = page.getByRole("listitem").filter({ has: page.getByRole("link", { name: album }) });
      await line.getByText(/^Opened once/).waitFor();
      await expectNoBarriers(page);
      await page.getByRole("tab", { name: "Waiting for approval (3)" }).click();
      await page.getByText("From Maria").first().waitFor();
      await expectNoBarriers(page);
      await page.getByRole("checkbox", { name: "Select one.jpg" }).check();
      await page.getByRole("checkbox", { name: "Select three.jpg" }).check();
      await page.getByRole("button", { name: "Approve 2" }).click();
      await page.getByText("2 pictures were approved.").waitFor();
      await page.getByRole("button", { name: "Reject" }).click();
      await page.getByRole("button", { name: "Undo" }).last().click();
      await page.getByRole("button", { name: "Reject" }).waitFor();
      const { body } = await studio.chief.get(`/api/v1/albums/${id}`);
      expect(body.photos.map(({ title }: { title: string }) => title)).toEqual(["Ferry", "one", "three"]);

      await page.getByRole("tab", { name: "Links" }).click();
      await line.getByRole("button", { name: "Change" }).click();
      await page.getByRole("menuitem", { name: "Change" }).click();
      await dialog.getByLabel("Remove password").check();
      await dialog.getByRole("button", { name: "Save" }).click();
      await dialog.waitFor({ state: "detached" });
      await line.getByText("Password").waitFor({ state: "detached" });
      await line.getByRole("button", { name: "Change" }).click();
      await page.getByRole("menuitem", { name: "Revoke link" }).click();
      await dialog.getByRole("button", { name: "Revoke link" }).waitFor();
      await expectNoRareBarriers(page);
      await dialog.getByRole("button", { name: "Revoke link" }).click();
      await page.getByRole("link", { name: album }).waitFor({ state: "detached" });
      expect((await guest.open(new URL(url).pathname)).url()).toContain("/s/");
      await guest.page
        .getByText(/no longer|not found|does not/i)
        .first()
        .waitFor();
      expect(tab.complaints.filter((complaint) => !complaint.startsWith("400 /api/v1/shares"))).toEqual([]);
      expect(guest.complaints.map((text) => text.slice(0, 7))).toEqual(["401 /s/", "404 /s/"]);
    });
  }

  async function createAlbum(name: string): Promise<number> {
    const { body } = await studio.chief.post("/api/v1/albums", { name, visibility: "private" });
    await studio.chief.put(`/api/v1/albums/${body.id}/photos`, { photoIDs: [photoID] });
    return body.id;
  }

  /** Visits are counted after a few seconds. */
  async function waitForVisit(): Promise<void> {
    await until(
      () => studio.chief.get("/api/v1/shares"),
      ({ body }) => body[0].uses > 0,
    );
  }

  async function sendAsGuest(url: string, names: string[]): Promise<void> {
    const headers = { "X-Share-Token": url.split("/").at(-1) ?? "", "X-Share-Password": "tide at nine" };
    for (const [index, name] of names.entries()) {
      const form = new FormData();
      form.set("guestName", "Maria");
      form.set("file", new File([await bytesOf(plain(80 + index, 60, "#375").jpeg())], `${name}.jpg`));
      const { status } = await fetch(`${studio.server.url}/api/v1/shared/uploads`, {
        method: "POST",
        body: form,
        headers,
      });
      expect(status).toBe(201);
    }
  }
});
