// Runs only with TEST_LONG: a browser takes long, and tests/studio/blog.test.ts is the story of the studio in npm test.
import { beforeAll, expect, test } from "bun:test";
import { describeInBrowser } from "../kit/browser.ts";
import { type Client, client } from "../kit/client.ts";
import { png } from "../kit/files/png.ts";
import { member } from "../kit/people.ts";
import { expectNoBarriers } from "./barriers.ts";
import { sizesOf, useStudio } from "./studio.ts";

const api = "/api/v1";

describeInBrowser("the comments in the studio", () => {
  let reader: Client;
  let post: { id: number; slug: string };
  let photo: { id: number };
  const studio = useStudio();
  beforeAll(async () => {
    reader = await member(studio.server, "reader", "reader");
    await studio.chief.put(`${api}/settings`, { approveFirstComments: true, photoComments: true });
    post = (await studio.chief.post(`${api}/blog`, { title: "Ferries", content: "The last one leaves at ten." })).body;
    const { body: file } = await studio.chief.upload("dusk.png", png(60, 40));
    photo = (await studio.chief.post(`${api}/photos`, { title: "Dusk", fileID: file.id })).body;
  });

  const comment = async (content: string, on: object = { blogPostID: post.id }): Promise<number> => {
    const { body } = await reader.post(`${api}/comments`, { content, ...on });
    await studio.chief.put(`${api}/comments/${body.id}`, { status: "waiting" });
    return body.id;
  };
  const statusOf = async (id: number) => (await studio.chief.get(`${api}/comments/${id}`)).body.status;

  for (const { name, options } of sizesOf("phone")) {
    test(`are answered, approved many at once, and found among the visible ones, ${name}`, async () => {
      const [one, two, three] = ["One", "Two", "Three"].map((word) => `${word} at ${options.viewport.width}`);
      const ids = [
        await comment(`${one} ${"long".repeat(40)}`),
        await comment(`${two}`),
        await comment(`${three}`, { photoID: photo.id }),
      ];
      await using tab = await studio.open("/comments", options);
      const { page } = tab;
      const row = (text = "") => page.getByRole("article").filter({ hasText: text });
      await row(one).getByRole("checkbox").click();
      await row(two).getByRole("checkbox").click();
      await page.getByText("2 selected").waitFor();
      expect(await row(three).getByRole("link", { name: "Dusk" }).getAttribute("href")).toBe(
        `/photos/${photo.id}#comment-${ids[2]}`,
      );
      expect(await row(three).locator("img").getAttribute("src")).toStartWith(`/api/v1/photos/${photo.id}/image`);
      await row(three).getByRole("button", { name: "Reply" }).click();
      await page.getByLabel("Reply to reader").fill("Thank you.");
      await expectNoBarriers(page);
      await page.getByRole("button", { name: "Send the reply" }).click();
      await page.getByText("Your reply is published.").waitFor();
      await page.getByRole("button", { name: "Approve" }).first().click();
      await page.getByText("2 comments are visible.").waitFor();
      expect(await Promise.all(ids.map(statusOf))).toEqual(["visible", "visible", "visible"]);
      await page.getByRole("link", { name: "Visible" }).click();
      await row(two).waitFor();
      expect(await row(two).getByRole("link", { name: "Ferries" }).getAttribute("href")).toBe(
        `/blog/${post.slug}#comment-${ids[1]}`,
      );
      const { body: seen } = await client(studio.server).get(`${api}/comments?photoID=${photo.id}`);
      expect(seen.find(({ parentID }: any) => parentID === ids[2]).content).toBe("Thank you.");
      await row(two).getByRole("button", { name: "Hide" }).click();
      await page.getByText("The comment is hidden.").waitFor();
      await page.getByRole("button", { name: "Undo" }).last().click();
      await row(two).waitFor();
      expect(await statusOf(ids[1] ?? 0)).toBe("visible");
      expect(tab.complaints).toEqual([]);
    });
  }
});
