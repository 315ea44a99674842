import { describe, expect, test } from "bun:test";
import { readdirSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import type { Blobs } from "./blobs.ts";
import { unwatchedDisk } from "../disk.ts";
import { openDiskBlobs } from "./disk.ts";
import { openS3 } from "./s3.ts";
import { realS3, startS3 } from "./s3-servers.test.ts";
import { needs, serverNames } from "../../../tests/kit/optional.ts";
import { until } from "../../../tests/kit/until.ts";
import { newDirectory, useScratch } from "../../../tests/kit/scratch.ts";
import { testLong } from "../../../tests/kit/long.ts";
import { sha256Of } from "../../../tests/kit/sha256.ts";

const scratch = useScratch();

type Opened = {
  blobs: Blobs;
  unfinished: () => number;
  age: (...names: string[]) => void | Promise<void>;
  /** Whether no other process writes here: then unused blobs are removed immediately. */
  isOurs: boolean;
};

const stores: Record<string, () => Promise<Opened>> = {
  async disk() {
    const directory = newDirectory(scratch);
    return {
      blobs: await openDiskBlobs(directory, unwatchedDisk),
      unfinished: () => readdirSync(join(directory, "incoming")).length,
      age: (...names) => {
        for (const sha256 of names) utimesSync(join(directory, "blobs", sha256.slice(0, 2), sha256), 1, 1);
      },
      isOurs: true,
    };
  },

  async "S3 in this process"() {
    const server = await startS3();
    return { ...(await openSpooled(server.options)), age: server.age };
  },
};

const real = realS3();
if (real) {
  stores["S3 on a real server"] = async () => {
    // The clock of this server cannot be changed, so `youth` is short, and blobs age by waiting. It rounds times up to
    // seconds.
    const youth = 4_000;
    return { ...(await openSpooled(await real.freshBucket(), youth)), age: () => Bun.sleep(youth + 2_100) };
  };
} else needs(serverNames, false).test("blobs on a real S3 server", () => {});

async function openSpooled(...[options, youth]: [Parameters<typeof openS3>[0], number?]) {
  const spool = newDirectory(scratch);
  return {
    blobs: await openS3(options, spool, youth === undefined ? {} : { youth }),
    unfinished: () => [...new Bun.Glob("*/*").scanSync(spool)].length,
    isOurs: false,
  };
}

const bytesOf = async (blobs: Blobs, ...wanted: Parameters<Blobs["open"]>) => {
  const opened = await blobs.open(...wanted);
  return opened && (await new Response(opened).bytes());
};
const nothingUsed = async () => new Set<string>();
async function put(blobs: Blobs, ...bytes: number[]): Promise<string> {
  const received = await blobs.receive(chunks(new Uint8Array(bytes)));
  await received.keep();
  await received.discard();
  return received.sha256;
}

async function* chunks(...parts: Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield part;
}

describe.each(Object.entries(stores))("blobs on %s", (_name, open) => {
  test("are named by their content, and are read back unchanged", async () => {
    const { blobs, unfinished } = await open();
    const bytes = crypto.getRandomValues(new Uint8Array(60_000));
    const received = await blobs.receive(
      chunks(bytes.subarray(0, 7), bytes.subarray(7, 40_000), bytes.subarray(40_000)),
    );
    expect(received).toMatchObject({ sha256: sha256Of(bytes), size: 60_000 });
    expect(received.head).toEqual(bytes.subarray(0, received.head.length));
    await received.keep();
    expect(await bytesOf(blobs, received.sha256)).toEqual(bytes);
    expect(await bytesOf(blobs, received.sha256, { start: 10, end: 20 })).toEqual(bytes.subarray(10, 20));
    expect(await bytesOf(blobs, received.sha256, { start: 59_999, end: 60_000 })).toEqual(bytes.subarray(59_999));
    expect(await bytesOf(blobs, received.sha256, { start: 10, end: 10 })).toHaveLength(0);
    expect(await blobs.has(received.sha256)).toBe(true);
    expect(unfinished()).toBe(0);
  });

  test("are not opened if they do not have the size that they should have", async () => {
    const { blobs } = await open();
    const received = await blobs.receive(chunks(new Uint8Array(100)));
    await received.keep();
    for (const range of [undefined, { start: 10, end: 20 }]) {
      expect(await blobs.open(received.sha256, range, 101)).toBeNull();
      const opened = await blobs.open(received.sha256, range, 100);
      expect((await new Response(opened).bytes()).length).toBe(range ? 10 : 100);
    }
  });

  test("may be empty", async () => {
    const { blobs } = await open();
    const received = await blobs.receive(chunks());
    await received.keep();
    expect(received.size).toBe(0);
    expect(await bytesOf(blobs, received.sha256)).toHaveLength(0);
  });

  test("are not visible until they are kept, and are removed when they are discarded", async () => {
    const { blobs, unfinished } = await open();
    const received = await blobs.receive(chunks(new Uint8Array([1, 2, 3])));
    expect(await blobs.open(received.sha256)).toBeNull();
    expect(await blobs.open(received.sha256, { start: 0, end: 1 })).toBeNull();
    expect(await blobs.has(received.sha256)).toBe(false);
    await received.discard();
    await received.discard();
    expect(unfinished()).toBe(0);
  });

  test("leave nothing behind when their stream fails, and the error is passed on", async () => {
    const { blobs, unfinished } = await open();
    const broken = async function* () {
      yield new Uint8Array(1000);
      throw new Error("gone");
    };
    expect(await blobs.receive(broken()).catch(String)).toContain("gone");
    await until(unfinished, (count) => count === 0);
  });

  test("are stored once if the same bytes are received twice, even at the same time", async () => {
    const { blobs, unfinished } = await open();
    const bytes = new Uint8Array(1000).fill(7);
    await Promise.all(Array.from({ length: 10 }, async () => (await blobs.receive(chunks(bytes))).keep()));
    expect(await bytesOf(blobs, sha256Of(bytes))).toEqual(bytes);
    expect(unfinished()).toBe(0);
  });

  test("of many parts are read back whole, and in ranges across the parts", async () => {
    const { blobs, unfinished } = await open();
    const bytes = new Uint8Array(17 * 2 ** 20).map((_, index) => index * 31 + (index >> 12));
    const received = await blobs.receive(chunks(bytes));
    await received.keep();
    const back = await bytesOf(blobs, received.sha256);
    expect(back && sha256Of(back)).toBe(received.sha256);
    const range = { start: 8 * 2 ** 20 - 5, end: 8 * 2 ** 20 + 5 };
    expect(await bytesOf(blobs, received.sha256, range)).toEqual(bytes.subarray(range.start, range.end));
    expect(unfinished()).toBe(0);
  });

  test("can be read by anyone with a signed URL, where those are supported", async () => {
    const { blobs } = await open();
    const received = await blobs.receive(chunks(new Uint8Array([1, 2, 3])));
    await received.keep();
    const disposition = `attachment; filename="a b+c.txt"; filename*=UTF-8''a%20b%2Bc.txt`;
    const url = await blobs.signedURL(received.sha256, {
      contentType: "text/plain; charset=utf-8",
      disposition,
      seconds: 60,
    });
    if (url === null) return;
    expect(await (await fetch(url)).bytes()).toEqual(new Uint8Array([1, 2, 3]));
  });

  testLong("are swept only if they are unused and old", async () => {
    const { blobs, age } = await open();
    const [used, old, wantedAgain] = [await put(blobs, 1), await put(blobs, 3), await put(blobs, 4)];
    await age(used, old, wantedAgain);
    const young = await put(blobs, 2);
    await put(blobs, 4);
    expect((await blobs.sweep(async () => new Set([used]))).removed).toBe(1);
    expect(await blobs.has(old)).toBe(false);
    for (const sha256 of [used, young, wantedAgain]) expect(await blobs.has(sha256)).toBe(true);
    expect((await blobs.sweep(nothingUsed)).removed).toBe(1);
  });

  test("that are unused are removed immediately if no other process writes, with their derived files", async () => {
    const { blobs, unfinished, isOurs } = await open();
    const [used, unused, unknown] = [await put(blobs, 1), await put(blobs, 2), "0".repeat(64)];
    for (const sha256 of [used, unused]) await blobs.keepDerived(sha256, "640.webp", new Uint8Array([7]));
    await blobs.removeUnused([used, unused, unknown], async () => new Set([used]));
    await blobs.removeUnused([], nothingUsed);
    expect([await blobs.has(used), await blobs.has(unused)]).toEqual([true, !isOurs]);
    const derived = async (sha256: string) => (await blobs.openDerived(sha256, "640.webp")) !== null;
    expect([await derived(used), await derived(unused)]).toEqual([true, !isOurs]);
    await blobs.keepDerived(unused, "640.webp", new Uint8Array([7]));
    expect(await derived(unused)).toBe(!isOurs);
    expect(unfinished()).toBe(0);
    expect(await put(blobs, 2)).toBe(unused);
    expect(await bytesOf(blobs, unused)).toEqual(new Uint8Array([2]));
  });

  test("that are being kept are not removed as unused", async () => {
    const { blobs, isOurs } = await open();
    const bytes = new Uint8Array([1, 2, 3]);
    const receive = () => blobs.receive(chunks(bytes));
    const { sha256, ...first } = await receive();
    const isThere = () => blobs.has(sha256);

    await first.keep();
    let used: string[] = [];
    const removal = blobs.removeUnused([sha256], async () => new Set(used));
    await Bun.sleep(20);
    expect(await isThere()).toBe(true);
    used = [sha256];
    await first.discard();
    await removal;
    expect(await isThere()).toBe(true);

    // Kept and released between the check and the removal, while another removal checks later.
    await blobs.removeUnused([sha256], async () => {
      const second = await receive();
      await second.keep();
      await second.discard();
      await second.discard();
      await blobs.removeUnused([sha256], async () => new Set(used));
      return new Set();
    });
    expect(await isThere()).toBe(true);

    // A caller that keeps it later has to know whether it is used.
    const [third, fourth] = [await receive(), await receive()];
    await third.keep();
    const waiting = blobs.removeUnused([sha256], nothingUsed);
    await fourth.keep();
    await third.discard();
    await waiting;
    expect(await isThere()).toBe(true);
    await fourth.discard();
    expect(await bytesOf(blobs, sha256)).toEqual(bytes);
    await blobs.removeUnused([sha256], nothingUsed);
    expect(await isThere()).toBe(!isOurs);
  });

  test("are available as a local file", async () => {
    const { blobs, unfinished } = await open();
    const bytes = crypto.getRandomValues(new Uint8Array(70_000));
    const received = await blobs.receive(chunks(bytes));
    await received.keep();
    const read = (path: string) => Bun.file(path).bytes();
    expect(await blobs.withLocalFile(received.sha256, read)).toEqual(bytes);
    expect(await blobs.withLocalFile("0".repeat(64), read)).toBeNull();
    const refuse = () => Promise.reject(new Error("no"));
    expect(await blobs.withLocalFile(received.sha256, refuse).catch(String)).toContain("no");
    await until(unfinished, (count) => count === 0);
  });

  test("that are removed while their file is in use count as missing, and are read again if they are stored again", async () => {
    const { blobs, isOurs } = await open();
    for (const outcome of [() => "read", () => Promise.reject(new Error("It was removed."))]) {
      const sha256 = await put(blobs, 1);
      const remove = () => blobs.removeUnused([sha256], nothingUsed);
      const gone = await blobs
        .withLocalFile(sha256, () => remove().then(outcome))
        .catch((error: Error) => error.message);
      if (isOurs) expect(gone).toBeNull();

      await put(blobs, 1);
      let tries = 0;
      const work = async () => {
        if (++tries > 1) return tries;
        await remove();
        await put(blobs, 1);
        return outcome();
      };
      const back = await blobs.withLocalFile<unknown>(sha256, work).catch((error: Error) => error.message);
      if (isOurs) expect(back).toBe(2);
    }
  });

  test("have derived files until they are removed", async () => {
    const { blobs, unfinished } = await open();
    const received = await blobs.receive(chunks(new Uint8Array([1, 2, 3])));
    await received.keep();
    const read = async (name: string) => {
      const found = await blobs.openDerived(received.sha256, name);
      return found && { bytes: await new Response(found.bytes).bytes(), size: found.size };
    };
    expect(await read("640.webp")).toBeNull();
    await blobs.keepDerived(received.sha256, "640.webp", new Uint8Array([7, 8]));
    await blobs.keepDerived(received.sha256, "640.webp", new Uint8Array([7, 9]));
    expect(await read("640.webp")).toEqual({ bytes: new Uint8Array([7, 9]), size: 2 });
    expect(await read("320.webp")).toBeNull();
    expect(unfinished()).toBe(0);
    await blobs.keepDerived(received.sha256, "old.webp", new Uint8Array([7]));
    const everythingUsed = async (names: string[]) => new Set(names);
    expect((await blobs.sweep(everythingUsed)).derived).toEqual({ count: 2, bytes: 3 });
    expect(await read("old.webp")).not.toBeNull();
    const left = (await blobs.sweep(everythingUsed, (name) => name === "old.webp")).derived;
    expect(left).toEqual({ count: 1, bytes: 2 });
    expect(await read("old.webp")).toBeNull();
    expect(await read("640.webp")).not.toBeNull();
    await blobs.keepDerived(received.sha256, "320.webp", new Uint8Array([7]));
    for (const name of ["320.webp", "never.webp"]) await blobs.removeDerived(received.sha256, name);
    expect(await read("320.webp")).toBeNull();
    expect((await blobs.sweep(nothingUsed)).derived).toEqual({ count: 0, bytes: 0 });
    expect(await read("640.webp")).toBeNull();
  });
});

test("files on disk are readable only by their owner", async () => {
  const directory = newDirectory(scratch);
  const blobs = await openDiskBlobs(directory, unwatchedDisk);
  const received = await blobs.receive(chunks(new Uint8Array([9])));
  await received.keep();
  expect(statSync(join(directory, "blobs", received.sha256.slice(0, 2), received.sha256)).mode & 0o077).toBe(0);
});
