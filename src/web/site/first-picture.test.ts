// Runs on other engines only with TEST_LONG: how pages load their pictures does not depend on the engines.
import { expect, test } from "bun:test";
import { client } from "../../../tests/kit/client.ts";
import { png } from "../../../tests/kit/files/png.ts";
import { useServer } from "../../../tests/kit/use-server.ts";

const server = useServer();
const owner = server.person("ada", "admin");

/** How the pictures in the main part of a page are loaded, in their order. */
async function loadingOf(path: string): Promise<("lazy" | "at once")[]> {
  const { body } = await client(server).get<string>(path);
  const [, main = ""] = body.split("<main");
  return Array.from(main.matchAll(/<img\s[^>]*>/g), ([image]) =>
    image.includes('loading="lazy"') ? "lazy" : "at once",
  );
}

test("the first picture of a page is loaded at once: a cover, a picture in a text, a photo in a row", async () => {
  const made = async (list: string, body: object) => (await owner.post(`/api/v1/${list}`, body)).body;
  const file = (await owner.upload("a.png", png(1200, 900))).body;
  const photo = await made("photos", { title: "Photo", fileID: file.id });
  const text = `\`<img loading="lazy">\`\n\n![[photo:${photo.id}]]\n\n![[photo:${photo.id}]]`;
  const plain = await made("blog", { title: "Plain", content: text });
  expect(await loadingOf(`/blog/${plain.slug}`)).toEqual(["at once", "lazy"]);
  expect((await client(server).get(`/blog/${plain.slug}`)).body).toContain("&lt;img loading=&quot;lazy&quot;&gt;");
  // The newest post of the front page has no cover: its photos come first.
  expect(await loadingOf("/")).toEqual(["at once"]);
  const covered = await made("blog", { title: "Covered", content: text, coverID: photo.id });
  expect(await loadingOf(`/blog/${covered.slug}`)).toEqual(["at once", "lazy", "lazy"]);
  expect(await loadingOf("/")).toEqual(["at once", "lazy"]);
  await made("blog", { title: "Newest", content: "Text" });
  expect(await loadingOf("/")).toEqual(["at once", "lazy"]);
  const album = await made("albums", { name: "Album" });
  await owner.post(`/api/v1/albums/${album.id}/photos`, { photoID: photo.id });
  expect(await loadingOf(`/albums/${album.id}-album`)).toEqual(["at once"]);
  expect(await loadingOf("/albums")).toEqual(["at once"]);
});
