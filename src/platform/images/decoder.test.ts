import { beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { Problem } from "../errors.ts";
import { chunk } from "../../../tests/kit/files/png.ts";
import { gridHEIC } from "../../../tests/kit/files/heic.ts";
import { findProgram, needs } from "../../../tests/kit/optional.ts";
import {
  bytesOf,
  findDecoders,
  memoryOf,
  noise,
  quadrants,
  signalDecoders,
} from "../../../tests/kit/files/pictures.ts";
import { readFromPs, readProcessorTime } from "../process-usage.ts";
import { type Decoder, type Limits, startDecoder } from "./decoder.ts";
import { UnreadableImage } from "./unreadable.ts";
import { until } from "../../../tests/kit/until.ts";
import { useScratch } from "../../../tests/kit/scratch.ts";
import { isLong, testLong } from "../../../tests/kit/long.ts";

const directory = useScratch();
const paths = { small: join(directory, "small.png"), large: join(directory, "large.heic"), broken: "" };

beforeAll(async () => {
  const png = await bytesOf(quadrants(60, 40).png());
  paths.broken = join(directory, "broken.png");
  writeFileSync(paths.small, png);
  writeFileSync(paths.broken, png.subarray(0, 60));
  // 6 megapixels.
  writeFileSync(paths.large, gridHEIC(9, 11));
});

async function withDecoder(size: number, limits: Partial<Limits>, work: (decoder: Decoder) => Promise<void>) {
  const decoder = startDecoder({ size, ...limits });
  try {
    await work(decoder);
  } finally {
    decoder.close();
  }
}

const small = { width: 60, height: 40 };
const large = { width: 2880, height: 2200 };

/** Sends a signal to all decoder processes repeatedly until the work is done. */
async function whileSignalling<Result>(signal: NodeJS.Signals, work: Promise<Result>): Promise<Result> {
  const timer = setInterval(() => signalDecoders(signal), 5);
  return work.finally(() => clearInterval(timer));
}

const failureOf = (work: Promise<unknown>) => work.then(() => null).catch((error: unknown) => error);
const isBusy = (error: unknown) => error instanceof Problem && error.code === "busy";
const isFinal = (error: unknown) => error instanceof UnreadableImage && error.isPermanent;

describe.if(process.platform === "linux")("a decoder process", () => {
  testLong("that is suspended for longer than the time limit finishes when it is resumed", () =>
    withDecoder(1, { processorMilliseconds: 3000 }, async (decoder) => {
      await decoder.measure(paths.small);
      const suspended = findDecoders();
      signalDecoders("SIGSTOP");
      const measured = decoder.measure(paths.small);
      await Bun.sleep(3500);
      signalDecoders("SIGCONT");
      expect(await measured).toMatchObject(small);
      expect([suspended.length, findDecoders()]).toEqual([1, suspended]);
    }),
  );

  testLong("that stays suspended is given up, without a final failure for its picture", () =>
    withDecoder(1, { elapsedMilliseconds: 1000 }, async (decoder) => {
      const warm = failureOf(decoder.measure(paths.small));
      const failure = await whileSignalling("SIGSTOP", failureOf(decoder.measure(paths.small)));
      expect([await warm, failure].every(isBusy)).toBe(true);
      const again = startDecoder({ size: 1 });
      expect(await again.measure(paths.small).finally(() => again.close())).toMatchObject(small);
    }),
  );

  testLong("that is killed or crashes once is started again", () =>
    withDecoder(2, {}, async (decoder) => {
      for (const signal of ["SIGKILL", "SIGSEGV"] as const) {
        await decoder.measure(paths.small);
        signalDecoders("SIGSTOP");
        const measured = [decoder.measure(paths.small), decoder.measure(paths.large)];
        await Bun.sleep(100);
        signalDecoders(signal);
        signalDecoders("SIGCONT");
        expect(await Promise.all(measured)).toMatchObject([small, large]);
      }
    }),
  );

  test("that is killed each time causes no final failure for its picture; one that crashes each time does", () =>
    withDecoder(2, {}, async (decoder) => {
      const killed = await whileSignalling("SIGKILL", failureOf(decoder.measure(paths.small)));
      expect([isBusy(killed), isFinal(killed)]).toEqual([true, false]);
      // Not SIGSEGV: the runtime's handler of it can wait for itself.
      const crashed = await whileSignalling("SIGABRT", failureOf(decoder.measure(paths.small)));
      expect([isBusy(crashed), isFinal(crashed)]).toEqual([false, true]);
      expect(await decoder.measure(paths.small)).toMatchObject(small);
    }));

  test.if(isLong)("uses no more memory after many large HEIC pictures than after a few", () =>
    withDecoder(3, { pictureBytes: 200 * 2 ** 20 }, async (decoder) => {
      const measure = async () => {
        const measured = await Promise.all([1, 2, 3].map(() => decoder.measure(paths.large)));
        expect(measured).toMatchObject([large, large, large]);
        return { pids: findDecoders(), memory: Math.max(...findDecoders().map(memoryOf)) };
      };
      const first = await measure();
      let last = first;
      for (let round = 0; round < (isLong ? 6 : 3); round++) last = await measure();
      expect(last.pids).toEqual(first.pids);
      expect(last.memory - first.memory).toBeLessThan(60);
    }),
  );

  testLong("is replaced if it uses much memory between two pictures, or has failed", async () => {
    const pidAfter = async (work: Promise<unknown>) => {
      await work.catch(() => {});
      return findDecoders()[0] ?? null;
    };
    await withDecoder(1, {}, async (decoder) => {
      const pid = await pidAfter(decoder.measure(paths.small));
      expect(await pidAfter(decoder.measure(paths.small))).toBe(pid);
      const failure = await failureOf(decoder.measure(paths.broken));
      expect(isFinal(failure)).toBe(true);
      expect(await pidAfter(decoder.measure(paths.small))).not.toBe(pid);
    });
    await withDecoder(1, { idleBytes: 2 ** 20 }, async (decoder) => {
      await decoder.measure(paths.small);
      await until(findDecoders, ({ length }) => length === 0);
      expect(await decoder.measure(paths.small)).toMatchObject(small);
    });
  });

  testLong.each([
    ["memory", { pictureBytes: 50 * 2 ** 20 }],
    ["long", { processorMilliseconds: 150 }],
  ])("is stopped when a picture takes too %s, which is final only after a second attempt alone", (word, limits) =>
    withDecoder(2, limits, async (decoder) => {
      const seen = new Set<number>();
      const watch = setInterval(() => findDecoders().forEach((pid) => seen.add(pid)), 10);
      const failed = failureOf(decoder.measure(paths.large)).finally(() => clearInterval(watch));
      // With a short limit, the time of the start counts, too.
      if (word === "memory") expect(await decoder.measure(paths.small)).toMatchObject(small);
      const failure = await failed;
      expect([isFinal(failure), (failure as Error).message]).toEqual([true, expect.stringContaining(word)]);
      expect(seen.size).toBeGreaterThan(1);
    }),
  );
});

(process.platform === "linux" ? needs("ps", findProgram("ps") !== null).test : test.skip)(
  "the processor time of a process is the same from /proc and from ps",
  async () => {
    while (process.cpuUsage().user < 1_100_000);
    const before = (await readProcessorTime(process.pid)) ?? Number.NaN;
    const ps = (await readFromPs(process.pid)) ?? Number.NaN;
    const after = (await readProcessorTime(process.pid)) ?? Number.NaN;
    // It counts whole seconds.
    expect(ps).toBeGreaterThanOrEqual(1000);
    expect(ps).toBeGreaterThan(before - 1000);
    expect(ps).toBeLessThanOrEqual(after);
    expect(await readProcessorTime(2 ** 30)).toBeNull();
  },
);

testLong("a cleaned picture is compared with its original, and refusals name the format and the reason", async () => {
  await withDecoder(1, {}, async (decoder) => {
    const { length } = readFileSync(paths.small);
    const pieces = [{ start: 0, end: length }];
    expect(await decoder.compare(paths.small, { pieces, size: length, sha256: "" })).toEqual({ isSame: true });
    const other = join(directory, "other.png");
    writeFileSync(other, await bytesOf(quadrants(60, 40).modulate({ brightness: 0.9 }).png()));
    const changed = [readFileSync(other).toString("base64")];
    expect(await decoder.compare(paths.small, { pieces: changed, size: 1, sha256: "" })).toEqual({ isSame: false });
    const huge = join(directory, "huge.png");
    writeFileSync(huge, hugePNG(20_000, 10_000));
    expect(String(await failureOf(decoder.measure(huge)))).toContain("has 200 megapixels; the limit is 100.");
    writeFileSync(huge, gridHEIC(60, 60));
    expect(String(await failureOf(decoder.measure(huge)))).toContain("has 230 megapixels; the limit is 100.");
    expect(String(await failureOf(decoder.measure(paths.broken)))).toContain("The PNG file is");
    const part = join(directory, "part.jpg");
    writeFileSync(part, (await bytesOf(noise(90, 60).jpeg())).subarray(0, 900));
    expect(String(await failureOf(decoder.measure(part)))).toContain("The JPEG file is cut off: its end is missing.");
    const bare = join(directory, "bare.jxl");
    writeFileSync(bare, Buffer.from("\xff\x0a\xfa\x1f", "latin1"));
    expect(await decoder.inspect(bare)).toMatchObject({ isPicture: false, refusal: "JPEG XL is not supported yet." });
  });
});

test.if(isLong && process.platform === "linux")("the copy of a comparison that was ended is removed", async () => {
  const before = process.env.TMPDIR;
  const scratch = join(directory, "scratch");
  mkdirSync(scratch);
  process.env.TMPDIR = scratch;
  try {
    await withDecoder(1, {}, async (decoder) => {
      const pieces = [{ start: 0, end: readFileSync(paths.large).length }];
      const compared = failureOf(decoder.compare(paths.large, { pieces, size: 1, sha256: "" }));
      await until(
        () => readdirSync(scratch, { recursive: true }),
        (names) => names.some((name) => String(name).endsWith("copy")),
      );
      decoder.close();
      expect(isBusy(await compared)).toBe(true);
    });
    expect(readdirSync(scratch)).toEqual([]);
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
});

/** Only the header says that it is so large. */
function hugePNG(width: number, height: number): Buffer {
  const size = Buffer.alloc(13);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  size.set([8, 2], 8);
  const parts = [chunk("IHDR", size), chunk("IDAT", deflateSync(Buffer.alloc(1000))), chunk("IEND", Buffer.alloc(0))];
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), ...parts]);
}
