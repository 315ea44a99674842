// Runs only with TEST_LONG: a browser takes long, and tests/studio/blog.test.ts is the story of the studio in npm test.
import { expect, test } from "bun:test";
import { describeInBrowser } from "../kit/browser.ts";
import { png } from "../kit/files/png.ts";
import { expectNoBarriers } from "./barriers.ts";
import { eventually, sizesOf, useStudio } from "./studio.ts";
import { client } from "../kit/client.ts";
import { overflowOf } from "../browser/ways.ts";

const api = "/api/v1";

describeInBrowser("publishing", () => {
  const studio = useStudio();
  let made = 0;

  const makeAlbum = async (name: string, visibility: string, photos: string[]) => {
    const { chief } = studio;
    const { body: album } = await chief.post(`${api}/albums`, { name, visibility });
    for (const seen of photos) {
      const { body: file } = await chief.upload(`${++made}.png`, png(30 + made, 40));
      const { body: photo } = await chief.post(`${api}/photos`, {
        title: file.name,
        fileID: file.id,
        visibility: seen,
      });
      await chief.post(`${api}/albums/${album.id}/photos`, { photoID: photo.id });
    }
    return album.id as number;
  };
  const seenByGuests = async (albumID: number) => {
    const { status, body } = await client(studio.server).get(`${api}/albums/${albumID}`);
    return status === 200 ? body.photoCount : null;
  };

  for (const { name, options } of sizesOf("phone")) {
    test(`a post says before and after what its readers will not see, ${name}`, async () => {
      const albumID = await makeAlbum("Harbours", "private", ["private", "private", "public"]);
      const { body: post } = await studio.chief.post(`${api}/blog`, {
        title: "Ferries",
        content: `We left early.\n\n![[album:${albumID}]]`,
        publishedAt: null,
      });
      await using tab = await studio.open(`/blog/${post.id}`, options);
      const { page } = tab;
      await page.getByRole("button", { name: "Publish" }).click();
      const dialog = page.getByRole("dialog", { name: "Publish" });
      const said = "Readers cannot see what is private in it: 1 album and 2 photos.";
      await dialog.getByText(said).waitFor();
      await expectNoBarriers(page);
      await dialog.getByRole("button", { name: "Publish now" }).click();
      await page.getByText(`The post is published. ${said}`).waitFor();
      expect(await overflowOf(page)).toBe(0);
      expect(await seenByGuests(albumID)).toBe(null);
      await page.getByRole("button", { name: "Make these 3 public too" }).click();
      await page.getByText("3 more are now public.").waitFor();
      expect(await seenByGuests(albumID)).toBe(3);
      if (name.includes("1280")) {
        const preview = page.frameLocator("iframe");
        await preview.getByRole("link", { name: "Harbours" }).waitFor();
        expect(await preview.getByText("it is private").count()).toBe(0);
      }
      await page.getByRole("button", { name: "Undo" }).click();
      await eventually(() => seenByGuests(albumID), null);
      expect(tab.complaints).toEqual([]);
    });

    test(`an album says how many of its photos guests see, ${name}`, async () => {
      const albumID = await makeAlbum("Islands", "private", ["private", "private", "public"]);
      await using tab = await studio.open(`/albums/${albumID}`, options);
      const { page } = tab;
      const begin = async () => {
        await page.getByTitle("More", { exact: true }).click();
        await page.getByRole("menuitem", { name: "Make public" }).click();
      };
      await begin();
      const dialog = page.getByRole("dialog", { name: "Make “Islands” public" });
      const said = "Guests see 1 of its 3 photos: the others are private.";
      await dialog.getByText(said).waitFor();
      await expectNoBarriers(page);
      await dialog.getByRole("button", { name: "Make public", exact: true }).click();
      await page.getByText(`“Islands” is now public. ${said}`).waitFor();
      expect(await seenByGuests(albumID)).toBe(1);
      await page.getByRole("button", { name: "Undo" }).click();
      await eventually(() => seenByGuests(albumID), null);

      await begin();
      await dialog.getByRole("button", { name: "Make these 2 public too" }).click();
      await dialog.getByText("Guests can see all of it.").waitFor();
      await dialog.getByRole("button", { name: "Make public", exact: true }).click();
      await page.getByText("“Islands” is now public.", { exact: true }).waitFor();
      expect(await seenByGuests(albumID)).toBe(3);
      expect(tab.complaints).toEqual([]);
    });
  }
});
