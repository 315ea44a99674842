// Runs on other engines only with TEST_LONG: who sees a record is tested on them by those of each module.
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { downloadZip } from "client-zip";
import { isLong } from "../../../tests/kit/long.ts";
import { png } from "../../../tests/kit/files/png.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { until } from "../../../tests/kit/until.ts";

const server = useServer();
const { guest, admin } = server.people();

type Files = Record<string, string | Uint8Array<ArrayBuffer>>;
const json = (value: unknown) => JSON.stringify(value);
let width = 10;
const picture = () => png(++width, 10);
const taken = json({ photoTakenTime: { timestamp: "1562340000" } });
const item = (id: number, type: string, status: string, more = "") =>
  `<item><title>Post ${id}</title><link>https://old.example/${type}-${id}/</link><dc:creator>ada</dc:creator>
  <content:encoded><![CDATA[Text.]]></content:encoded><wp:post_id>${id}</wp:post_id><wp:post_name>wp-${id}</wp:post_name>
  <wp:post_date_gmt>2019-05-12 09:30:00</wp:post_date_gmt><wp:status>${status}</wp:status><wp:post_type>${type}</wp:post_type>
  ${more}</item>`;
const wxr = `<?xml version="1.0"?><rss xmlns:wp="http://wordpress.org/export/1.2/" xmlns:dc="http://purl.org/dc/elements/1.1/"
  xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><wp:wxr_version>1.2</wp:wxr_version>
  ${item(1, "post", "publish")}${item(2, "post", "private")}</channel></rss>`;
const ghost = json({
  db: [
    {
      meta: { exported_on: 1, version: "5.80.0" },
      data: {
        posts: ["public", "members"].map((visibility, id) => ({
          id: `${id}`,
          title: visibility,
          slug: `ghost-${visibility}`,
          status: "published",
          visibility,
          html: "<p>x</p>",
          published_at: "2019-05-12T09:30:00.000Z",
        })),
      },
    },
  ],
});
const lines = (...records: object[]) => records.map((record) => `${json(record)}\n`).join("");
const file = {
  parentID: 0,
  ownerID: 1,
  trashID: null,
  size: 4,
  updatedAt: "2020-01-01T00:00:00.000Z",
  isPrivate: false,
};
const shown = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

/** Two pictures, one of them in a public album. */
function lychee(): Uint8Array<ArrayBuffer> {
  using db = new Database(":memory:");
  for (const statement of [
    "CREATE TABLE configs (key, value)",
    "CREATE TABLE base_albums (id, title, description, sorting_col, sorting_order, is_public, requires_link, password)",
    "INSERT INTO base_albums VALUES ('a1', 'Open', '', NULL, NULL, 1, 0, NULL), ('a2', 'Shut', '', NULL, NULL, 0, 0, NULL)",
    "CREATE TABLE albums (id, parent_id, cover_id, _lft, _rgt)",
    "INSERT INTO albums VALUES ('a1', NULL, NULL, 1, 2), ('a2', NULL, NULL, 3, 4)",
    "CREATE TABLE tag_albums (id)",
    "CREATE TABLE size_variants (photo_id, type, short_path)",
    "INSERT INTO size_variants VALUES ('p1', 0, 'original/1.png'), ('p2', 0, 'original/2.png')",
    `CREATE TABLE photos (id, title, description, live_photo_short_path, taken_at, taken_at_orig_tz, latitude, longitude,
      location, is_starred, album_id, tags)`,
    "INSERT INTO photos (id, title, album_id) VALUES ('p1', 'One', 'a1'), ('p2', 'Two', 'a2')",
  ])
    db.run(statement);
  return new Uint8Array(db.serialize());
}

/** What a source is taken for; and what guests see of it if that was chosen: photos, posts, albums and files. */
type Row = { kind: string; seen: [photos: number, posts: number, albums: number, files: number]; files: Files };
const rows: Record<string, Row> = {
  "a Takeout": {
    kind: "takeout",
    seen: [1, 0, 1, 1],
    files: {
      "Takeout/Google Photos/Trip/metadata.json": json({ title: "Trip" }),
      "Takeout/Google Photos/Trip/a.png": picture(),
      "Takeout/Google Photos/Trip/a.png.json": taken,
      "Takeout/Google Photos/Trip/b.png": picture(),
      "Takeout/Google Photos/Trip/b.png.json": json({ ...JSON.parse(taken), archived: true }),
    },
  },
  "a Takeout with 201 files of another product first": {
    kind: "takeout",
    seen: [1, 0, 0, 1],
    files: {
      ...Object.fromEntries(Array.from({ length: 201 }, (_, n) => [`Takeout/Chat/Groups/${n}/messages.json`, "{}"])),
      "Takeout/Google Photos/Trip/a.png": picture(),
      "Takeout/Google Photos/Trip/a.png.json": taken,
    },
  },
  "one part of a Takeout, without what Google knows": {
    kind: "takeout",
    seen: [2, 0, 0, 2],
    files: { "Takeout/Google Photos/Trip/a.png": picture(), "Takeout/Google Photos/Trip/b.png": picture() },
  },
  "an archive of Instagram, with messages": {
    kind: "instagram",
    seen: [0, 0, 0, 0],
    files: {
      "your_instagram_activity/media/posts_1.json": json([
        { title: "Sea", creation_timestamp: 1_600_000_000, media: [{ uri: "media/posts/202001/a.png" }] },
      ]),
      "your_instagram_activity/messages/inbox/eve/message_1.json": json({ messages: [{ content: "secret" }] }),
      "personal_information/personal_information.json": json({ email: "ada@example.org" }),
      "media/posts/202001/a.png": picture(),
    },
  },
  "a copy of iCloud Photos": {
    kind: "apple",
    seen: [1, 0, 0, 1],
    files: {
      "Photos/Photo Details.csv": `imgName,fileChecksum,favorite,hidden,deleted,originalCreationDate,viewCount,importDate\r\na.png,x,no,no,no,,,\r\nb.png,x,no,yes,no,,,`,
      "Photos/a.png": picture(),
      "Photos/b.png": picture(),
    },
  },
  "an export of Flickr": {
    kind: "flickr",
    seen: [1, 0, 0, 1],
    files: {
      "photo_12345678.json": json({
        id: "12345678",
        name: "One",
        privacy: "public",
        date_taken: "2012-03-10 12:04:13",
      }),
      "photo_22345678.json": json({
        id: "22345678",
        name: "Two",
        privacy: "friends",
        date_taken: "2012-03-10 12:04:13",
      }),
      "one_12345678_o.png": picture(),
      "two_22345678_o.png": picture(),
    },
  },
  "the folder of Lychee": {
    kind: "lychee",
    seen: [1, 0, 1, 1],
    files: {
      "database/database.sqlite": lychee(),
      "uploads/original/1.png": picture(),
      "uploads/original/2.png": picture(),
    },
  },
  "the folder of Immich": {
    kind: "immich",
    seen: [1, 0, 0, 1],
    files: { "upload/.immich": "", "upload/7d1/a.png": picture(), "thumbs/.immich": "", "thumbs/7d1/a.webp": "x" },
  },
  "the data folder of Nextcloud": {
    kind: "nextcloud",
    seen: [1, 0, 0, 2],
    files: { "ada/files/a.png": picture(), "ada/files/b.txt": "x", "ada/files_trashbin/files/c.png.d1": "x" },
  },
  "an export of Ghost": { kind: "ghost", seen: [0, 1, 0, 0], files: { "ghost.json": ghost } },
  "an export of WordPress": { kind: "wordpress", seen: [0, 1, 0, 0], files: { "wordpress.xml": wxr } },
  "a site of Hugo": {
    kind: "markdown",
    seen: [0, 1, 0, 0],
    files: {
      "hugo.toml": "",
      "content/posts/a.md": "---\ntitle: Hugo\ndate: 2020-01-02\n---\nText",
      "content/posts/b.md": "---\ntitle: Hugo, a draft\ndate: 2020-01-02\ndraft: true\n---\nText",
    },
  },
  "a site of Jekyll": {
    kind: "markdown",
    seen: [0, 1, 0, 0],
    files: { "_config.yml": "title: Site", "_posts/2019-05-02-jekyll.md": "---\ntitle: Jekyll\n---\nText" },
  },
  "a vault of Obsidian": {
    kind: "markdown",
    seen: [0, 1, 0, 0],
    files: {
      ".obsidian/app.json": "{}",
      "Diary.md": "---\npublish: false\n---\nSecret",
      "Open.md": "---\npublish: true\ndate: 2019-05-12\n---\nText",
    },
  },
  "an export of another Vitrine": {
    kind: "vitrine",
    seen: [0, 1, 0, 1],
    files: {
      "vitrine-export.json": json({ format: "vitrine-export", formatVersion: 1, isComplete: true, siteID: "other" }),
      "data/files.jsonl": lines(
        { ...file, id: 1, name: "a.txt", sha256: shown, path: "files/a.txt" },
        { ...file, id: 2, name: "b.txt", sha256: shown, path: "files/b.txt", isPrivate: true },
      ),
      "files/a.txt": "test",
      "files/b.txt": "test",
      "data/posts.jsonl": lines(
        ...[false, true].map((chosenPrivate, id) => ({
          id: id + 1,
          ownerID: 1,
          trashID: null,
          isPage: false,
          title: `Moved ${id}`,
          status: "published",
          slug: `moved-${id}`,
          chosenPrivate,
          publishedAt: "2020-01-01T00:00:00.000Z",
          content: "Text",
        })),
      ),
    },
  },
  "a folder": {
    kind: "folder",
    seen: [1, 0, 1, 2],
    files: { "Holiday/a.png": picture(), "Holiday/notes.txt": "x" },
  },
};

/** How many photos, posts, albums and files guests find, and all that they are told while they look. */
async function lookAsGuest(to: string) {
  const texts: string[] = [];
  const list = async (path: string) => {
    const { body } = await guest.get(path);
    if (!Array.isArray(body)) return [];
    texts.push(json(body));
    return body;
  };
  const counts = [];
  for (const what of ["photos", "blog", "albums"]) counts.push((await list(`/api/v1/${what}?pageSize=1000`)).length);
  const countFiles = async (path: string): Promise<number> => {
    let count = 0;
    for (const { isDirectory, name } of await list(`/api/v1/files?path=${encodeURIComponent(path)}`))
      count += isDirectory ? await countFiles(`${path}/${name}`) : 1;
    return count;
  };
  counts.push(await countFiles(to));
  for (const path of ["/api/v1/files?path=/", "/", "/feed.xml", "/sitemap.xml"])
    texts.push(json((await guest.get(path)).body));
  return { counts, told: texts.join("\n") };
}

const settled = async (id: number) =>
  (
    await until(
      () => admin.get(`/api/v1/imports/${id}`),
      ({ body }) => body.status !== "running" && body.status !== "undoing",
    )
  ).body;

test.each(Object.entries(rows))("%s is private unless somebody has said otherwise", async (name, row) => {
  const { kind, seen, files } = row;
  const word = `place${Object.keys(rows).indexOf(name)}`;
  const entries = Object.entries(files).map(([path, input]) => ({ name: path, input }));
  const zip = new Uint8Array(await downloadZip(entries).arrayBuffer());
  const archive = await admin.upload(`${word}.zip`, zip, { path: "/archives", visibility: "private" });
  const plan = { fileIDs: [archive.body.id], to: `/${word}`, photos: true, albums: name === "a folder" };
  const run = async (more: object) => settled((await admin.post("/api/v1/imports", { ...plan, ...more })).body.id);

  const isPublished = isLong || name === "a Takeout";
  const look = async (more: object) => {
    const done = await run(more);
    const found = await lookAsGuest(`/${word}`);
    if (isPublished) {
      await admin.post(`/api/v1/imports/${done.id}/undo`);
      await settled(done.id);
    }
    return { done, ...found };
  };

  const { done, counts, told } = await look({});
  expect([done.kind, done.plan.visibility, done.failure]).toEqual([kind, "private", null]);
  expect(done.items.added).toBeGreaterThan(0);
  expect(counts).toEqual([0, 0, 0, 0]);
  expect(told).not.toContain(word);
  if (isPublished) expect((await look({ visibility: "public" })).counts).toEqual(seen);
});

test("a photo of a file that only its owner sees is private, too", async () => {
  await admin.upload("own.png", picture(), { path: "/own", visibility: "private" });
  await admin.upload("open.png", picture(), { path: "/open" });
  for (const path of ["/own", "/open"]) await settled((await admin.post("/api/v1/photos/import", { path })).body.id);
  const { body: photos } = await guest.get("/api/v1/photos");
  expect(photos.map(({ title }: any) => title)).toEqual(["open"]);
});
