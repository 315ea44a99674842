import { readdirSync, readFileSync } from "node:fs";

/** Processes that belong to a run of the tests: of its session, or with its name in their environment. Only Linux tells. */
export function listProcesses(session: number, mark: string): { id: number; command: string }[] {
  if (process.platform !== "linux") return [];
  const ids = readdirSync("/proc")
    .map(Number)
    .filter((id) => id > 0 && id !== process.pid);
  return ids.flatMap((id) => {
    try {
      const fields = readFileSync(`/proc/${id}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
      const isDead = fields[0] === "Z";
      const belongs = Number(fields[3]) === session || readFileSync(`/proc/${id}/environ`, "utf8").includes(mark);
      if (isDead || !belongs) return [];
      return [{ id, command: readFileSync(`/proc/${id}/cmdline`, "utf8").replaceAll("\0", " ").slice(0, 200) }];
    } catch {
      // It has ended, or belongs to another user.
      return [];
    }
  });
}

/** The processes that are still there some seconds after the tests. They are ended. */
export async function endRemaining(session: number, mark: string): Promise<string[]> {
  for (let turn = 0; turn < 100 && listProcesses(session, mark).length > 0; turn++) await Bun.sleep(100);
  const remaining = listProcesses(session, mark);
  for (const { id } of remaining) {
    try {
      process.kill(id, "SIGKILL");
    } catch {
      // It has ended meanwhile.
    }
  }
  return remaining.map(({ id, command }) => `process ${id}: ${command}`);
}
