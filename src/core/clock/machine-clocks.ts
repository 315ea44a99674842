import { existsSync, readFileSync } from "node:fs";

/**
 * The time that the clock of the machine shows, and the milliseconds of a clock that nobody sets. Both go on alike, as long as
 * the first is not set.
 */
export type Clocks = { read(): { wall: number; steady: number } };

/**
 * On Linux, the steady clock goes on while the machine sleeps. Elsewhere the runtime has no such clock: there, a sleep looks
 * as if the clock had been set forward.
 */
export function machineClocks(uptimePath = "/proc/uptime"): Clocks {
  const steady = existsSync(uptimePath) ? () => readUptime(uptimePath) : () => performance.now();
  return { read: () => ({ wall: Date.now(), steady: steady() }) };
}

/** The seconds since the machine was started come first. */
const readUptime = (path: string): number => Number.parseFloat(readFileSync(path, "latin1")) * 1000;
