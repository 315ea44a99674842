// Runs on other engines only with TEST_LONG: what is read from a picture does not depend on the engines.
import { beforeAll, describe, expect, test } from "bun:test";
import exifr from "exifr";
import sharp, { type Sharp } from "sharp";
import { thumbHashToRGBA } from "thumbhash";
import {
  type Bytes,
  bytesOf,
  type Colour,
  corners,
  distance,
  meanCorners,
  plain,
  quadrants,
  readBytes,
  secretExif,
  showPicture,
  withExif,
} from "../../../tests/kit/files/pictures.ts";
import { isLong } from "../../../tests/kit/long.ts";
import { useServer } from "../../../tests/kit/use-server.ts";

const photos = "/api/v1/photos";
const widths = [320, 640, 1280, 1920, 2560];
const browser = "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8";

const server = useServer();
const { guest } = server;
const owner = server.person("owner");

const show = (picture: Sharp | Bytes) => showPicture(owner, picture);
const look = (path: string, accept?: string, headers: Record<string, string> = {}, method = "GET") =>
  readBytes(guest, path, { ...(accept && { Accept: accept }), ...headers }, method);

const imageOf = (photo: any, width = 320) => `${photos}/${photo.id}/image?w=${width}`;
const sizeOf = async (bytes: Uint8Array) => {
  const { width, height, format } = await sharp(bytes).metadata();
  return { width, height, format: format === "heif" ? "avif" : (format as string) };
};
const fill = (colour: Colour) => [colour, colour, colour, colour];

describe("a picture is shown upright", () => {
  for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8]) {
    test(`for the EXIF orientation ${orientation}`, async () => {
      const photo = await show(quadrants(480, 300, orientation).jpeg());
      expect(photo).toMatchObject({ status: 201, width: 480, height: 300 });
      expect(photo.variants.map(({ width, height }: any) => [width, height])).toEqual([
        [320, 200],
        [480, 300],
      ]);
      const accepted = ["image/jpeg", "image/webp", "image/avif"].filter((_, i) => i === 0 || orientation === 4 + i);
      for (const accept of accepted) {
        const { bytes, headers } = await look(imageOf(photo), accept);
        expect(headers.get("content-type")).toBe(accept);
        expect(await sizeOf(bytes)).toMatchObject({ width: 320, height: 200 });
        expect(distance(await meanCorners(bytes), corners)).toBeLessThan(8);
        expect((await sharp(bytes).metadata()).orientation ?? 1).toBe(1);
      }
    });
  }

  test("in every format", async () => {
    for (const format of ["png", "webp", "tiff", "avif"] as const) {
      const photo = await show(quadrants(90, 60, 6).toFormat(format, { quality: 90 }));
      expect([format, photo.width, photo.height]).toEqual([format, 90, 60]);
      const { bytes } = await look(imageOf(photo));
      expect(await sizeOf(bytes)).toMatchObject({ width: 90, height: 60 });
      expect(distance(await meanCorners(bytes), corners)).toBeLessThan(8);
    }
  });
});

describe("every kind of picture", () => {
  const encode = (picture: Sharp) => () => bytesOf(picture);
  const wide = () => quadrants(90, 60).toColourspace("rgb16");
  const heic: Colour[] = [
    [220, 30, 30],
    [30, 200, 40],
    [40, 60, 220],
    [240, 220, 40],
  ];
  const kinds: [string, () => Promise<Uint8Array<ArrayBuffer>>, tolerance?: number, expected?: Colour[]][] = [
    ["PNG", encode(quadrants(90, 60).png())],
    ["PNG of few colours", encode(quadrants(90, 60).png({ palette: true }))],
    ["PNG of 16 bits", encode(wide().png())],
    ["interlaced PNG", encode(quadrants(90, 60).png({ progressive: true }))],
    ["GIF", encode(quadrants(90, 60).gif())],
    ["WebP", encode(quadrants(90, 60).webp())],
    ["AVIF", encode(quadrants(90, 60).avif())],
    ["AVIF of 10 bits", encode(quadrants(90, 60).avif({ bitdepth: 10 }))],
    ["TIFF", encode(quadrants(90, 60).tiff({ compression: "lzw" }))],
    ["TIFF of 16 bits", encode(wide().tiff({ compression: "none" }))],
    ["progressive JPEG", encode(quadrants(90, 60).jpeg({ progressive: true }))],
    // CMYK has fewer colours.
    ["CMYK JPEG", encode(quadrants(90, 60).toColourspace("cmyk").jpeg({ quality: 95 })), 65],
    ["greyscale JPEG", encode(plain(90, 60, "#888").toColourspace("b-w").jpeg()), 4, fill([136, 136, 136])],
    ["greyscale PNG of 16 bits", encode(plain(90, 60, "#888").toColourspace("grey16").png()), 4, fill([136, 136, 136])],
    ["HEIC", () => Bun.file(new URL("../../../tests/fixtures/quadrants.heic", import.meta.url)).bytes(), 12, heic],
    // A decoder that ignores the profile shows about (92, 197, 60).
    ["JPEG in Display P3", encode(plain(90, 60, "#14c814").withIccProfile("p3").jpeg()), 12, fill([20, 200, 20])],
    ["PNG in Display P3", encode(plain(90, 60, "#14c814").withIccProfile("p3").png()), 6, fill([20, 200, 20])],
  ];
  for (const [name, make, tolerance = 8, expected = corners] of kinds) {
    test(`is shown in the right colours: ${name}`, async () => {
      const photo = await show(await make());
      const [{ width, height }] = photo.variants;
      expect([photo.status, photo.width, photo.height]).toEqual([201, width, height]);
      const formats = ["image/jpeg", "image/webp", "image/avif"];
      for (const accept of isLong || name === "PNG" ? formats : formats.slice(0, 1)) {
        const { status, headers, bytes } = await look(imageOf(photo), accept);
        expect([status, headers.get("content-type")]).toEqual([200, accept]);
        expect(await sizeOf(bytes)).toEqual({
          width,
          height,
          format: accept.slice(6),
        });
        expect(distance(await meanCorners(bytes), expected)).toBeLessThan(tolerance);
        const { hasProfile, exif, xmp, iptc, space } = await sharp(bytes).metadata();
        expect([hasProfile, exif, xmp, iptc]).toEqual([false, undefined, undefined, undefined]);
        expect(["srgb", "b-w"]).toContain(space);
      }
    });
  }

  test("keeps transparency, which is white in JPEG", async () => {
    const photo = await show(plain(90, 60, "#c8000080", 4).png());
    for (const accept of ["image/webp", "image/avif"]) {
      const { data } = await sharp((await look(imageOf(photo), accept)).bytes)
        .raw()
        .toBuffer({ resolveWithObject: true });
      const [red, green, blue, alpha] = data;
      expect(distance([[red ?? 0, green ?? 0, blue ?? 0]], [[200, 0, 0]])).toBeLessThan(8);
      expect(Math.abs((alpha ?? 0) - 128)).toBeLessThan(4);
    }
    expect(distance(await meanCorners((await look(imageOf(photo))).bytes), fill([227, 127, 127]))).toBeLessThan(6);
  });

  test("shows the first frame of an animation", async () => {
    const frames = [quadrants(90, 60), plain(90, 60, "#000"), plain(90, 60, "#fff")].map((one) => bytesOf(one.png()));
    const moving = sharp(await Promise.all(frames), { join: { animated: true } });
    for (const picture of [moving.clone().gif(), moving.clone().webp()]) {
      const photo = await show(picture);
      expect(photo).toMatchObject({ width: 90, height: 60, variants: [{ width: 90, height: 60 }] });
      for (const accept of ["image/webp", "image/jpeg"]) {
        const { bytes } = await look(imageOf(photo), accept);
        expect((await sharp(bytes).metadata()).pages ?? 1).toBe(1);
        expect(distance(await meanCorners(bytes), corners)).toBeLessThan(8);
      }
    }
  });

  test("has a blurred preview with the same colours", async () => {
    for (const picture of [quadrants(480, 300, 8).jpeg(), quadrants(60, 30).png()]) {
      const { thumbhash } = await show(picture);
      const { w, h, rgba } = thumbHashToRGBA(Buffer.from(thumbhash, "base64"));
      const preview = sharp(rgba, { raw: { width: w, height: h, channels: 4 } });
      expect(distance(await meanCorners(await preview.png().toBuffer()), corners)).toBeLessThan(60);
      expect(thumbhash.length).toBeLessThan(40);
    }
  });
});

describe("the width", () => {
  let large: any;
  beforeAll(async () => {
    large = await show(quadrants(3000, 1001).jpeg());
  });

  test("is exactly the requested one, and all widths are listed", async () => {
    const heights = widths.map((width) => Math.round((1001 * width) / 3000));
    const version = /&v=([\w-]{22})$/.exec(large.variants[0].url)?.[1];
    expect(large.variants).toEqual(
      widths.map((width, i) => ({ width, height: heights[i], url: `${imageOf(large, width)}&v=${version}` })),
    );
    for (const { width, height, url } of large.variants) {
      const { status, bytes } = await look(url);
      expect([status, await sizeOf(bytes)]).toEqual([200, { width, height, format: "jpeg" }]);
    }
    expect((await sizeOf((await look(`${photos}/${large.id}/image`)).bytes)).width).toBe(1280);
  });

  test("is never larger than the picture", async () => {
    const sizes: [number, number, number[]][] = [
      [100, 80, [100]],
      [320, 5, [320]],
      [321, 642, [320, 321]],
      [640, 333, [320, 640]],
      [1300, 7, [320, 640, 1280, 1300]],
      [1, 1, [1]],
      [3, 20_000, [3]],
    ];
    for (const [width, height, offered] of sizes) {
      const photo = await show(plain(width, height, "#48c").png());
      expect(photo.variants.map((variant: any) => variant.width)).toEqual(offered);
      for (const accept of ["image/jpeg", browser]) {
        for (const { url, ...size } of photo.variants) {
          expect(await sizeOf((await look(url, accept)).bytes)).toMatchObject(size);
        }
        expect(await sizeOf((await look(imageOf(photo, 2560), accept)).bytes)).toMatchObject({ width, height });
      }
    }
  });

  test("must be one of the available widths", async () => {
    for (const width of ["300", "0", "-1", "abc", "641", "99999", "", "320.0", "1e3", "%00"]) {
      const { status, body } = await guest.get(`${photos}/${large.id}/image?w=${width}`);
      expect([width, status]).toEqual([width, 400]);
      expect(body.error).toContain('"w"');
    }
    expect((await guest.get(`${photos}/999999/image?w=320`)).status).toBe(404);
    expect((await guest.get(`${photos}/x/image`)).status).toBe(400);
  });
});

describe("a response", () => {
  let photo: any;
  beforeAll(async () => {
    photo = await show(withExif(await bytesOf(quadrants(700, 400).jpeg()), secretExif()));
  });

  test("has the format that the client prefers", async () => {
    const wishes: [string | undefined, string][] = [
      [browser, "avif"],
      ["image/avif", "avif"],
      ["IMAGE/AVIF;q=0.1", "avif"],
      ["image/webp", "webp"],
      ["image/webp,*/*;q=0.5", "webp"],
      ["image/avif;q=0,image/webp", "webp"],
      ["image/avif;q=0.000, image/webp;q=0, */*", "jpeg"],
      ["*/*", "jpeg"],
      ["image/*", "jpeg"],
      ["text/html", "jpeg"],
      ["", "jpeg"],
      ["image/avifx, ximage/webp, \u00fc", "jpeg"],
      ["image/avif;q=0.5, image/webp;q=0.9", "webp"],
      ["image/webp;q=0.9, image/avif;q=0.90", "avif"],
      ["image/jpeg, image/webp;q=0.8", "jpeg"],
      ["image/avif;q=0.3, image/jpeg;q=0.2, */*", "avif"],
      ["image/avif;q=0.3, image/*;q=0.5", "jpeg"],
      ["image/webp;q=0.3, */*;q=0.5, image/*;q=0.1", "webp"],
      ["image/avif;profile=basic;q=0.9, image/webp ; q=0.8", "avif"],
      ['image/avif;note="a, image/webp;q=1";q=0.2, image/webp;Q=0.4', "webp"],
      ["image/avif;q=0.5;q=0, image/webp;q=0.4", "avif"],
      ["image/avif;q=2, image/webp", "webp"],
      ["image/avif;q=, image/avif;q=0.1234, image/avif;q=-1, image/avif;=1, image/avif;q, image/webp;q=0.001", "webp"],
      ["image/avif q=1, image/ webp, image/webp;;q=0.5;, ,", "webp"],
      ['image/webp;x="unfinished', "jpeg"],
    ];
    for (const [accept, format] of wishes) {
      const { headers, bytes } = await look(imageOf(photo), accept);
      expect([accept, headers.get("content-type"), headers.get("vary")]).toEqual([
        accept,
        `image/${format}`,
        expect.stringMatching(/^Accept,/),
      ]);
      expect(await sizeOf(bytes)).toEqual({ width: 320, height: 183, format });
    }
  });

  test("can be cached for a day if its URL identifies the bytes, and then needs only a 304", async () => {
    const { url } = photo.variants[0];
    const { headers, bytes } = await look(url);
    expect(headers.get("cache-control")).toBe("public, max-age=86400, must-revalidate");
    const known = await look(url, undefined, { "If-None-Match": headers.get("etag") ?? "" });
    expect([known.status, known.headers.get("cache-control")]).toEqual([304, headers.get("cache-control")]);
    // A cache that asks about a photo that was made private learns that it is gone.
    await owner.put(`${photos}/${photo.id}`, { visibility: "private" });
    expect((await look(url, undefined, { "If-None-Match": headers.get("etag") ?? "" })).status).toBe(404);
    await owner.put(`${photos}/${photo.id}`, { visibility: "public" });
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-length")).toBe(String(bytes.length));
    for (const path of [imageOf(photo), `${imageOf(photo)}&v=00000000`, `${imageOf(photo)}&v=`]) {
      const other = await look(path);
      expect(other.headers.get("cache-control")).toBe("no-cache");
      expect(other.bytes).toEqual(bytes);
    }
  });

  test("has a strong ETag of its own, and is not sent twice", async () => {
    const tags = new Set<string | null>();
    for (const accept of ["image/jpeg", "image/webp", "image/avif"]) {
      for (const width of [320, 640]) {
        const { headers } = await look(imageOf(photo, width), accept);
        const etag = headers.get("etag") ?? "";
        expect(etag).toMatch(/^"[^"]+"$/);
        tags.add(etag);
        for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
          const again = await look(imageOf(photo, width), accept, { "If-None-Match": known });
          expect([again.status, again.bytes.length, again.headers.get("etag")]).toEqual([304, 0, etag]);
          expect(again.headers.get("vary")).toStartWith("Accept,");
        }
        expect((await look(imageOf(photo, width), accept, { "If-None-Match": '"other"' })).status).toBe(200);
      }
    }
    expect(tags.size).toBe(6);
  });

  test("to HEAD is the same without a body", async () => {
    for (const accept of ["image/jpeg", "image/avif"]) {
      const [head, full] = [await look(imageOf(photo), accept, {}, "HEAD"), await look(imageOf(photo), accept)];
      expect([head.status, head.bytes.length]).toEqual([200, 0]);
      for (const name of ["etag", "content-type", "content-length", "cache-control"]) {
        expect(head.headers.get(name)).toBe(full.headers.get(name));
      }
    }
  });

  test("contains no camera metadata", async () => {
    for (const { url } of photo.variants) {
      const { bytes } = await look(url);
      const parsed = await exifr.parse(Buffer.from(bytes), {
        tiff: true,
        gps: true,
        ifd1: true,
        xmp: true,
        icc: true,
        iptc: true,
      });
      expect(parsed).toBeUndefined();
    }
  });
});
