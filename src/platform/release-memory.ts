import { collectAfterWork } from "./collect-garbage.ts";

const lookEveryMs = 5000;
/** More processor time than this in such an interval is work that leaves much garbage. */
const busyMicroseconds = 500_000;

/**
 * Returns memory to the system when a busy time has ended, and after the start. `release` frees what else can be freed.
 */
export function releaseMemoryAfterWork(release: () => void): void {
  let before = process.cpuUsage();
  let wasBusy = true;
  const look = () => {
    const { user, system } = process.cpuUsage(before);
    before = process.cpuUsage();
    const isBusy = user + system > busyMicroseconds;
    if (wasBusy && !isBusy) {
      release();
      collectAfterWork();
    }
    wasBusy = isBusy;
  };
  setInterval(look, lookEveryMs).unref();
}
