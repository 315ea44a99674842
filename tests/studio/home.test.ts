// Runs only with TEST_LONG: a browser takes long, and tests/studio/blog.test.ts is the story of the studio in npm test.
import { expect, test } from "bun:test";
import { describeInBrowser, findBarriers } from "../kit/browser.ts";
import { png } from "../kit/files/png.ts";
import { member } from "../kit/people.ts";
import { withDatabase } from "../kit/server.ts";
import { writeSetting } from "../../src/platform/database/settings.ts";
import { expectNoBarriers } from "./barriers.ts";
import { sizes, sizesOf, useStudio } from "./studio.ts";

describeInBrowser("the home of the studio", () => {
  const studio = useStudio();

  test("of a new site has the first steps; pictures are uploaded from it", async () => {
    await using tab = await studio.open("/");
    const { page } = tab;
    await page.getByRole("heading", { name: "Welcome to your studio" }).waitFor();
    await page.getByRole("link", { name: "View the themes" }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    const choosing = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Choose pictures" }).click();
    await page.getByRole("menuitemradio", { name: /^Public/, checked: true }).waitFor();
    await page.getByRole("menuitem", { name: "Choose files…" }).click();
    await (
      await choosing
    ).setFiles({ name: "Lighthouse.png", mimeType: "image/png", buffer: Buffer.from(png(60, 40)) });
    await page.getByRole("heading", { name: "Latest photos" }).waitFor();
    await page.getByRole("link", { name: "Lighthouse" }).waitFor();
    expect(tab.complaints).toEqual([]);
  });

  test("says that nothing waits, then what does, and leads there, without a mouse", async () => {
    const author = await member(studio.server, "grace", "author");
    const reader = await member(studio.server, "rea", "reader");
    const { body: post } = await author.post("/api/v1/blog", { title: "Tide", content: "…" });
    await using tab = await studio.open("/", { username: "grace" });
    const { page } = tab;
    await page.getByText("Nothing needs your attention.").waitFor();

    await studio.chief.put("/api/v1/settings", { approveFirstComments: true });
    for (const content of ["Lovely", "Where is it?"]) {
      await reader.post("/api/v1/comments", { content, blogPostID: post.id });
    }
    await author.post("/api/v1/blog", { title: "Ebb", content: "…", publishedAt: null });
    await page.getByRole("link", { name: "2 comments are waiting for approval" }).waitFor();
    await page.getByRole("link", { name: "1 draft is not published yet" }).focus();
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.pathname + url.search === "/studio/blog?tab=draft");
    await page.goBack();
    await page.getByRole("link", { name: "2 comments are waiting for approval" }).focus();
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.pathname === "/studio/comments");
    expect(tab.complaints).toEqual([]);
  });

  test("shows this day in earlier years, by the clock of the person", async () => {
    const author = await member(studio.server, "mem", "author");
    const { body: file } = await author.upload("a.png", png(60, 40));
    for (const [title, takenAt] of Object.entries({ Ferry: "2025-03-01T22:00:00Z", Fog: "2019-03-01T08:00:00Z" }))
      await author.post("/api/v1/photos", { title, fileID: file.id, takenAt });
    await author.post("/api/v1/photos", { title: "Next day", fileID: file.id, takenAt: "2025-03-02T01:00:00Z" });
    for (const { options } of sizes) {
      await using tab = await studio.open("/", { username: "mem", timezoneId: "America/Los_Angeles", ...options });
      const { page } = tab;
      // Already the next day in UTC.
      await page.clock.setFixedTime("2026-03-02T03:00:00Z");
      await page.reload();
      const part = page.locator("section", { has: page.getByRole("heading", { name: "On this day" }) });
      await part.getByRole("heading", { name: "A year ago · 2025" }).waitFor();
      await part.getByRole("heading", { name: "7 years ago · 2019" }).waitFor();
      expect(await part.getByRole("link").evaluateAll((links) => links.map((link) => link.ariaLabel))).toEqual([
        "Ferry",
        "Fog",
      ]);
      await expectNoBarriers(page);
      await part.getByRole("link", { name: "Fog" }).focus();
      await page.keyboard.press("Enter");
      await page.waitForURL(/\/studio\/photos\/\d+$/);
      expect(tab.complaints).toEqual([]);
    }
  });

  for (const { name, options } of sizesOf("phone")) {
    test(`has no barriers ${name}: also admins see what waits on the site`, async () => {
      const { body: broken } = await studio.chief.upload("broken.png", png(9, 9).slice(0, 36));
      await fetch(studio.server.url + broken.url);
      await withDatabase(studio.server, (db) => writeSetting(db, "deletions-held", "2026-03-01. It has jumped."));
      await using tab = await studio.open("/", options);
      const { page } = tab;
      await page.getByText("There is no backup yet").waitFor();
      await page.getByText("cannot be read").click();
      await page.getByRole("link", { name: "broken.png" }).first().waitFor();
      await page.getByText("The server’s clock may be wrong").waitFor();
      await expectNoBarriers(page);
      await page.getByRole("button", { name: "The clock is correct" }).click();
      await page.getByText("What is old enough will be deleted again").waitFor();
      await page.getByText("The server’s clock may be wrong").waitFor({ state: "detached" });
      expect(tab.complaints).toEqual([]);
    });
  }

  test("leads readers to their account", async () => {
    await using tab = await studio.open("/", { username: "rea" });
    await tab.page.getByText("The studio is for authors").waitFor();
    expect(await findBarriers(tab.page)).toEqual([]);
    await tab.page.getByRole("main").getByRole("link", { name: "Your account" }).click();
    await tab.page.getByRole("heading", { name: "rea", level: 1 }).waitFor();
    expect(tab.complaints).toEqual([]);
  });
});
