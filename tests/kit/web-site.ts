import { type Client, uncached } from "./client.ts";
import { png } from "./files/png.ts";
import { createPeople } from "./people.ts";
import { startServer } from "./server.ts";

/** Of records that guests must not see: words that stand nowhere else. */
export const secrets = ["zebrafinch", "quagmire", "obelisk", "tamarind", "velodrome"];

/** A server with a photo, an album and a post that everyone sees, all with difficult texts, and others that guests do not. */
export async function openWebSite() {
  const server = await startServer();
  const people = await createPeople(server);
  const { owner, stranger } = people;
  const file = (await owner.upload("harbour.png", png(1600, 900))).body;
  const photo = (
    await owner.post("/api/v1/photos", {
      title: "Harbour <at> dusk & dawn \u{1F305}",
      description: "The last ferry.\n\nIt was late.\u0007",
      altText: 'A "ferry"',
      fileID: file.id,
      tags: ["sea & sky"],
    })
  ).body;
  const album = (await owner.post("/api/v1/albums", { name: "Lisbon: 2026", description: "A week" })).body;
  await owner.post(`/api/v1/albums/${album.id}/photos`, { photoID: photo.id });
  const hidden = (await owner.post("/api/v1/photos", { title: "zebrafinch", fileID: file.id, visibility: "private" }))
    .body;
  await owner.post(`/api/v1/albums/${album.id}/photos`, { photoID: hidden.id });
  const post = (
    await owner.post("/api/v1/blog", {
      title: "Trains & <trams> \u{1F68B}",
      content: [
        "First **words** with a [link](/photos) and a [note](#there).",
        `![[photo:${photo.id}]]`,
        `![[photo:${hidden.id}]]`,
        "Broken \u0001\u0008 & ]]> \u{1F600} text. `<b>`",
      ].join("\n\n"),
      tags: ["travel"],
    })
  ).body;
  await owner.post("/api/v1/blog", { title: "quagmire", content: "quagmire", visibility: "private" });
  await owner.post("/api/v1/blog", { title: "obelisk", content: "obelisk", publishedAt: null });
  await owner.post("/api/v1/albums", { name: "tamarind", visibility: "private" });
  await stranger.post("/api/v1/blog", {
    title: "velodrome",
    content: "velodrome",
    publishedAt: "2199-01-01T00:00:00Z",
  });
  return {
    server,
    [Symbol.asyncDispose]: server.close,
    people,
    shown: { photo, post, album },
    feeds: ["/feed.xml", "/blog/feed.xml", "/photos/feed.xml", `/albums/${album.id}-lisbon-2026/feed.xml`],
    imagePath: photo.variants.at(-1).url as string,
    /** As a guest, unless another caller is given, and not from memory. */
    get: (path: string, as: Client = people.guest) => as.get(path, as === people.guest ? uncached : {}),
  };
}
