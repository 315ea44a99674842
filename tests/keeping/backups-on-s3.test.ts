// Runs on the embedded engines only: it has a bucket of its own.
import { beforeAll, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { backup, expectWhole } from "../kit/backup-kit.ts";
import { makeBackedUpSite } from "../kit/backed-up-site.ts";
import { startFaultyS3 } from "../kit/faults/faulty-s3.ts";
import { testLong } from "../kit/long.ts";
import { runVitrine } from "../kit/process.ts";
import { newDirectory, useScratch } from "../kit/scratch.ts";

const scratch = useScratch();
const texts = ["first words", "second words", "third words"];
let site: string;
beforeAll(async () => void (site = await makeBackedUpSite(scratch, texts)));

const blobs = (requests: string[]) => requests.filter((one) => /^GET .*\/blobs\/..\//.test(one));

testLong("what a bucket has cut is read again, and a restore goes on where it has stopped", async () => {
  await using s3 = await startFaultyS3();
  const repo = s3.url("nightly");
  const env = { ...s3.env, DATA_DIR: site };
  const once = new Set<string>();
  const isFirst = (request: string) => !once.has(request) && Boolean(once.add(request));

  // The first request of all, and each first one for a file.
  s3.faultOf = () => (isFirst("any") ? "dropped" : null);
  await backup(["create", "--to", repo], env);
  s3.faultOf = (method, key) => (method === "GET" && isFirst(key) ? "cut" : null);
  expect(await backup(["verify", "--from", repo], env)).toContain("all are as they were stored");
  expect(once.size).toBeGreaterThan(texts.length + 4);

  const target = { ...s3.env, DATA_DIR: join(newDirectory(scratch), "restored") };
  const restore = () => runVitrine(["backup", "restore", "--from", repo], target);
  const [, unread = ""] = blobs(s3.requests);
  s3.faultOf = (method, key) => (`${method} ${key}` === unread ? "cut" : null);
  s3.requests.length = 0;
  const stopped = await restore();
  expect([stopped.code, stopped.stderr]).toEqual([
    1,
    expect.stringMatching(/^vitrine: The backups in .* could not be read/),
  ] as [number, string]);
  expect(existsSync(join(target.DATA_DIR, "vitrine.db"))).toBe(false);
  expect(blobs(s3.requests)).toHaveLength(texts.length - 1);

  s3.faultOf = () => null;
  s3.requests.length = 0;
  expect(await restore()).toMatchObject({ code: 0 });
  expect(blobs(s3.requests)).toEqual([unread]);
  await expectWhole(target);
});

test("a bucket that stores half of a file is noticed at once", async () => {
  await using s3 = await startFaultyS3();
  const create = (prefix: string) =>
    runVitrine(["backup", "create", "--to", s3.url(prefix)], { ...s3.env, DATA_DIR: site });
  let halved = 0;
  s3.faultOf = (method, key) => (method === "PUT" && key.includes("/blobs/") && halved++ === 0 ? "halved" : null);
  expect(await create("once")).toMatchObject({ code: 0 });
  expect(halved).toBe(texts.length + 1);
  s3.faultOf = (method, key) => (method === "PUT" && key.includes("/database") ? "halved" : null);
  const { code, stderr } = await create("always");
  expect([code, stderr]).toEqual([1, expect.stringMatching(/does not store whole files/)] as [number, string]);
  expect(s3.requests.filter((one) => one.includes("manifest"))).toHaveLength(1 + 1);
});
