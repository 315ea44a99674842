import { readFileSync } from "node:fs";

/** Memory of a process that is not backed by a file, in bytes; 0 if the system does not report it. */
export function readMemory(pid: number): number {
  const status = readProc(pid, "status");
  return Number(/^RssAnon:\s*(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
}

/**
 * Processor time that a process has used in all its threads, in milliseconds; null if the system does not report it.
 */
export async function readProcessorTime(pid: number): Promise<number | null> {
  if (process.platform === "win32") return null;
  return process.platform === "linux" ? readTicks(pid) : readFromPs(pid);
}

/** Linux counts in hundredths of a second, whatever the kernel's timer frequency is. */
const millisecondsPerTick = 10;

function readTicks(pid: number): number | null {
  const stat = readProc(pid, "stat");
  // The name of the program is in parentheses and may contain anything; the fields after it are numbered from 3.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const ticks = Number(fields[14 - 3]) + Number(fields[15 - 3]);
  return Number.isNaN(ticks) ? null : ticks * millisecondsPerTick;
}

/** For systems without /proc, such as macOS. */
export async function readFromPs(pid: number): Promise<number | null> {
  const ps = Bun.spawn(["ps", "-o", "time=", "-p", String(pid)], { stdio: ["ignore", "pipe", "ignore"] });
  const time = (await new Response(ps.stdout).text()).trim();
  return time ? parseTime(time) : null;
}

/** `1:02.50`, `00:01:02` or `1-00:01:02`. */
function parseTime(text: string): number {
  const [time = "", days = "0"] = text.split("-").toReversed();
  const seconds = time.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
  return (Number(days) * 86_400 + seconds) * 1000;
}

/** Empty if there is no such process, or no /proc. */
function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return "";
  }
}
