import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The ids of the processes that this one has started to render Markdown. Works on Linux only. */
export const listRenderProcesses = (): string[] =>
  readdirSync("/proc").filter((name) => {
    const read = (file: string) => readFileSync(join("/proc", name, file), "utf8");
    try {
      return read("cmdline").includes("render-process.ts") && read("status").includes(`PPid:\t${process.pid}\n`);
    } catch {
      return false;
    }
  });

/** Returns a function that lists those that were started since. Others, of servers that were closed, may end meanwhile. */
export function watchRenderProcesses(): () => string[] {
  const before = listRenderProcesses();
  return () => listRenderProcesses().filter((id) => !before.includes(id));
}
