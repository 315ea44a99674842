import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { root } from "../kit/root.ts";

export type Package = { version: string; commit: string; main: string };

/** Where no release is tagged yet: the last commit. Before 1.0, it can be upgraded only while schema.sql stays the same. */
const beforeTags = "HEAD";
/** What the newer version adds, as long as no release has a migration. */
const added = "tests/fixtures/migrations/9001_added.sql";

/** The commit that counts as the previous release: PREVIOUS_RELEASE, or the newest tag of an earlier version. */
export async function findPrevious(): Promise<string> {
  if (process.env.PREVIOUS_RELEASE) return process.env.PREVIOUS_RELEASE;
  const tags = (
    await run(["git", "tag", "--list", "v*", "--merged", "HEAD~1", "--sort=-version:refname"], root)
  ).trim();
  return tags.split("\n")[0] || beforeTags;
}

/** `npm pack` of a commit, or of the working tree, unpacked as npm installs it. */
export async function makePackage(directory: string, commit: string | null, version?: string): Promise<Package> {
  const source = join(directory, "source");
  mkdirSync(source, { recursive: true });
  if (commit) {
    await run(["git", "archive", `--output=${join(directory, "source.tar")}`, commit], root);
    await run(["tar", "-xf", join(directory, "source.tar"), "-C", source], root);
  } else copyTree(source);
  const description = JSON.parse(readFileSync(join(source, "package.json"), "utf8"));
  if (version) {
    description.version = version;
    cpSync(join(root, added), join(source, "src/platform/database/migrations", basename(added)));
  }
  writeFileSync(join(source, "package.json"), JSON.stringify(description));
  await install(source, description);
  await run(["npm", "pack", "--silent", "--pack-destination", directory], source);
  await run(["tar", "-xzf", `vitrine-${description.version}.tgz`], directory);
  symlinkSync(join(source, "node_modules"), join(directory, "node_modules"));
  const main = join(directory, "package/dist/main.js");
  return { version: description.version, commit: commit ?? "the working tree", main };
}

function copyTree(target: string): void {
  const ignored = new Set([".git", "node_modules", "build", "dist", "release", "data", ".env", ".cache"]);
  cpSync(root, target, { recursive: true, filter: (path) => path === root || !ignored.has(basename(path)) });
}

type Description = Record<"dependencies" | "optionalDependencies" | "devDependencies", Record<string, string>>;

const packagesOf = ({ dependencies, optionalDependencies, devDependencies }: Description) => ({
  ...dependencies,
  ...optionalDependencies,
  ...devDependencies,
});

/** The packages that are installed here are used if they have the same versions; otherwise npm installs others. */
async function install(source: string, description: Description): Promise<void> {
  const here = packagesOf(JSON.parse(readFileSync(join(root, "package.json"), "utf8")));
  const isSame = Object.entries(packagesOf(description)).every(([name, version]) => here[name] === version);
  if (isSame) symlinkSync(join(root, "node_modules"), join(source, "node_modules"));
  else await run(["npm", "ci", "--prefer-offline", "--no-audit", "--no-fund"], source);
}

async function run(command: string[], cwd: string): Promise<string> {
  const child = Bun.spawn(command, { cwd, stdout: "pipe", stderr: "pipe" });
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (code !== 0) throw new Error(`${command.join(" ")} exited with ${code}: ${stdout}${stderr}`);
  return stdout;
}
