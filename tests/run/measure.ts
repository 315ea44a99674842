import { afterAll } from "bun:test";
import { appendFileSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { root } from "../kit/root.ts";
import { type Measured, processorMs } from "./measured.ts";

/*
 * Loaded before the tests: writes a line for each file when it has ended, with the time that it took and the processor time of this
 * process and of its children that have ended.
 */

const directory = process.env.TEST_MEASURED;

if (directory) {
  const file = join(directory, `${process.pid}.jsonl`);
  let last = { processorMs: processorMs(), at: performance.now() };
  let path = "";
  const begin = (loaded: string) => (path = relative(root, loaded));
  Bun.plugin({
    name: "measure",
    setup(build) {
      build.onLoad({ filter: /\.test\.ts$/ }, ({ path: loaded }) => {
        begin(loaded);
        return { contents: readFileSync(loaded, "utf8"), loader: "ts" };
      });
    },
  });
  afterAll(() => {
    const now = { processorMs: processorMs(), at: performance.now() };
    const line: Measured = { path, processorMs: now.processorMs - last.processorMs, ms: now.at - last.at };
    appendFileSync(file, `${JSON.stringify(line)}\n`);
    last = now;
  });
}
