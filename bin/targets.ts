// The platforms for which there are executables, and their packages.
import { copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const targets = [
  "linux-x64",
  "linux-arm64",
  "linux-x64-musl",
  "linux-arm64-musl",
  "darwin-x64",
  "darwin-arm64",
] as const;
export type Target = (typeof targets)[number];

/** Something that the person can change; the message is one sentence. */
export class BuildError extends Error {}

const root = join(import.meta.dir, "..");

/** The platform of this machine, by the runtime that npm has installed for it. */
export function findOwnTarget(): Target {
  const own = targets.find((target) => hasRuntime(join(root, "node_modules"), target));
  if (!own) throw new BuildError(`There are no executables for this platform: choose one with --target.`);
  return own;
}

/**
 * The directory with the packages of a platform. For another one than this machine's, npm installs those of the lock file, with
 * the hashes that it has. That needs the registry, once.
 */
export async function installPackages(target: Target): Promise<string> {
  const own = join(root, "node_modules");
  if (hasRuntime(own, target)) return own;
  const directory = join(own, ".cache/vitrine-targets", target);
  const packages = join(directory, "node_modules");
  if (isCurrent(directory) && hasRuntime(packages, target)) return packages;
  mkdirSync(directory, { recursive: true });
  for (const name of ["package.json", "package-lock.json", ".npmrc"]) {
    copyFileSync(join(root, name), join(directory, name));
  }
  const [os, cpu, libc = "glibc"] = target.split("-");
  const options = [`--os=${os}`, `--cpu=${cpu}`, ...(os === "linux" ? [`--libc=${libc}`] : [])];
  const command = ["npm", "ci", "--omit=dev", "--ignore-scripts", "--no-audit", ...options];
  const npm = Bun.spawn(command, { cwd: directory, stdout: "ignore", stderr: "pipe" });
  const [said, code] = await Promise.all([new Response(npm.stderr).text(), npm.exited]);
  if (code === 0 && hasRuntime(packages, target)) return packages;
  const reason = /^npm error (?!code)(.*)$/m.exec(said)?.[1] ?? `it ended with ${code}`;
  throw new BuildError(`The packages for ${target} could not be installed, because "npm ci" failed: ${reason}`);
}

/** Of the files that match, in a directory of packages. */
export const findFiles = (packages: string, pattern: string): string[] =>
  [...new Bun.Glob(pattern).scanSync({ cwd: packages })].toSorted();

/** Packages call the same processor arm64 and aarch64. */
export function findRuntime(packages: string, target: Target): string {
  return join(packages, `@oven/bun-${target.replace("arm64", "aarch64")}/bin/bun`);
}

const hasRuntime = (packages: string, target: Target) => existsSync(findRuntime(packages, target));

function isCurrent(directory: string): boolean {
  const [here, there] = [root, directory].map((each) => join(each, "package-lock.json"));
  return existsSync(there ?? "") && readFileSync(here ?? "", "utf8") === readFileSync(there ?? "", "utf8");
}
