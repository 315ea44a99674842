import { describe, expect, setSystemTime, test } from "bun:test";
import { Problem } from "../errors.ts";
import { openS3 } from "./s3.ts";
import { connectS3 } from "./s3-calls.ts";
import type { S3Options } from "./s3-options.ts";
import { realS3, startProxy, startS3 } from "./s3-servers.test.ts";
import { needs, serverNames } from "../../../tests/kit/optional.ts";
import { until } from "../../../tests/kit/until.ts";
import { newDirectory, useScratch } from "../../../tests/kit/scratch.ts";
import { testLong } from "../../../tests/kit/long.ts";

const scratch = useScratch();

const nothingUsed = async () => new Set<string>();
async function* once(bytes: Uint8Array) {
  yield bytes;
}

describe("a failing blob store", () => {
  for (const way of ["silent", "cut"] as const) {
    test(`causes an error within five seconds when it is ${way}, and is used again once it is available`, async () => {
      const { blobs, proxy } = await openThroughProxy();
      const received = await blobs.receive(once(new Uint8Array([1, 2, 3])));
      proxy.mode = way;
      const calls = [
        received.keep(),
        blobs.open(received.sha256),
        blobs.has(received.sha256),
        blobs.sweep(nothingUsed),
      ];
      await Promise.all(calls.map((call) => failsInTime(call)));
      proxy.mode = "open";
      await received.keep();
      expect(await blobs.has(received.sha256)).toBe(true);
    });
  }

  testLong("causes an error within five seconds when it stops responding in the middle of an upload", async () => {
    const { blobs, proxy } = await openThroughProxy();
    const received = await blobs.receive(once(new Uint8Array(40 * 2 ** 20)));
    proxy.silentAfter = 20 * 2 ** 20;
    const kept = received.keep();
    kept.catch(() => {});
    await until(() => proxy.mode !== "open");
    await failsInTime(kept);
    proxy.mode = "open";
    await received.keep();
    expect(await blobs.has(received.sha256)).toBe(true);
  });

  testLong("ends a download with an error, not with a short file, when it stops responding in the middle", async () => {
    const { blobs, proxy } = await openThroughProxy();
    const received = await blobs.receive(once(new Uint8Array(20 * 2 ** 20)));
    await received.keep();
    const stream = (await blobs.open(received.sha256)) as ReadableStream<Uint8Array>;
    proxy.mode = "silent";
    await failsInTime(new Response(stream).bytes());
  });

  test("gets the request again when it responds that it is busy", async () => {
    const { options } = await startS3();
    let busy = 3;
    using front = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: (request) =>
        busy-- > 0
          ? new Response("<Error><Code>SlowDown</Code></Error>", { status: 503 })
          : fetch(new Request(options.endpoint + new URL(request.url).pathname, request)),
    });
    const blobs = await openS3({ ...options, endpoint: front.url.origin }, newDirectory(scratch));
    const received = await blobs.receive(once(new Uint8Array([5])));
    busy = 3;
    await received.keep();
    expect(await blobs.has(received.sha256)).toBe(true);
  });

  test.each([
    [507, "InsufficientStorage"],
    [507, "XMinioStorageFull"],
    [403, "QuotaExceeded"],
  ])("that is full (%d %s) is not asked again", async (status, code) => {
    const { options } = await startS3();
    let isFull = false;
    let asked = 0;
    using front = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch(request) {
        if (!isFull || request.method !== "PUT") {
          return fetch(new Request(options.endpoint + new URL(request.url).pathname, request));
        }
        asked++;
        return new Response(`<Error><Code>${code}</Code></Error>`, { status });
      },
    });
    const blobs = await openS3({ ...options, endpoint: front.url.origin }, newDirectory(scratch));
    const received = await blobs.receive(once(new Uint8Array([7])));
    isFull = true;
    expect(await received.keep().catch((error: Problem) => [error.code, error.status])).toEqual(["full", 507]);
    expect(asked).toBe(1);
    await received.discard();
  });

  test("stops the start when there is no such bucket, but not when it is unavailable", async () => {
    const { options } = await startS3();
    const spool = newDirectory(scratch);
    expect(openS3({ ...options, bucket: "another" }, spool)).rejects.toThrow('no bucket "another"');
    await openS3({ ...options, endpoint: "http://127.0.0.1:1" }, spool);
  });
});

describe("a sweep", () => {
  test("that is about to remove a blob delays a caller that keeps it and then writes it again", async () => {
    const { options, client } = await startS3();
    const blobs = await openS3(options, newDirectory(scratch));
    const received = await blobs.receive(once(new Uint8Array([1])));
    await client.write("sweeping", received.sha256);
    const kept = received.keep();
    await Bun.sleep(200);
    expect(await blobs.has(received.sha256)).toBe(true);
    await client.delete(`blobs/${received.sha256.slice(0, 2)}/${received.sha256}`);
    await client.delete("sweeping");
    await kept;
    expect(await blobs.has(received.sha256)).toBe(true);
  });

  test("does not remove a blob that is kept again after the sweep has listed it", async () => {
    const { options, age } = await startS3();
    const blobs = await openS3(options, newDirectory(scratch));
    const received = await blobs.receive(once(new Uint8Array([1])));
    await received.keep();
    await age(received.sha256);
    const again = await blobs.receive(once(new Uint8Array([1])));
    const swept = blobs.sweep(async () => {
      await again.keep();
      return new Set();
    });
    expect((await swept).removed).toBe(0);
    expect(await blobs.has(received.sha256)).toBe(true);
  });

  test("does nothing while another sweep is running, but ignores one that crashed long ago", async () => {
    const { options, client, age } = await startS3();
    const blobs = await openS3(options, newDirectory(scratch));
    const received = await blobs.receive(once(new Uint8Array([1])));
    await received.keep();
    await age(received.sha256);
    await client.write("sweeping", "");
    expect((await blobs.sweep(nothingUsed)).removed).toBe(0);
    setSystemTime(Date.now() - 3_600_000);
    await client.write("sweeping", received.sha256);
    setSystemTime();
    expect((await blobs.sweep(nothingUsed)).removed).toBe(1);
    expect(await client.exists("sweeping")).toBe(false);
  });

  testLong("never removes a blob that many callers keep at the same time", async () => {
    const { options, age } = await startS3();
    const blobs = await openS3(options, newDirectory(scratch));
    const bytes = new Uint8Array([7, 7]);
    for (let round = 0; round < 15; round++) {
      const received = await blobs.receive(once(bytes));
      if (await blobs.has(received.sha256)) await age(received.sha256);
      const sweep = blobs.sweep(nothingUsed);
      await Bun.sleep(Math.random() * 15);
      await received.keep();
      expect(await blobs.has(received.sha256)).toBe(true);
      await sweep;
      expect(await blobs.has(received.sha256)).toBe(true);
    }
  });

  test("handles more blobs than fit on one page of a list", async () => {
    const { options, client, age } = await startS3();
    const blobs = await openS3(options, newDirectory(scratch));
    const names = Array.from({ length: 1_050 }, (_, index) => Bun.CryptoHasher.hash("sha256", String(index), "hex"));
    await Promise.all(names.map((name) => client.write(`blobs/${name.slice(0, 2)}/${name}`, "x")));
    await age(...names);
    expect((await blobs.sweep(async () => new Set(names.slice(0, 1_000)))).removed).toBe(50);
    expect(await blobs.has(names[999] as string)).toBe(true);
    expect(await blobs.has(names[1_000] as string)).toBe(false);
  });

  const real = realS3();
  needs(serverNames, real !== null).testLong(
    "aborts uploads that are unfinished after a day (on a real server: TEST_S3_URL)",
    async () => {
      const options = (await real?.freshBucket()) as S3Options;
      const blobs = await openS3(options, newDirectory(scratch), { youth: 50 });
      const s3 = connectS3(options);
      const begin = () => s3.call({ method: "POST", key: "blobs/aa/aa", query: { uploads: "" } });
      const count = async () => {
        const listed = await s3.call({ method: "GET", key: "", query: { uploads: "" } });
        return (await listed.text()).split("<Upload>").length - 1;
      };
      await begin();
      await Bun.sleep(3_500);
      await begin();
      expect(await count()).toBe(2);
      await blobs.sweep(nothingUsed);
      expect(await count()).toBe(1);
    },
  );
});

test("the start removes spool files of killed processes, but not those of running ones", async () => {
  const { options } = await startS3();
  const root = newDirectory(scratch);
  const files = () => [...new Bun.Glob("*/*").scanSync(root)].length;
  const running = await openS3(options, root);
  const received = await running.receive(once(new Uint8Array([1, 2, 3])));

  // Two copies at the same time, so that their directories are not those that the next start uses.
  const killed = [await receiveForever(options, root), await receiveForever(options, root)];
  for (const child of killed) child.kill("SIGKILL");
  await Promise.all(killed.map((child) => child.exited));
  expect(files()).toBe(3);

  const next = await openS3(options, root);
  expect(files()).toBe(1);
  await received.keep();
  expect(await next.has(received.sha256)).toBe(true);
  expect(files()).toBe(0);
});

/** Another process that has started to receive a file, and waits for the rest. */
async function receiveForever(options: S3Options, root: string) {
  const code = `
    const { openS3 } = await import(${JSON.stringify(new URL("./s3.ts", import.meta.url).href)});
    const blobs = await openS3(${JSON.stringify(options)}, ${JSON.stringify(root)});
    await blobs.receive((async function* () {
      yield new Uint8Array(2 ** 20);
      console.log("receiving");
      await Bun.sleep(60_000);
    })());`;
  const child = Bun.spawn([process.execPath, "--no-orphans", "-e", code], { stdout: "pipe", stderr: "inherit" });
  await child.stdout.getReader().read();
  return child;
}

/** Before a timer of five seconds that was started at the same time: a busy machine delays both. */
async function failsInTime(call: Promise<unknown>): Promise<void> {
  const problem = await Promise.race([
    call.then(
      () => null,
      (error: unknown) => error,
    ),
    Bun.sleep(5_000).then(() => "too late"),
  ]);
  expect(problem).toBeInstanceOf(Problem);
  expect((problem as Problem).message).toBe("The file storage does not respond; try again.");
}

async function openThroughProxy() {
  const { options } = await startS3();
  const proxy = await startProxy(Number(new URL(options.endpoint).port));
  const endpoint = `http://127.0.0.1:${proxy.port}`;
  return { proxy, blobs: await openS3({ ...options, endpoint }, newDirectory(scratch)) };
}
