// Runs on other engines only with TEST_LONG: imports.test.ts imports on them, and crash.test.ts kills servers on them.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { engineEnv, isScaled, testScaled } from "../../../tests/kit/engine.ts";
import { type Client, client } from "../../../tests/kit/client.ts";
import { person } from "../../../tests/kit/people.ts";
import { useScratch } from "../../../tests/kit/scratch.ts";
import { isLong } from "../../../tests/kit/long.ts";
import { bytesOf, quadrants } from "../../../tests/kit/files/pictures.ts";
import { startVitrine } from "../../../tests/kit/process.ts";
import { until } from "../../../tests/kit/until.ts";

const scratch = useScratch();

const images = isScaled ? 200 : 800;

async function fill(owner: Client): Promise<void> {
  const { body: image } = await owner.upload("0.png", await bytesOf(quadrants(9, 9).png()), { path: "/tree/0" });
  for (let i = 1; i < 20; i++)
    await owner.post(`/api/v1/files/${image.id}/copy`, { path: "/tree/0", name: `${i}.png` });
  const directory = (await owner.get("/api/v1/files/dir/tree")).body[0];
  for (let i = 1; i < images / 20; i++)
    await owner.post(`/api/v1/files/${directory.id}/copy`, { path: `/tree/deep/${i}`, name: "copy" });
}

const countPhotos = async (who: Client) =>
  Number((await who.get("/api/v1/photos?pageSize=1")).headers.get("x-total-count"));

/** Kills `first` in the middle of an import, and expects `second` to finish it. */
async function expectResumed(first: Awaited<ReturnType<typeof startVitrine>>, second: () => Promise<{ url: string }>) {
  const owner = await person(first, "owner");
  await fill(owner);
  const begun = owner.post("/api/v1/photos/import", { path: "/tree" }).catch(() => null);
  await until(
    () => countPhotos(owner),
    (count) => count >= 30,
  );
  first.process.kill("SIGKILL");
  await first.process.exited;
  await begun;

  const after = client(await second(), owner.token);
  expect(await countPhotos(after)).toBeLessThan(images);
  const read = async () => (await after.get("/api/v1/imports/1")).body;
  expect(await until(read, ({ status }) => status === "finished")).toMatchObject({
    imported: images,
    existing: 0,
    refused: 0,
    left: 0,
  });
  const { body: photos } = await after.get("/api/v1/photos?pageSize=1000");
  expect([photos.length, new Set(photos.map(({ fileID }: any) => fileID)).size]).toEqual([images, images]);
}

// Another copy continues it there, below.
test.skipIf(!isLong)("an import continues after its process was killed and started again", async () => {
  const env = { DATA_DIR: join(scratch, "killed"), ...(await engineEnv("killed")) };
  await using servers = new AsyncDisposableStack();
  await expectResumed(await startVitrine(env), async () => servers.use(await startVitrine(env)));
});

testScaled("an import continues in another copy when its own copy was killed", async () => {
  const engines = await engineEnv("copies");
  const first = await startVitrine({ DATA_DIR: join(scratch, "first"), ...engines });
  await using second = await startVitrine({ DATA_DIR: join(scratch, "second"), ...engines });
  await expectResumed(first, async () => second);
});

testScaled("concurrent imports of one directory in two copies create each photo once", async () => {
  const engines = await engineEnv("twice");
  await using first = await startVitrine({ DATA_DIR: join(scratch, "one"), ...engines });
  await using second = await startVitrine({ DATA_DIR: join(scratch, "other"), ...engines });
  const owner = await person(first, "owner");
  await fill(owner);
  const clients = [owner, client(second, owner.token)];
  const begun = await Promise.all(clients.map((who) => who.post("/api/v1/photos/import", { path: "/tree" })));
  for (const [index, { body }] of begun.entries()) {
    const read = async () => (await clients[index]?.get(`/api/v1/imports/${body.id}`))?.body;
    await until(read, (found) => found?.status === "finished");
  }
  expect(await countPhotos(owner)).toBe(images);
});
