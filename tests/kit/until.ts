/** What is soon there is seen soon; what takes longer is not asked for all the time. */
const [shortestPauseMs, longestPauseMs] = [20, 100];

/**
 * Reads until what was read is as expected, and returns it. A minute is more than a busy machine needs: it ends only what does not happen
 * at all, and the error shows the last value.
 */
export async function until<Value>(
  read: () => Value,
  isDone: (value: Awaited<Value>) => unknown = Boolean,
  maxMs = 60_000,
): Promise<Awaited<Value>> {
  const end = performance.now() + maxMs;
  for (let pauseMs = shortestPauseMs; ; pauseMs = Math.min(pauseMs * 1.2, longestPauseMs)) {
    const value = await read();
    if (isDone(value)) return value;
    if (performance.now() > end) {
      const last = Bun.inspect(value).slice(0, 2000);
      const [reader, test] = [String(read), String(isDone)];
      throw new Error(`Not within ${maxMs / 1000} seconds: ${test} of ${reader}. The last value was ${last}`);
    }
    await Bun.sleep(pauseMs);
  }
}
