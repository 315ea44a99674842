import { expect, test } from "bun:test";
import type { Page, Route } from "playwright-core";
import { describeInBrowser, findBarriers, type Tab, whenTrue } from "../kit/browser.ts";
import { overflowOf } from "../browser/ways.ts";
import { client } from "../kit/client.ts";
import { png } from "../kit/files/png.ts";
import { expectNoBarriers } from "./barriers.ts";
import { sizesOf, useStudio } from "./studio.ts";
import { until } from "../kit/until.ts";
import { isLong, testLong } from "../kit/long.ts";

const blog = "/api/v1/blog";

describeInBrowser("the blog in the studio", () => {
  const studio = useStudio();

  const writePost = async (fields: object = {}) =>
    (await studio.chief.post(blog, { title: "Ferries", content: "The first line.", publishedAt: null, ...fields }))
      .body;
  const readPost = async (id: number) => (await studio.chief.get(`${blog}/${id}`)).body;

  for (const { name, options } of sizesOf("phone")) {
    test(`a draft survives a crash of its tab, is published and scheduled, ${name}`, async () => {
      await using first = await studio.open("/blog/new", options);
      await first.page.getByRole("textbox", { name: "Title" }).fill("A week in Lisbon");
      await first.page.keyboard.press("Enter");
      await first.page.keyboard.type("We arrived by train, ");
      await isSaved(first.page);
      const id = Number(new URL(first.page.url()).pathname.split("/").at(-1));
      expect((await readPost(id)).content).toBe("We arrived by train, ");
      await first.page.keyboard.type("late in the evening.");
      // Kept on the device, but not yet sent.
      await whenTrue(first.page, `JSON.stringify(localStorage).includes("late in the evening.")`);
      expect((await readPost(id)).content).toBe("We arrived by train, ");
      const { context } = first;
      await crash(first);

      const page = await context.newPage();
      await page.goto(`/studio/blog/${id}`);
      await page.getByText("Your unsaved text has been restored.").waitFor();
      expect(await textOf(page)).toBe("We arrived by train, late in the evening.");
      await isSaved(page);
      expect((await readPost(id)).content).toBe("We arrived by train, late in the evening.");

      const header = page.locator("header").first();
      await header.getByText("Draft", { exact: true }).waitFor();
      await page.getByRole("button", { name: "Publish" }).click();
      const dialog = page.getByRole("dialog", { name: "Publish" });
      await dialog.getByText("/blog/a-week-in-lisbon").waitFor();
      await dialog.getByText("It appears on the site and in the feed right away").waitFor();
      await dialog.getByLabel("Who can see it").selectOption("Only me and admins");
      await dialog.getByText("No one is notified.").waitFor();
      await dialog.getByLabel("Who can see it").selectOption("Everyone");
      await dialog.getByLabel("Later").check();
      await dialog.getByLabel("Date and time").fill("2031-05-01T09:30");
      await expectNoBarriers(page);
      await dialog.getByRole("button", { name: "Schedule" }).click();
      await page.getByText("The post will be published").waitFor();
      await header.getByText("Scheduled", { exact: true }).waitFor();
      const local = await page.evaluate(() => new Date("2031-05-01T09:30").toISOString());
      expect((await readPost(id)).publishedAt).toBe(local);

      await page.getByRole("button", { name: "More actions" }).click();
      await page.getByRole("menuitem", { name: "Publish now" }).click();
      await page.getByText("The post is published.").waitFor();
      await header.getByText("Published", { exact: true }).waitFor();
      const seen = await client(studio.server).get(`${blog}/${id}`);
      expect(seen.body).toMatchObject({ title: "A week in Lisbon", slug: expect.stringMatching(/^a-week-in-lisbon/) });
      await page.getByRole("button", { name: "More actions" }).click();
      await page.getByRole("menuitem", { name: "Unpublish" }).click();
      await page.getByText("The post is a draft again.").waitFor();
      expect((await client(studio.server).get(`${blog}/${id}`)).status).toBe(404);
      expect(await overflowOf(page)).toBe(0);
      expect(first.complaints).toEqual([]);
    });
  }

  testLong("changes of a published post stay on the device until they are published", async () => {
    const { id } = await writePost({ publishedAt: "2026-01-01T00:00:00Z" });
    await using tab = await studio.open(`/blog/${id}`);
    const { page } = tab;
    await write(page, " More to come.");
    await page.getByText("Changes are kept on this device.").waitFor();
    await page.reload();
    await page.getByText("Your unsaved text has been restored.").waitFor();
    expect((await readPost(id)).content).toBe("The first line.");
    await page.getByRole("button", { name: "Update" }).click();
    await page.getByText("The post was updated.").waitFor();
    expect((await readPost(id)).content).toBe("The first line. More to come.");
    expect(tab.complaints).toEqual([]);
  });

  test.skipIf(!isLong)("two tabs change the same post: both texts are shown, and nothing is lost", async () => {
    const { id } = await writePost({ content: "One\n\nTwo\n\nThree" });
    await using tab = await studio.open(`/blog/${id}`);
    const { page, context } = tab;
    const other = await context.newPage();
    await other.goto(`/studio/blog/${id}`);
    // What one tab saves, the other shows.
    await write(other, " and four");
    await isSaved(other);
    await waitForText(page, "Three and four");

    // Both write before one of them has saved.
    await context.setOffline(true);
    await write(page, ", mine");
    await page.getByText("your text is kept on this device").first().waitFor();
    await studio.chief.put(`${blog}/${id}`, { content: "One\n\nTwo\n\nThree and four, theirs" });
    await context.setOffline(false);
    const dialog = page.getByRole("dialog", { name: "This post was changed elsewhere" });
    await dialog.getByText(", mine").waitFor();
    await dialog.getByText(", theirs").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Merge both" }).click();
    await isSaved(page);
    expect((await readPost(id)).content).toBe("One\n\nTwo\n\nThree and four, mine\nThree and four, theirs");
    expect(tab.complaints.filter((complaint) => !/412|ERR_INTERNET_DISCONNECTED/.test(complaint))).toEqual([]);
  });

  test.skipIf(!isLong)("without a network the text is kept, and saved when the network is back", async () => {
    const { id } = await writePost();
    await using tab = await studio.open(`/blog/${id}`);
    const { page, context } = tab;
    await page.getByRole("textbox", { name: "Text" }).waitFor();
    await context.setOffline(true);
    await write(page, " Written on a train.");
    await page.getByText("Not saved: no connection; your text is kept on this device").first().waitFor();
    await page.getByRole("textbox", { name: "Title" }).fill("Trains, not ferries");
    await context.setOffline(false);
    await isSaved(page);
    expect(await readPost(id)).toMatchObject({
      content: "The first line. Written on a train.",
      slug: "trains-not-ferries",
    });

    // The response to a save gets lost: what the server has then is no change of somebody else.
    const loseResponse = async (route: Route) => {
      await route.fetch();
      await route.abort();
    };
    await page.route(`**${blog}/${id}`, loseResponse, { times: 1 });
    await write(page, " In a tunnel");
    await page.keyboard.press("Control+s");
    await write(page, ", and after it.");
    await isSaved(page);
    expect((await readPost(id)).content).toBe("The first line. Written on a train. In a tunnel, and after it.");
    expect(tab.complaints.filter((text) => !/412|ERR_INTERNET_DISCONNECTED|ERR_FAILED/.test(text))).toEqual([]);
  });

  testLong("a pasted picture is uploaded, and is in the text where it was pasted", async () => {
    const { id } = await writePost({ content: "Before." });
    await using tab = await studio.open(`/blog/${id}`);
    const { page } = tab;
    await write(page, "");
    await paste(page, "harbour.png", png(64, 48));
    await waitForText(page, /^Before\.\n\n!\[\[photo:\d+\]\]\n\n$/);
    // The preview is the page of the site.
    const preview = page.frameLocator("iframe[title='Preview of the post']");
    const picture = preview.locator("article.post figure img");
    await picture.waitFor();
    // What has not changed is not loaded again, and stays where it is.
    await picture.evaluate((image: any) => (image.isKept = true));
    await write(page, "After.");
    await preview.getByText("After.").waitFor();
    expect(await picture.evaluate((image: any) => image.isKept)).toBe(true);
    // Its author also sees a private picture in it: the frame sends the cookie.
    const path = (await picture.getAttribute("src"))?.split("?")[0] ?? "";
    await studio.chief.put(path.replace(/\/image$/, ""), { visibility: "private" });
    const size = await picture.evaluate(async (image: any, source) => {
      const other = image.ownerDocument.createElement("img");
      other.src = source;
      await other.decode();
      return other.naturalWidth as number;
    }, `${path}?w=640`);
    expect(size).toBe(64);
    // Its thumbnail stands before its reference.
    const thumbnail = page.locator(".cm-line", { hasText: "![[photo:" }).locator(".cm-embedded img");
    const width = await thumbnail.evaluate(async (element) => {
      const picture = element as unknown as { decode: () => Promise<void>; naturalWidth: number };
      await picture.decode();
      return picture.naturalWidth;
    });
    expect(width).toBe(64);
    await page.keyboard.press("Control+s");
    await isSaved(page);
    const [, photoID] = /photo:(\d+)/.exec((await readPost(id)).content) ?? [];
    expect((await studio.chief.get(`/api/v1/photos/${photoID}`)).body.title).toBe("harbour");

    await paste(page, "damaged.png", png(64, 48).slice(0, 40));
    const mark = page.locator(".cm-upload");
    await mark.getByText("damaged.png was not uploaded: try again or cancel it").waitFor();
    await page.getByRole("button", { name: "Cancel damaged.png" }).click();
    await mark.waitFor({ state: "detached" });
    expect(tab.complaints).toEqual([]);
  });

  for (const { name, options } of sizesOf("phone")) {
    testLong(`an earlier revision is compared and restored, ${name}`, async () => {
      const { id } = await writePost({ content: "The old words." });
      await studio.chief.put(`${blog}/${id}`, { content: "The new words." });
      await using tab = await studio.open(`/blog/${id}`, options);
      const { page } = tab;
      await page.getByRole("button", { name: "Revisions" }).click();
      await page.getByRole("button", { name: /Revision 1/ }).click();
      const dialog = page.getByRole("dialog", { name: "Revision 1 compared with the current text" });
      await dialog.locator("del").first().waitFor();
      expect(await dialog.locator("del").allTextContents()).toEqual(["old"]);
      expect(await dialog.locator("ins").allTextContents()).toEqual(["new"]);
      await expectNoBarriers(page);
      await dialog.getByRole("button", { name: "Restore this revision" }).click();
      await isSaved(page);
      expect((await readPost(id)).content).toBe("The old words.");
      await page.getByRole("button", { name: "Undo" }).click();
      await page.getByRole("button", { name: "Write", exact: true }).click();
      await waitForText(page, "The new words.");
      expect(tab.complaints).toEqual([]);
    });
  }

  for (const { name, options } of sizesOf("desktop")) {
    testLong(`has no barriers ${name}`, async () => {
      const { id } = await writePost({
        title: "B".repeat(200),
        content: "# One\n\n**Two** `three`\n\n> four",
        tags: ["a"],
      });
      await using tab = await studio.open("/blog", options);
      const { page } = tab;
      await page.getByRole("listitem").first().waitFor();
      await expectNoBarriers(page);
      await page.getByRole("link", { name: "Drafts" }).click();
      await page.waitForURL((url) => url.search === "?tab=draft");
      expect(await page.getByRole("navigation", { name: "Posts" }).locator("[aria-current]").allInnerTexts()).toEqual([
        "Drafts",
      ]);
      await tab.open(`/studio/blog/${id}`);
      await page
        .getByRole("textbox", { name: "Text" })
        .or(page.getByRole("heading", { name: "One" }))
        .first()
        .waitFor();
      for (const view of ["Write", "Preview", "Settings", "Revisions"]) {
        await page.getByRole("button", { name: view, exact: true }).click();
        if (view === "Preview")
          await page.frameLocator("iframe").getByRole("heading", { name: "One" }).first().waitFor();
        if (view === "Revisions") await page.getByText("Revision 1").waitFor();
        await expectNoBarriers(page);
      }
      expect(tab.complaints).toEqual([]);
    });
  }
});

/** At the end of the text. */
async function write(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox", { name: "Text" }).focus();
  await page.keyboard.press("Control+End");
  await page.keyboard.type(text);
}

const isSaved = (page: Page) => page.getByRole("status").getByText("Saved", { exact: true }).waitFor();

const textOf = async (page: Page): Promise<string> =>
  (await page.getByRole("textbox", { name: "Text" }).locator(".cm-line").allTextContents()).join("\n");

async function waitForText(page: Page, expected: string | RegExp): Promise<void> {
  const isThere = (text: string) => (typeof expected === "string" ? text.endsWith(expected) : expected.test(text));
  await until(() => textOf(page), isThere);
}

async function paste(page: Page, name: string, bytes: Uint8Array): Promise<void> {
  await page.evaluate(`(() => {
    const { shadowRoot } = [...document.querySelectorAll("*")].find((element) => element.shadowRoot);
    const data = new DataTransfer();
    const bytes = new Uint8Array(${JSON.stringify([...bytes])});
    data.items.add(new File([bytes], "${name}", { type: "image/png" }));
    const event = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
    shadowRoot.querySelector(".cm-content").dispatchEvent(event);
  })()`);
}

/** Ends the process of the tab, as a lack of memory would. */
async function crash({ page, context }: Tab): Promise<void> {
  const session = await context.newCDPSession(page);
  const crashed = page.waitForEvent("crash");
  session.send("Page.crash").catch(() => {});
  await crashed;
  await page.close();
}
