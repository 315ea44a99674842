// Makes all files of a release in a directory, and publishes nothing: `npm run release -- --dry-run`.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import lock from "../package-lock.json";
import { name, version } from "../package.json";
import { buildExecutable, describeExecutable, hashFile } from "./executable.ts";
import { describePackages } from "./sbom.ts";
import { BuildError, targets } from "./targets.ts";

const options = {
  "dry-run": { type: "boolean" },
  "without-executables": { type: "boolean" },
  out: { type: "string" },
} as const;

process.chdir(join(import.meta.dir, ".."));
await main();

async function main(): Promise<void> {
  try {
    const { values } = parseArgs({ options });
    const notes = await readNotes(values["dry-run"] === true);
    const directory = resolve(values.out ?? `release/${version}`);
    createEmpty(directory);
    await pack(directory);
    await archiveImageContext(join(directory, `${name}-${version}-image.tar.gz`));
    const packages = describePackages(lock, name, version);
    writeFileSync(join(directory, `${name}-${version}.cdx.json`), `${JSON.stringify(packages, null, 2)}\n`);
    writeFileSync(join(directory, "NOTES.md"), notes);
    if (!values["without-executables"]) await buildExecutables(directory);
    writeSums(directory);
    console.log(describeRelease(directory, values["dry-run"] === true));
  } catch (error) {
    if (!(error instanceof BuildError) && !(error instanceof TypeError)) throw error;
    console.error(`vitrine: ${error.message}`);
    process.exitCode = 1;
  }
}

/** The section of this version in the changelog; for a trial, the first section if the version has none yet. */
async function readNotes(isDryRun: boolean): Promise<string> {
  const advice = "or try it with --dry-run";
  if (!isDryRun && (await run(["git", "status", "--porcelain"])) !== "") {
    throw new BuildError(`There are changes that are not committed: commit them, ${advice}.`);
  }
  const sections = readFileSync("CHANGELOG.md", "utf8").split(/^## /m).slice(1);
  const isOfVersion = (section: string) => /^(\S+)(?! \(unreleased\))/.exec(section)?.[1] === version;
  const section = sections.find(isOfVersion) ?? (isDryRun ? sections[0] : undefined);
  if (!section) throw new BuildError(`CHANGELOG.md has no section "## ${version} (DATE)": write it, ${advice}.`);
  return `## ${section.trimEnd()}\n`;
}

function createEmpty(directory: string): void {
  mkdirSync(directory, { recursive: true });
  if (readdirSync(directory).length > 0) throw new BuildError(`${directory} is not empty: remove it first.`);
}

async function pack(directory: string): Promise<void> {
  await run(["npm", "pack", "--silent", "--pack-destination", directory]);
}

/** What `docker build` needs: the Dockerfile, and the files that .dockerignore does not leave out. */
async function archiveImageContext(file: string): Promise<void> {
  const included = readFileSync(".dockerignore", "utf8").matchAll(/^!(.*)$/gm);
  const paths = ["Dockerfile", ".dockerignore", ...[...included].map(([, path = ""]) => path)];
  await run(["git", "archive", "--format=tar.gz", `--output=${file}`, "HEAD", ...paths]);
}

/** For each platform whose packages can be installed here. */
async function buildExecutables(directory: string): Promise<void> {
  for (const target of targets) {
    const file = join(directory, `${name}-${version}-${target}`);
    try {
      await buildExecutable(target, file);
      console.log(await describeExecutable(target, file));
    } catch (error) {
      if (!(error instanceof BuildError)) throw error;
      console.log(`${name}-${version}-${target}: not built. ${error.message}`);
    }
  }
}

/** In the format of sha256sum. */
function writeSums(directory: string): void {
  const lines = readdirSync(directory)
    .toSorted()
    .map((file) => `${hashFile(join(directory, file))}  ${file}\n`);
  writeFileSync(join(directory, "SHA256SUMS"), lines.join(""));
}

function describeRelease(directory: string, isDryRun: boolean): string {
  const files = readdirSync(directory).toSorted();
  const made = `${directory} has ${files.join(", ")}.`;
  if (isDryRun) return `${made}\nThis was a trial: the commands that publish a release are not shown.`;
  const tag = `v${version}`;
  return [
    made,
    "Nothing has been published. To do that:",
    `  git tag --annotate ${tag} --message "Vitrine ${version}" && git push origin main ${tag}`,
    `  gh release create ${tag} --title "Vitrine ${version}" --notes-file ${join(directory, "NOTES.md")} ${directory}/*`,
    `  npm publish ${join(directory, `${name}-${version}.tgz`)}`,
    `  docker build --tag ${name}:${version} - < ${join(directory, `${name}-${version}-image.tar.gz`)}`,
  ].join("\n");
}

/** Returns what the command prints. */
async function run(command: string[]): Promise<string> {
  const child = Bun.spawn(command, { stdout: "pipe", stderr: "pipe" });
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (code === 0) return stdout;
  throw new BuildError(`"${command.slice(0, 2).join(" ")}" failed: ${stderr.trim().split("\n").at(-1)}`);
}
