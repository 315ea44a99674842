// Runs on other engines only with TEST_LONG: how pictures are rendered does not depend on the engines.
import { describe, expect, test } from "bun:test";
import sharp from "sharp";
import { thumbHashToRGBA } from "thumbhash";
import { png } from "../../../tests/kit/files/png.ts";
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
} from "../../../tests/kit/files/pictures.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { motionPhoto, readVideoFile } from "../../../tests/kit/files/videos.ts";

const api = "/api/v1";
const photos = `${api}/photos`;
const accepts = ["image/jpeg", "image/webp", "image/avif"];

const server = useServer();
const { guest, owner, stranger, admin } = server.people();

const [red, green, blue, yellow] = corners as [Colour, Colour, Colour, Colour];
const rightHalf = { x: 0.5, y: 0, width: 0.5, height: 1 };
const imageOf = (id: number, more = "") => `${photos}/${id}/image?w=320${more}`;
const edit = (id: number, edits: unknown) => owner.put(`${photos}/${id}`, { edits });
const seen = async (id: number, accept = "image/jpeg") =>
  meanCorners((await readBytes(guest, imageOf(id), { Accept: accept })).bytes);

// The first test of this file: a guest then finds no other pictures on the site.
describe("what was cropped away", () => {
  const isRed = (data: Uint8Array, at: number) =>
    [0, 1, 2].every((c) => Math.abs((data[at + c] ?? 0) - (red[c] ?? 0)) < 50);
  /** Whether a picture has any pixel of the colour that was cropped away. Null for what is no picture. */
  async function showsRed(bytes: Uint8Array): Promise<boolean | null> {
    const raw = await sharp(bytes)
      .removeAlpha()
      .toColourspace("srgb")
      .raw()
      .toBuffer({ resolveWithObject: true })
      .catch(() => null);
    if (!raw) return null;
    for (let at = 0; at < raw.data.length; at += raw.info.channels) if (isRed(raw.data, at)) return true;
    return false;
  }
  /** The one JPEG in an archive, which is stored as it is. */
  const jpegIn = (zip: Buffer): Bytes =>
    new Uint8Array(
      zip.subarray(zip.indexOf("\xff\xd8\xff", 0, "latin1"), zip.lastIndexOf(Buffer.from([0xff, 0xd9])) + 2),
    );

  test("is at no address that a guest can read, until the crop is removed", async () => {
    const jpeg = await bytesOf(quadrants(360, 240).jpeg({ quality: 95 }));
    const { body: file } = await owner.upload(
      "motion.jpg",
      motionPhoto(jpeg, Buffer.from(readVideoFile("place.mov")), "google"),
    );
    const { body: photo } = await owner.post(photos, { title: "Motion", fileID: file.id });
    const { id } = photo;
    const { body: album } = await owner.post(`${api}/albums`, { name: "Album" });
    await owner.post(`${api}/albums/${album.id}/photos`, { photoID: id });
    const { body: post } = await owner.post(`${api}/blog`, {
      title: "Post",
      content: `![[photo:${id}]]\n\n![[album:${album.id}]]`,
      coverID: id,
    });
    const { body: link } = await owner.post(`${api}/shares`, { kind: "album", id: album.id, allowDownload: true });
    const { body: single } = await owner.post(`${api}/shares`, { kind: "photo", id, allowDownload: true });
    const pages = [
      "/",
      "/photos",
      `/photos/${id}`,
      "/albums",
      `/albums/${album.id}-album`,
      `/blog/${post.slug}`,
      "/browse",
      "/feed.xml",
      "/feed.json",
      "/photos/feed.xml",
      "/sitemap.xml",
      "/people/owner",
      `${api}/blog/${post.id}`,
      `${api}/albums/${album.id}`,
      photos,
      `${photos}/${id}`,
      `${api}/files`,
      `/s/${link.token}`,
      `/s/${single.token}`,
    ];
    const fixed = [
      ...photo.variants.map(({ url }: any) => url),
      ...[320, 1280, 2560].map((w) => `${photos}/${id}/image?w=${w}`),
      file.url,
      `${file.url}?download`,
      photo.motion.url,
      `${photos}/zip?ids=${id}`,
      `${api}/albums/${album.id}/zip`,
      `${api}/files/${file.id}/versions`,
    ];
    const links = [{}, { "X-Share-Token": link.token }, { "X-Share-Token": single.token }];

    async function collect(): Promise<{ pictures: number; red: string[]; original: string[] }> {
      const found = new Set<string>(fixed);
      for (const path of pages) {
        const { bytes } = await readBytes(guest, path);
        for (const [url] of bytes
          .toString()
          .replaceAll("&amp;", "&")
          .matchAll(/\/api\/v1\/[\w/?&=.-]+/g))
          found.add(url);
      }
      const result = { pictures: 0, red: [] as string[], original: [] as string[] };
      for (const url of found) {
        for (const headers of links) {
          const isGuest = Object.keys(headers).length === 0;
          for (const accept of url.includes("/image") && isGuest ? accepts : ["*/*"]) {
            const { status, bytes } = await readBytes(guest, url, { ...headers, Accept: accept });
            if (status !== 200) continue;
            const shown = await showsRed(url.includes("/zip") ? jpegIn(bytes) : bytes);
            if (shown !== null) result.pictures++;
            if (shown) result.red.push(url);
            if (bytes.includes(jpeg.subarray(-200)) || bytes.includes("ftypqt")) result.original.push(url);
          }
        }
      }
      return result;
    }

    const before = await collect();
    expect(before.red).toContain(file.url);
    expect(before.original).toContain(photo.motion.url);

    const { body: cropped } = await edit(id, { turn: 0, crop: rightHalf });
    expect(cropped.file).toMatchObject({ id: file.id, visibility: "private" });
    const after = await collect();
    expect([after.red, after.original]).toEqual([[], []]);
    expect(after.pictures).toBeGreaterThan(20);
    expect((await guest.get(`${photos}/${id}`)).body).toMatchObject({
      edits: null,
      file: null,
      fileID: null,
      motion: null,
      width: 180,
    });
    for (const path of [`${photos}/zip?ids=${id}`, `${api}/albums/${album.id}/zip`])
      expect(
        distance(await meanCorners(jpegIn((await readBytes(guest, path)).bytes)), [green, green, yellow, yellow]),
      ).toBeLessThan(12);
    for (const who of [guest, stranger]) expect((await readBytes(who, imageOf(id, "&unedited=true"))).status).toBe(403);

    // Its owner and admins see all of it.
    for (const who of [owner, admin]) {
      const whole = await readBytes(who, imageOf(id, "&unedited=true"));
      expect([whole.status, whole.headers.get("cache-control")]).toEqual([200, "private, no-store"]);
      expect(distance(await meanCorners(whole.bytes), corners)).toBeLessThan(12);
      expect((await readBytes(who, file.url)).bytes.includes(jpeg.subarray(-200))).toBe(true);
    }

    // Showing the photo again does not show its file.
    await owner.put(`${photos}/${id}`, { visibility: "private" });
    expect((await owner.put(`${photos}/${id}`, { visibility: "public" })).body.file.visibility).toBe("private");
    const reset = (await edit(id, null)).body;
    expect(reset).toMatchObject({ file: { visibility: "public" }, variants: photo.variants, motion: photo.motion });
    expect(await showsRed((await readBytes(guest, file.url)).bytes)).toBe(true);
  });
});

describe("a picture is turned, then mirrored, then cropped", () => {
  const results: [string, object, Colour[], [number, number]][] = [
    ["a quarter clockwise", { turn: 90 }, [blue, red, yellow, green], [60, 90]],
    ["a half", { turn: 180 }, [yellow, blue, green, red], [90, 60]],
    ["a quarter anticlockwise", { turn: 270 }, [green, yellow, red, blue], [60, 90]],
    ["mirrored", { turn: 0, flip: true }, [green, red, yellow, blue], [90, 60]],
    ["turned and mirrored", { turn: 90, flip: true }, [red, blue, green, yellow], [60, 90]],
    ["cropped", { turn: 0, crop: rightHalf }, [green, green, yellow, yellow], [45, 60]],
    ["turned and cropped", { turn: 90, crop: rightHalf }, [red, red, green, green], [30, 90]],
    ["turned the other way and cropped", { turn: 270, crop: rightHalf }, [yellow, yellow, blue, blue], [30, 90]],
    [
      "upside down and cropped",
      { turn: 180, crop: { x: 0, y: 0, width: 1, height: 0.5 } },
      [yellow, blue, yellow, blue],
      [90, 30],
    ],
    [
      "all of it",
      { turn: 90, flip: true, crop: { x: 0, y: 0.5, width: 1, height: 0.5 } },
      [green, yellow, green, yellow],
      [60, 45],
    ],
  ];
  // The orientation 6 says that the camera was turned, too.
  for (const orientation of [1, 6]) {
    test(`with the EXIF orientation ${orientation}`, async () => {
      const { id, variants: before } = await showPicture(owner, quadrants(90, 60, orientation).png());
      for (const [name, edits, colours, [width, height]] of results) {
        const { status, body } = await edit(id, edits);
        expect([name, status, body.width, body.height]).toEqual([name, 200, width, height]);
        expect(body.variants.map((one: any) => [one.width, one.height])).toEqual([[width, height]]);
        expect(body.variants[0].url).not.toBe(before[0].url);
        expect([name, distance(await seen(id), colours) < 12]).toEqual([name, true]);
        const preview = thumbHashToRGBA(Buffer.from(body.thumbhash, "base64"));
        expect(preview.w < preview.h).toBe(width < height);
      }
      const reset = await edit(id, null);
      expect(reset.body).toMatchObject({ edits: null, width: 90, height: 60, variants: before });
      expect(distance(await seen(id), corners)).toBeLessThan(12);
    });
  }

  test("in every format, and an old address shows the picture as it is now", async () => {
    const photo = await showPicture(owner, quadrants(480, 300).jpeg());
    const old = photo.variants[0].url as string;
    const first = await readBytes(guest, old);
    await edit(photo.id, { turn: 0, crop: rightHalf });
    for (const accept of accepts) {
      const { bytes, headers } = await readBytes(guest, old, {
        Accept: accept,
        "If-None-Match": first.headers.get("etag") ?? "",
      });
      expect(headers.get("content-type")).toBe(accept);
      expect(headers.get("cache-control")).toContain("no-cache");
      expect(distance(await meanCorners(bytes), [green, green, yellow, yellow])).toBeLessThan(12);
    }
  });
});

test("only what can be edited is, and a wrong request says why", async () => {
  const { id } = await showPicture(owner, quadrants(200, 100).png());
  const refused = async (edits: unknown, photoID = id) => (await edit(photoID, edits)).body.error;
  const crop = (change: object) => ({ turn: 0, crop: { x: 0, y: 0, width: 1, height: 1, ...change } });
  expect(await refused({ turn: 45 })).toBe('"edits.turn" must be one of 0, 90, 180, 270.');
  expect(await refused(crop({ x: 0.5 }))).toBe(
    '"edits.crop.width" must end inside the picture: x + width is more than 1.',
  );
  expect(await refused(crop({ y: -0.1 }))).toBe('"edits.crop.y" must be at least 0.');
  expect(await refused(crop({ width: "all" }))).toBe('"edits.crop.width" must be a number.');
  expect(await refused(crop({ width: 0.01 }))).toBe(
    '"edits.crop" must leave at least 16 × 16 pixels: this one leaves 2 × 100.',
  );
  const text = (await owner.upload("notes.txt", "text")).body;
  const { body: other } = await owner.post(photos, { title: "Text", fileID: text.id, width: 1, height: 1 });
  expect(await refused({ turn: 90 }, other.id)).toContain("shows another file");
  const broken = (await owner.upload("broken.png", png(40, 30).subarray(0, 42))).body;
  const { body: damaged } = await owner.post(photos, { title: "Broken", fileID: broken.id, width: 1, height: 1 });
  expect(await refused({ turn: 90 }, damaged.id)).toContain("cannot be edited");
  expect((await owner.get(`${photos}/${id}`)).body.edits).toBeNull();
  expect((await stranger.put(`${photos}/${id}`, { edits: { turn: 90 } })).status).toBe(403);
});
