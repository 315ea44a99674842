// Runs only with TEST_LONG: a browser takes long, and tests/studio/blog.test.ts is the story of the studio in npm test.
import { expect, test } from "bun:test";
import { describeInBrowser, openTab } from "../kit/browser.ts";
import { client } from "../kit/client.ts";
import { expectNoBarriers } from "./barriers.ts";
import { sizesOf, useStudio } from "./studio.ts";

describeInBrowser("pages and the menu in the studio", () => {
  const studio = useStudio();

  for (const { id, name, options } of sizesOf("phone")) {
    test(`an admin writes a page, and puts it into the menu, ${name}`, async () => {
      const title = `About ${id}`;
      const path = `/about-${id}`;
      await studio.chief.post("/api/v1/blog", { title: `Ferries ${id}`, content: "A post." });
      await using tab = await studio.open("/blog?tab=page", options);
      const { page } = tab;
      await page.getByRole("link", { name: "New page" }).first().click();
      await page.getByRole("textbox", { name: "Title" }).fill(title);
      await page.keyboard.press("Enter");
      await page.keyboard.type("I live by the sea.");
      await page.getByText("Saved", { exact: true }).waitFor();
      await page.getByRole("button", { name: "Settings", exact: true }).click();
      await page.getByText(`The page is at ${path}`).waitFor();
      expect(await page.getByLabel("Accept comments").or(page.getByLabel("Tags")).count()).toBe(0);
      await page.getByRole("button", { name: "Publish" }).click();
      const dialog = page.getByRole("dialog", { name: "Publish" });
      await dialog.getByText(path, { exact: true }).waitFor();
      await dialog.getByText("Pages do not appear in the feed.").waitFor();
      await dialog.getByRole("button", { name: "Publish now" }).click();
      await page.getByText("The page is published.").waitFor();

      await page.getByRole("link", { name: "All pages" }).click();
      await page.getByRole("main").getByRole("link", { name: title }).waitFor();
      expect(
        await page
          .getByRole("main")
          .getByRole("link", { name: `Ferries ${id}` })
          .count(),
      ).toBe(0);
      await expectNoBarriers(page);
      await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "All" }).click();
      await page
        .getByRole("main")
        .getByRole("link", { name: `Ferries ${id}` })
        .waitFor();
      expect(await page.getByRole("main").getByRole("link", { name: title }).count()).toBe(0);

      await page.goto("/studio/settings");
      const menu = page.getByRole("form", { name: "Menu" });
      const save = async () => {
        const stored = page.waitForResponse(
          (response) => response.url().endsWith("/api/v1/settings") && response.request().method() === "PUT",
        );
        await menu.getByRole("button", { name: "Save" }).click();
        expect((await stored).status()).toBe(200);
        await page.getByText("Saved.").last().waitFor();
        await menu.locator("button[type=submit]:disabled").waitFor();
      };
      await menu.getByLabel("Add to the menu").selectOption(`Page: ${title}`);
      await menu.getByRole("button", { name: "Add", exact: true }).click();
      // It goes on being focused while it moves.
      await menu.getByRole("button", { name: `Move “${title}” up` }).focus();
      for (let steps = 0; steps < 6; steps++) {
        await page.keyboard.press("Enter");
        await menu.getByText(`“${title}” is now at position ${6 - steps} of 7.`).waitFor();
      }
      await menu.getByLabel("Add to the menu").selectOption("A link to any address");
      await menu.getByRole("button", { name: "Add", exact: true }).click();
      const link = menu.getByRole("group", { name: "New link" });
      await link.getByLabel("Address").fill("javascript:alert(1)");
      await link.getByLabel("Label").fill("Shop");
      const shop = menu.getByRole("group", { name: "Shop" });
      await menu.getByRole("button", { name: "Save" }).click();
      await shop.getByRole("alert").filter({ hasText: "must begin with https://" }).waitFor();
      expect(await shop.getByLabel("Address").getAttribute("aria-invalid")).toBe("true");
      await expectNoBarriers(page);
      await shop.getByLabel("Address").fill("https://shop.example/");
      await menu.getByRole("group", { name: "API" }).getByLabel("Hidden").check();
      await menu.getByRole("button", { name: "Remove “Files”" }).click();
      await menu.getByLabel("Footer text").fill(`Made by [the sea](${path}).`);
      await save();

      await using visitor = await openTab(studio.browser, studio.server.url, { locale: "en", ...options });
      const front = await visitor.open("/");
      const linksOf = (place: "header" | "footer") => front.locator(`${place} a[href]`).allTextContents();
      const [header, footer] = [await linksOf("header"), await linksOf("footer")];
      expect(header.map((text) => text.trim())).toEqual(expect.arrayContaining([title, "Shop", "Blog"]));
      expect(header.findIndex((text) => text.includes(title))).toBeLessThan(header.indexOf("Blog"));
      expect([header.includes("Files"), footer.includes("API"), footer.includes("the sea")]).toEqual([
        false,
        false,
        true,
      ]);
      await visitor.open(path);
      await front.getByText("I live by the sea.").waitFor();

      await menu.getByRole("group", { name: title }).getByLabel("Hidden").check();
      await save();
      const guest = client(studio.server);
      expect((await guest.get("/")).body).not.toContain(title);
      await menu.getByRole("button", { name: "Reset to default" }).click();
      await save();
      const { body } = await studio.chief.get("/api/v1/settings");
      const shown = (body.menu as { section: string; place: string }[]).map(({ section, place }) => [section, place]);
      expect(shown).toEqual([
        ["blog", "header"],
        ["photos", "header"],
        ["albums", "header"],
        ["files", "header"],
        ["feed", "footer"],
        ["api", "footer"],
      ]);
      expect([tab.complaints, visitor.complaints]).toEqual([["400 /api/v1/settings"], []]);
    });
  }
});
