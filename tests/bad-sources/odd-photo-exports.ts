import { Database } from "bun:sqlite";
import { appleKind } from "../../convert/sources/apple.ts";
import { flickrKind } from "../../convert/sources/flickr.ts";
import { lycheeKind } from "../../convert/sources/lychee.ts";
import { nextcloudKind } from "../../convert/sources/storage-folders.ts";
import { nested, type OddExport } from "./odd-export.ts";

type Rest = Omit<OddExport, "name" | "kind" | "files">;

const flickrPhoto = (more: object = {}) => JSON.stringify({ id: "12345678", name: "A", privacy: "public", ...more });
const flickr = (name: string, files: OddExport["files"], rest: Rest = {}): OddExport => ({
  name: `Flickr: ${name}`,
  kind: flickrKind,
  files: { "photo_12345678.json": flickrPhoto(), "a_12345678_o.jpg": "x", ...files },
  taken: ["file a_12345678_o.jpg"],
  ...rest,
});
const unread = (key: string) => ({ refused: { [key]: /^It cannot be read: / } });

const flickrCases: OddExport[] = [
  flickr("JSON that is cut off", { "photo_22345678.json": flickrPhoto().slice(0, -4) }, unread("photo_22345678.json")),
  flickr(
    "JSON of many megabytes",
    { "photo_22345678.json": flickrPhoto({ description: "x".repeat(5_000_000) }) },
    unread("photo_22345678.json"),
  ),
  flickr(
    "JSON that is a list",
    { "photo_22345678.json": "[]" },
    { refused: { "photo_22345678.json": /not the form in which Flickr/ } },
  ),
  flickr("albums that are no list", { "albums.json": '{"albums": 7}' }, unread("albums.json")),
  flickr("albums of 100,000 levels", { "albums.json": nested(100_000, '{"albums":', "1", "}") }, unread("albums.json")),
  flickr(
    "an album of photos that are not there, and of one twice",
    {
      "albums.json": JSON.stringify({
        albums: [{ id: 7, title: "\u0000", cover_photo: "x/y", photos: ["1", "12345678", "12345678"] }],
      }),
    },
    { taken: ["album 7", "file a_12345678_o.jpg"] },
  ),
  flickr("dates and places that are none", {
    "photo_12345678.json": flickrPhoto({
      date_taken: "0000-00-00 00:00:00",
      date_imported: "2099-99-99",
      geo: [{ latitude: "9e99", longitude: {} }],
    }),
  }),
  flickr("other types everywhere", {
    "photo_12345678.json": flickrPhoto({ name: 7, tags: [7, null, { tag: 8 }], comments: "x", geo: 4 }),
  }),
];

const apple = (name: string, files: OddExport["files"], rest: Rest = {}): OddExport => ({
  name: `Apple: ${name}`,
  kind: appleKind,
  files: { "Photos/a.jpg": "x", ...files },
  taken: ["file Photos/a.jpg"],
  ...rest,
});
const details = (...rows: string[]) =>
  ["imgName,fileChecksum,favorite,hidden,deleted,originalCreationDate", ...rows].join("\n");

const appleCases: OddExport[] = [
  apple(
    "a table with a quote that never ends",
    { "Photos/Photo Details.csv": details('"a.jpg,x,yes') },
    unread("Photos/Photo Details.csv"),
  ),
  apple("a table of bytes", { "Photos/Photo Details.csv": new Uint8Array(5000).map((_, index) => index * 7) }),
  apple("a table with 100,000 rows of one name", {
    "Photos/Photo Details.csv": details(...Array<string>(100_000).fill("a.jpg,x,yes,no,no,")),
  }),
  apple(
    "dates of all kinds",
    {
      "Photos/Photo Details.csv": details(
        'a.jpg,x,no,no,no,"Friday January 1,1904 0:00 AM GMT"',
        'b.jpg,x,no,no,no,"Monday Smarch 99,2099 77:99 PM GMT"',
      ),
    },
    { refused: { "Photo Details.csv": /1 of the pictures in it is not here/ } },
  ),
  apple(
    "an album of pictures that are not there",
    { "Photos/Photo Details.csv": details("a.jpg,,,,,"), "Albums/x.csv": "Images\n../../etc/passwd\n" },
    {
      refused: { "Albums/x.csv": /1 of its pictures are missing/ },
      taken: ["album x", "file Photos/a.jpg"],
    },
  ),
];

const lycheeSchema = [
  "CREATE TABLE base_albums (id TEXT, title TEXT, description TEXT)",
  "CREATE TABLE albums (id TEXT, parent_id TEXT, cover_id TEXT, _lft INTEGER)",
  "CREATE TABLE photos (id TEXT, title TEXT, taken_at TEXT, latitude, longitude, album_id TEXT)",
  "CREATE TABLE size_variants (photo_id TEXT, short_path TEXT)",
];
function lycheeDatabase(...statements: string[]): Uint8Array {
  using db = new Database(":memory:");
  for (const statement of [...lycheeSchema, ...statements]) db.run(statement);
  return db.serialize();
}
const photo = (id: string, path: string, more = "NULL, NULL, NULL, 'a1'") => [
  `INSERT INTO photos VALUES ('${id}', 'Title', ${more})`,
  `INSERT INTO size_variants VALUES ('${id}', '${path}')`,
];
const lychee = (name: string, database: Uint8Array, rest: Rest = {}): OddExport => ({
  name: `Lychee: ${name}`,
  kind: lycheeKind,
  files: { "database.sqlite": database, "uploads/original/1.jpg": "x" },
  ...rest,
});
const first = photo("p1", "original/1.jpg");
const good = lycheeDatabase(
  "INSERT INTO base_albums VALUES ('a1', 'A', '')",
  "INSERT INTO albums VALUES ('a1', NULL, 'p1', 1)",
  ...first,
);

const lycheeCases: OddExport[] = [
  lychee("a database that is cut off", good.slice(0, 5000), { refused: { "database.sqlite": /cannot be read/ } }),
  lychee(
    "a database of zeros behind its head",
    good.map((byte, index) => (index < 100 ? byte : 0)),
    {
      refused: { database: /cannot be read/ },
    },
  ),
  lychee(
    "albums in a circle",
    lycheeDatabase(
      ...["a1", "a2"].map((id) => `INSERT INTO base_albums VALUES ('${id}', '${id}', '')`),
      "INSERT INTO albums VALUES ('a1', 'a2', NULL, 1), ('a2', 'a1', NULL, 2)",
      ...first,
    ),
    { taken: ["album a1", "album a2", "file original/1.jpg"] },
  ),
  lychee(
    "pictures outside of it, and ones that are not there",
    lycheeDatabase(...first, ...photo("p2", "original/../../../etc/passwd"), ...photo("p3", "original/3.jpg")),
    {
      refused: { p2: /not in uploads/, p3: /not in uploads/ },
      taken: ["file original/1.jpg"],
    },
  ),
  lychee(
    "times and places that are none",
    lycheeDatabase(...photo("p1", "original/1.jpg", "'0000-00-00', 'x', 9e99, x'00ff'")),
    {
      taken: ["file original/1.jpg"],
    },
  ),
];

const nextcloudCases: OddExport[] = [
  {
    name: "Nextcloud: folders named as its own, in those of people",
    kind: nextcloudKind,
    files: {
      "ada/files/files/a.txt": "x",
      "ada/files/files_trashbin/b.txt": "x",
      "ada/files_trashbin/c": "x",
    },
    taken: ["file ada/files/a.txt", "file ada/files_trashbin/b.txt"],
  },
];

export const oddPhotoExports: OddExport[] = [...flickrCases, ...appleCases, ...lycheeCases, ...nextcloudCases];
