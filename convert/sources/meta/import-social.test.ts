// Runs on other engines only with TEST_LONG: how an export is read does not depend on the engines.
import { expect, test } from "bun:test";
import { downloadZip } from "client-zip";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { bytesOf, plain } from "../../../tests/kit/files/pictures.ts";
import { useScratch } from "../../../tests/kit/scratch.ts";
import { runBeside } from "../../../tests/kit/server.ts";
import { until } from "../../../tests/kit/until.ts";
import { useServer } from "../../../tests/kit/use-server.ts";

const scratch = useScratch();
const server = useServer();
const { guest, admin } = server.people();
const list = async (path: string): Promise<any[]> => (await admin.get(`/api/v1${path}`)).body;

test("an export of Instagram becomes posts, photos and albums that nobody else sees, once", async () => {
  const exif = { photo_metadata: { exif_data: [{ latitude: 38.7, longitude: -9.1 }] } };
  const media = (name: string, more: object = {}) => ({
    uri: `media/posts/202009/${name}`,
    creation_timestamp: 1_600_000_000,
    ...more,
  });
  const posts = [
    {
      title: Buffer.from("Ein Tag am Meer 🌊\nmit Eve").toString("latin1"),
      creation_timestamp: 1_600_000_000,
      media: [media("1.jpg", { media_metadata: exif }), media("2.jpg")],
    },
  ];
  const files = {
    "your_instagram_activity/media/posts_1.json": JSON.stringify(posts),
    "your_instagram_activity/messages/inbox/eve/message_1.json": "{}",
    "media/posts/202009/1.jpg": await bytesOf(plain(40, 30, "white").jpeg()),
    "media/posts/202009/2.jpg": await bytesOf(plain(40, 30, "black").jpeg()),
  };
  const path = join(scratch, "instagram.zip");
  const entries = Object.entries(files).map(([name, input]) => ({ name, input }));
  writeFileSync(path, new Uint8Array(await downloadZip(entries).arrayBuffer()));
  const run = (...more: string[]) => runBeside(server, ["import", path, "--visibility", "public", ...more]);
  expect((await run()).stdout).toContain("5 added");
  const photos = await until(
    () => list("/photos?owner=me"),
    (found) => found.length === 2,
  );
  const [post] = await list("/blog?owner=me&visibility=all");
  const [first, second] = ["white", "black"].map((_, index) =>
    photos.find(({ file }) => file.name === `${index + 1}.jpg`),
  );
  expect(post).toMatchObject({
    title: "Ein Tag am Meer 🌊",
    content: `Ein Tag am Meer 🌊\\\nmit Eve\n\n![[photo:${first.id}]]\n\n![[photo:${second.id}]]`,
    coverID: first.id,
    publishedAt: "2020-09-13T12:26:40.000Z",
    visibility: "private",
  });
  expect(first).toMatchObject({
    title: "Ein Tag am Meer 🌊",
    description: "Ein Tag am Meer 🌊\nmit Eve",
    takenAt: "2020-09-13T12:26:40.000Z",
    place: { latitude: 38.7, longitude: -9.1 },
    visibility: "private",
    file: { path: "/Instagram/posts/202009" },
  });
  const albums = await list("/albums?owner=me");
  expect(albums.map(({ name, visibility }) => [name, visibility]).toSorted()).toEqual([
    ["Instagram", "private"],
    ["Posts", "private"],
  ]);
  for (const path of ["/photos", "/albums", "/blog"]) expect((await guest.get(`/api/v1${path}`)).body).toEqual([]);
  expect((await run()).stdout).toContain("0 added (0.0 MB), 5 known already");
});
