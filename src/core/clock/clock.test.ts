import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { useScratch } from "../../../tests/kit/scratch.ts";
import { serverConfig, startServer, type TestServer } from "../../../tests/kit/server.ts";
import { openDatabase } from "../../engines.ts";
import type { Database } from "../../platform/database/database.ts";
import { removeSetting } from "../../platform/database/settings.ts";
import { createLog } from "../../platform/log.ts";
import { confirmClock, watchClock } from "./clock.ts";
import { machineClocks } from "./machine-clocks.ts";

const scratch = useScratch();
const hour = 3_600_000;
const day = 24 * hour;

let server: TestServer;
let db: Database;
let logged = "";
const log = createLog("info", { pretty: false, output: { write: (text) => ((logged += text), true), close() {} } });
const warnings = () => (log.flush(), logged.split("Is the clock right?").length - 1);

beforeAll(async () => {
  server = await startServer();
  db = await openDatabase(await serverConfig(server));
});
beforeEach(async () => {
  await removeSetting(db, "deletions-held");
  log.flush();
  logged = "";
});
afterAll(async () => {
  await db.close();
  await server.close();
});

/** A machine whose clocks the test moves, and a server on it that does what its jobs do. */
function createMachine() {
  const clocks = { wall: Date.now(), steady: 0 };
  const watch = watchClock(db, log, { read: () => ({ ...clocks }) });
  const pass = (ms: number) => {
    clocks.wall += ms;
    clocks.steady += ms;
  };
  return {
    watch,
    pass,
    jump: (ms: number) => void (clocks.wall += ms),
    /** Returns for how many hours nothing was deleted; the jobs that delete run every hour, the one of the clock every ten minutes. */
    async run(hours: number): Promise<number> {
      let heldHours = 0;
      for (let tick = 1; tick <= 6 * hours; tick++) {
        pass(hour / 6);
        await watch.noteRun();
        if (tick % 6 === 0 && (await watch.areDeletionsHeld())) heldHours++;
      }
      return heldHours;
    },
  };
}

test.each([40 * day, 3650 * day, 2 * hour, -2 * hour, -40 * day])(
  "a clock that jumps by %j ms after 30 hours holds deletions for the next 24 hours, and no longer",
  async (jump) => {
    const machine = createMachine();
    expect(await machine.run(30)).toBe(0);
    machine.jump(jump);
    expect(await machine.watch.areDeletionsHeld()).toBe(true);
    expect(await machine.run(23)).toBe(23);
    expect(await machine.run(30)).toBe(0);
    expect(warnings()).toBe(1);
  },
);

test("a second jump begins the day again", async () => {
  const machine = createMachine();
  machine.jump(40 * day);
  expect(await machine.run(20)).toBe(20);
  machine.jump(-40 * day);
  expect(await machine.run(48)).toBe(24);
  expect(warnings()).toBe(2);
});

test("a clock that is corrected a little, and a sleep that the steady clock counts, hold nothing", async () => {
  const machine = createMachine();
  for (let night = 0; night < 10; night++) {
    machine.pass(10 * hour);
    machine.jump(night % 2 === 0 ? 59_000 : -58_000);
    expect(await machine.run(14)).toBe(0);
  }
  expect(warnings()).toBe(0);
});

test("many small jumps count together", async () => {
  const machine = createMachine();
  for (let count = 0; count < 4; count++) {
    machine.jump(20 * 60_000);
    await machine.run(1);
  }
  expect(await machine.watch.areDeletionsHeld()).toBe(true);
});

test("all copies of the program keep the hold of one, each at least until it has known it for a day", async () => {
  const [one, other] = [createMachine(), createMachine()];
  expect(await other.run(30)).toBe(0);
  one.jump(40 * day);
  expect(await one.watch.areDeletionsHeld()).toBe(true);
  expect(await other.run(23)).toBe(23);
  expect(await one.watch.areDeletionsHeld()).toBe(true);
});

test("somebody who confirms the clock ends the hold, and a later jump holds again", async () => {
  const machine = createMachine();
  machine.jump(40 * day);
  expect(await machine.run(2)).toBe(2);
  await confirmClock(db);
  expect(await machine.run(2)).toBe(0);
  machine.jump(-40 * day);
  expect(await machine.run(1)).toBe(1);
});

test("the steady clock is that of the system which counts sleep, if there is one", () => {
  const path = join(scratch, "uptime");
  writeFileSync(path, "350735.47 234388.90\n");
  expect(machineClocks(path).read().steady).toBe(350_735_470);
  rmSync(path);
  const before = performance.now();
  const { steady } = machineClocks(path).read();
  expect(steady >= before && steady <= performance.now()).toBe(true);
});
