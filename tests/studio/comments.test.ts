import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { browserPath, findBarriers } from "../browser/browser.ts";
import { overflowOf } from "../browser/ways.ts";
import { type Client, client, member } from "../kit.ts";
import { sizes, startStudio, type Studio } from "./studio.ts";

const api = "/api/v1";

describe.skipIf(!browserPath)("the comments in the studio", () => {
  let studio: Studio;
  let reader: Client;
  let post: { id: number; slug: string };
  beforeAll(async () => {
    studio = await startStudio();
    reader = await member(studio.server, "reader", "reader");
    await studio.chief.put(`${api}/settings`, { approveFirstComments: true });
    post = (await studio.chief.post(`${api}/blog`, { title: "Ferries", content: "The last one leaves at ten." })).body;
  }, 120_000);
  afterAll(() => studio[Symbol.asyncDispose]());

  const comment = async (content: string): Promise<number> => {
    const { body } = await reader.post(`${api}/comments`, { content, blogPostID: post.id });
    await studio.chief.put(`${api}/comments/${body.id}`, { status: "waiting" });
    return body.id;
  };
  const statusOf = async (id: number) => (await studio.chief.get(`${api}/comments/${id}`)).body.status;

  test("are approved, hidden, answered and deleted with the keyboard alone, and each of it can be undone", async () => {
    const ids = [await comment("First"), await comment("Second"), await comment("Third"), await comment("Fourth")];
    const [first = 0, second = 0, third = 0, fourth = 0] = ids;
    await using tab = await studio.open("/comments");
    const { page } = tab;
    const { keyboard } = page;
    await page.getByText("Fourth", { exact: true }).waitFor();
    expect(await page.getByRole("link", { name: "Waiting" }).textContent()).toContain("4");
    await keyboard.press("j");
    await keyboard.press("a");
    await page.getByText("The comment is visible.").waitFor();
    expect(await statusOf(first)).toBe("visible");
    await keyboard.press("h");
    await page.getByText("The comment is hidden.").waitFor();
    expect(await statusOf(second)).toBe("hidden");
    await page.getByRole("button", { name: "Undo" }).last().focus();
    await keyboard.press("Enter");
    await page.getByText("Second", { exact: true }).waitFor();
    expect(await statusOf(second)).toBe("waiting");

    await page.getByRole("article").filter({ hasText: "Third" }).focus();
    await keyboard.press("r");
    await page.getByLabel("Reply to reader").waitFor();
    await keyboard.type("Thank you.");
    await keyboard.press("Control+Enter");
    await page.getByText("Your reply is published.").waitFor();
    expect(await statusOf(third)).toBe("visible");
    const { body: seen } = await client(studio.server).get(`${api}/comments?blogPostID=${post.id}`);
    expect(seen.map(({ content, parentID }: any) => [content, parentID])).toEqual([
      ["First", null],
      ["Third", null],
      ["Thank you.", third],
    ]);

    await page.getByRole("article").filter({ hasText: "Fourth" }).focus();
    await keyboard.press("#");
    await page.getByText("The comment is in the trash.").waitFor();
    expect((await studio.chief.get(`${api}/comments/${fourth}`)).status).toBe(404);
    await page.getByRole("button", { name: "Undo" }).last().focus();
    await keyboard.press("Enter");
    await page.getByText("Fourth", { exact: true }).waitFor();
    expect(await statusOf(fourth)).toBe("waiting");
    expect(tab.complaints).toEqual([]);
  }, 120_000);

  for (const { name, options, colorSchemes } of sizes) {
    test(`many are approved at once, and others are found among the visible ones, ${name}`, async () => {
      const ids = [await comment(`One ${name}`), await comment(`Two ${name}`)];
      await using tab = await studio.open("/comments", options);
      const { page } = tab;
      await page.getByText(`Two ${name}`).waitFor();
      const boxes = page.getByRole("checkbox");
      const count = await boxes.count();
      await boxes.nth(count - 2).click();
      await boxes.nth(count - 1).click();
      await page.getByText("2 selected").waitFor();
      expect(await overflowOf(page)).toBe(0);
      await page.getByRole("button", { name: "Approve" }).first().click();
      await page.getByText("2 comments are visible.").waitFor();
      expect(await Promise.all(ids.map(statusOf))).toEqual(["visible", "visible"]);
      await page.getByRole("link", { name: "Visible" }).click();
      await page.getByText(`Two ${name}`).waitFor();
      const link = page.getByRole("article").first().getByRole("link", { name: "Ferries" });
      expect(await link.getAttribute("href")).toBe(`/blog/${post.slug}#comment-${ids[1]}`);
      expect(tab.complaints).toEqual([]);
    }, 120_000);

    for (const colorScheme of colorSchemes) {
      test(`have no barriers ${name}, ${colorScheme}`, async () => {
        await comment(`${"Long".repeat(40)} ${name} ${colorScheme}`);
        await using tab = await studio.open("/comments", { ...options, colorScheme });
        const { page } = tab;
        await page.getByRole("checkbox").first().click();
        await page.getByRole("button", { name: "Reply" }).first().click();
        await page.getByLabel("Reply to reader").waitFor();
        expect(await findBarriers(page)).toEqual([]);
        expect(await overflowOf(page)).toBe(0);
        expect(tab.complaints).toEqual([]);
      }, 120_000);
    }
  }
});
