// Runs only with TEST_LONG: it decodes one picture of each unusual kind.
// Runs on the embedded engines only: how pictures are decoded does not depend on the engines.
import { describe, expect, test } from "bun:test";
import { deflateSync } from "node:zlib";
import sharp, { type Sharp } from "sharp";
import {
  codedAVIF,
  codedHEIC,
  cropBox,
  gridHEIC,
  mirrorBox,
  renameColours,
  turnBox,
  writeGrid,
  writeOne,
  writeSequence,
} from "../../../tests/kit/files/heic.ts";
import { fromDisplayP3, toBT2020, toDisplayP3, toHLG, toPQ } from "../../../tests/kit/colours.ts";
import {
  type Bytes,
  bytesOf,
  type Colour,
  corners,
  distance,
  meanCorners,
  quadrants,
  readBytes,
  showPicture,
  signalDecoders,
  withChunk,
} from "../../../tests/kit/files/pictures.ts";
import { page, type TiffTags, writeTiff } from "../../../tests/kit/files/tiff-files.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { until } from "../../../tests/kit/until.ts";
import { isLong, testLong } from "../../../tests/kit/long.ts";

const server = useServer();
const { guest } = server;
const owner = server.person("owner");

const look = async (photo: any, Accept = "image/jpeg") =>
  (await readBytes(guest, photo.variants.at(-1).url, { Accept })).bytes;
/** Shows the picture and returns how far its corners are from these colours. */
const distanceOf = async (bytes: Bytes, expected: Colour[]) =>
  distance(await meanCorners(await look(await showPicture(owner, bytes))), expected);
const refusalOf = async (name: string, bytes: Bytes) => {
  const { body: file } = await owner.upload(name, bytes);
  const { status, body } = await owner.post("/api/v1/photos", { title: name, fileID: file.id });
  return [status, body.error];
};
/** Four corners of these colours. */
const cornersOf = (colours: Colour[]): Sharp =>
  sharp(Uint8Array.from(colours.flat()), { raw: { width: 2, height: 2, channels: 3 } }).resize(96, 64, {
    kernel: "nearest",
    fit: "fill",
  });

describe("a HEIF or AVIF file", () => {
  testLong("shows its primary picture, wherever that is in the file", async () => {
    const photo = await showPicture(owner, writeGrid(await codedAVIF(quadrants(96, 64)), 3, 1));
    expect([photo.width, photo.height]).toEqual([288, 64]);
    expect(await sharp(await look(photo)).metadata()).toMatchObject({ width: 288, height: 64 });
    expect(await showPicture(owner, gridHEIC(2, 1, { isThumbnail: true }))).toMatchObject({ width: 640, height: 200 });
  });

  test("is decoded by the codec of its picture, whatever brand it has", async () => {
    const tile = await codedAVIF(quadrants(96, 64));
    expect(await distanceOf(writeGrid(tile, 1, 1, { brand: "mif1", compatible: "mif1avif" }), corners)).toBeLessThan(9);
    expect(await distanceOf(writeGrid(tile, 1, 1, { brand: "avis", compatible: "avisMA1B" }), corners)).toBeLessThan(9);
    const heic = gridHEIC(1, 1, { brand: "msf1", compatible: "msf1hevc" });
    expect(await showPicture(owner, heic)).toMatchObject({ width: 320, height: 200 });
  });

  test("that is a sequence shows its first picture", async () => {
    expect(await distanceOf(writeSequence(await codedAVIF(quadrants(96, 64))), corners)).toBeLessThan(9);
    expect(await showPicture(owner, writeSequence(codedHEIC()))).toMatchObject({ width: 320, height: 200 });
  });
});

describe("a HEIF or AVIF file that says which part of its picture is shown", () => {
  // Not those that a decoder assumes: if it forgets them, the colours are others.
  const colours = { primaries: 1, transfer: 13, matrix: 9, isLimited: true };

  test.each(["AVIF", "HEIC"])("has the same colours, in the right place: %s", async (format) => {
    const coded = format === "HEIC" ? codedHEIC() : await codedAVIF(quadrants(320, 200));
    const write = (transforms: Buffer[]) => writeOne(coded, colours, transforms);
    const whole = Buffer.from(await look(await showPicture(owner, write([]))));
    const area = { left: 100, top: 40, width: 200, height: 100 };
    const crop = cropBox(200, 100, 80, -20);
    const part = () => sharp(whole).extract(area);
    const chains: [Buffer[], Sharp][] = [
      [[crop], part()],
      [[crop, turnBox(1)], part().rotate(-90)],
      [[crop, turnBox(2)], part().rotate(180)],
      [[crop, mirrorBox(true)], part().flop()],
      [[crop, mirrorBox(false)], part().flip()],
      [[crop, turnBox(3), mirrorBox(false)], sharp(await part().rotate(-270).png().toBuffer()).flip()],
      // Turned first: the top is what was on the right.
      [
        [turnBox(1), cropBox(100, 200, 20, 80)],
        sharp(await sharp(whole).rotate(-90).png().toBuffer()).extract({ left: 60, top: 100, width: 100, height: 200 }),
      ],
    ];
    for (const [index, [transforms, expected]] of chains.entries()) {
      const photo = await showPicture(owner, write(transforms));
      const { data, info } = await expected.png().toBuffer({ resolveWithObject: true });
      expect([index, photo.width, photo.height]).toEqual([index, info.width, info.height]);
      expect([index, distance(await meanCorners(await look(photo)), await meanCorners(data)) < 6]).toEqual([
        index,
        true,
      ]);
    }
  });
});

describe("colours that only numbers describe", () => {
  const shown: Colour[] = [
    [180, 60, 50],
    [60, 160, 80],
    [70, 80, 170],
    [200, 190, 150],
  ];
  const codedAs = (encode: (colour: Colour) => Colour) => codedAVIF(cornersOf(shown.map((colour) => encode(colour))));

  test.each([
    ["Display P3", toDisplayP3, { primaries: 12, transfer: 13 }, 5],
    ["BT.2020", toBT2020, { primaries: 9, transfer: 14 }, 9],
    ["BT.2020 with PQ", toPQ, { primaries: 9, transfer: 16 }, 9],
    ["BT.2020 with HLG", toHLG, { primaries: 9, transfer: 18 }, 9],
  ])("are shown in sRGB: %s", async (_, encode, colours, tolerance) => {
    expect(await distanceOf(writeGrid(await codedAs(encode), 1, 1, { colours }), shown)).toBeLessThan(tolerance);
  });

  test("are also found in the coded picture and in a PNG, and a profile takes precedence", async () => {
    const [p3, wide] = [{ primaries: 12, transfer: 13 }, await codedAs(toDisplayP3)];
    expect(await distanceOf(writeGrid(renameColours(wide, p3), 1, 1), shown)).toBeLessThan(5);
    const png = await bytesOf(cornersOf(shown.map(toDisplayP3)).png());
    expect(await distanceOf(withChunk(png, "cICP", Uint8Array.of(12, 13, 0, 1)), shown)).toBeLessThan(5);
    const profile = (await sharp(await cornersOf(shown).withIccProfile("p3").jpeg().toBuffer()).metadata()).icc!;
    const both = writeGrid(wide, 1, 1, { colours: { primaries: 9, transfer: 16 }, profile });
    expect(await distanceOf(both, shown)).toBeLessThan(7);
  });

  test("are those of the profile, also with more than 8 bits", async () => {
    const vivid: Colour[] = [
      [250, 10, 10],
      [10, 240, 20],
      [20, 10, 240],
      [250, 240, 10],
    ];
    const profile = (await sharp(await cornersOf(vivid).withIccProfile("p3").jpeg().toBuffer()).metadata()).icc!;
    const compressed = Buffer.concat([Buffer.from("p3\0\0"), deflateSync(profile)]);
    const wide = cornersOf(vivid.map(toDisplayP3));
    const png = withChunk(await bytesOf(wide.clone().toColourspace("rgb16").png()), "iCCP", compressed);
    expect((await sharp(png).metadata()).depth).toBe("ushort");
    expect(await distanceOf(png, vivid)).toBeLessThan(6);
    expect(await distanceOf(png.slice(0, -30), vivid)).toBeLessThan(9);
    const deep = await bytesOf(cornersOf(vivid).withIccProfile("p3").avif({ bitdepth: 10, quality: 95 }));
    expect((await sharp(deep).metadata()).depth).toBe("ushort");
    expect(await distanceOf(deep, vivid)).toBeLessThan(9);
  });

  test("are also converted in HEIC, and tones above white are kept apart", async () => {
    const plain = await meanCorners(await look(await showPicture(owner, gridHEIC(1, 1))));
    const wide = gridHEIC(1, 1, { colours: { primaries: 12, transfer: 13, matrix: 5 } });
    expect(await distanceOf(wide, plain.map(fromDisplayP3))).toBeLessThan(9);

    const greys = [100, 203, 500, 1000].map((luminance): Colour => {
      const code = toPQ([255, 255, 255], luminance)[0];
      return [code, code, code];
    });
    const bright = writeGrid(await codedAVIF(cornersOf(greys)), 1, 1, { colours: { primaries: 9, transfer: 16 } });
    const [dark, white, light, brightest] = (await meanCorners(await look(await showPicture(owner, bright)))).map(
      ([red]) => red,
    );
    expect([dark! < white! - 20, white! < light! - 15, light! < brightest! - 8]).toEqual([true, true, true]);
    expect(brightest).toBeGreaterThan(248);
    expect(white).toBeWithin(170, 235);
  });
});

describe("a picture that is cut off", () => {
  const whole = () => {
    let state = 1;
    const pixels = Uint8Array.from({ length: 120 * 80 * 3 }, () => (state = (state * 48_271) % 2_147_483_647) % 251);
    return sharp(pixels, { raw: { width: 120, height: 80, channels: 3 } });
  };
  const part = (bytes: Bytes, share: number) => bytes.slice(0, Math.round(bytes.length * share));

  testLong("is shown as far as it is there, if that is at least half of it", async () => {
    const jpeg = await bytesOf(whole().jpeg());
    // What decoders show of missing rows is black, too.
    const night = { create: { width: 120, height: 60, channels: 3, background: "#000" } } as const;
    const dark = whole().composite([{ input: await sharp(night).png().toBuffer(), top: 20, left: 0 }]);
    const files: [string, Bytes][] = [
      ["a.jpg", jpeg.slice(0, -2)],
      ["b.jpg", part(jpeg, 0.8)],
      ["c.jpg", part(await bytesOf(whole().jpeg({ progressive: true })), 0.8)],
      ["d.png", part(await bytesOf(whole().png()), 0.8)],
      ["e.gif", part(await bytesOf(whole().gif()), 0.8)],
      ["f.png", part(await bytesOf(whole().png({ progressive: true })), 0.8)],
      ["g.png", (await bytesOf(dark.clone().png())).slice(0, -24)],
      ["h.jpg", (await bytesOf(dark.clone().jpeg())).slice(0, -2)],
    ];
    for (const [name, bytes] of files) {
      const photo = await showPicture(owner, bytes);
      expect([name, photo.width, photo.height, photo.isCutOff]).toEqual([name, 120, 80, true]);
      expect(await sharp(await look(photo, "image/webp")).metadata()).toMatchObject({ width: 120, height: 80 });
      const original = await readBytes(owner, `${photo.file.url}?original`);
      expect(Buffer.compare(original.bytes, bytes)).toBe(0);
    }
    expect((await showPicture(owner, jpeg)).isCutOff).toBe(false);
  });

  testLong("is refused if less than half of its rows are there", async () => {
    for (const [name, picture] of [
      ["jpg", whole().jpeg()],
      ["png", whole().png()],
      ["passes.png", whole().png({ progressive: true })],
      ["gif", whole().gif()],
    ] as const) {
      const [status, error] = await refusalOf(`cut.${name}`, part(await bytesOf(picture), 0.3));
      expect([name, status, error]).toEqual([name, 400, expect.stringMatching(/cut off|damaged/)]);
    }
  });
});

testLong("texts in a damaged picture are not public", async () => {
  const [png, text] = [await bytesOf(cornersOf(corners).png()), Buffer.from("Software\0Editor of Jo")];
  const [named, plain] = [withChunk(png, "tEXt", text), Uint8Array.from(png)];
  // The checksum of the pixels is wrong.
  for (const bytes of [named, plain]) bytes[Buffer.from(bytes).indexOf("IDAT") + 8]! ^= 1;
  const read = async (bytes: Bytes) => readBytes(guest, (await owner.upload("damaged.png", bytes)).body.url);
  expect([(await read(named)).status, (await read(plain)).status]).toEqual([401, 200]);
});

describe("a TIFF or GIF that the library draws wrongly", () => {
  const [width, height] = [8, 8];
  const fill = (values: number[]) =>
    Buffer.from(
      Array<number[]>(width * height)
        .fill(values)
        .flat(),
    );
  const words = (values: number[]) => {
    const pixels = Buffer.alloc(width * height * values.length * 4);
    for (let i = 0; i < pixels.length / 4; i++) pixels.writeUInt32LE(values[i % values.length]!, 4 * i);
    return pixels;
  };
  const floats = (values: number[]) => {
    const pixels = words(values.map(() => 0));
    for (let i = 0; i < pixels.length / 4; i++) pixels.writeFloatLE(values[i % values.length]!, 4 * i);
    return pixels;
  };
  const file = (pixels: Buffer, tags: TiffTags) =>
    writeTiff([
      { ...page(width, height, Buffer.alloc(64)), 0x0111: { at: pixels }, 0x0117: [4, pixels.length], ...tags },
    ]);
  /** Each plane of the colour is a strip; the pixels are the end of the file. */
  const inPlanes = (colour: Colour, tags: TiffTags) => {
    const planes = colour.map((value) => Buffer.alloc(width * height, value));
    const pixels = Buffer.concat(planes);
    const write = (start: number) =>
      file(pixels, {
        ...tags,
        0x0102: [3, 8, 8, 8],
        0x0111: [4, ...planes.map(({ length }, i) => start + i * length)],
        0x0117: [4, ...planes.map(({ length }) => length)],
        0x011c: [3, 2],
        0xc000: { at: pixels },
      });
    return write(write(0).length - pixels.length);
  };
  const full = 2 ** 32 - 1;
  const profile = async () => {
    const jpeg = await sharp({ create: { width: 8, height: 8, channels: 3, background: "#123" } })
      .withIccProfile("p3")
      .jpeg()
      .toBuffer();
    return [7, ...((await sharp(jpeg).metadata()).icc ?? [])] as [number, ...number[]];
  };
  /** Lab (60, 40, 20) and YCbCr (100, 100, 180), computed by the formulas of the standards. */
  const [lab, ycbcr]: [Colour, Colour] = [
    [218, 114, 112],
    [173, 72, 50],
  ];

  test.each<[string, () => Bytes | Promise<Bytes>, Colour]>([
    [
      "Lab with alpha",
      () => file(fill([153, 40, 20, 255]), { 0x0102: [3, 8, 8, 8, 8], 0x0106: [3, 8], 0x0115: [3, 4], 0x0152: [3, 2] }),
      lab,
    ],
    ["Lab", () => file(fill([153, 40, 20]), { 0x0102: [3, 8, 8, 8], 0x0106: [3, 8], 0x0115: [3, 3] }), lab],
    [
      "YCbCr that is compressed without loss",
      () =>
        file(deflateSync(fill([100, 100, 180])), {
          0x0102: [3, 8, 8, 8],
          0x0103: [3, 8],
          0x0106: [3, 6],
          0x0115: [3, 3],
          0x0212: [3, 1, 1],
        }),
      ycbcr,
    ],
    [
      "8 bits that are called signed",
      () => file(fill([200, 100, 50]), { 0x0102: [3, 8, 8, 8], 0x0106: [3, 2], 0x0115: [3, 3], 0x0153: [3, 2, 2, 2] }),
      [200, 100, 50],
    ],
    ["YCbCr in planes", () => inPlanes([100, 100, 180], { 0x0106: [3, 6], 0x0115: [3, 3], 0x0212: [3, 1, 1] }), ycbcr],
    [
      "32 bits for each colour, with alpha",
      () =>
        file(words([full * 0.8, full * 0.4, full * 0.2, full].map(Math.round)), {
          0x0102: [3, 32, 32, 32, 32],
          0x0106: [3, 2],
          0x0115: [3, 4],
          0x0152: [3, 2],
        }),
      [204, 102, 51],
    ],
    [
      "floats with a colour profile",
      async () =>
        file(floats([0.8, 0.4, 0.2]), {
          0x0102: [3, 32, 32, 32],
          0x0106: [3, 2],
          0x0115: [3, 3],
          0x0153: [3, 3, 3, 3],
          0x8773: await profile(),
        }),
      [231, 170, 124],
    ],
  ])("is shown in its colours: %s", async (_, make, colour) => {
    expect(await distanceOf(await make(), Array<Colour>(4).fill(colour))).toBeLessThan(5);
  });

  testLong("is refused with the reason, and withheld: the first kind of JPEG compression", async () => {
    const jpeg = Buffer.from(await bytesOf(sharp(fill([9, 9, 9]), { raw: { width, height, channels: 3 } }).jpeg()));
    const tiles: TiffTags = { 0x0103: [3, 6], 0x0106: [3, 6], 0x0142: [4, 16], 0x0143: [4, 16] };
    const { 0x0111: _, 0x0116: __, 0x0117: ___, ...tags } = page(width, height, fill([1, 1, 1]));
    const bytes = writeTiff([{ ...tags, ...tiles, 0x0144: { at: jpeg }, 0x0145: [4, jpeg.length] }]);
    expect(await refusalOf("old.tif", bytes)).toEqual([400, expect.stringContaining("JPEG compression")]);
    // Its tables are not among its pixels, so what cleaning leaves of them is not known.
    const tables: TiffTags = { 0x010e: "A description", 0x0207: { at: Buffer.alloc(64, 9) } };
    const described = writeTiff([{ ...tags, ...tiles, ...tables, 0x0144: { at: jpeg }, 0x0145: [4, jpeg.length] }]);
    const { body: withheld } = await owner.upload("tables.tif", described);
    expect((await readBytes(guest, withheld.url)).status).toBe(401);
  });

  test("is transparent outside of its first frame", async () => {
    const gif = Buffer.from(
      await bytesOf(sharp({ create: { width: 40, height: 40, channels: 3, background: "#00f" } }).gif()),
    );
    // No colour is transparent: the library would paint it black.
    gif[gif.indexOf(Buffer.from([0x21, 0xf9, 4])) + 3]! &= 0xfe;
    const frame = gif.indexOf(Buffer.from([0x2c, 0, 0, 0, 0, 40, 0, 40, 0]));
    for (const [at, value] of [
      [6, 80],
      [8, 80],
      [frame + 1, 40],
      [frame + 3, 40],
    ] as const)
      gif.writeUInt16LE(value, at);
    const photo = await showPicture(owner, new Uint8Array(gif));
    const { data } = await sharp(await look(photo, "image/webp"))
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const alphaAt = (x: number, y: number) => data[4 * (y * 80 + x) + 3];
    expect([alphaAt(10, 10), alphaAt(60, 60)]).toEqual([0, 255]);
  });
});

test.skipIf(!isLong || process.platform === "win32")(
  "a large HEIC is prepared while no request waits for it",
  async () => {
    const { body: file } = await owner.upload("large.heic", gridHEIC(15, 17));
    const { status, body: photo } = await owner.post("/api/v1/photos", { title: "Large", fileID: file.id });
    signalDecoders("SIGSTOP");
    try {
      expect([status, photo.width, photo.height, photo.isPreparing]).toEqual([201, 4800, 3400, true]);
      expect([photo.variants, photo.thumbhash]).toEqual([[], null]);
      const early = await guest.get(`/api/v1/photos/${photo.id}/image`);
      const edited = await owner.put(`/api/v1/photos/${photo.id}`, { edits: { turn: 90 } });
      // On the base endpoints, busy is 500 with this code.
      expect([early.status, edited.body.code]).toEqual([503, "busy"]);
    } finally {
      signalDecoders("SIGCONT");
    }
    const read = async () => (await guest.get(`/api/v1/photos/${photo.id}`)).body;
    const ready = await until(read, ({ isPreparing }) => !isPreparing);
    expect([ready.variants.length, ready.width, ready.isCutOff]).toEqual([5, 4800, false]);
    expect(await sharp(await look(ready)).metadata()).toMatchObject({ width: 2560, height: 1813 });
    // The studio and the site show it when this change is told.
    const { body: changes } = await owner.get(`/api/v1/activity?kind=photo&recordID=${photo.id}`);
    expect(changes[0]).toMatchObject({ action: "changed", actor: null });
  },
);
