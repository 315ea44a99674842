import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { runCommand, start } from "../processes.ts";
import { progress } from "../rounds.ts";
import { findFreePort } from "./free-port.ts";
import { environmentOf, type Running } from "./vitrine.ts";

/** Another version of this repository, with its dependencies, and built. */
export type Version = { ref: string; commit: string; directory: string };

const root = Bun.fileURLToPath(new URL("../../", import.meta.url));
const startTimeoutMs = 60_000;
const fromCache = ["--prefer-offline", "--fetch-retries=1", "--fetch-timeout=60000"];

/** Throws one sentence if there is no such version, or if it cannot be built. */
export async function checkOut(ref: string, parent: string): Promise<Version> {
  const commit = await findCommit(ref);
  const directory = join(parent, `version-${commit.slice(0, 12)}`);
  progress(`checking out and building ${ref}`);
  try {
    mkdirSync(directory);
    const archive = join(directory, "archive.tar");
    await runCommand(["git", "-C", root, "archive", `--output=${archive}`, commit]);
    await runCommand(["tar", "-xf", archive, "-C", directory]);
    await install(directory);
  } catch (error) {
    throw new Error(`Version ${ref} cannot be built: ${(error as Error).message}`, { cause: error });
  }
  return { ref, commit, directory };
}

export async function findCommit(ref: string): Promise<string> {
  try {
    return (
      await runCommand(["git", "-C", root, "rev-parse", "--verify", "--end-of-options", `${ref}^{commit}`])
    ).trim();
  } catch (error) {
    throw new Error(`This repository has no version ${ref}.`, { cause: error });
  }
}

/** What the lock file of the version names, from npm's cache if possible; if it has a build, all tools as well. */
async function install(directory: string): Promise<void> {
  const { scripts } = JSON.parse(readFileSync(join(directory, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  const isBuilt = "build" in scripts;
  const npm = (...words: string[]) => runCommand(["npm", "--prefix", directory, ...words], npmSettings());
  if (hasSameDependencies(directory)) symlinkSync(join(root, "node_modules"), join(directory, "node_modules"));
  else await npm("ci", ...fromCache, ...(isBuilt ? [] : ["--omit=dev"]));
  if (isBuilt) await npm("run", "build");
}

function hasSameDependencies(directory: string): boolean {
  const read = (path: string) => readFileSync(join(path, "package-lock.json"), "utf8");
  return read(directory) === read(root);
}

/** The environment may name the registry and a proxy. */
function npmSettings(): Record<string, string> {
  const isSetting = (name: string) => /^(npm_config_(?!prefix|local_prefix)|https?_proxy$|no_proxy$)/i.test(name);
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value && isSetting(name) ? [[name, value]] : [])),
  );
}

/** Starts the server of a version on its own runtime. It is ready when it responds: what it prints differs. */
export async function startVersion({ ref, directory }: Version, dataDir: string): Promise<Running> {
  const runtime = (await runCommand(["node", join(directory, "bin/bun"), "--print", "process.execPath"])).trim();
  const port = await findFreePort();
  const child = start(
    [runtime, "--no-orphans", join(directory, "src/main.ts"), "serve"],
    "ignore",
    environmentOf(dataDir, String(port)),
  );
  const url = `http://127.0.0.1:${port}`;
  const until = performance.now() + startTimeoutMs;
  while (!(await isReady(url))) {
    if (child.exitCode !== null || performance.now() > until) throw new Error(`The server of ${ref} does not start.`);
    await Bun.sleep(50);
  }
  return { port, pid: child.pid ?? 0, url };
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/api/v1/photos`)).ok;
  } catch {
    return false;
  }
}
