import { describe, expect, test } from "bun:test";
import { mkdirSync, rmSync, watch, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import sharp, { type Sharp } from "sharp";
import { isScaled } from "../../../tests/kit/engine.ts";
import {
  bytesOf,
  noise,
  quadrants,
  readBytes,
  showPicture,
  signalDecoders,
  whileKilling,
} from "../../../tests/kit/files/pictures.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { until } from "../../../tests/kit/until.ts";

const photos = "/api/v1/photos";

const server = useServer();
const { guest } = server;
const owner = server.person("owner");

const show = (picture: Sharp) => showPicture(owner, picture);
const look = (path: string, accept = "image/jpeg") => readBytes(guest, path, { Accept: accept });
const imageOf = (photo: any, width = 320) => `${photos}/${photo.id}/image?w=${width}`;
const sizeOf = async (bytes: Uint8Array) => {
  const { width, height } = await sharp(bytes).metadata();
  return { width, height };
};

describe("creating a variant", () => {
  const original = ({ file }: any) => join(server.dataDir, "blobs", file.sha256.slice(0, 2), file.sha256);
  const derived = ({ file }: any) => join(server.dataDir, "derived", file.sha256.slice(0, 2), file.sha256);

  test("happens once for many concurrent requests, and does not block others", async () => {
    const photo = await show(noise(1400, 1000).jpeg());
    await look(imageOf(photo), "image/avif");
    const kept: (string | null)[] = [];
    const watcher = isScaled ? null : watch(derived(photo), (_, name) => kept.push(name));
    const done = new AbortController();
    const asked = Array.from({ length: 200 }, () => look(imageOf(photo, 1280), "image/avif"));
    const created = Promise.all(asked).finally(() => done.abort());
    let reads = 0;
    for (; !done.signal.aborted; reads++) await owner.get(`${photos}?pageSize=5`);
    const answers = await created;
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ bytes }) => Bun.hash(bytes))).size).toBe(1);
    // They come one after the other.
    expect(reads).toBeGreaterThan(5);
    if (watcher) await until(() => kept.length > 0);
    watcher?.close();
    if (watcher) expect(kept).toEqual(["1280-2.avif"]);
  });

  test.if(!isScaled)("is not repeated, and the original is no longer needed", async () => {
    const photo = await show(quadrants(500, 300).png());
    const first = await look(imageOf(photo), "image/webp");
    rmSync(original(photo));
    const second = await look(imageOf(photo), "image/webp");
    expect([second.status, second.bytes]).toEqual([200, first.bytes]);
    const { status, body } = await guest.get(imageOf(photo, 640));
    expect([status, body.error]).toEqual([404, expect.stringContaining("missing from the storage")]);
  });

  test.if(!isScaled)("works even if the variant cannot be stored", async () => {
    const photo = await show(quadrants(500, 302).png());
    mkdirSync(dirname(derived(photo)), { recursive: true });
    writeFileSync(derived(photo), "In place of the directory.");
    for (let times = 0; times < 2; times++) {
      const { status, bytes } = await look(imageOf(photo));
      expect([status, await sizeOf(bytes)]).toEqual([200, { width: 320, height: 193 }]);
    }
  });

  test.if(process.platform === "linux")("survives the death of its decoder process", async () => {
    const photo = await show(quadrants(500, 300).png());
    // A decoder that gets the task now does not finish it.
    signalDecoders("SIGSTOP");
    const asked = look(imageOf(photo), "image/avif");
    await Bun.sleep(100);
    signalDecoders("SIGKILL");
    const { status, bytes } = await asked;
    expect([status, await sizeOf(bytes)]).toEqual([200, { width: 320, height: 192 }]);
  });

  test.if(process.platform === "linux")(
    "whose decoders are killed repeatedly is 503, and succeeds when it is retried",
    async () => {
      const photo = await show(quadrants(500, 301).png());
      const made = await whileKilling(() => guest.get(imageOf(photo), { Accept: "image/avif" }));
      expect([made.status, made.body.error]).toEqual([503, expect.stringContaining("try again")]);
      expect((await look(imageOf(photo), "image/avif")).status).toBe(200);
    },
  );

  test.if(process.platform === "linux")(
    "whose decoders are killed repeatedly leaves no photo without a picture",
    async () => {
      const bytes = await bytesOf(quadrants(500, 305).png());
      const file = (await whileKilling(() => owner.upload("killed.png", bytes))).body;
      const made = await whileKilling(() => owner.post(photos, { title: "Killed", fileID: file.id }));
      expect([made.status, made.body.error]).toEqual([500, expect.stringContaining("try again")]);
      const again = await owner.post(photos, { title: "Alive", fileID: file.id });
      expect([again.status, again.body.width, again.body.height]).toEqual([201, 500, 305]);
    },
  );

  test.if(process.platform === "linux")(
    "requires that the file has been read: until then, its content is not public",
    async () => {
      const bytes = await bytesOf(quadrants(500, 303).png());
      const unread = await whileKilling(async () => guest.get((await owner.upload("unread.png", bytes)).body.url));
      expect([unread.status, unread.body.error]).toEqual([503, expect.stringContaining("try again")]);
      const file = (await guest.get("/api/v1/files/dir/unread.png")).body;
      expect((await look(file.url)).bytes.equals(bytes)).toBe(true);
      expect((await owner.post(photos, { title: "Read", fileID: file.id })).body).toMatchObject({
        width: 500,
        height: 303,
      });
    },
  );
});
