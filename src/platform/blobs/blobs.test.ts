import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Blobs } from "./blobs.ts";
import { openDisk } from "./disk.ts";

const scratch = mkdtempSync(join(tmpdir(), "vitrine-blobs-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

type Opened = { blobs: Blobs; unfinished: () => number; age: (sha256: string) => void };

const stores = {
  async disk(): Promise<Opened> {
    const directory = mkdtempSync(join(scratch, "disk-"));
    return {
      blobs: await openDisk(directory),
      unfinished: () => readdirSync(join(directory, "incoming")).length,
      age: (sha256) => utimesSync(join(directory, "blobs", sha256.slice(0, 2), sha256), 1, 1),
    };
  },
};

const hash = (bytes: Uint8Array) => new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
const nothingUsed = async () => new Set<string>();

async function* chunks(...parts: Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield part;
}

describe.each(Object.entries(stores))("blobs on %s", (_name, open) => {
  test("are named by what they hold, and come back as they were", async () => {
    const { blobs, unfinished } = await open();
    const bytes = crypto.getRandomValues(new Uint8Array(60_000));
    const received = await blobs.receive(
      chunks(bytes.subarray(0, 7), bytes.subarray(7, 40_000), bytes.subarray(40_000)),
    );
    expect(received).toMatchObject({ sha256: hash(bytes), size: 60_000 });
    expect(received.head).toEqual(bytes.subarray(0, received.head.length));
    await received.keep();
    expect(await (await blobs.open(received.sha256))?.bytes()).toEqual(bytes);
    expect(await (await blobs.open(received.sha256, { start: 10, end: 20 }))?.bytes()).toEqual(bytes.subarray(10, 20));
    expect(unfinished()).toBe(0);
  });

  test("an empty stream is a blob, too", async () => {
    const { blobs } = await open();
    const received = await blobs.receive(chunks());
    await received.keep();
    expect(received.size).toBe(0);
    expect((await blobs.open(received.sha256))?.size).toBe(0);
  });

  test("until they are kept, nobody sees them; what is discarded is gone", async () => {
    const { blobs, unfinished } = await open();
    const received = await blobs.receive(chunks(new Uint8Array([1, 2, 3])));
    expect(await blobs.open(received.sha256)).toBeNull();
    await received.discard();
    await received.discard();
    expect(unfinished()).toBe(0);
  });

  test("a stream that breaks leaves nothing, and its own error", async () => {
    const { blobs, unfinished } = await open();
    const broken = async function* () {
      yield new Uint8Array(1000);
      throw new Error("gone");
    };
    expect(blobs.receive(broken())).rejects.toThrow("gone");
    await Bun.sleep(20);
    expect(unfinished()).toBe(0);
  });

  test("the same bytes twice are one blob, also at the same time", async () => {
    const { blobs, unfinished } = await open();
    const bytes = new Uint8Array(1000).fill(7);
    await Promise.all(Array.from({ length: 10 }, async () => (await blobs.receive(chunks(bytes))).keep()));
    expect(await (await blobs.open(hash(bytes)))?.bytes()).toEqual(bytes);
    expect(unfinished()).toBe(0);
  });

  test("a sweep takes what is unused and old, and nothing else", async () => {
    const { blobs, age } = await open();
    const put = async (number: number) => {
      const received = await blobs.receive(chunks(new Uint8Array([number])));
      await received.keep();
      return received.sha256;
    };
    const [used, young, old, wantedAgain] = [await put(1), await put(2), await put(3), await put(4)];
    for (const sha256 of [used, old, wantedAgain]) age(sha256);
    await put(4);
    expect(await blobs.sweep(async () => new Set([used]))).toBe(1);
    expect(await blobs.open(old)).toBeNull();
    for (const sha256 of [used, young, wantedAgain]) expect(await blobs.open(sha256)).not.toBeNull();
    expect(await blobs.sweep(nothingUsed)).toBe(1);
  });
});

test("files on disk are for their owner only", async () => {
  const directory = mkdtempSync(join(scratch, "mode-"));
  const blobs = await openDisk(directory);
  const received = await blobs.receive(chunks(new Uint8Array([9])));
  await received.keep();
  expect(statSync(join(directory, "blobs", received.sha256.slice(0, 2), received.sha256)).mode & 0o077).toBe(0);
});
