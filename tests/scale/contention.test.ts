// Runs only with TEST_LONG: it measures large sites or several copies of the server, which takes minutes.
import { expect, test } from "bun:test";
import { workloads, run } from "../kit/faults/contention.ts";
import { describeScaled, engineEnv } from "../kit/engine.ts";
import { startVitrine } from "../kit/process.ts";
import { isLong } from "../kit/long.ts";
import { newDirectory, useScratch } from "../kit/scratch.ts";

const scratch = useScratch();

/** In short runs, one that changes a list and one that creates names. */
const chosen = workloads().filter((_, index) => isLong || index === 0 || index === 3);

describeScaled("64 writers on two copies", () => {
  test.each(chosen.map((workload) => [workload.name, workload] as const))(
    "%s: no write fails, is lost or is duplicated",
    async (_name, workload) => {
      const start = async () => startVitrine({ ...(await engineEnv("contention")), DATA_DIR: newDirectory(scratch) });
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
  );
});
