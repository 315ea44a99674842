const lookEveryMs = 5000;
/** More processor time than this in such an interval is work that leaves much garbage. */
const busyMicroseconds = 500_000;

/**
 * Returns memory to the system when a busy time has ended, and after the start. The runtime collects garbage only while
 * more of it is made, so a server without requests would keep what the last busy minute has left. The collection runs
 * beside the event loop. `release` frees what else can be freed.
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
      Bun.gc(false);
    }
    wasBusy = isBusy;
  };
  setInterval(look, lookEveryMs).unref();
}
