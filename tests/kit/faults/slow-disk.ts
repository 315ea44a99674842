import { beforeAll } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findProgram, needs } from "../optional.ts";
import { useScratch } from "../scratch.ts";

const compiler = process.platform === "linux" ? findProgram("cc", "gcc") : null;
export const { describe: describeOnSlowDisk } = needs("a C compiler on Linux", compiler !== null);

/** A slow disk for the database of a server (`slow-disk.c`), while the tests run. */
export function useSlowDisk(dataDir: string, milliseconds = 10) {
  const directory = useScratch();
  const library = join(directory, "slow-disk.so");
  beforeAll(() => {
    const words = ["-shared", "-fPIC", "-o", library, join(import.meta.dir, "slow-disk.c"), "-ldl"];
    if (!Bun.spawnSync([compiler ?? "cc", ...words]).success) throw new Error("slow-disk.c could not be compiled.");
  });
  return {
    /** What the server is started with. */
    env: {
      LD_PRELOAD: library,
      SLOW_DISK_FILE: join(dataDir, "vitrine.db"),
      SLOW_DISK_MS: String(milliseconds),
      SLOW_DISK_STATE: directory,
    },
    /** A blocked disk answers when it is no longer blocked. */
    begin: (state: "blocked" | "failing") => writeFileSync(join(directory, state), ""),
    end: (state: "blocked" | "failing") => rmSync(join(directory, state)),
  };
}
