import { existsSync, readFileSync } from "node:fs";

/** `boot` is the same as long as the machine runs; empty if that is not known. */
export type Times = { wall: number; steady: number; boot: string };

/**
 * The time that the clock of the machine shows, and the milliseconds of a clock that nobody sets. Both go on alike, as long as
 * the first is not set.
 */
export type Clocks = { read(): Times };

/**
 * On Linux, the steady clock goes on while the machine sleeps, and counts from its start. Elsewhere the runtime has no such
 * clock: there, a sleep looks as if the clock had been set forward.
 */
export function machineClocks(uptimePath = "/proc/uptime", bootPath = "/proc/sys/kernel/random/boot_id"): Clocks {
  const hasUptime = existsSync(uptimePath);
  const steady = hasUptime ? () => readUptime(uptimePath) : () => performance.now();
  const boot = hasUptime && existsSync(bootPath) ? readFileSync(bootPath, "latin1").trim() : "";
  return { read: () => ({ wall: Date.now(), steady: steady(), boot }) };
}

/** The seconds since the machine was started come first. */
const readUptime = (path: string): number => Number.parseFloat(readFileSync(path, "latin1")) * 1000;
