/** What the reader has seen since it was last asked, in milliseconds for each request. */
export type Seen = { cached: number[]; fresh: number[] };

type Series = { times: number[]; current: Promise<void> };

const interval = 5;
let number = 0;

// A process of its own: what the attacking process does is not counted as a delay of the server.
process.on("message", (message: { url: string } | "take") => {
  if (message === "take") void take();
  else {
    series.cached = read(() => `${message.url}/api/v1/photos`);
    series.fresh = read(() => `${message.url}/api/v1/photos?n=${number++}`);
  }
});

const series: Partial<Record<keyof Seen, Series>> = {};

/** Waits for the requests under way, so that a delay is counted where it began. */
async function take(): Promise<void> {
  const all = Object.values(series);
  await Promise.all(all.map(({ current }) => current));
  const seen = Object.fromEntries(Object.entries(series).map(([name, { times }]) => [name, times.splice(0)]));
  process.send?.(seen);
}

function read(address: () => string): Series {
  const own: Series = { times: [], current: Promise.resolve() };
  const next = () => {
    const started = performance.now();
    own.current = fetch(address())
      .then((response) => response.arrayBuffer())
      .then(() => record(own.times, performance.now() - started))
      // The attacking process finds out itself that there is no server.
      .catch(() => {});
    void own.current.then(() => setTimeout(next, Math.max(0, interval - (performance.now() - started))));
  };
  next();
  return own;
}

/** A client that does not wait for its last answer would have sent the next requests meanwhile: they count, too. */
function record(times: number[], milliseconds: number): void {
  for (let waited = milliseconds; waited > 0; waited -= interval) times.push(waited);
}
