// Builds the program as one file for a platform, with all that it needs: `npm run executable -- --target linux-x64`.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Libraries } from "../src/platform/libraries.ts";
import { BuildError, findFiles, findOwnTarget, findRuntime, installPackages, type Target, targets } from "./targets.ts";

const root = join(import.meta.dir, "..");

/** The native libraries: which files of the packages they are, the one to load first. */
const libraryFiles: Record<string, string[]> = {
  sharp: ["@img/sharp-*/lib/*.node", "@img/sharp-libvips-*/lib/*.{so,dylib}*"],
  argon2: ["@node-rs/argon2-*/*.node"],
};

/** What the program reads while it runs: files for browsers, and all of `src/` that is not code. */
const assets = ["build/**/*", "src/**/*"];
const isCode = (path: string) => /\.tsx?$|\/browser\/|^build\/(client|program)\//.test(path);

if (import.meta.main) await main();

async function main(): Promise<void> {
  try {
    const options = { target: { type: "string" }, out: { type: "string" } } as const;
    const { values } = parseArgs({ options });
    const target = readTarget(values.target);
    const file = resolve(values.out ?? `release/vitrine-${target}`);
    await buildExecutable(target, file);
    console.log(await describeExecutable(target, file));
  } catch (error) {
    if (!(error instanceof BuildError) && !(error instanceof TypeError)) throw error;
    console.error(`vitrine: ${error.message}`);
    process.exitCode = 1;
  }
}

function readTarget(name: string | undefined): Target {
  if (name === undefined) return findOwnTarget();
  const target = targets.find((each) => each === name);
  if (!target) throw new BuildError(`--target must be one of ${targets.join(", ")}.`);
  return target;
}

/** The files for browsers must have been built. Throws a BuildError if packages of the platform are missing. */
export async function buildExecutable(target: Target, file: string): Promise<void> {
  const packages = await installPackages(target);
  // Inside the project: the paths of the sources from here are in the executable, and are the same wherever it is built.
  mkdirSync(join(root, "node_modules/.cache"), { recursive: true });
  const stage = mkdtempSync(join(root, "node_modules/.cache/vitrine-"));
  const before = process.cwd();
  try {
    copyAssets(stage);
    copyLibraries(packages, join(stage, "libraries"));
    // Files inside the executable have their paths from here.
    process.chdir(stage);
    await compile(target, findRuntime(packages, target), join(stage, "vitrine"));
    mkdirSync(dirname(file), { recursive: true });
    cpSync(join(stage, "vitrine"), `${file}.new`);
    renameSync(`${file}.new`, file);
  } finally {
    process.chdir(before);
    rmSync(stage, { recursive: true, force: true });
  }
}

function copyAssets(stage: string): void {
  const paths = assets.flatMap((pattern) => findFiles(root, pattern)).filter((path) => !isCode(path));
  for (const path of paths) cpSync(join(root, path), join(stage, path));
}

/** The places of the files to each other stay the same, because libraries find others by them. */
function copyLibraries(packages: string, directory: string): void {
  const libraries: Libraries = {};
  for (const [name, patterns] of Object.entries(libraryFiles)) {
    const paths = patterns.flatMap((pattern) => findFiles(packages, pattern));
    if (paths.length !== patterns.length) throw new BuildError(`The files of ${name} were not found: run "npm ci".`);
    libraries[name] = paths.map((path) => ({ path, sha256: hashFile(join(packages, path)) }));
    for (const path of paths) cpSync(join(packages, path), join(directory, path));
  }
  writeFileSync(join(directory, "libraries.json"), JSON.stringify(libraries));
}

export function hashFile(path: string): string {
  return new Bun.CryptoHasher("sha256").update(readFileSync(path)).digest("hex");
}

async function compile(target: Target, runtime: string, outfile: string): Promise<void> {
  await Bun.build({
    entrypoints: [join(root, "src/executable.ts")],
    target: "bun",
    // As in `npm run bundle`. Without the other values, packages would get paths of the machine that builds.
    format: "cjs",
    define: {
      "import.meta.path": "module.filename",
      "import.meta.url": '"file:///"',
      __dirname: '"/"',
      __filename: '"/"',
    },
    bytecode: true,
    minify: true,
    sourcemap: "linked",
    plugins: [{ name: "libraries", setup: loadEmbeddedLibraries }],
    compile: {
      target: `bun-${target}`,
      executablePath: runtime,
      outfile,
      assets: ["build", "libraries", "src"],
      // A file of this name in the current directory could change what runs.
      autoloadBunfig: false,
    },
  });
}

/** The modules with which packages look for their libraries in node_modules are replaced. */
function loadEmbeddedLibraries(build: Bun.PluginBuilder): void {
  const name: keyof typeof import("../src/platform/libraries.ts") = "loadLibrary";
  const importing = `import { ${name} } from ${JSON.stringify(join(root, "src/platform/libraries.ts"))};`;
  build.onLoad({ filter: /node_modules\/sharp\/dist\/sharp\.mjs$/ }, () => ({
    contents: `${importing} export default loadLibrary("sharp");`,
    loader: "js",
  }));
  build.onLoad({ filter: /node_modules\/@node-rs\/argon2\/index\.js$/ }, () => ({
    contents: `${importing} export const { hash, verify } = loadLibrary("argon2");`,
    loader: "js",
  }));
}

/** Its size, and how long it takes to its first response, if it runs here. */
export async function describeExecutable(target: Target, file: string): Promise<string> {
  const size = `${basename(file)}: ${Math.round(statSync(file).size / 1e6)} MB`;
  if (target !== findOwnTarget()) return `${size}, not started, because it is for another platform`;
  const directory = mkdtempSync(join(tmpdir(), "vitrine-start-"));
  try {
    // The first start creates the database and unpacks the libraries.
    await measureStart(file, directory);
    const milliseconds = await measureStart(file, directory);
    return `${size}, starts in ${Math.round(milliseconds)} ms`;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function measureStart(file: string, directory: string): Promise<number> {
  const began = performance.now();
  const env = {
    DATA_DIR: join(directory, "data"),
    PORT: "0",
    HOST: "127.0.0.1",
    DRAIN_SECONDS: "0",
    LOG_LEVEL: "warn",
  };
  const server = Bun.spawn([file, "serve"], { cwd: directory, env, stdout: "pipe", stderr: "inherit" });
  try {
    let said = "";
    for await (const chunk of server.stdout.pipeThrough(new TextDecoderStream())) {
      said += chunk;
      const url = /running at (\S+)\n/.exec(said)?.[1];
      if (!url) continue;
      await fetch(`${url}/livez`);
      return performance.now() - began;
    }
    throw new BuildError(`${file} was built, but it does not start.`);
  } finally {
    server.kill();
    await server.exited;
  }
}
