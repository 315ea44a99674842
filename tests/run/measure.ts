import { afterAll } from "bun:test";
import { appendFileSync } from "node:fs";
import { join, relative } from "node:path";
import { root } from "../kit/root.ts";
import { type Measured, processorMs } from "./measured.ts";

/*
 * Loaded before the tests: writes a line for each file when it has ended, with the time that it took and the processor time of this
 * process and of those that it has started.
 */

const directory = process.env.TEST_MEASURED;

if (directory) {
  const file = join(directory, `${process.pid}.jsonl`);
  let last = { processorMs: processorMs(), at: performance.now() };
  afterAll(() => {
    const now = { processorMs: processorMs(), at: performance.now() };
    const path = relative(root, Bun.main);
    // A child that was killed by another child takes its time with it.
    const spent = Math.max(0, now.processorMs - last.processorMs);
    appendFileSync(file, `${JSON.stringify({ path, processorMs: spent, ms: now.at - last.at } satisfies Measured)}\n`);
    last = now;
  });
}
