import { setTimeout } from "node:timers/promises";

/** Waits for work that helps a read and is not needed for it, but not for longer than this. It goes on by itself. */
export async function inTime(milliseconds: number, work: Promise<void>): Promise<void> {
  await Promise.race([work, setTimeout(milliseconds, undefined, { ref: false })]);
}
