import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findProgram, needs } from "../optional.ts";

const compiler = process.platform === "linux" ? findProgram("cc", "gcc") : null;
export const onSlowDisk = (disk: object | null) => needs("a C compiler on Linux", disk !== null);

/** A slow disk for the database of a server (`slow-disk.c`); null where it cannot be made. */
export function makeSlowDisk(dataDir: string, milliseconds = 10) {
  const directory = mkdtempSync(join(tmpdir(), "vitrine-slow-disk-"));
  const library = join(directory, "slow-disk.so");
  const words = ["-shared", "-fPIC", "-o", library, join(import.meta.dir, "slow-disk.c"), "-ldl"];
  if (!compiler || !Bun.spawnSync([compiler, ...words]).success) return null;
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
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}
