import { root } from "./root.ts";

/** Builds the code and styles for browsers if their sources have changed. */
export function buildForBrowsers(): void {
  const options = { cwd: root, stdout: "ignore", stderr: "inherit" } as const;
  const { success } = Bun.spawnSync([process.execPath, "bin/build.ts"], options);
  if (!success) throw new Error("The web interface could not be built.");
}
