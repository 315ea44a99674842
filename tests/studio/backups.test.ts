// Runs only with TEST_LONG: a browser takes long, and tests/studio/blog.test.ts is the story of the studio in npm test.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { describeInBrowser } from "../kit/browser.ts";
import { useScratch } from "../kit/scratch.ts";
import { expectNoBarriers } from "./barriers.ts";
import { eventually, sizesOf, useStudio } from "./studio.ts";

const api = "/api/v1";
const place = useScratch();

/** In short runs, the story is only in German: the other one below is in English. */
const texts = {
  desktop: {
    locale: "en",
    now: "Back up now",
    made: "The last backup was made",
    search: "Search by title or name",
    find: "Search",
    restore: (title: string) => `Restore ${title}`,
    restored: (title: string) => `“${title}” and 1 other record were restored.`,
  },
  phone: {
    locale: "de",
    now: "Jetzt sichern",
    made: "Die letzte Sicherung wurde",
    search: "Nach Titel oder Name suchen",
    find: "Suchen",
    restore: (title: string) => `${title} wiederherstellen`,
    restored: (title: string) => `„${title}“ und 1 weiterer Eintrag wurden wiederhergestellt.`,
  },
};

describeInBrowser("backups", () => {
  const studio = useStudio({ BACKUP_TO: join(place, "repository") });

  for (const { id, name, options } of sizesOf("phone")) {
    test(`a photo that was deleted permanently is restored from a backup, and visible again, ${name}`, async () => {
      const { chief } = studio;
      const t = texts[id];
      const title = `Harbour ${name}`;
      const { body: file } = await chief.upload("harbour.txt", `bytes of ${title}`);
      const sent = { title, fileID: file.id, width: 3, height: 2 };
      const { body: photo } = await chief.post(`${api}/photos`, sent);
      await using tab = await studio.open("/backups", { ...options, locale: t.locale });
      const { page } = tab;
      // Then the newest is the one that is made here.
      await chief.put(`${api}/settings`, { backupEvery: "never" });
      await eventually(async () => (await chief.get(`${api}/backups`)).body.isRunning, false);
      // Of two that are made within an hour, one is kept.
      const readNewest = async () => (await chief.get(`${api}/backups`)).body.backups[0]?.id;
      const before = await readNewest();
      await page.getByRole("button", { name: t.now }).click();
      await eventually(async () => (await readNewest()) !== before, true);
      await page.getByText(t.made).waitFor();
      await chief.delete(`${api}/photos/${photo.id}?withFile=true`);
      await chief.delete(`${api}/trash`);
      expect((await chief.get(`${api}/photos/${photo.id}`)).status).toBe(404);

      await page.getByRole("searchbox", { name: t.search }).fill("harbour");
      await page.getByRole("button", { name: t.find, exact: true }).click();
      const restore = page.getByRole("button", { name: t.restore(title) });
      await restore.waitFor();
      await expectNoBarriers(page);
      await restore.click();
      await page.getByText(t.restored(title)).waitFor();
      await restore.waitFor({ state: "detached" });
      expect((await chief.get(`${api}/photos/${photo.id}`)).body).toMatchObject({ title, file: { size: file.size } });
      await page.getByRole("link", { name: title }).click();
      await page.getByRole("heading", { name: title }).waitFor();
      expect(tab.complaints).toEqual([]);
    });
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
  });
});
