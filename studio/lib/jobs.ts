import { formatNumber } from "./format.ts";
import { createSharedValue } from "./shared-value.ts";

/** Work of many requests, such as moving 2,000 files. It goes on whatever screen is open, and can be stopped. */
type Job = {
  id: number;
  label: string;
  done: number;
  total: number;
  /** How `done` and `total` are written. */
  print: (amount: number) => string;
  stop: () => void;
};

const jobs = createSharedValue<readonly Job[]>([]);
let lastID = 0;

/** Short work is not shown: no one can read a line that flashes. */
const shownAfter = 400;

type Work<Result> = (report: (done: number) => void, signal: AbortSignal) => Promise<Result>;

/** Runs the work and shows how far it is. If it is stopped, `work` decides what is returned. */
export async function runJob<Result>(
  label: string,
  total: number,
  work: Work<Result>,
  print = formatNumber,
): Promise<Result> {
  const ending = new AbortController();
  const id = ++lastID;
  let job: Job = { id, label, done: 0, total, print, stop: () => ending.abort() };
  const timer = setTimeout(() => jobs.change([...jobs.read(), job]), shownAfter);
  const report = (done: number) => {
    job = { ...job, done };
    const shown = jobs.read();
    if (shown.some((one) => one.id === id)) jobs.change(shown.map((one) => (one.id === id ? job : one)));
  };
  try {
    return await work(report, ending.signal);
  } finally {
    clearTimeout(timer);
    jobs.change(jobs.read().filter((shown) => shown.id !== id));
  }
}

/** Splits what one request cannot take. */
export function* slicesOf<Item>(items: readonly Item[], size: number): Generator<Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

export const useJobs = jobs.use;
