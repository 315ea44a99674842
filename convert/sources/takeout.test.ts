// Runs on the embedded engines only: what is read of the source does not depend on the engines.
import { describe, expect, test } from "bun:test";
import { downloadZip } from "client-zip";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { client } from "../../tests/kit/client.ts";
import { password, signedIn } from "../../tests/kit/people.ts";
import { bytesOf, quadrants } from "../../tests/kit/files/pictures.ts";
import { runVitrine, startVitrine } from "../../tests/kit/process.ts";
import { newDirectory, useScratch } from "../../tests/kit/scratch.ts";
import { readItems, readSource, treeOf } from "../../tests/kit/trees.ts";
import { recognise } from "./kinds.ts";
import { takeoutKind } from "./takeout.ts";
import { until } from "../../tests/kit/until.ts";
import { testLong } from "../../tests/kit/long.ts";

const scratch = useScratch();

const json = (more: object = {}) => JSON.stringify({ photoTakenTime: { timestamp: "1562340000" }, ...more });
const year = "Takeout/Google Fotos/Fotos von 2019";

const wish = { hasPhotos: false, hasAlbums: false, hasPeople: true, visibility: "private" as const };

/** The description of the photo of each file; null if it gets none of its own. */
async function describedIn(files: Record<string, string>): Promise<Record<string, string | null | undefined>> {
  const found: Record<string, string | null | undefined> = {};
  for (const item of await readItems(takeoutKind, treeOf(files), wish))
    if (item.kind === "file") found[item.path.at(-1) ?? ""] = item.photo ? item.photo.description : null;
  return found;
}

describe("the JSON of a file is found", () => {
  // The names are those that Google writes: a suffix, which is cut with the name at 46 characters, and then the number.
  test.each([
    ["IMG_1.jpg", "IMG_1.jpg.json"],
    ["IMG_1.jpg", "IMG_1.jpg.supplemental-metadata.json"],
    ["IMG_1(2).jpg", "IMG_1.jpg(2).json"],
    ["IMG_1(2).jpg", "IMG_1.jpg.supplemental-metadata(2).json"],
    ["IMG_1(2).jpg", "IMG_1.supplemental-metadata(2).json"],
    ["PXL_20230101_120000000.PORTRAIT.jpg", "PXL_20230101_120000000.PORTRAIT.jpg.supplement.json"],
    ["0123456789012345678901234567890123456789.jpg", "0123456789012345678901234567890123456789.jpg.s.json"],
    ["01234567890123456789012345678901234567890123456.jpg", "0123456789012345678901234567890123456789012345.json"],
    ["a long name with an ü that goes on and on(1).jpg", "a long name with an ü that goes on and on.jpg.(1).json"],
    ["IMG_1.HEIC", "IMG_1.HEIC.suppl.json"],
    ["IMG_1.jpg", "IMG_1.json"],
  ])("%s ← %s", async (media, name) => {
    const files = { [`${year}/${name}`]: json({ description: "found" }), [`${year}/${media}`]: "x" };
    expect(await describedIn(files)).toEqual({ [media]: "found" });
  });

  test("for an edited copy, whose original is kept as a file; and for a still, whose video is kept as a file", async () => {
    const files = {
      [`${year}/IMG_1.jpg`]: "x",
      [`${year}/IMG_1-bearbeitet.jpg`]: "x",
      [`${year}/IMG_1.jpg.json`]: json({ description: "one" }),
      [`${year}/IMG_2.HEIC`]: "x",
      [`${year}/IMG_2.MP4`]: "x",
      [`${year}/IMG_2.HEIC.json`]: json({ description: "two" }),
      [`${year}/PXL_3.MP.jpg`]: "x",
      [`${year}/PXL_3.MP`]: "x",
      [`${year}/PXL_3.MP.jpg.json`]: json({ description: "three" }),
    };
    expect(await describedIn(files)).toEqual({
      "IMG_1.jpg": null,
      "IMG_1-bearbeitet.jpg": "one",
      "IMG_2.HEIC": "two",
      "IMG_2.MP4": null,
      "PXL_3.MP.jpg": "three",
      "PXL_3.MP": null,
    });
  });

  test("in a folder of 20,000 files in about the time of ten with 2,000", async () => {
    const folder = (count: number, of: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, n) => [`${year} ${of}/IMG-${n}-${n % 2 ? "edited" : ""}.jpg`, "x"] as const),
      );
    const measure = async (files: Record<string, string>) => {
      const before = process.cpuUsage();
      await describedIn({ [`${year}/a.json`]: json(), ...files });
      return process.cpuUsage(before).user / 1000;
    };
    await measure(folder(2000, 0));
    const ten = Object.assign({}, ...Array.from({ length: 10 }, (_, of) => folder(2000, of)));
    const [small, large] = [await measure(ten), await measure(folder(20_000, 0))];
    expect(large).toBeLessThan(Math.max(500, 5 * small));
  });
});

test("a place that was corrected in Google Photos wins over the one that was in the file", async () => {
  const geoDataExif = { latitude: 1, longitude: 2 };
  const files = {
    [`${year}/a.jpg`]: "x",
    [`${year}/a.jpg.json`]: json({ geoData: { latitude: 38.7, longitude: -9.1 }, geoDataExif }),
    [`${year}/b.jpg`]: "x",
    [`${year}/b.jpg.json`]: json({ geoData: { latitude: 0, longitude: 0 }, geoDataExif }),
  };
  const { photos } = await readSource(takeoutKind, treeOf(files));
  const places = Object.values(photos).map((photo) => photo?.place);
  expect(places).toMatchObject([{ latitude: 38.7, longitude: -9.1 }, geoDataExif]);
});

describe("only Google Photos is taken, once, and each file below the folder of its year or album", () => {
  const inProduct = {
    "Photos from 2019/a.jpg": "x",
    "Photos from 2019/a.jpg.json": json({ description: "found" }),
    "Photos from 2019/b.jpg": "x",
  };
  const inOthers = { "Drive/plan.pdf": "x", "Drive/deep/other.json": "{", "Keep/note.json": "{}" };
  const under = (top: string, files: object) =>
    Object.fromEntries(Object.entries(files).map(([path, text]) => [`${top}${path}`, text]));
  const read = async (...parts: Record<string, string>[]) => {
    const { photos, refused } = await readSource(takeoutKind, treeOf(...parts));
    return { photos: Object.entries(photos).map(([path, photo]) => [path, photo?.description]), refused };
  };
  const [a, b] = [
    ["Photos from 2019/a.jpg", "found"],
    ["Photos from 2019/b.jpg", undefined],
  ];

  test.each(["Takeout/Google Photos/", "takeout-2/Takeout/Google Fotos/", "Google Foto/", "Fotky Google/", ""])(
    "from %j",
    async (top) => expect((await read(under(top, inProduct))).photos).toEqual([a, b]),
  );

  test.each(["Takeout/", "takeout-001/Takeout/", ""])(
    "of a folder %j with other products, which are counted",
    async (top) => {
      const { photos, refused } = await read(under(`${top}Google Photos/`, inProduct), under(top, inOthers));
      expect(photos).toEqual([a, b]);
      expect(refused).toEqual([
        `note: ${top}Drive: 2 files do not belong to Google Photos.`,
        `note: ${top}Keep: 1 file does not belong to Google Photos.`,
      ]);
    },
  );

  test("of archives that were unpacked beside each other, although the JSON of a picture lies in another one", async () => {
    const [media, jsons] = [/\.jpg$/, /\.json$/].map((end) =>
      Object.fromEntries(Object.entries(inProduct).filter(([path]) => end.test(path))),
    );
    const parts = {
      ...under("takeout-1/Takeout/Google Photos/", media!),
      ...under("takeout-2/Takeout/Google Photos/", jsons!),
    };
    expect((await read(parts)).photos).toEqual([a, b]);
  });
});

test("everything that is no photo has a line: the sum of both is what the export has", async () => {
  const files = {
    "Takeout/archive_browser.html": "<html>",
    [`${year}/a.jpg`]: "x",
    [`${year}/a.jpg.json`]: json(),
    [`${year}/gone.jpg.json`]: json(),
    [`${year}/trashed.jpg`]: "x",
    [`${year}/trashed.jpg.json`]: json({ trashed: true }),
    [`${year}/trashed-too.jpg.json`]: json({ trashed: true }),
    [`${year}/broken.json`]: "{",
    "Takeout/Google Fotos/comments.json": "[]",
    "Takeout/Google Fotos/Empty/metadata.json": JSON.stringify({ title: "Nothing yet" }),
    "Takeout/Mail/all.mbox": "x",
  };
  const { photos, refused } = await readSource(takeoutKind, treeOf(files));
  expect(Object.keys(photos)).toEqual(["Fotos von 2019/a.jpg"]);
  expect(refused.toSorted()).toEqual([
    "Takeout/Google Fotos/Fotos von 2019/broken.json: It is not valid JSON: JSON Parse error: Expected '}'",
    "Takeout/Google Fotos/Fotos von 2019/gone.jpg.json: The picture that it describes is not in this export: is a part of it missing?",
    "note: Takeout/Google Fotos/Empty: The album Nothing yet has no pictures in this export.",
    "note: Takeout/Google Fotos/Fotos von 2019/trashed-too.jpg.json: It is in the trash of Google Photos.",
    "note: Takeout/Google Fotos/Fotos von 2019/trashed.jpg: It is in the trash of Google Photos.",
    "note: Takeout/Google Fotos/comments.json: It describes neither a picture nor an album.",
    "note: Takeout/Mail: 1 file does not belong to Google Photos.",
    "note: Takeout: 1 file does not belong to Google Photos.",
  ]);
});

test("a tree without what Google knows of photos is none of Takeout", async () => {
  const other = await recognise(treeOf({ "a/b.json": "{}", "a/c.jpg": "x", "a/broken.json": "{" }));
  expect(other.kind).toBe("folder");
  expect((await recognise(treeOf({ "a/c.jpg": "x", "a/c.jpg.json": json() }))).kind).toBe("takeout");
  const notes = Array.from({ length: 500 }, (_, index) => [`Takeout/Keep/${index}.json`, "{}"]);
  const behind = {
    ...Object.fromEntries(notes),
    [`${year}/c.jpg`]: "x",
    [`${year}/c.jpg.supplemental-meta.json`]: json(),
  };
  expect((await recognise(treeOf(behind))).kind).toBe("takeout");
});

testLong("an export in two archives becomes private photos and albums, with time, place and text, once", async () => {
  const env = { DATA_DIR: newDirectory(scratch) };
  await runVitrine(["user", "add", "ada", "--role", "admin", "--create"], env, `${password}\n`);
  const picture = await bytesOf(quadrants(60, 40).jpeg());
  const other = await bytesOf(quadrants(50, 40).jpeg());
  const write = async (name: string, files: Record<string, string | Uint8Array<ArrayBuffer>>) => {
    const inputs = Object.entries(files).map(([path, input]) => ({ name: `Takeout/Google Photos/${path}`, input }));
    writeFileSync(join(scratch, name), await downloadZip(inputs).bytes());
    return join(scratch, name);
  };
  const first = await write("takeout-1.zip", {
    "Photos from 2019/IMG_1.jpg": picture,
    "Photos from 2019/IMG_2.jpg": other,
    "Photos from 2019/IMG_3.jpg": other.slice(0, 200),
    "Photos from 2019/broken.json": "{",
    "Harbours/IMG_1.jpg": picture,
  });
  const second = await write("takeout-2.zip", {
    "Photos from 2019/IMG_1.jpg.supplemental-metadata.json": json({
      description: "The last ferry",
      favorited: true,
      geoData: { latitude: 38.7, longitude: -9.1, altitude: 0 },
      people: [{ name: "Grace" }],
    }),
    "Photos from 2019/IMG_2.jpg.supplemental-metadata.json": json({ trashed: true }),
    "Harbours/metadata.json": JSON.stringify({ title: "Harbours of Lisbon", description: "By the water" }),
    "Harbours/IMG_1.jpg.supplemental-metadata.json": json({ description: "The last ferry" }),
  });
  await using server = await startVitrine(env);
  const ada = await signedIn(server, "ada");
  const run = () => runVitrine(["import", second, first, "--people"], env);
  const { code, stdout } = await run();
  expect([code, stdout.split("\n").slice(1)]).toEqual([
    1,
    [
      expect.stringContaining('broken.json": It is not valid JSON'),
      'Note: "Takeout/Google Photos/Photos from 2019/IMG_2.jpg": It is in the trash of Google Photos.',
      "Import 1: 4 added (0.0 MB), 0 known already, 0 changed, 1 refused, 1 note.",
      "The server creates the photos: GET /api/v1/imports/1 shows the progress.",
      "",
    ],
  ]);
  const done = await until(
    () => ada.get("/api/v1/imports/1"),
    ({ body }) => body.status !== "running",
  );
  expect(done.body).toMatchObject({ imported: 1, existing: 1, refused: 1 });
  const { body: photos } = await ada.get("/api/v1/photos?owner=me");
  expect(photos).toMatchObject([
    {
      description: "The last ferry",
      isFavourite: true,
      tags: ["Grace"],
      takenAt: "2019-07-05T16:20:00.000Z",
      place: { latitude: 38.7, longitude: -9.1 },
      visibility: "private",
    },
  ]);
  const [album] = (await ada.get("/api/v1/albums?owner=me")).body;
  expect(album).toMatchObject({ name: "Harbours of Lisbon", description: "By the water", photoCount: 1 });
  const guest = client(server);
  for (const path of ["photos", "albums"]) expect((await guest.get(`/api/v1/${path}`)).body).toEqual([]);
  expect((await guest.get("/api/v1/files?path=/")).body).toEqual([]);
  expect((await run()).stdout).toContain("Import 2: 0 added (0.0 MB), 4 known already");
});
