import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { browserPath } from "../browser/browser.ts";
import { expectNoBarriers } from "./barriers.ts";
import { eventually, sizesOf, useStudio } from "./studio.ts";

const api = "/api/v1";
const place = mkdtempSync(join(tmpdir(), "vitrine-studio-backups-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));

describe.skipIf(!browserPath)("backups", () => {
  const studio = useStudio({ BACKUP_TO: join(place, "repository") });

  for (const { name, options } of sizesOf("phone")) {
    test(`a photo that was deleted permanently is restored from a backup, and visible again, ${name}`, async () => {
      const { chief } = studio;
      const title = `Harbour ${name}`;
      const { body: file } = await chief.upload("harbour.txt", `bytes of ${title}`);
      const sent = { title, fileID: file.id, width: 3, height: 2 };
      const { body: photo } = await chief.post(`${api}/photos`, sent);
      await using tab = await studio.open("/backups", options);
      const { page } = tab;
      // Then the newest is the one that is made here.
      await chief.put(`${api}/settings`, { backupEvery: "never" });
      await eventually(async () => (await chief.get(`${api}/backups`)).body.isRunning, false);
      const { body: before } = await chief.get(`${api}/backups`);
      await page.getByRole("button", { name: "Back up now" }).click();
      await eventually(async () => (await chief.get(`${api}/backups`)).body.backups.length, before.backups.length + 1);
      await page.getByText("The last backup was made").waitFor();
      await chief.delete(`${api}/photos/${photo.id}?withFile=true`);
      await chief.delete(`${api}/trash`);
      expect((await chief.get(`${api}/photos/${photo.id}`)).status).toBe(404);

      await page.getByRole("searchbox", { name: "Search by title or name" }).fill("harbour");
      await page.getByRole("button", { name: "Search", exact: true }).click();
      const restore = page.getByRole("button", { name: `Restore ${title}` });
      await restore.waitFor();
      await expectNoBarriers(page);
      await restore.click();
      await page.getByText(`“${title}” was restored, with 1 more.`).waitFor();
      await restore.waitFor({ state: "detached" });
      expect((await chief.get(`${api}/photos/${photo.id}`)).body).toMatchObject({ title, file: { size: file.size } });
      await tab.open(`/studio/photos/${photo.id}`);
      await page.getByText(title).first().waitFor();
      expect(tab.complaints).toEqual([]);
    }, 180_000);
  }

  test("how often they are made, and how many are kept, is chosen", async () => {
    await using tab = await studio.open("/backups");
    const { page } = tab;
    const schedule = page.getByRole("form", { name: "Schedule" });
    await schedule.getByLabel("How often?").selectOption("Every week");
    await schedule.getByLabel("Days").fill("3");
    await schedule.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
    const { body } = await studio.chief.get(`${api}/settings`);
    expect([body.backupEvery, body.backupsKept]).toEqual(["week", { days: 3, weeks: 4, months: 12 }]);
    expect(tab.complaints).toEqual([]);
  }, 180_000);
});
