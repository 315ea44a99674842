// Runs on the embedded engines only: how pictures are decoded does not depend on the engines.
import { beforeAll, describe, expect, test } from "bun:test";
import { constants, crc32, deflateRawSync } from "node:zlib";
import sharp from "sharp";
import { engineEnv } from "../../../tests/kit/engine.ts";
import { type Client, client } from "../../../tests/kit/client.ts";
import { person } from "../../../tests/kit/people.ts";
import {
  type Bytes,
  bytesOf,
  findDecoders,
  memoryOf,
  quadrants,
  secretExif,
  secretTiff,
  type Tags,
  tiff,
  withChunk,
  withExif,
} from "../../../tests/kit/files/pictures.ts";
import { startVitrine } from "../../../tests/kit/process.ts";
import { useScratch } from "../../../tests/kit/scratch.ts";
import { isLong, testLong } from "../../../tests/kit/long.ts";
import { useOpened } from "../../../tests/kit/use-opened.ts";
import { sha256Of } from "../../../tests/kit/sha256.ts";

const photos = "/api/v1/photos";
const dataDir = useScratch();
// In a process of its own, whose memory is measured.
const server = useOpened(async () => startVitrine({ DATA_DIR: dataDir, ...(await engineEnv(dataDir)) }));
const guest = client(server);
let owner: Client;
let good: Record<"jpeg" | "png" | "gif" | "webp" | "avif" | "tiff" | "heic", Bytes>;

beforeAll(async () => {
  owner = await person(server, "owner");
  const jpeg = withExif(await bytesOf(quadrants(96, 64).jpeg()), secretExif());
  const [png, gif, webp, avif] = await Promise.all(
    (["png", "gif", "webp", "avif"] as const).map((format) => bytesOf(sharp(jpeg).keepMetadata().toFormat(format))),
  );
  good = {
    jpeg,
    png: png as Bytes,
    gif: gif as Bytes,
    webp: webp as Bytes,
    avif: avif as Bytes,
    tiff: secretTiff(96, 64, await quadrants(96, 64).raw().toBuffer()),
    heic: await Bun.file(new URL("../../../tests/fixtures/quadrants.heic", import.meta.url)).bytes(),
  };
});

/** Uploads a file and expects that it is stored unchanged, and that its picture is shown or refused with an error message. */
async function expectHandled(name: string, bytes: Uint8Array): Promise<"shown" | "refused"> {
  const content = new Uint8Array(bytes);
  const upload = await owner.upload(name, content);
  const { sha256, url, id } = upload.body;
  expect([name, upload.status, sha256]).toEqual([name, 201, sha256Of(content)]);

  const measured = await owner.post(photos, { title: name, fileID: id });
  if (measured.status !== 201) expectSentence(measured, 400);
  const { status, body: sent } = await owner.post(photos, { title: name, fileID: id, width: 30, height: 20 });
  expect([name, status]).toEqual([name, 201]);
  let photo = sent;
  while (photo.isPreparing) photo = (await owner.get(`${photos}/${sent.id}`)).body;
  // A large picture may turn out to be damaged later.
  if (!sent.isPreparing) expect([name, photo.variants.length > 0]).toEqual([name, measured.status === 201]);
  for (const { url: image, width, height } of photo.variants) {
    for (const Accept of ["image/avif", "image/jpeg"]) {
      const response = await fetch(guest.url(image), { headers: { Accept } });
      const picture = new Uint8Array(await response.arrayBuffer());
      if (response.status !== 200)
        expectSentence({ status: response.status, body: JSON.parse(Buffer.from(picture).toString()) }, 404);
      else expect(await sharp(picture).metadata()).toMatchObject({ width, height });
    }
  }
  if (photo.variants.length === 0) expectSentence(await guest.get(`${photos}/${photo.id}/image`), 404);

  const shown = await fetch(guest.url(url));
  expect([200, 401]).toContain(shown.status);
  // The server waits at shutdown for a response that is not read completely.
  await shown.arrayBuffer();
  const original = await fetch(guest.url(`${url}?original`), { headers: { Authorization: `Bearer ${owner.token}` } });
  expect(Buffer.compare(await original.bytes(), content)).toBe(0);
  return photo.variants.length > 0 ? "shown" : "refused";
}

function expectSentence({ status, body }: { status: number; body: any }, expected: number): void {
  expect([status, body.error]).toEqual([expected, expect.stringMatching(/^.{10,300}[.]$/)]);
  expect(body.error).not.toMatch(/vips|sharp|blobs|spool|\/tmp|\n/i);
}

/** Runs the work, and checks the memory of all processes, and that other requests are served meanwhile. */
async function watchWhile(work: () => Promise<void>): Promise<void> {
  const before = memoryOf(server.process.pid);
  const decoders: number[] = [];
  const timer = setInterval(() => decoders.push(...findDecoders(server.process.pid).map(memoryOf)), 20);
  const done = new AbortController();
  const worked = work().finally(() => done.abort());
  let reads = 0;
  for (; !done.signal.aborted; reads++) {
    expect((await owner.get(`${photos}?pageSize=5`)).status).toBe(200);
    await Bun.sleep(20);
  }
  await worked.finally(() => clearInterval(timer));
  // No picture was decoded in the process of the server, which would block it.
  expect([decoders.length > 0, reads > 3]).toEqual([true, true]);
  expect(Math.max(0, ...decoders)).toBeLessThan(1.7 * 1024);
  expect(memoryOf(server.process.pid) - before).toBeLessThan(150);
}

const patch = (bytes: Uint8Array, at: number, ...values: number[]) => {
  const copy = Buffer.from(bytes);
  copy.set(values, at);
  return copy;
};
const indexIn = (bytes: Uint8Array, text: string) => {
  const found = Buffer.from(bytes).indexOf(text, 0, "latin1");
  if (found < 0) throw new Error(`There is no ${text} in it.`);
  return found;
};

/** A stream that inflates to gigabytes of zeros: the same flushed block repeated. */
function createBomb(gigabytes: number): Buffer {
  const block = deflateRawSync(Buffer.alloc(2 ** 26), { finishFlush: constants.Z_FULL_FLUSH });
  return Buffer.concat([Buffer.from([0x78, 0xda]), ...Array<Buffer>(16 * gigabytes).fill(block), Buffer.from([3, 0])]);
}

describe("a picture that claims to be huge", () => {
  const hugePictures: [string, () => Uint8Array][] = [
    ["jpg", () => patch(good.jpeg, indexIn(good.jpeg, "\xff\xc0") + 5, 0xfa, 0xfa, 0xfa, 0xfa)],
    ["png", () => createHugePng(50_000)],
    [
      "gif",
      () => patch(patch(good.gif, 6, 255, 255, 255, 255), indexIn(good.gif, ",\0\0\0\0") + 5, 255, 255, 255, 255),
    ],
    ["webp", () => patch(good.webp, indexIn(good.webp, "VP8X") + 12, 255, 255, 0, 255, 255, 0)],
    ["avif", () => patch(good.avif, indexIn(good.avif, "ispe") + 8, 0, 0, 255, 0, 0, 0, 255, 0)],
    ["heic", () => patch(good.heic, indexIn(good.heic, "ispe") + 8, 0, 0, 255, 0, 0, 0, 255, 0)],
    [
      "tiff",
      () =>
        tiff({
          image: {
            0x0100: [4, 60_000],
            0x0101: [4, 60_000],
            0x0106: [3, 1],
            0x0111: { at: new Uint8Array(99) },
            0x0117: [4, 99],
          },
        }),
    ],
  ];
  const createHugePng = (side: number) => {
    const png = Buffer.from(good.png);
    png.writeUInt32BE(side, 16);
    png.writeUInt32BE(side, 20);
    png.writeUInt32BE(crc32(png.subarray(12, 29)), 29);
    return png;
  };

  testLong("is refused immediately, in every format", () =>
    watchWhile(async () => {
      for (const [format, make] of hugePictures)
        expect([format, await expectHandled(`huge.${format}`, make())]).toEqual([format, "refused"]);
    }),
  );

  testLong("and is small enough to decode is decoded within the limits", () =>
    watchWhile(async () => {
      await expectHandled("tall.jpg", patch(good.jpeg, indexIn(good.jpeg, "\xff\xc0") + 5, 0x23, 0x28, 0x23, 0x28));
      await expectHandled("tall.png", createHugePng(9_000));
      await expectHandled(
        "tall.avif",
        patch(good.avif, indexIn(good.avif, "ispe") + 8, 0, 0, 0x23, 0x28, 0, 0, 0x23, 0x28),
      );
    }),
  );
});

describe("a small file that expands to a lot of data", () => {
  test("in ten thousand frames", () =>
    watchWhile(async () => {
      const frame = Buffer.from([0x21, 0xf9, 4, 0, 1, 0, 0, 0, 0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]);
      const head = Buffer.from("GIF89a\x64\0\x64\0\x80\0\0\0\0\0\xff\xff\xff", "latin1");
      const frames = Array<Buffer>(10_000).fill(frame);
      expect(await expectHandled("frames.gif", Buffer.concat([head, ...frames, Buffer.from(";")]))).toBe("shown");
    }));

  testLong("in compressed chunks of a PNG", () =>
    watchWhile(async () => {
      const zeros = createBomb(4);
      const chunks: [string, string][] = [
        ["iCCP", "profile\0\0"],
        ["zTXt", "Comment\0\0"],
        ["zTXt", "Raw profile type exif\0\0"],
        ["iTXt", "XML:com.adobe.xmp\0\x01\0\0\0"],
      ];
      for (const [type, head] of chunks) {
        const bytes = withChunk(good.png, type, Buffer.concat([Buffer.from(head, "latin1"), zeros]));
        expect(await expectHandled(`${type}.png`, bytes)).toBe("shown");
      }
      expect(await expectHandled("exif.png", withChunk(good.png, "eXIf", zeros))).toBe("shown");
    }),
  );

  testLong("in many megabytes of private or public metadata", () =>
    watchWhile(async () => {
      const pixels: Tags = { 0x0100: [4, 1], 0x0101: [4, 1], 0x0106: [3, 1], 0x0111: { at: new Uint8Array(1) } };
      const layers = Buffer.alloc(2 ** 25, "layers of a picture ").toString("latin1");
      await expectHandled("layers.tiff", tiff({ image: { ...pixels, 0x0117: [4, 1], 0x935c: layers } }));
      const caption = Buffer.from(crypto.getRandomValues(new Uint8Array(65_536)))
        .toString("hex")
        .repeat(20);
      const exif = tiff({ image: { 0x010e: caption }, gps: { 0x12: "somewhere" } });
      expect(await expectHandled("caption.png", withChunk(good.png, "eXIf", exif))).toBe("shown");
    }),
  );

  testLong("in EXIF with cycles or wrong lengths", async () => {
    const at = { cycle: 8, exif: 512, gps: 1024 };
    const blocks = [
      tiff({ image: { 0x8769: [4, at.cycle] }, exif: { 0x9003: "2026:01:01 00:00:00" } }),
      tiff({ image: { 0x014a: [4, at.cycle, at.exif, at.gps, at.cycle] }, next: { 0x0201: [4, at.cycle] } }),
      patch(tiff({ image: {}, exif: { 0xa005: [4, at.exif], 0x8825: [4, at.cycle] } }), at.exif, 0xff, 0xff),
      patch(tiff({ image: { 0x010f: "a long camera name" } }), 8 + 2 + 4, 0xff, 0xff, 0xff, 0xff),
      patch(tiff({ image: {} }), 4, 0xff, 0xff, 0xff, 0x7f),
      tiff({ image: Object.fromEntries(Array.from({ length: 38 }, (_, i) => [0x100 + i, [4, 8]])) }),
    ];
    for (const block of blocks) {
      expect(await expectHandled("wrong.jpg", withExif(await bytesOf(quadrants(90, 60).jpeg()), block))).toBe("shown");
      await expectHandled("wrong.tiff", block);
    }
  });
});

describe("a file that is not a picture", () => {
  const script = "<script>alert(1)</script><image href='http://127.0.0.1:1/x.png'/><image href='file:///etc/passwd'/>";
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60">${script}</svg>`;
  const impostors: [string, string][] = [
    ["drawing.svg", svg],
    ["drawing.jpg", svg],
    ["drawing.png", `<?xml version="1.0"?>${svg}`],
    ["note.jpg", "Only a note."],
    ["page.png", "<!doctype html><h1>Hello</h1>"],
    ["empty.jpg", ""],
    ["head.jpg", "\xff\xd8\xff"],
    ["head.png", "\x89PNG\r\n\x1a\n"],
    ["head.webp", "RIFF\0\0\0\0WEBP"],
    ["head.heic", "\0\0\0\x18ftypheic\0\0\0\0mif1heic"],
    ["inside.jpg", `\xff\xd8\xff${svg}`],
    ["inside.tiff", `II*\0${svg}`],
    ["inside.gif", `GIF89a${svg}`],
    ["letters.pdf", "%PDF-1.4 no picture either"],
  ];
  testLong("is an ordinary file, whatever its name is", async () => {
    for (const [name, text] of impostors) {
      expect([name, await expectHandled(name, Buffer.from(text, "latin1"))]).toEqual([name, "refused"]);
    }
  });
});

describe("a damaged picture", () => {
  testLong("is shown or refused, wherever it is cut off or changed", () =>
    watchWhile(async () => {
      const random = createRandom(20_261_115);
      const until = performance.now() + (isLong ? 8_000 : 500);
      const outcomes = { shown: 0, refused: 0 };
      while (performance.now() < until || Math.min(outcomes.shown, outcomes.refused) <= (isLong ? 10 : 2)) {
        for (const [format, bytes] of Object.entries(good)) {
          const damaged = Buffer.from(bytes.subarray(0, random() < 0.3 ? random() * bytes.length : bytes.length));
          for (let changes = random() * 6; changes > 0; changes--) {
            // Most of the headers are at the beginning.
            const reach = random() < 0.7 ? Math.min(damaged.length, 500) : damaged.length;
            damaged[Math.floor(random() * reach)] = random() < 0.4 ? 255 : random() * 256;
          }
          outcomes[await expectHandled(`damaged.${format}`, damaged)]++;
        }
      }
    }),
  );
});

/** Returns the same numbers between 0 and 1 in each run. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
}
