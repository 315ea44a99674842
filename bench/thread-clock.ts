import { dlopen, ptr } from "bun:ffi";

/** Processor time of this thread, in milliseconds. Other work on the machine does not count, except on systems without this C library. */
export function createThreadClock(): () => number {
  const CLOCK_THREAD_CPUTIME_ID = 3;
  try {
    const { symbols } = dlopen("libc.so.6", { clock_gettime: { args: ["i32", "ptr"], returns: "i32" } });
    const time = new BigInt64Array(2);
    const address = ptr(time);
    return () => {
      symbols.clock_gettime(CLOCK_THREAD_CPUTIME_ID, address);
      return Number(time[0]) * 1000 + Number(time[1]) / 1e6;
    };
  } catch {
    return () => performance.now();
  }
}
