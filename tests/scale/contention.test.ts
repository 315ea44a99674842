// Runs only with TEST_LONG: it measures large sites or several copies of the server, which takes minutes.
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { workloads, run } from "../kit/faults/contention.ts";
import { describeScaled, engineEnv } from "../kit/engine.ts";
import { startVitrine } from "../kit/process.ts";
import { isLong } from "../kit/long.ts";

const dataDir = mkdtempSync(join(tmpdir(), "vitrine-contention-"));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

/** In short runs, one that changes a list and one that creates names. */
const chosen = workloads().filter((_, index) => isLong || index === 0 || index === 3);

describeScaled("64 writers on two copies", () => {
  test.each(chosen.map((workload) => [workload.name, workload] as const))(
    "%s: no write fails, is lost or is duplicated",
    async (_name, workload) => {
      const start = async () =>
        startVitrine({ ...(await engineEnv("contention")), DATA_DIR: mkdtempSync(join(dataDir, "copy-")) });
      await using first = await start();
      await using second = await start();
      const outcome = await run(workload, [first, second], 64, 4000);
      expect({ ...outcome, writes: 0, perSecond: 0 }).toEqual({
        writes: 0,
        errors: [],
        lost: [],
        doubled: [],
        perSecond: 0,
      });
      expect(outcome.writes).toBeGreaterThan(64);
    },
    180_000,
  );
});
