import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { engineEnv } from "../../../tests/kit/engine.ts";
import { newDirectory, useScratch } from "../../../tests/kit/scratch.ts";
import { readConfig } from "../../config.ts";
import { openDatabase } from "../../engines.ts";
import type { Database } from "../../platform/database/database.ts";
import { removeSetting } from "../../platform/database/settings.ts";
import { sql } from "../../platform/database/sql.ts";
import { createLog } from "../../platform/log.ts";
import { confirmClock, watchClock } from "./clock.ts";
import { machineClocks, type Times } from "./machine-clocks.ts";

const scratch = useScratch();
const hour = 3_600_000;
const day = 24 * hour;

let db: Database;
let logged = "";
const log = createLog("info", { pretty: false, output: { write: (text) => ((logged += text), true), close() {} } });
const warnings = () => (log.flush(), logged.split("Is the clock right?").length - 1);

beforeAll(async () => {
  const dataDir = newDirectory(scratch);
  db = await openDatabase(readConfig({ DATA_DIR: dataDir, ...(await engineEnv(dataDir)) }));
});
beforeEach(async () => {
  for (const name of ["deletions-held", "last-run", "clock-confirmed"]) await removeSetting(db, name);
  await changeAt(null);
  log.flush();
  logged = "";
});
afterAll(() => db.close());

/** The site was last changed at this time. */
const changeAt = (time: number | null) =>
  db.transaction(async (tx) => {
    await tx.run(sql`DELETE FROM activity`);
    if (time === null) return;
    await tx.run(sql`
      INSERT INTO activity (created_at, record_id, was_public, kind, action, name)
      VALUES (${time}, 1, 0, 'photo', 'changed', 'Photo')`);
  });

type Machine = { wall: number; boot: string; shared: number | null };

/** A machine whose clocks the test moves, and a server on it that does what its jobs do. */
function createMachine({ wall = Date.now(), boot = crypto.randomUUID(), shared = null }: Partial<Machine> = {}) {
  const clocks = { wall, boot, steady: 0 };
  /** How far the clock of the database server is ahead of the right time; null if there is none. */
  const ahead = shared;
  let jumped = 0;
  const readShared = async () => (ahead === null ? null : clocks.wall - jumped + ahead);
  const start = () => watchClock(db, log, { read: () => ({ ...clocks }) }, readShared);
  let watch = start();
  const pass = (ms: number) => {
    clocks.wall += ms;
    clocks.steady += ms;
  };
  return {
    clocks,
    pass,
    jump(ms: number) {
      clocks.wall += ms;
      jumped += ms;
    },
    areDeletionsHeld: () => watch.areDeletionsHeld(),
    async restart() {
      watch = start();
      await watch.checkStart();
    },
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

const confirm = ({ clocks }: { clocks: Times }) => db.transaction((tx) => confirmClock(tx, clocks));

test.each([6 * day, 2 * hour, -2 * hour])(
  "a clock that jumps by %j ms after 30 hours holds deletions for the next 24 hours, and no longer",
  async (jump) => {
    const machine = createMachine();
    expect(await machine.run(30)).toBe(0);
    machine.jump(jump);
    expect(await machine.areDeletionsHeld()).toBe(true);
    expect(await machine.run(23)).toBe(23);
    expect(await machine.run(30)).toBe(0);
    expect(warnings()).toBe(1);
  },
);

test.each([40 * day, 3650 * day, -40 * day])(
  "a clock that jumps by %j ms holds deletions until somebody confirms it, also after restarts",
  async (jump) => {
    const machine = createMachine();
    await changeAt(machine.clocks.wall);
    expect(await machine.run(30)).toBe(0);
    machine.jump(jump);
    expect(await machine.run(50)).toBe(50);
    await changeAt(machine.clocks.wall);
    await machine.restart();
    expect(await machine.run(50)).toBe(50);
    expect(warnings()).toBe(2);
    machine.clocks.boot = crypto.randomUUID();
    await machine.restart();
    expect(await machine.run(30)).toBe(30);
    await confirm(machine);
    expect(await machine.run(50)).toBe(0);
  },
);

test("a clock that is set right again holds deletions for a day from then on", async () => {
  const machine = createMachine();
  await machine.run(1);
  machine.jump(40 * day);
  expect(await machine.run(20)).toBe(20);
  machine.jump(-40 * day);
  expect(await machine.run(48)).toBe(24);
  expect(warnings()).toBe(2);
});

test("what was changed in the future holds deletions until somebody confirms the clock, and then no longer", async () => {
  const machine = createMachine();
  await machine.run(1);
  await changeAt(machine.clocks.wall + 5 * day);
  expect(await machine.run(30)).toBe(30);
  await confirm(machine);
  await machine.restart();
  expect(await machine.run(30)).toBe(0);
  await changeAt(machine.clocks.wall + 40 * day);
  expect(await machine.run(2)).toBe(2);
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
  expect(await machine.areDeletionsHeld()).toBe(true);
});

test("jumps between two starts of the server count, as long as the machine runs", async () => {
  const machine = createMachine();
  for (let start = 0; start < 5; start++) {
    await machine.restart();
    await machine.run(1);
    machine.jump(6 * day);
  }
  expect(await machine.run(50)).toBe(50);
  expect(warnings()).toBe(5);
});

test("a pause of less than a week holds nothing, and as long as the machine runs, neither does a longer one", async () => {
  const machine = createMachine();
  await machine.run(1);
  machine.pass(40 * day);
  await machine.restart();
  expect(await machine.areDeletionsHeld()).toBe(false);
  for (const [pause, isHeld] of [
    [6 * day, false],
    [8 * day, true],
  ] as const) {
    await machine.run(1);
    machine.pass(pause);
    machine.clocks.boot = crypto.randomUUID();
    await machine.restart();
    expect([pause, await machine.areDeletionsHeld()]).toEqual([pause, isHeld]);
  }
});

test("all copies of the program keep the hold of one, and log it, each at least until it has known it for a day", async () => {
  const [one, other] = [createMachine(), createMachine()];
  expect(await other.run(30)).toBe(0);
  one.jump(2 * hour);
  expect(await one.areDeletionsHeld()).toBe(true);
  expect(await other.run(23)).toBe(23);
  expect(await one.areDeletionsHeld()).toBe(true);
  expect(warnings()).toBe(2);
});

test("a copy whose clock differs from that of the database server deletes nothing, and neither do the others", async () => {
  const right = createMachine({ shared: 0 });
  expect(await right.run(2)).toBe(0);
  const wrong = createMachine({ wall: right.clocks.wall + 5 * day, shared: -5 * day });
  await wrong.restart();
  expect(await wrong.areDeletionsHeld()).toBe(true);
  expect(await right.run(2)).toBe(2);
  await confirm(right);
  expect(await wrong.areDeletionsHeld()).toBe(true);
  log.flush();
  expect(logged).toContain("120 hours ahead of that of the database server");
});

test("somebody who confirms the clock ends the hold, and a later jump holds again", async () => {
  const machine = createMachine();
  machine.jump(40 * day);
  expect(await machine.run(2)).toBe(2);
  await confirm(machine);
  expect(await machine.run(2)).toBe(0);
  machine.jump(-40 * day);
  expect(await machine.run(1)).toBe(1);
});

test("the steady clock is that of the system which counts sleep, if there is one", () => {
  const [uptime, boot] = [join(scratch, "uptime"), join(scratch, "boot")];
  writeFileSync(uptime, "350735.47 234388.90\n");
  writeFileSync(boot, "a boot\n");
  expect(machineClocks(uptime, boot).read()).toMatchObject({ steady: 350_735_470, boot: "a boot" });
  rmSync(uptime);
  const before = performance.now();
  const { steady, boot: unknown } = machineClocks(uptime, boot).read();
  expect(steady >= before && steady <= performance.now()).toBe(true);
  expect(unknown).toBe("");
});
