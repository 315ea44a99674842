// Runs on the embedded engines only: what is read of the sources does not depend on the engines.
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { downloadZip } from "client-zip";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { client } from "../../tests/kit/client.ts";
import { password, signedIn } from "../../tests/kit/people.ts";
import { isLong } from "../../tests/kit/long.ts";
import { bytesOf, quadrants } from "../../tests/kit/files/pictures.ts";
import { runVitrine, startVitrine } from "../../tests/kit/process.ts";
import { newDirectory, useScratch } from "../../tests/kit/scratch.ts";
import { readSource, treeOf } from "../../tests/kit/trees.ts";
import { appleKind } from "./apple.ts";
import { flickrKind } from "./flickr.ts";
import { recognise } from "./kinds.ts";
import { lycheeKind } from "./lychee.ts";
import { nextcloudKind } from "./storage-folders.ts";
import { until } from "../../tests/kit/until.ts";

const scratch = useScratch();

type Files = Record<string, string | Uint8Array<ArrayBuffer>>;

const table = (...rows: string[]) =>
  ["imgName,fileChecksum,favorite,hidden,deleted,originalCreationDate,viewCount,importDate", ...rows].join("\r\n");
const date = `"Saturday June 4,2022 12:11 PM GMT"`;

const flickrPhoto = (id: string, more: object = {}) =>
  JSON.stringify({ id, name: `Photo ${id}`, privacy: "public", date_taken: "2012-03-10 12:04:13", ...more });

/** The database of Lychee with the columns of one time. */
function lycheeDatabase(version: "old" | "new"): Uint8Array<ArrayBuffer> {
  const isNew = version === "new";
  const db = new Database(":memory:");
  const create = (name: string, columns: string) => db.run(`CREATE TABLE ${name} (${columns})`);
  const add = (name: string, ...rows: (string | number | null)[][]) => {
    for (const row of rows) db.query(`INSERT INTO ${name} VALUES (${row.map(() => "?").join(", ")})`).run(...row);
  };
  create("configs", "key, value");
  add("configs", ["sorting_photos_col", "taken_at"], ["sorting_photos_order", "DESC"]);
  create(
    "base_albums",
    `id, title, description, sorting_col, sorting_order ${isNew ? "" : ", is_public, requires_link, password"}`,
  );
  const access = (...flags: (number | string | null)[]) => (isNew ? [] : flags);
  add(
    "base_albums",
    ["a1", "Harbours", "By the water", "title", "ASC", ...access(1, 0, null)],
    ["a2", "Lisbon", null, null, null, ...access(1, 1, null)],
    ["t1", "Tagged", null, null, null, ...access(1, 0, null)],
  );
  create("albums", "id, parent_id, cover_id, _lft, _rgt");
  add("albums", ["a1", null, "p1", 1, 4], ["a2", "a1", null, 2, 3]);
  create("tag_albums", "id");
  add("tag_albums", ["t1"]);
  create("size_variants", "photo_id, type, short_path");
  const original = isNew ? 1 : 0;
  add("size_variants", ["p1", original + 6, "thumb/ab/1.jpg"], ["p1", original, "original/ab/1.jpg"]);
  add("size_variants", ["p2", original, "original/ab/2.jpg"], ["p3", original, "original/ab/3.jpg"]);
  const texts = ["2019-07-05 15:20:00.000000", "Europe/Lisbon", 38.7, -9.1, "Lisboa"];
  if (isNew) {
    add("size_variants", ["p1", 0, "raw/ab/1.nef"]);
    create("access_permissions", "base_album_id, user_id, user_group_id, is_link_required, password");
    add("access_permissions", ["a1", null, null, 0, null], ["a2", null, null, 1, null], ["a2", 7, null, 0, null]);
    create("tags", "id, name");
    create("photos_tags", "tag_id, photo_id");
    create("photo_album", "album_id, photo_id");
    add("tags", [1, "sea"]);
    add("photos_tags", [1, "p1"]);
    add("photo_album", ["a1", "p1"], ["a1", "p2"], ["a2", "p2"]);
  }
  const more = isNew ? "is_highlighted" : "is_starred, album_id, tags";
  create(
    "photos",
    `id, title, description, live_photo_short_path, taken_at, taken_at_orig_tz, latitude, longitude, location, ${more}`,
  );
  const own = (...old: (string | null)[]) => (isNew ? [] : old);
  add(
    "photos",
    ["p1", "Zebra", "The last ferry", "original/ab/1.mov", ...texts, 1, ...own("a1", "sea,")],
    ["p2", "Ant/eater", null, null, null, null, null, null, null, 0, ...own("a1", null)],
    ["p3", "Missing", null, null, null, null, null, null, null, 0, ...own(null, null)],
  );
  return new Uint8Array(db.serialize());
}

const lycheeFiles = (version: "old" | "new", picture: string | Uint8Array<ArrayBuffer> = "x"): Files => ({
  "database/database.sqlite": lycheeDatabase(version),
  "uploads/original/ab/1.jpg": picture,
  "uploads/original/ab/1.mov": "x",
  "uploads/original/ab/2.jpg": "y",
  "uploads/raw/ab/1.nef": "x",
  "uploads/thumb/ab/1.jpg": "x",
});

test("each is recognised by what it contains", async () => {
  const kindOf = async (files: Files) => (await recognise(treeOf(files))).kind;
  expect(await kindOf({ "Photos/Photo Details.csv": table(), "Photos/a.jpg": "x" })).toBe("apple");
  expect(await kindOf({ "photo_12345678.json": flickrPhoto("12345678") })).toBe("flickr");
  expect(await kindOf(lycheeFiles("new"))).toBe("lychee");
  expect(await kindOf({ "dump.sql": "CREATE TABLE base_albums; size_variants", "uploads/big/1.jpg": "x" })).toBe(
    "lychee",
  );
  expect(await kindOf({ "ada/files/a.jpg": "x", "ada/files_trashbin/b.jpg": "x" })).toBe("nextcloud");
  const other = { "photo_1.json": "{}", "Photo Details.csv": "a,b", "uploads/x.sqlite": "x", "a/files/b": "x" };
  expect(await kindOf(other)).toBe("folder");
});

describe("a copy from Apple", () => {
  test("has tables that describe their own archive only, albums in their order, and videos beside their stills", async () => {
    const first = {
      "Part 1/Photos/Photo Details.csv": table(`IMG_1.HEIC,x,yes,no,no,${date},1,${date}`, "IMG_2.HEIC,x,no,yes,no,,,"),
      "Part 1/Photos/Photo Details-1.csv": "",
      "Part 1/Photos/IMG_1.HEIC": "x",
      "Part 1/Photos/IMG_1.MOV": "x",
      "Part 1/Photos/IMG_2.HEIC": "x",
      "Part 1/Photos/IMG_2-1.MOV": "x",
      "Part 1/Albums/Lisbon.csv": "Images\r\nIMG_2.HEIC\r\nIMG_1.HEIC\r\nIMG_5.HEIC\r\nnone.jpg\r\n",
      "Part 1/Memories/Day.csv": "Images\r\nIMG_1.HEIC\r\n",
      "Part 1/Recently Deleted/IMG_9.HEIC": "x",
      "Part 1/iCloud Shared Albums 1.zip": "x",
    };
    const second = {
      "Part 1/Photos/Photo Details.csv": table("IMG_1.HEIC,x,no,no,no,,,", "IMG_4.HEIC,x,no,no,yes,,,"),
      "Part 1/Photos/IMG_1.HEIC": "y",
      "Part 1/Photos/IMG_4.HEIC": "x",
      "Part 1/Photos/IMG_5.HEIC": "x",
    };
    const { photos, inAlbum, refused } = await readSource(appleKind, treeOf(first, second), { visibility: "public" });
    expect(photos).toEqual({
      "IMG_1.HEIC": {
        isFavourite: true,
        visibility: "public",
        momentTaken: Date.UTC(2022, 5, 4, 12, 11),
        isTimeRough: true,
      },
      "IMG_1.MOV": null,
      "IMG_2.HEIC": { isFavourite: false, visibility: "private" },
      "IMG_2-1.MOV": null,
      "IMG_1 (2).HEIC": { isFavourite: false, visibility: "public" },
      "IMG_5.HEIC": { visibility: "public" },
    });
    expect(inAlbum("Lisbon")).toEqual(["IMG_2.HEIC", "IMG_1.HEIC", "IMG_5.HEIC"]);
    expect(refused).toEqual([
      expect.stringContaining("iCloud Shared Albums 1.zip: It is an archive in the archive"),
      "Albums/Lisbon.csv: 1 of its pictures are missing, or share their names with others.",
      "note: Part 1/Memories: 1 file of memories: not taken, because Apple puts them together anew.",
      "note: Part 1/Recently Deleted: 1 file deleted in iCloud Photos: not taken.",
      "note: Part 1/Photos/IMG_4.HEIC: It was deleted in iCloud Photos.",
    ]);
  });
});

describe("an export of Flickr", () => {
  test("joins what lies in different archives, and says what is missing", async () => {
    const texts = {
      "photo_12345678.json": flickrPhoto("12345678", {
        description: `A <b>ferry</b> &amp; a <a href="x">gull</a>.<br />\nTwo\nThree`,
        tags: [{ tag: "sea" }, "24/7", { tag: "SEA" }],
        geo: [{ latitude: "38700000", longitude: "-9100000" }],
        comments: [{}, {}],
      }),
      "photo_22345678.json": flickrPhoto("22345678", {
        privacy: "friend & family",
        geo: { latitude: "38.7", longitude: "-9.1" },
        date_taken: "",
        date_imported: "2012-03-11 00:00:00",
      }),
      "photo_32345678.json": flickrPhoto("32345678"),
      "photo_42345678.json": "{",
      "contacts_part001.json": "{}",
      "albums.json": JSON.stringify({
        albums: [
          {
            id: "7",
            title: "Lisbon",
            description: "",
            cover_photo: "https://www.flickr.com/photos//12345678",
            photos: ["22345678", "12345678", "99999999"],
          },
          { id: "8", title: "Secret", photos: ["22345678"] },
          { title: "broken" },
        ],
      }),
    };
    const pictures = {
      "a-title-2023-11223344_12345678_o.jpg": "x",
      "22345678_0a1b2c3d4e_o.png": "x",
      "stray.jpg": "x",
    };
    const { photos, albums, inAlbum, refused } = await readSource(flickrKind, treeOf(pictures, texts));
    expect(photos).toEqual({
      "a-title-2023-11223344_12345678_o.jpg": {
        title: "Photo 12345678",
        description: "A ferry & a gull.\nTwo\nThree",
        tags: ["sea", "24/7"],
        place: { latitude: 38.7, longitude: -9.1, name: null },
        clockTaken: Date.UTC(2012, 2, 10, 12, 4, 13),
        visibility: "public",
      },
      "22345678_0a1b2c3d4e_o.png": {
        title: "Photo 22345678",
        tags: [],
        place: { latitude: 38.7, longitude: -9.1, name: null },
        momentTaken: Date.UTC(2012, 2, 11),
        isTimeRough: true,
        visibility: "private",
      },
      "stray.jpg": { visibility: "private" },
    });
    expect(albums).toMatchObject([
      { name: "Secret", visibility: "private" },
      { name: "Lisbon", visibility: "public" },
    ]);
    expect(inAlbum("7")).toEqual(["22345678_0a1b2c3d4e_o.png", "a-title-2023-11223344_12345678_o.jpg (cover)"]);
    expect(refused).toEqual([
      expect.stringContaining("photo_42345678.json: It cannot be read: "),
      "albums.json: 1 of its albums has not the form that Flickr writes.",
      expect.stringContaining("pictures: 1 of 3 photos have no picture here"),
      expect.stringContaining("note: comments: 2 comments are not taken"),
      "note: others: 1 files about other things are not taken: contacts_part001.json.",
    ]);
  });
});

describe("a folder of Lychee", () => {
  test.each(["old", "new"] as const)("with the columns of %s versions", async (version) => {
    const { photos, albums, inAlbum, refused } = await readSource(lycheeKind, treeOf(lycheeFiles(version)));
    expect(photos).toMatchObject({
      "Harbours/Zebra.jpg": {
        title: "Zebra",
        description: "The last ferry",
        tags: ["sea"],
        isFavourite: true,
        momentTaken: Date.UTC(2019, 6, 5, 15, 20),
        clockTaken: Date.UTC(2019, 6, 5, 16, 20),
        place: { latitude: 38.7, longitude: -9.1, name: "Lisboa" },
        visibility: "public",
      },
      "Harbours/Zebra.mov": null,
      "Harbours/Ant-eater.jpg": { title: "Ant/eater", visibility: "public" },
    });
    expect(albums).toMatchObject([
      { key: "a1", name: "Harbours", description: "By the water", parent: null, visibility: "public" },
      { key: "a2", name: "Lisbon", parent: "a1", visibility: "private", photoOrder: "newestFirst" },
    ]);
    expect(inAlbum("a1")).toEqual(["Harbours/Ant-eater.jpg", "Harbours/Zebra.jpg (cover)"]);
    expect(inAlbum("a2")).toEqual(version === "new" ? ["Harbours/Ant-eater.jpg"] : []);
    expect(Object.keys(photos)).toHaveLength(version === "new" ? 4 : 3);
    expect(refused).toEqual([
      "note: tag albums: 1 tag albums are not taken: their photos have the tags.",
      "p3: Its picture is not in uploads: original/ab/3.jpg.",
      version === "new"
        ? "note: uploads: 1 files that no photo needs are not taken, such as the smaller pictures of Lychee: thumb/ab/1.jpg."
        : "note: uploads: 2 files that no photo needs are not taken, such as the smaller pictures of Lychee: raw/ab/1.nef.",
    ]);
  });

  test("without a database that can be read is refused with a sentence", async () => {
    const dump = await readSource(
      lycheeKind,
      treeOf({ "dump.sql": "size_variants base_albums", "uploads/big/1.jpg": "x" }),
    );
    expect(dump.refused).toEqual([expect.stringContaining("dump.sql: A dump of MySQL or PostgreSQL cannot be read")]);
    const broken = lycheeDatabase("new").fill(0xff, 4096);
    const text = new TextEncoder().encode("size_variants base_albums");
    broken.set(text, 4200);
    const damaged = await readSource(lycheeKind, treeOf({ "a.sqlite": broken, "uploads/big/1.jpg": "x" }));
    expect(damaged.refused).toEqual([expect.stringContaining("a.sqlite: The database cannot be read: ")]);
  });
});

test("the data folder of Nextcloud is a folder, without its trash, versions and previews", async () => {
  const { photos, albums, refused } = await readSource(
    nextcloudKind,
    treeOf({
      "data/appdata_oc1x/preview/1.jpg": "x",
      "data/appdata_oc1x/preview/2.jpg": "x",
      "data/ada/files/Lisbon/a.jpg": "x",
      "data/ada/files/b.jpg": "x",
      "data/ada/files_trashbin/files/c.jpg.d1": "x",
      "data/ada/files_versions/b.jpg.v1": "x",
    }),
    { hasAlbums: true },
  );
  expect(Object.keys(photos)).toEqual(["data/ada/Lisbon/a.jpg", "data/ada/b.jpg"]);
  expect(albums.map(({ key }) => key)).toEqual(["data", "data/ada", "data/ada/Lisbon"]);
  expect(refused).toEqual([
    "note: data/appdata_oc1x: It has previews and other data of Nextcloud itself.",
    "note: data/ada/files_trashbin: It is the trash of Nextcloud.",
    "note: data/ada/files_versions: Older versions of files are not taken.",
  ]);
});

test.if(isLong)(
  "a site has the photos of all of them, with their texts, and their albums in order and with covers",
  async () => {
    const env = { DATA_DIR: newDirectory(scratch) };
    await runVitrine(["user", "add", "ada", "--role", "admin", "--create"], env, `${password}\n`);
    const picture = (width: number) => bytesOf(quadrants(width, 40).jpeg());
    const zip = async (name: string, files: Files) => {
      const inputs = Object.entries(files).map(([path, input]) => ({ name: path, input }));
      writeFileSync(join(scratch, name), await downloadZip(inputs).bytes());
      return join(scratch, name);
    };
    const folder = (name: string, files: Files) => {
      for (const [path, content] of Object.entries(files)) {
        mkdirSync(dirname(join(scratch, name, path)), { recursive: true });
        writeFileSync(join(scratch, name, path), content);
      }
      return join(scratch, name);
    };
    const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description
    xmlns:dc="http://purl.org/dc/elements/1.1/" dc:title="Beside" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:CreateDate="2020-01-02T03:04:05"/></rdf:RDF></x:xmpmeta>`;
    const sources = [
      [folder("plain", { "a.jpg": await picture(50), "a.xmp": xmp, "a.cr2": "x" }), "--photos"],
      [
        await zip("apple-1.zip", {
          "Photos/Photo Details.csv": table(`IMG_1.JPG,x,yes,no,no,${date},1,${date}`),
          "Photos/IMG_1.JPG": await picture(51),
        }),
        await zip("apple-2.zip", { "Photos/IMG_1.JPG": await picture(52), "Albums/Apples.csv": "Images\nIMG_1.JPG\n" }),
      ],
      [
        await zip("part1.zip", {
          "photo_12345678.json": flickrPhoto("12345678"),
          "photo_22345678.json": flickrPhoto("22345678", { privacy: "private" }),
          "albums.json": JSON.stringify({
            albums: [{ id: "7", title: "Boats", cover_photo: "/12345678", photos: ["22345678", "12345678"] }],
          }),
        }),
        await zip("data-download-1.zip", {
          "a_12345678_o.jpg": await picture(53),
          "b_22345678_o.jpg": await picture(54),
        }),
      ],
      [folder("lychee", { ...lycheeFiles("new", await picture(55)), "uploads/original/ab/2.jpg": await picture(56) })],
    ];
    await using server = await startVitrine(env);
    const ada = await signedIn(server, "ada");
    for (const words of sources)
      expect((await runVitrine(["import", "--visibility", "public", ...words], env)).stderr).toBe("");
    for (const [index] of sources.entries()) {
      await until(
        () => ada.get(`/api/v1/imports/${index + 1}`),
        ({ body }) => body.status !== "running",
      );
    }
    const { body: photos } = await ada.get("/api/v1/photos?owner=me&pageSize=50");
    const found = Object.fromEntries(
      photos.map((one: any) => [
        one.width,
        `${one.title}, ${one.takenAt}, ${one.visibility}${one.isFavourite ? ", favourite" : ""}`,
      ]),
    );
    expect(found).toEqual({
      50: "Beside, 2020-01-02T03:04:05.000Z, public",
      51: "IMG 1, 2022-06-04T12:11:00.000Z, public, favourite",
      52: "IMG 1 (2), null, public",
      53: "Photo 12345678, 2012-03-10T12:04:13.000Z, public",
      54: "Photo 22345678, 2012-03-10T12:04:13.000Z, private",
      55: "Zebra, 2019-07-05T16:20:00.000Z, public, favourite",
      56: "Ant/eater, null, public",
    });
    const { body: albums } = await ada.get("/api/v1/albums?owner=me");
    const contents: Record<string, unknown> = {};
    for (const { id, name } of albums) {
      const { body } = await ada.get(`/api/v1/albums/${id}`);
      contents[name] = [body.photos.map((one: any) => one.width), body.cover.width, body.coverPhotoID !== null];
    }
    expect(contents).toEqual({
      Apples: [[52], 52, false],
      Boats: [[54, 53], 53, true],
      Harbours: [[56, 55], 55, true],
      Lisbon: [[56], 56, false],
    });
    const guest = await client(server).get("/api/v1/photos");
    expect(guest.body.map((one: any) => one.width).toSorted()).toEqual([50, 51, 52, 53, 55, 56]);
  },
);
