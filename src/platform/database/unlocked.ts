import { isLocked, locked } from "../disk-errors.ts";

/** How long a request waits for another process that has locked the database. */
export const longestWait = 5000;
const longestPause = 50;

/**
 * Runs `attempt` again, with growing pauses, as long as another process has locked the database. Other requests are handled
 * meanwhile. When the time is up, it throws a problem that says so.
 */
export async function whenUnlocked<Result>(
  attempt: () => Result | Promise<Result>,
  deadline = performance.now() + longestWait,
): Promise<Result> {
  for (let pause = 1; ; pause = Math.min(pause * 2, longestPause)) {
    try {
      return await attempt();
    } catch (error) {
      if (!isLocked(error)) throw error;
      if (performance.now() + pause > deadline) throw locked();
    }
    await Bun.sleep(pause);
  }
}
