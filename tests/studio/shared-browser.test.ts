// Runs only with TEST_LONG: a browser takes long, and tests/studio/blog.test.ts is the story of the studio in npm test.
import { beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { describeInBrowser, type Tab, whenTrue } from "../kit/browser.ts";
import { admin } from "../kit/people.ts";
import { expectNoBarriers } from "./barriers.ts";
import { signIn } from "./sign-in.ts";
import { eventually, sizesOf, useStudio } from "./studio.ts";

const sameOrigin = { headers: { "Sec-Fetch-Site": "same-origin" } };

describeInBrowser("a browser that several people use", () => {
  const studio = useStudio();
  beforeAll(async () => {
    await admin(studio.server, "other");
  });

  test("shows unsaved text to nobody but the person who has written it, also if the session ends by itself", async () => {
    const { chief } = studio;
    const { id: postID } = (await chief.post("/api/v1/blog", { title: "Published", content: "As it was." })).body;
    const { id: commentID } = (await chief.post("/api/v1/comments", { blogPostID: postID, content: "Hello" })).body;
    await using tab = await studio.open("/blog/new");
    const { page } = tab;
    await page.getByRole("textbox", { name: "Title" }).fill("Secret plan");
    await open(tab, `/blog/${postID}`);
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type(" Secret addition");
    await page.getByText("Kept on this device").first().waitFor();
    await open(tab, "/comments?tab=visible");
    await page.getByRole("button", { name: "Reply" }).first().click();
    await page.getByRole("textbox", { name: /^Reply/ }).fill("Secret reply");
    await open(tab, "/settings");
    await page.getByLabel("Tagline").fill("Secret tagline");
    await eventually(() => secretsIn(page), 4);

    // As the menu of the site does, without the studio. An expired session has the same effect.
    await tab.context.request.post("/session/end", sameOrigin);
    await signIn(tab, "other");
    for (const path of ["/blog/new", `/blog/${postID}`, "/settings", "/comments?tab=visible"]) {
      await open(tab, path);
      await page.getByRole("main").getByRole("heading").first().waitFor();
      if (path.startsWith("/comments")) await page.getByRole("button", { name: "Reply" }).first().click();
      await Bun.sleep(500);
      expect(await shownText(page)).not.toContain("Secret");
    }

    await tab.context.request.post("/session/end", sameOrigin);
    await signIn(tab, "chief");
    await open(tab, "/blog/new");
    await page.getByText("Your unsaved text has been restored.").waitFor();
    expect(await page.getByRole("textbox", { name: "Title" }).inputValue()).toBe("Secret plan");
    await open(tab, `/blog/${postID}`);
    await page.getByText("Secret addition").first().waitFor();
    await open(tab, "/settings");
    expect(await page.getByLabel("Tagline").inputValue()).toBe("Secret tagline");
    await chief.delete(`/api/v1/comments/${commentID}`);
    expect(tab.complaints).toEqual([]);
  });

  for (const { name, options } of sizesOf("phone")) {
    test(`asks before unsaved work is lost by signing out, names it, and then keeps nothing, ${name}`, async () => {
      await using tab = await studio.open("/blog/new", options);
      const { page } = tab;
      page.on("dialog", (dialog) => void dialog.dismiss());
      await page.getByRole("textbox", { name: "Title" }).fill("Secret plan");
      await eventually(() => secretsIn(page), 1);
      await askToSignOut(page);
      const dialog = page.getByRole("dialog", { name: "Discard unsaved work?" });
      await dialog.getByRole("link", { name: "Post “Secret plan”" }).waitFor();
      await expectNoBarriers(page);
      await dialog.getByRole("button", { name: "Stay signed in" }).click();
      await dialog.waitFor({ state: "detached" });
      expect((await tab.context.request.get("/api/v1/me")).status()).toBe(200);
      await askToSignOut(page);
      await dialog.getByRole("button", { name: "Discard and sign out" }).click();
      await page.waitForURL((url) => url.pathname === "/");
      expect(await secretsIn(page)).toBe(0);
      expect((await tab.context.request.get("/api/v1/me")).status()).toBe(401);
      await signIn(tab, "chief");
      await open(tab, "/blog/new");
      await page.getByRole("textbox", { name: "Title" }).waitFor();
      await Bun.sleep(500);
      expect(await page.getByRole("textbox", { name: "Title" }).inputValue()).toBe("");
      expect(tab.complaints).toEqual([]);
    });
  }

  test("is asked nothing if everything is saved", async () => {
    await using tab = await studio.open("/");
    await askToSignOut(tab.page);
    await tab.page.waitForURL((url) => url.pathname === "/");
    expect(tab.complaints).toEqual([]);
  });

  test("leaves the studio in all tabs: after signing out in one, and when somebody else has signed in", async () => {
    await using tab = await studio.open("/blog/new");
    const { page, context } = tab;
    await page.getByRole("textbox", { name: "Title" }).fill("Secret plan");
    const second = await context.newPage();
    await second.goto("/studio/photos");
    await second.getByRole("heading", { name: "Photos", exact: true }).waitFor();
    // Somebody else signs in, in the second tab.
    await context.request.post("/session/end", sameOrigin);
    await signIn(tab, "other");
    await second.goto("/studio/photos");
    await second.getByText("other", { exact: true }).waitFor();
    await page.waitForURL((url) => url.pathname === "/studio/");
    await page.getByText("other", { exact: true }).waitFor();
    expect(await shownText(page)).not.toContain("Secret");
    await askToSignOut(second);
    await page.waitForURL((url) => url.pathname === "/signin");
    // The text of the first person was kept when their tab was left.
    await signIn(tab, "chief");
    await open(tab, "/blog/new");
    await whenTrue(page, `document.querySelector("textarea")?.value === "Secret plan"`);
    expect(tab.complaints.filter((complaint) => !complaint.startsWith("401"))).toEqual([]);
  });

  test("drops what an earlier version has kept without an account", async () => {
    await using tab = await studio.open("/");
    const { page } = tab;
    await page.evaluate(() => {
      const draft = { title: "Secret plan", content: "", excerpt: "", tags: [], coverID: null, slug: "" };
      const copy = { key: "vitrine-post-copy:1", postID: null, baseAt: null, at: Date.now(), draft };
      localStorage.setItem("vitrine-post-copy:1", JSON.stringify(copy));
      localStorage.setItem("studio-photo-draft-1", JSON.stringify({ title: "Secret" }));
      localStorage.setItem("vitrine-reply:1", "Secret");
      sessionStorage.setItem("settings site", JSON.stringify({ tagline: "Secret" }));
    });
    await open(tab, "/blog/new");
    await page.getByRole("textbox", { name: "Title" }).waitFor();
    await Bun.sleep(500);
    expect(await shownText(page)).not.toContain("Secret");
    expect(await secretsIn(page)).toBe(0);
    expect(tab.complaints).toEqual([]);
  });
});

async function open({ page }: Tab, path: string): Promise<void> {
  await page.goto(`/studio${path}`);
  await page.getByRole("main").waitFor();
}

async function askToSignOut(page: Page): Promise<void> {
  const button = page.getByRole("button", { name: "Sign out" });
  if (await button.isVisible()) return button.click();
  await page.getByRole("button", { name: "More" }).last().click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
}

/** How many entries of the browser's storage have text of a person in them. */
const secretsIn = (page: Page): Promise<number> =>
  page.evaluate(`[localStorage, sessionStorage]
    .flatMap((storage) => Object.values(storage))
    .filter((value) => value.includes("Secret")).length`);

/** Including that of fields. */
const shownText = (page: Page): Promise<string> =>
  page.evaluate(
    `[document.body.textContent, ...[...document.querySelectorAll("input, textarea")].map(({ value }) => value)].join()`,
  );
