// Runs only with TEST_LONG: a browser takes long, and tests/studio/blog.test.ts is the story of the studio in npm test.
import { beforeAll, expect, test } from "bun:test";
import { describeInBrowser } from "../kit/browser.ts";
import { png } from "../kit/files/png.ts";
import { expectNoBarriers } from "./barriers.ts";
import { eventually, sizes, useStudio } from "./studio.ts";

describeInBrowser("who is behind a site, and titles", () => {
  const studio = useStudio();
  const ids: number[] = [];
  const read = async (id: number) => (await studio.chief.get(`/api/v1/photos/${id}`)).body;

  beforeAll(async () => {
    for (const day of [1, 2, 3, 4]) {
      const fileID = (await studio.chief.upload(`IMG_000${day}.png`, png(400, 300 + day))).body.id;
      const photos = [{ fileID, takenAt: `2024-05-0${day}T10:00:00Z` }];
      ids.push((await studio.chief.post("/api/v1/photos/many", { photos })).body.results[0].photoID);
    }
    await studio.chief.post("/api/v1/blog", { title: "First", content: "Words." });
  });

  test("photos without titles get them one after another, without a mouse", async () => {
    await using tab = await studio.open("/photos?title=none");
    const { page } = tab;
    await page.getByRole("link", { name: "May 4, 2024 (IMG 0004)" }).waitFor();
    await page.getByRole("link", { name: "Write titles" }).click();
    const title = page.getByLabel("Title", { exact: true });
    await page.getByText("Visitors see “May 4, 2024” until it has one.").waitFor();
    await page.getByText("4 photos").waitFor();
    await expectNoBarriers(page);
    await page.keyboard.type("Fourth");
    await page.keyboard.press("Tab");
    await page.keyboard.type("A boat");
    await page.keyboard.press("Enter");
    await page.getByText("Visitors see “May 3, 2024”").waitFor();
    // This one is skipped.
    await page.keyboard.type("Half a ti");
    await page.keyboard.press("PageDown");
    await page.getByText("Visitors see “May 2, 2024”").waitFor();
    await page.keyboard.press("PageUp");
    expect(await title.inputValue()).toBe("Half a ti");
    await page.keyboard.press("PageUp");
    expect(await title.inputValue()).toBe("Fourth");
    await page.keyboard.press("PageDown");
    await page.keyboard.press("PageDown");
    await page.keyboard.type("IMG_0002");
    await page.keyboard.press("Enter");
    await page.keyboard.type("First");
    await page.keyboard.press("Enter");
    await page.getByText("That was the last one").waitFor();
    await eventually(async () => (await read(ids[0] as number)).title, "First");
    expect(await read(ids[3] as number)).toMatchObject({ title: "Fourth", altText: "A boat", isUntitled: false });
    // A title that somebody has written is one.
    expect(await read(ids[1] as number)).toMatchObject({ title: "IMG_0002", isUntitled: false });
    expect(await read(ids[2] as number)).toMatchObject({ title: "IMG 0003", isUntitled: true });
    await page.getByRole("button", { name: "Start again" }).click();
    await page.getByText("Visitors see “May 3, 2024”").waitFor();
    expect(tab.complaints).toEqual([]);
  });

  for (const { name, id, options } of sizes) {
    test(`a profile is written and shown ${name}`, async () => {
      await using tab = await studio.open("/account", options);
      const { page } = tab;
      if (id === "desktop") {
        await page.getByRole("button", { name: "Choose a portrait" }).click();
        await page.getByRole("option", { name: "Fourth" }).click();
        await page.getByLabel("Display name").fill("chie\u0440 of all");
        await page.getByLabel("About you").fill("Boats.");
        await page.getByRole("button", { name: "Add a link" }).click();
        await page.getByLabel("Address of link 1").fill("javascript:alert(1)");
        await page.getByRole("button", { name: "Save" }).click();
        await page.getByRole("alert").getByText("https://").waitFor();
        await page.getByLabel("Address of link 1").fill("https://social.example/@chief");
        await page.getByRole("button", { name: "Save" }).click();
        await page.getByText("Your profile was saved.").waitFor();
        expect((await studio.chief.get("/api/v1/me/profile")).body).toMatchObject({
          about: "Boats.",
          portraitID: ids[3],
          links: [{ url: "https://social.example/@chief" }],
        });
      } else {
        await studio.chief.put(`/api/v1/photos/${ids[3]}`, { visibility: "private" });
        await page.reload();
        await page.getByText("This photo is private, so visitors see your initials.").waitFor();
      }
      await expectNoBarriers(page);
      const isShown = id === "desktop" ? 1 : 0;
      for (const path of ["/people/chief", "/blog/first"]) {
        await tab.open(path);
        expect(await page.getByRole("link", { name: "social.example" }).getAttribute("rel")).toContain("me");
        expect(await page.locator(".person img.avatar, .about-author img.avatar").count()).toBe(isShown);
        await expectNoBarriers(page);
      }
      await tab.open(`/studio/photos/titles`);
      await page.getByText("Visitors see “May 3, 2024”").waitFor();
      await expectNoBarriers(page);
      expect(tab.complaints.filter((text) => text !== "400 /api/v1/me/profile")).toEqual([]);
    });
  }
});
