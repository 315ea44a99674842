import { statfsSync } from "node:fs";
import type { Metrics } from "./metrics.ts";

/** Seconds. */
const delayBounds = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];
const tick = 100;

/** Metrics of the process and the machine. `stop` ends the timer that measures the delay of the event loop. */
export function measureProcess({ gauge, histogram }: Metrics, dataDir: string): { stop(): void } {
  const add = (name: string, help: string, read: () => number) => gauge(name, help)(read);
  add("process_start_time_seconds", "Start time of the process, in seconds since 1970.", readStartTime);
  add("process_cpu_seconds_total", "Processor time used by the process.", readProcessorTime);
  add("process_resident_memory_bytes", "Memory used by the process.", () => process.memoryUsage.rss());
  add("vitrine_data_directory_free_bytes", "Free space where DATA_DIR is.", () => readSpace(dataDir, "bavail"));
  add("vitrine_data_directory_size_bytes", "Disk size where DATA_DIR is.", () => readSpace(dataDir, "blocks"));

  const delays = histogram("vitrine_event_loop_delay_seconds", "How late timers run.", delayBounds)();
  let due = performance.now() + tick;
  const timer = setInterval(() => {
    const now = performance.now();
    delays.observe(Math.max(now - due, 0) / 1000);
    due = now + tick;
  }, tick);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

const readStartTime = () => performance.timeOrigin / 1000;

function readProcessorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** NaN if the directory cannot be reached. */
function readSpace(directory: string, kind: "bavail" | "blocks"): number {
  try {
    const found = statfsSync(directory);
    return found[kind] * found.bsize;
  } catch {
    return Number.NaN;
  }
}
