// Runs on the embedded engines only: what is read of the source does not depend on the engines.
import { describe, expect, test } from "bun:test";
import { countTurns } from "../../tests/kit/event-loop.ts";
import { readSource, treeOf } from "../../tests/kit/trees.ts";
import { readXmpSidecar } from "../../src/platform/sidecars/xmp-sidecar.ts";
import { folderKind } from "./folder.ts";
import { recognise } from "./kinds.ts";
import { joinTrees } from "../../src/platform/archives/open-trees.ts";

const namespaces = `xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:dc="http://purl.org/dc/elements/1.1/"
  xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:xap="http://ns.adobe.com/xap/1.0/"
  xmlns:lr="http://ns.adobe.com/lightroom/1.0/" xmlns:digiKam="http://www.digikam.org/ns/1.0/"`;
const xmp = (attributes: string, elements = "") => `\ufeff<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
  <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF ${namespaces}>
    <rdf:Description rdf:about="" ${attributes}>${elements}</rdf:Description></rdf:RDF></x:xmpmeta>
  <?xpacket end="w"?>`;
const titled = (title: string) => xmp(`dc:title="${title}"`);
const bag = (name: string, ...tags: string[]) =>
  `<${name}><rdf:Bag>${tags.map((tag) => `<rdf:li>${tag}</rdf:li>`).join("")}</rdf:Bag></${name}>`;

describe("an XMP sidecar", () => {
  test("has properties as attributes or elements, under any prefix, and texts in several languages", () => {
    const alt = `<dc:title><rdf:Alt><rdf:li xml:lang="de">Hafen</rdf:li><rdf:li xml:lang="x-default">Harbour &amp; ferry</rdf:li></rdf:Alt></dc:title>`;
    const times = `<exif:DateTimeOriginal>2024-05-06T07:08:09</exif:DateTimeOriginal>`;
    expect(
      readXmpSidecar(
        xmp(
          `xap:Rating="5" exif:GPSLatitude="48,55.684N" exif:GPSLongitude="2,30.5W"`,
          `${alt}${times}${bag("dc:subject", "never", "these")}${bag("lr:hierarchicalSubject", "Places|Lisbon", "sea")}`,
        ),
      ),
    ).toEqual({
      title: "Harbour & ferry",
      description: null,
      takenAt: { time: Date.UTC(2024, 4, 6, 7, 8, 9), hasZone: false },
      place: { latitude: 48 + 55.684 / 60, longitude: -(2 + 30.5 / 60) },
      tags: ["Lisbon", "sea"],
      rating: 5,
    });
    expect(readXmpSidecar(xmp(`exif:DateTimeOriginal="2024-05-06T07:08:09+02:00"`)).takenAt).toEqual({
      time: Date.UTC(2024, 4, 6, 5, 8, 9),
      hasZone: true,
    });
  });

  test.each([
    ["declares entities", titled("&a;").replace("<x:xmpmeta", `<!DOCTYPE x [<!ENTITY a "b">]><x:xmpmeta`)],
    ["is nested deeply", "<a>".repeat(300_000)],
    ["is cut", titled("x").slice(0, 200)],
    ["is something else", "<html><body/></html>"],
    ["is no XML", "\u0000\u0001"],
  ])("that %s is refused", (_, text) => {
    expect(() => readXmpSidecar(text)).toThrow();
  });
});

test("what sidecars say is read: that of the very file first; those that cannot be read are named, and nothing is lost", async () => {
  const tags = bag("digiKam:TagsList", "Places/Lisbon", "Ferry") + bag("dc:subject", "other");
  const { photos, refused } = await readSource(
    folderKind,
    treeOf({
      "a/one.jpg.xmp": titled("first"),
      "a/ONE.XMP": titled("second"),
      "a/one.jpg": "x",
      "a/two.XMP": xmp(`xap:Rating="5" xap:CreateDate="2024-05-06T07:08:09Z"`, tags),
      "b/two.jpg": "x",
      "a/Two.JPG": "x",
      "a/three.jpg": "x",
      "a/three.jpg.xmp": "<broken",
      "a/four.png": "x",
      "a/four.png.json": JSON.stringify([
        {
          SourceFile: "four.png",
          "XMP:Title": "Four",
          "IPTC:Keywords": ["a", 2],
          "EXIF:GPSLatitude": 38.7,
          "EXIF:GPSLatitudeRef": "N",
          "EXIF:GPSLongitude": 9.1,
          "EXIF:GPSLongitudeRef": "W",
          "EXIF:DateTimeOriginal": "2024:05:06 07:08:09",
          "EXIF:OffsetTimeOriginal": "+02:00",
        },
      ]),
      "a/notes.json": "[1]",
      "a/notes.jpg": "x",
    }),
    { hasStars: true },
  );
  expect(photos).toMatchObject({
    "a/one.jpg": { title: "first" },
    "a/Two.JPG": { tags: ["Lisbon", "Ferry"], isFavourite: true, momentTaken: Date.UTC(2024, 4, 6, 7, 8, 9) },
    "a/three.jpg": {},
    "a/four.png": {
      title: "Four",
      tags: ["a", "2"],
      place: { latitude: 38.7, longitude: -9.1 },
      momentTaken: Date.UTC(2024, 4, 6, 5, 8, 9),
    },
    "a/notes.jpg": {},
  });
  expect(photos["b/two.jpg"]).toEqual({ visibility: "public" });
  expect(Object.keys(photos)).toHaveLength(12);
  expect(refused).toEqual([expect.stringContaining("a/three.jpg.xmp: What it says of three.jpg cannot be read: ")]);
});

test("a photo is one, though it has a video, a RAW file, or an original before it was edited", async () => {
  const names = `live.HEIC live.mov raw.jpg RAW.CR2 raw.cr2.xmp alone.NEF alone.mp4 film.mov IMG_0001.HEIC IMG_E0001.JPG
    IMG_0001.MOV IMG_0001.AAE IMG_0001.xmp a.jpg a_edited.jpeg a.jpg.xmp a_edited.jpeg.xmp b_edited.jpg clip.mov
    clip_edited.mov`.split(/\s+/);
  const files = Object.fromEntries(names.map((name) => [name, name.endsWith(".xmp") ? titled(name) : "x"]));
  const { photos } = await readSource(folderKind, treeOf(files));
  const isMedia = (name: string) => !/(xmp|AAE)$/.test(name);
  expect(
    Object.entries(photos).flatMap(([name, photo]) => (photo && isMedia(name) ? [[name, photo.title]] : [])),
  ).toEqual(
    [
      ["raw.jpg", "raw.cr2.xmp"],
      ["live.HEIC", undefined],
      ["alone.NEF", undefined],
      ["film.mov", undefined],
      ["IMG_E0001.JPG", "IMG_0001.xmp"],
      ["a_edited.jpeg", "a_edited.jpeg.xmp"],
      ["b_edited.jpg", undefined],
      ["clip_edited.mov", undefined],
    ].toSorted((one, other) => names.indexOf(one[0] ?? "") - names.indexOf(other[0] ?? "")),
  );
});

test("others are served while the entries of a long archive are listed, and while it is recognised", async () => {
  const files = Object.fromEntries(Array.from({ length: 4000 }, (_, index) => [`${index % 7}/${index}.txt`, "x"]));
  await using tree = await joinTrees([async () => treeOf(files)]);
  const listing = async () => expect((await Array.fromAsync(tree.list())).length).toBeGreaterThanOrEqual(4000);
  expect(await countTurns(listing)).toBeGreaterThanOrEqual(20);
  expect(await countTurns(() => recognise(tree))).toBeGreaterThanOrEqual(30);
});
