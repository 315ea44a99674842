let isBuilt = false;

/** Builds the studio if its sources have changed, which is checked once for all test files of this process. */
export function buildStudio(): void {
  if (isBuilt) return;
  const build = Bun.spawnSync([process.execPath, "bin/build-studio.ts"], { stdout: "ignore", stderr: "inherit" });
  if (!build.success) throw new Error("The studio could not be built.");
  isBuilt = true;
}
