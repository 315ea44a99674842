// Runs on other engines only with TEST_LONG: what is removed from pictures does not depend on the engines.
import { describe, expect, test } from "bun:test";
import exifr from "exifr";
import sharp from "sharp";
import {
  type Bytes,
  bytesOf,
  quadrants,
  readBytes as read,
  secretExif,
  secretPlace,
  secrets,
  secretTiff,
  withExif,
} from "../../../tests/kit/files/pictures.ts";
import { useServer } from "../../../tests/kit/use-server.ts";

const photos = "/api/v1/photos";

const server = useServer();
const { guest, owner, stranger, admin } = server.people();

const jpeg = async () => withExif(await bytesOf(quadrants(96, 64).jpeg()), secretExif());
const kinds: Record<string, () => Promise<Bytes>> = {
  jpeg,
  png: async () =>
    bytesOf(
      sharp(await jpeg())
        .keepMetadata()
        .png(),
    ),
  webp: async () =>
    bytesOf(
      sharp(await jpeg())
        .keepMetadata()
        .webp(),
    ),
  avif: async () =>
    bytesOf(
      sharp(await jpeg())
        .keepMetadata()
        .avif(),
    ),
  tiff: async () => secretTiff(96, 64, await quadrants(96, 64).raw().toBuffer()),
};

/** The private data that two independent readers find in a picture. */
async function findSecrets(bytes: Buffer): Promise<string[]> {
  const { exif, xmp, iptc, format } = await sharp(bytes).metadata();
  const block = format === "tiff" ? bytes : exif?.subarray(exif.subarray(0, 4).toString() === "Exif" ? 6 : 0);
  const parsed = block && (await exifr.parse(block, { gps: true, ifd1: true, mergeOutput: false }));
  const found = secrets.filter((secret) => bytes.includes(secret));
  if (parsed?.gps) found.push("a place");
  if (parsed?.exif?.SerialNumber) found.push("a serial number");
  if (parsed?.ifd1) found.push("a preview");
  return xmp || iptc ? [...found, "more"] : found;
}

const pixelsOf = (bytes: Uint8Array) => sharp(bytes).raw().toBuffer();

async function showSecret(fields: object = {}, who = owner): Promise<any> {
  const file = (await owner.upload("secret.jpg", await jpeg())).body;
  return (await who.post(photos, { title: "Secret", fileID: file.id, ...fields })).body;
}

describe("the content of a picture", () => {
  for (const [kind, make] of Object.entries(kinds)) {
    test(`is sent without private data and with unchanged pixels: ${kind}`, async () => {
      const bytes = Buffer.from(await make());
      expect(await findSecrets(bytes)).toContain("a place");
      const file = (await owner.upload(`secret.${kind}`, new Uint8Array(bytes))).body;
      for (const who of [guest, stranger]) {
        const answer = await read(who, file.url);
        expect([answer.status, await findSecrets(answer.bytes)]).toEqual([200, []]);
        expect(answer.headers.get("content-type")).toBe(`image/${kind}`);
        // The runtime sends a stream without Content-Length.
        expect(answer.headers.get("content-length")).toBe(String(answer.bytes.length));
        expect(answer.headers.get("etag")).toMatch(/^"[0-9a-f]{64}"$/);
        expect(answer.headers.get("etag")).not.toContain(file.sha256);
        expect((await pixelsOf(answer.bytes)).equals(await pixelsOf(bytes))).toBe(true);
      }
      const { exif, format } = await sharp((await read(guest, file.url)).bytes).metadata();
      if (format !== "tiff") expect(exif?.includes("FUJIFILM")).toBe(true);

      for (const who of [owner, admin]) {
        for (const query of ["", "?original"]) {
          const original = await read(who, file.url + query);
          expect(original.bytes.equals(bytes)).toBe(true);
          expect(original.headers.get("etag")).toBe(`"${file.sha256}"`);
        }
      }
      for (const who of [guest, stranger]) {
        for (const query of ["?original", "?original=", "?original=0", "?download&original=1"]) {
          const { status, bytes: body } = await read(who, file.url + query, { Range: "bytes=0-9" });
          expect([status, JSON.parse(body.toString()).error]).toEqual([
            who === guest ? 401 : 403,
            expect.stringContaining("owner"),
          ]);
        }
      }
    });
  }

  test("is the same for every combination of ranges", async () => {
    for (const kind of ["jpeg", "webp", "tiff"]) {
      const file = (await owner.upload(`parts.${kind}`, await (kinds[kind] ?? jpeg)())).body;
      const whole = await read(guest, file.url);
      const etag = whole.headers.get("etag") ?? "";
      const size = whole.bytes.length;
      const parts: Buffer[] = [];
      for (let start = 0, step = 1; start < size; start += step, step = (step * 7) % 1009) {
        const end = Math.min(start + step, size) - 1;
        const { status, headers, bytes } = await read(guest, file.url, { Range: `bytes=${start}-${end}` });
        expect([status, headers.get("content-range")]).toEqual([206, `bytes ${start}-${end}/${size}`]);
        parts.push(bytes);
      }
      expect(Buffer.concat(parts).equals(whole.bytes)).toBe(true);
      expect((await read(guest, file.url, { Range: "bytes=-100" })).bytes.equals(whole.bytes.subarray(-100))).toBe(
        true,
      );
      expect((await read(guest, file.url, { Range: `bytes=${size}-` })).status).toBe(416);
      expect((await read(guest, file.url, { Range: "bytes=0-9", "If-Range": etag })).status).toBe(206);
      expect((await read(guest, file.url, { Range: "bytes=0-9", "If-Range": `"${file.sha256}"` })).status).toBe(200);

      const head = await read(guest, file.url, {}, "HEAD");
      expect([head.status, head.headers.get("content-length"), head.headers.get("etag")]).toEqual([
        200,
        `${size}`,
        etag,
      ]);
      const again = await read(stranger, file.url, { "If-None-Match": etag });
      expect([again.status, again.bytes.length]).toEqual([304, 0]);
      expect((await read(owner, file.url, { "If-None-Match": etag })).status).toBe(200);
      expect((await read(guest, file.url, { "If-None-Match": `"${file.sha256}"` })).status).toBe(200);
      expect((await read(owner, `${file.url}?original`, { "If-None-Match": etag })).status).toBe(200);
    }
  });

  test("is unchanged if there is nothing private in it or it is not a picture", async () => {
    const gps = Buffer.from(secretExif()).toString("latin1");
    const contents: [string, Uint8Array | string][] = [
      ["plain.jpg", await bytesOf(quadrants(96, 64).jpeg())],
      ["plain.png", await bytesOf(quadrants(96, 64).png())],
      ["plain.webp", await bytesOf(quadrants(96, 64).webp())],
      ["plain.gif", await bytesOf(quadrants(96, 64).gif())],
      ["plain.avif", await bytesOf(quadrants(96, 64).avif())],
      ["plain.tiff", await bytesOf(quadrants(96, 64).tiff())],
      ["note.txt", `51.5 N, 12.25 W ${secrets[0]} ${gps}`],
    ];
    for (const [name, content] of contents) {
      const file = (await owner.upload(name, content)).body;
      for (const who of [guest, owner]) {
        const { bytes, headers } = await read(who, file.url);
        expect([name, bytes.equals(Buffer.from(content))]).toEqual([name, true]);
        expect(headers.get("etag")).toBe(`"${file.sha256}"`);
      }
    }
  });

  test("is equally clean in zip archives and in every width", async () => {
    const { body: album } = await owner.post("/api/v1/albums", { name: "Secrets" });
    const clean: Buffer[] = [];
    const originals: Buffer[] = [];
    for (const [kind, make] of Object.entries(kinds)) {
      const file = (await owner.upload(`zipped.${kind}`, await make(), { path: "/zipped" })).body;
      const { body: photo } = await owner.post(photos, { title: kind, fileID: file.id });
      await owner.post(`/api/v1/albums/${album.id}/photos`, { photoID: photo.id });
      clean.push((await read(guest, file.url)).bytes);
      originals.push((await read(owner, file.url)).bytes);
      for (const accept of ["image/avif", "image/webp", "image/jpeg"]) {
        const { bytes } = await read(owner, photo.variants[0].url, { Accept: accept });
        expect([await findSecrets(bytes), (await sharp(bytes).metadata()).exif]).toEqual([[], undefined]);
      }
    }
    const directory = (await guest.get("/api/v1/files")).body.find((file: any) => file.name === "zipped");
    for (const path of [`/api/v1/files/${directory.id}/zip`, `/api/v1/albums/${album.id}/zip`]) {
      // The archive is not compressed: it contains each file as the same caller reads it.
      for (const who of [guest, stranger]) {
        const { status, bytes } = await read(who, path);
        expect(status).toBe(200);
        expect(secrets.filter((secret) => bytes.includes(secret))).toEqual([]);
        expect(clean.filter((file) => !bytes.includes(file))).toEqual([]);
      }
      const own = await read(owner, path);
      expect(originals.filter((file) => !own.bytes.includes(file))).toEqual([]);
    }
  });

  test("cannot be copied by a stranger, whose copy would reveal the original", async () => {
    const file = (await owner.upload("copied.jpg", await jpeg(), { path: "/copied" })).body;
    expect((await stranger.post(`/api/v1/files/${file.id}/copy`, { path: "/copies" })).status).toBe(403);
    expect((await owner.post(`/api/v1/files/${file.id}/copy`, { path: "/copies" })).status).toBe(201);
  });
});

describe("the location of a photo", () => {
  /** Every URL that returns the photo, and how to find its place in the response. */
  async function listURLs(photo: any): Promise<[string, (body: any) => any][]> {
    const { body: album } = await owner.post("/api/v1/albums", { name: "Places" });
    await owner.post(`/api/v1/albums/${album.id}/photos`, { photoID: photo.id });
    const among = (list: any[]) => list.find(({ id }) => id === photo.id);
    return [
      [`${photos}/${photo.id}`, (body) => body.exif.place],
      [`${photos}?pageSize=1000`, (body) => among(body).exif.place],
      [`/api/v1/albums/${album.id}`, (body) => among(body.photos).exif.place],
      [`/api/v1/albums/${album.id}?page=1`, (body) => among(body.photos).exif.place],
    ];
  }

  test("is visible to its owner and to nobody else, whoever sends the first request", async () => {
    const photo = await showSecret();
    expect(photo.exif).toEqual({
      make: "FUJIFILM",
      model: "X-T5",
      lens: "XF35mmF1.4 R",
      exposureTime: null,
      aperture: null,
      iso: null,
      focalLength: null,
      place: secretPlace,
    });
    expect(photo).toMatchObject({ takenAt: "2026-06-12T20:41:07.000Z", showLocation: false });
    for (const [path, placeIn] of await listURLs(photo)) {
      for (const order of [
        [owner, guest, stranger, admin],
        [guest, owner, admin, stranger, guest, owner],
      ]) {
        // A write clears the cache of responses.
        await owner.put(`${photos}/${photo.id}`, { description: path });
        for (const who of order) {
          const { status, body, headers } = await who.get(path);
          expect([path, status, placeIn(body)]).toEqual([path, 200, who === owner ? secretPlace : null]);
          // A cached response of one of them is not valid for another.
          for (const other of order) {
            const again = await other.get(path, { "If-None-Match": headers.get("etag") ?? "" });
            // The owner and the admin read other bytes than everyone else, and only the owner sees the place.
            const isSame = other === who || ![other, who].some((one) => one === owner || one === admin);
            expect(again.status).toBe(isSame ? 304 : 200);
          }
        }
      }
    }
    const { body: post } = await owner.post("/api/v1/blog", { title: "Cover", content: "…", coverID: photo.id });
    expect((await guest.get(`/api/v1/blog/${post.id}`)).body.cover.exif.place).toBeNull();
    const wrong = await guest.get(`${photos}/${photo.id}`, { Authorization: "Bearer nonsense" });
    expect(wrong.body.exif.place).toBeNull();
  });

  test("is visible to everyone while its owner allows it", async () => {
    const photo = await showSecret({ showLocation: true });
    const shown = await listURLs(photo);
    const expectPlace = async (place: object | null) => {
      for (const who of [guest, stranger, admin]) {
        for (const [path, placeIn] of shown) expect(placeIn((await who.get(path)).body)).toEqual(place);
      }
    };
    await expectPlace(secretPlace);
    expect((await owner.put(`${photos}/${photo.id}`, { showLocation: false })).body.exif.place).toEqual(secretPlace);
    await expectPlace(null);
    expect((await admin.put(`${photos}/${photo.id}`, { title: "By another" })).body.exif.place).toBeNull();
    expect((await stranger.put(`${photos}/${photo.id}`, { showLocation: true })).status).toBe(403);
    await expectPlace(null);
    expect((await owner.put(`${photos}/${photo.id}`, { showLocation: true })).body.exif.place).toEqual(secretPlace);
    await expectPlace(secretPlace);
    for (const wrong of ["yes", 1, null]) {
      expect((await owner.put(`${photos}/${photo.id}`, { showLocation: wrong })).status).toBe(400);
    }
  });

  test("is never visible in a photo of another user's file", async () => {
    for (const who of [stranger, admin]) {
      for (const showLocation of [false, true]) {
        const photo = await showSecret({ showLocation }, who);
        expect(photo).toMatchObject({ ownerID: who.userID, showLocation, exif: { model: "X-T5", place: null } });
        const changed = await who.put(`${photos}/${photo.id}`, { showLocation: true });
        expect(changed.body.exif.place).toBeNull();
        for (const [path, placeIn] of await listURLs(photo)) {
          for (const reader of [who, owner, guest]) expect(placeIn((await reader.get(path)).body)).toBeNull();
        }
      }
    }
    // Nor in a photo that is changed to another user's file later.
    const { body: file } = await stranger.upload("own.jpg", await jpeg());
    const { body: own } = await stranger.post(photos, { title: "Own", fileID: file.id, showLocation: true });
    expect(own.exif.place).toEqual(secretPlace);
    const { body: other } = await owner.upload("other.jpg", await jpeg());
    const { body: turned } = await stranger.put(`${photos}/${own.id}`, { fileID: other.id });
    expect([turned.exif.place, (await guest.get(`${photos}/${own.id}`)).body.exif.place]).toEqual([null, null]);
  });
});
