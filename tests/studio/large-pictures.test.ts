// Runs only with TEST_LONG: a browser takes long, and tests/studio/blog.test.ts is the story of the studio in npm test.
// Runs on the embedded engines only: how pictures are prepared and shown does not depend on the engines.
import { expect, test } from "bun:test";
import { openTab, sharedBrowser, describeInBrowser } from "../kit/browser.ts";
import { gridHEIC } from "../kit/files/heic.ts";
import { bytesOf, noise, signalDecoders } from "../kit/files/pictures.ts";
import { expectNoBarriers } from "./barriers.ts";
import { useStudio } from "./studio.ts";

describeInBrowser("pictures that take long to prepare", () => {
  const studio = useStudio();

  test("a large picture is shown as being prepared, and then by itself; a picture that is cut off says so", async () => {
    const { chief } = studio;
    const jpeg = await bytesOf(noise(300, 200).jpeg());
    const { body: part } = await chief.upload("part.jpg", jpeg.slice(0, Math.round(jpeg.length * 0.8)));
    const { body: cut } = await chief.post("/api/v1/photos", { title: "Part", fileID: part.id, visibility: "public" });
    const { body: file } = await chief.upload("large.heic", gridHEIC(15, 17));
    const { body: large } = await chief.post("/api/v1/photos", {
      title: "Large",
      fileID: file.id,
      visibility: "public",
    });
    signalDecoders("SIGSTOP");
    try {
      await using tab = await studio.open(`/photos/${large.id}`);
      await tab.page.getByText("is being prepared").waitFor();
      await expectNoBarriers(tab.page);
      await using visit = await openTab(await sharedBrowser(), studio.server.url);
      const page = await visit.open(`/photos/${large.id}`);
      await page.getByText("This picture is being prepared.").waitFor();
      const list = await visit.context.newPage();
      await list.goto(`${studio.server.url}/photos`);
      await list.locator("[data-preparing]").waitFor();

      signalDecoders("SIGCONT");
      await tab.page.locator("img[alt=Large]").first().waitFor();
      await page.locator(".stage img[alt=Large]").waitFor();
      expect(await page.getByText("This picture is being prepared.").count()).toBe(0);
      await list.locator(".photos img[alt=Large]").waitFor();
      expect([tab.complaints, visit.complaints]).toEqual([[], []]);
    } finally {
      signalDecoders("SIGCONT");
    }
    await using tab = await studio.open(`/photos/${cut.id}`);
    await tab.page.getByRole("button", { name: "Details" }).click();
    await tab.page.getByText("Cut off: the file is incomplete.").waitFor();
    expect(await (await fetch(`${studio.server.url}/photos/${cut.id}`)).text()).toContain("Cut off");
    expect(tab.complaints).toEqual([]);
  });
});
