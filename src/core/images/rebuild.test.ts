// Runs only with TEST_LONG: its commands read all pictures again, and start a server and processes for pictures.
import { expect, test } from "bun:test";
import { readConfig } from "../../config.ts";
import { openDatabase } from "../../engines.ts";
import { sql } from "../../platform/database/sql.ts";
import { engineEnv } from "../../../tests/kit/engine.ts";
import { person } from "../../../tests/kit/people.ts";
import { startServer } from "../../../tests/kit/server.ts";
import { bytesOf, quadrants } from "../../../tests/kit/files/pictures.ts";
import { runVitrine } from "../../../tests/kit/process.ts";
import { until } from "../../../tests/kit/until.ts";

const photos = "/api/v1/photos";

test("vitrine rebuild pictures retries what could not be decoded, while the server is running", async () => {
  await using server = await startServer();
  const env = { DATA_DIR: server.dataDir, ...(await engineEnv(server.dataDir)) };
  const owner = await person(server, "owner");
  const healthy = (await owner.upload("healthy.png", await bytesOf(quadrants(60, 40).png()))).body;
  const broken = (await owner.upload("broken.png", (await bytesOf(quadrants(61, 40).png())).subarray(0, 80))).body;
  const show = (file: any) => owner.post(photos, { title: file.name, fileID: file.id });
  const { id } = (await show(healthy)).body;
  expect((await show(broken)).status).toBe(400);

  // As an earlier version stored a picture that it wrongly considered damaged.
  const db = await openDatabase(readConfig(env));
  await db.transaction((tx) =>
    tx.run(sql`UPDATE images SET failure = 'It takes too long to decode.', width = NULL, height = NULL, thumbhash = NULL
      WHERE sha256 = ${healthy.sha256}`),
  );
  await db.close();
  await until(
    () => owner.get(`${photos}/${id}`),
    ({ body }) => body.variants.length === 0,
  );
  expect((await owner.get(`${photos}/${id}/image`)).status).toBe(404);

  const rebuilt = await runVitrine(["rebuild", "pictures"], env);
  expect([rebuilt.code, rebuilt.stderr, rebuilt.stdout]).toEqual([0, "", expect.stringMatching(/^2 pictures .*\.\n$/)]);
  await until(
    () => owner.get(`${photos}/${id}/image`),
    ({ status }) => status === 200,
  );
  expect((await show(healthy)).body).toMatchObject({ width: 60, height: 40 });
  expect((await show(broken)).status).toBe(400);

  expect((await runVitrine(["rebuild", "pictures"], env)).stdout).toStartWith("1 picture ");
  expect((await runVitrine(["rebuild", "pictures"], env)).stdout).toStartWith("Nothing to retry");
  for (const words of [["rebuild"], ["rebuild", "houses"], ["rebuild", "pictures", "now"]])
    expect((await runVitrine(words, env)).code).toBe(2);
});
