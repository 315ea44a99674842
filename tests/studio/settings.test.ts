// Runs only with TEST_LONG: a browser takes long, and tests/studio/blog.test.ts is the story of the studio in npm test.
import { beforeAll, expect, test } from "bun:test";
import { describeInBrowser, findBarriers, openTab } from "../kit/browser.ts";
import { png } from "../kit/files/png.ts";
import { expectNoBarriers } from "./barriers.ts";
import { eventually, phoneOptions, sizesOf, useStudio } from "./studio.ts";
import { isLong } from "../kit/long.ts";

describeInBrowser("the settings in the studio", () => {
  const settings = async () => (await studio.chief.get("/api/v1/settings")).body;

  const studio = useStudio({ SIGNUP_ROLE: "reader", WEBHOOK_ALLOW_PRIVATE: "true" });
  beforeAll(async () => {
    const { body: file } = await studio.chief.upload("icon.png", png(200, 200));
    await studio.chief.post("/api/v1/photos", { title: "Lighthouse", fileID: file.id });
  });

  test("keep what is typed while they are being saved", async () => {
    await using tab = await studio.open("/settings");
    const { page } = tab;
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route("**/api/v1/settings", async (route) => {
      if (route.request().method() === "PUT") await held;
      await route.continue();
    });
    const site = page.getByRole("form", { name: "Site", exact: true });
    const [tagline, save] = [site.getByLabel("Tagline"), site.getByRole("button", { name: "Save" })];
    await tagline.fill("First");
    await save.click();
    await site.locator("button[type=submit]:disabled").waitFor();
    await tagline.fill("Second");
    expect(await save.isDisabled()).toBe(true);
    release();
    await page.getByText("Saved.").waitFor();
    expect([(await settings()).tagline, await tagline.inputValue()]).toEqual(["First", "Second"]);
    await save.click();
    await eventually(async () => (await settings()).tagline, "Second");
    await site.locator("button[type=submit]:disabled").waitFor();
    expect([await tagline.inputValue(), tab.complaints]).toEqual(["Second", []]);
  });

  test("change the name and the theme of the site, which is seen before and after", async () => {
    await using tab = await studio.open("/settings");
    const { page } = tab;
    const site = page.getByRole("form", { name: "Site", exact: true });
    const save = site.getByRole("button", { name: "Save" });
    expect(await save.isDisabled()).toBe(true);
    await site.getByLabel("Name of the site").fill("Salt & Light");
    await site.getByLabel("Tagline").fill("Pictures from the coast");
    await save.click();
    await page.getByText("Saved.").waitFor();
    await page.getByTitle("View the site").filter({ hasText: "Salt & Light" }).waitFor();
    expect(await page.title()).toBe("Settings · Salt & Light");

    const look = page.getByRole("form", { name: "Look" });
    await look.getByLabel("Gallery").check();
    const preview = page.frameLocator("iframe[title='Preview: Gallery']");
    await preview.locator("html[data-theme=gallery]").waitFor();
    await preview.getByRole("heading", { name: "Salt & Light", includeHidden: true }).first().waitFor();
    expect((await settings()).theme).toBe("magazine");
    await look.getByLabel("Accent colour").fill("#ffd000");
    const pick = async (name: string) => {
      await look.getByRole("button", { name }).click();
      await page.getByRole("dialog").getByRole("option", { name: "Lighthouse" }).click();
    };
    await pick("Choose a logo");
    await pick("Choose a cover");
    // All of it is seen before it is saved.
    await preview.locator(".has-logo img").waitFor();
    await preview.locator(".hero img").waitFor();
    await preview.locator("link[href*='ffd000']").waitFor({ state: "attached" });
    expect(await settings()).toMatchObject({ accentColour: null, logoPhotoID: null, coverPhotoID: null });
    await expectNoBarriers(page);
    await look.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();

    // While somebody points at it, the message stays.
    await page.getByText("Saved.").last().hover();
    await using visitor = await openTab(studio.browser, studio.server.url, { locale: "en" });
    const front = await visitor.open("/");
    await front.getByText("Pictures from the coast").first().waitFor();
    expect([await front.title(), await front.locator("html").getAttribute("data-theme")]).toEqual([
      "Salt & Light",
      "gallery",
    ]);
    // As it was chosen, yellow texts could not be read on light paper.
    const accent = await front.evaluate<string>(
      "getComputedStyle(document.documentElement).getPropertyValue('--accent')",
    );
    expect(accent).toMatch(/^#[4-8]/);
    for (const place of [".has-logo img", ".hero img"]) await front.locator(place).waitFor();

    await page.getByRole("button", { name: "Undo" }).last().click();
    await page.getByText("The settings have been restored.").waitFor();
    expect(await settings()).toMatchObject({
      theme: "magazine",
      accentColour: null,
      logoPhotoID: null,
      siteName: "Salt & Light",
    });
    expect(await look.getByLabel("Magazine").isChecked()).toBe(true);
    expect([tab.complaints, visitor.complaints]).toEqual([[], []]);
  });

  test.skipIf(!isLong)("have webhooks: their secret is shown once, and what was sent is listed", async () => {
    let status = 200;
    using receiver = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("OK", { status }) });
    const url = `http://127.0.0.1:${receiver.port}/hook`;
    const webhooks = async () => (await studio.chief.get("/api/v1/webhooks")).body;
    await using tab = await studio.open("/settings", phoneOptions);
    const { page } = tab;
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "Create webhook" }).click();
    await dialog.getByLabel("Address").fill("not a URL");
    await dialog.getByLabel("Events").fill("photo.* post.created");
    await dialog.getByRole("button", { name: "Create webhook" }).click();
    await dialog.getByRole("alert").waitFor();
    await dialog.getByLabel("Address").fill(url);
    await dialog.getByRole("button", { name: "Create webhook" }).click();
    expect(await dialog.getByLabel("Secret").inputValue()).toStartWith("whsec_");
    await expectNoBarriers(page);
    await dialog.getByRole("button", { name: "Done" }).click();
    expect(await webhooks()).toMatchObject([{ url, events: ["photo.*", "post.created"], isActive: true }]);

    const act = async (name: string) => {
      await page.getByRole("button", { name: /^Actions for 127/ }).click();
      await page.getByRole("menuitem", { name }).click();
    };
    await act("Send a test");
    await page.getByText("The test was delivered (200).").waitFor();
    status = 500;
    await act("Send a test");
    await page.getByText("The test was not delivered").waitFor();
    await act("Deliveries");
    await dialog.getByText("Delivered (200)").waitFor();
    await dialog.getByText(/\(500\)$/).waitFor();
    await expectNoBarriers(page);
    await dialog.getByRole("button", { name: "Done" }).click();

    await page.getByRole("switch", { name: "127.0.0.1" }).click();
    await eventually(async () => (await webhooks())[0].isActive, false);
    await act("Change");
    await dialog.getByLabel("Events").fill("*");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    expect((await webhooks())[0].events).toEqual(["*"]);
    await act("Remove");
    await dialog.getByRole("button", { name: "Remove" }).click();
    await page.getByText("There are no webhooks yet.").waitFor();
    expect(await webhooks()).toEqual([]);
    expect(tab.complaints.filter((complaint) => !complaint.startsWith("400 /api/v1/webhooks"))).toEqual([]);
  });

  test("keep what was typed if it is refused, after a reload, and without a network", async () => {
    await using tab = await studio.open("/settings");
    const { page, context } = tab;
    const look = page.getByRole("form", { name: "Look" });
    const css = look.getByLabel("Custom CSS");
    await css.fill('@import "https://elsewhere.example/a.css";');
    await look.getByRole("button", { name: "Save" }).click();
    await look.getByRole("alert").waitFor();
    expect(await css.getAttribute("aria-invalid")).toBe("true");
    expect(await findBarriers(page)).toEqual([]);
    await page.reload();
    expect(await css.inputValue()).toContain("elsewhere.example");
    await css.fill("h1 { letter-spacing: 0.1em }");
    await context.setOffline(true);
    await look.getByRole("button", { name: "Save" }).click();
    await look.getByText("The server cannot be reached.").waitFor();
    await context.setOffline(false);
    await look.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
    expect((await settings()).customCSS).toBe("h1 { letter-spacing: 0.1em }");
    expect(tab.complaints.filter((text) => !text.includes("ERR_INTERNET_DISCONNECTED"))).toEqual([
      "400 /api/v1/settings",
    ]);
  });

  test("show what the environment fixes, and take a photo as icon", async () => {
    await using tab = await studio.open("/settings");
    const { page } = tab;
    await page.getByText("Set by the server’s SIGNUP_ROLE environment variable").waitFor();
    expect(await page.getByRole("radio", { name: "Authors" }).isDisabled()).toBe(true);
    const site = page.getByRole("form", { name: "Site", exact: true });
    await site.getByRole("button", { name: "Choose a photo" }).click();
    await page
      .getByRole("dialog")
      .getByRole("option", { name: "Lighthouse" })
      .or(page.getByRole("dialog").getByRole("button", { name: "Lighthouse" }))
      .first()
      .click();
    await site.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
    expect((await settings()).iconFileID).toBeGreaterThan(0);
    expect(tab.complaints).toEqual([]);
  });

  for (const { name, options } of sizesOf("phone")) {
    test(`have no barriers ${name}`, async () => {
      await using tab = await studio.open("/settings", options);
      const { page } = tab;
      await page.getByLabel("Name of the site").waitFor();
      await expectNoBarriers(page);
      expect(tab.complaints).toEqual([]);
    });
  }
});
