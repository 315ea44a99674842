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
import { treeOf } from "../../tests/kit/trees.ts";
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
  for await (const item of takeoutKind.open(treeOf(files), "x", wish).items())
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

test("a tree without what Google knows of photos is none of Takeout", async () => {
  const other = await recognise(treeOf({ "a/b.json": "{}", "a/c.jpg": "x", "a/broken.json": "{" }));
  expect(other.kind).toBe("folder");
  expect((await recognise(treeOf({ "a/c.jpg": "x", "a/c.jpg.json": json() }))).kind).toBe("takeout");
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
