/** The durations of requests since the last report, in milliseconds. */
export type Seen = { cached: number[]; fresh: number[] };

type Series = { times: number[]; current: Promise<void> };

const interval = 5;

// A separate process, so that the work of the attacking process does not count as a delay of the server.
process.on("message", (message: { url: string } | "take") => {
  if (message === "take") void take();
  else {
    series.cached = read(`${message.url}/api/v1/photos`, {});
    // With such a header, the response does not come from memory.
    series.fresh = read(`${message.url}/api/v1/photos`, { Authorization: "none" });
  }
});

const series: Partial<Record<keyof Seen, Series>> = {};

/** Waits for the running requests, so that a delay is counted where it started. */
async function take(): Promise<void> {
  const all = Object.values(series);
  await Promise.all(all.map(({ current }) => current));
  const seen = Object.fromEntries(Object.entries(series).map(([name, { times }]) => [name, times.splice(0)]));
  process.send?.(seen);
}

function read(url: string, headers: Record<string, string>): Series {
  const own: Series = { times: [], current: Promise.resolve() };
  const next = () => {
    const started = performance.now();
    own.current = fetch(url, { headers })
      .then((response) => response.arrayBuffer())
      .then(() => record(own.times, performance.now() - started))
      // The attacking process notices by itself if the server is down.
      .catch(() => {});
    void own.current.then(() => setTimeout(next, Math.max(0, interval - (performance.now() - started))));
  };
  next();
  return own;
}

/**
 * A client that does not wait for the last response would have sent further requests in the meantime: they count, too.
 */
function record(times: number[], milliseconds: number): void {
  for (let waited = milliseconds; waited > 0; waited -= interval) times.push(waited);
}
