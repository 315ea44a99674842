// Runs on the embedded engines only: it is about files on the local disk.
import { beforeAll, describe, expect, test } from "bun:test";
import { cpSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Client, client } from "../kit/client.ts";
import { png } from "../kit/files/png.ts";
import { password } from "../kit/people.ts";
import { startOnDisk, variablesOfDisk } from "../kit/faults/power-cut-site.ts";
import { finish, runVitrine, spawnVitrine, startVitrine } from "../kit/process.ts";
import { describeWithFailingFlushes, failFlushes, failingFlush, flushesIn } from "../kit/faults/failing-flushes.ts";
import { newDirectory, useScratch } from "../kit/scratch.ts";
import { testLong } from "../kit/long.ts";
import { sha256Of } from "../kit/sha256.ts";

/** A flush that fails means that nobody knows what the disk has, so what was sent is not acknowledged. */

const sizes = [100, 30_000, 3_000_000];
const api = "/api/v1";
const scratch = useScratch();
const env = { JWT_SECRET: "a secret that is the same before and after" };
const base = join(scratch, "base");
const backups = join(scratch, "backups");
const before = new Map<number, { id: number; sha256: string }>();
let token: string;
/** Of a photo, whose variants are not made yet. */
let variant: string;

const randomBytes = (size: number) => {
  const bytes = new Uint8Array(size);
  for (let at = 0; at < size; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  return bytes;
};

/** A site with a file of each size, and a backup of it. */
beforeAll(async () => {
  const data = { ...env, DATA_DIR: join(base, "data") };
  await runVitrine(["user", "add", "writer", "--create"], data, `${password}\n`);
  await using server = await startVitrine(data);
  token = (await client(server).post("/signin", { username: "writer", password })).body.token;
  for (const size of sizes) {
    const { body } = await client(server, token).upload(`${size}.bin`, randomBytes(size));
    before.set(size, body);
  }
  const picture = await client(server, token).upload("photo.png", png(500, 400));
  before.set(0, picture.body);
  const photo = await client(server, token).post(`${api}/photos`, { title: "Photo", fileID: picture.body.id });
  variant = photo.body.variants[0].url;
  expect(await runVitrine(["backup", "create", "--to", backups], data)).toMatchObject({ code: 0 });
});

function copyOfSite(): string {
  const directory = newDirectory(scratch);
  cpSync(base, directory, { recursive: true });
  return directory;
}

/** Each file has other bytes, so that it is really written. */
const uploads = {
  new: (writer: Client, size: number) => writer.upload(`${crypto.randomUUID()}.bin`, randomBytes(size)),
  replaced: (writer: Client, size: number) =>
    writer.request("PUT", `${api}/files/${before.get(size)?.id}/content`, { body: randomBytes(size) }),
};
const cases = Object.entries(uploads).flatMap(([kind, upload]) => sizes.map((size) => ({ kind, upload, size })));

/** All files of the site, by the bytes that they have. */
async function readHashes(reader: Client): Promise<string[]> {
  const { body } = await reader.get(`${api}/files?pageSize=100`);
  const files = (body as { id: number; isDirectory?: boolean }[]).filter((file) => !file.isDirectory);
  return Promise.all(
    files.map(async ({ id }) => sha256Of(await (await fetch(reader.url(`${api}/files/${id}/content`))).arrayBuffer())),
  );
}

const wholeSite = () => [...before.values()].map(({ sha256 }) => sha256).toSorted();

// A power cut is a signal.
describe.skipIf(process.platform === "win32")("a disk that fails at each flush of a file", () => {
  const fails = { code: "EIO", calls: ["sync"] };

  test("gets no upload acknowledged, and a file that was to be replaced has its old bytes", async () => {
    const directory = copyOfSite();
    const server = await startOnDisk(directory, env, { fails: { ...fails, number: "each" } });
    for (const { kind, upload, size } of cases) {
      const { status, body } = await upload(client(server, token), size);
      expect([kind, size, status, body.error]).toEqual([kind, size, 500, expect.stringContaining("reports errors")]);
    }
    expect((await readHashes(client(server, token))).toSorted()).toEqual(wholeSite());
    // It is shown, but not stored.
    const shown = await fetch(server.url + variant);
    expect([shown.status, shown.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
    expect(existsSync(join(directory, "data", "derived"))).toBe(false);
    await server.cutPower();
    await using after = await startVitrine({ ...env, DATA_DIR: join(directory, "data") });
    expect((await readHashes(client(after, token))).toSorted()).toEqual(wholeSite());
  });

  // The marker, the four files, the secret and the database.
  test.each([1, 2, 3, 4, 5, 6, 7])("lets no restore of a backup succeed: the flush %d", async (number) => {
    const directory = newDirectory(scratch);
    mkdirSync(join(directory, "data"));
    const words = ["backup", "restore", "--from", backups, "--data", join(directory, "data")];
    const { code, stderr } = await runVitrine(words, {
      ...env,
      ...variablesOfDisk(directory, { fails: { ...fails, number } }),
    });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/disk( of \S+)? reports errors|cannot be used: EIO/)]);
    expect(existsSync(join(directory, "data", "vitrine.db"))).toBe(false);
  });
});

// The same with the functions of the runtime as they are: the system itself reports the error.
describeWithFailingFlushes("calls of fsync that fail", () => {
  testLong("are not acknowledged, and a file that was to be replaced has its old bytes", async () => {
    const directory = copyOfSite();
    const data = join(directory, "data");
    await using server = await startVitrine({ ...env, DATA_DIR: data });
    const writer = client(server, token);
    const log = join(directory, "flushes");
    // Every other call fails in each thread, because an upload also ends if the flush of its directory fails, which comes next.
    const failing = await failFlushes(server.process.pid, log, "1+2");
    const files = () => flushesIn(log, join(data, "incoming/"));
    const counts: Record<string, { failed: number; acknowledged: number }> = {};
    const expected = new Map([...before.values()].map(({ id, sha256 }) => [id, sha256]));
    for (const { kind, upload, size } of cases) {
      const count = (counts[`${kind}, ${size} bytes`] = { failed: 0, acknowledged: 0 });
      while (count.failed < 5) {
        const known = files().length;
        const { status, body } = await upload(writer, size);
        const isFailed = files()[known]?.isFailed === true;
        if (isFailed) count.failed++;
        if (isFailed && status < 300) count.acknowledged++;
        if (status < 300) expected.set(body.id, body.sha256);
      }
    }
    await failing.end();
    const none = cases.map(({ kind, size }) => [`${kind}, ${size} bytes`, { failed: 5, acknowledged: 0 }]);
    expect(counts).toEqual(Object.fromEntries(none));
    expect((await readHashes(writer)).toSorted()).toEqual([...expected.values()].toSorted());
  });

  testLong("let no restore of a backup succeed if the call was for a file", async () => {
    let failures = 0;
    const acknowledged: number[] = [];
    // The runtime flushes in two threads, so it differs from run to run what call of one of them is for a file.
    for (let run = 0; failures < 3 && run < 40; run++) {
      const data = join(newDirectory(scratch), "data");
      const log = `${data}-flushes`;
      const words = ["backup", "restore", "--from", backups, "--data", data];
      const { code } = await finish(spawnVitrine(words, env, { before: failingFlush(log, String(4 + (run % 4))) }));
      const isFailed = flushesIn(log, join(data, "incoming/")).some((flush) => flush.isFailed);
      if (isFailed) failures++;
      if (isFailed && code === 0) acknowledged.push(run);
    }
    expect(failures).toBe(3);
    expect(acknowledged).toEqual([]);
  });
});
