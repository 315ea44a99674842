// Builds the studio into build/studio, if its sources have changed since it was last built. With --current, one that was
// built from earlier sources is not enough.
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from "node:zlib";
import type { Build } from "../src/studio/app.ts";

const root = join(import.meta.dir, "..");
const target = join(root, "build/studio");

const sources = await hashSources();
const tailwind = await import("bun-plugin-tailwind").catch(() => null);
const last = await readBuild();
if (last?.sources === sources) process.exit();
const advice =
  'that needs the development packages: run "npm ci" without --omit=dev, or install the package of a release (docs/deploy.md)';
if (tailwind) await build(tailwind.default);
else if (last && !process.argv.includes("--current")) {
  console.log(`The studio is older than its sources. It was not built again, because ${advice}.`);
} else {
  console.error(`vitrine: The studio cannot be built, because ${advice}.`);
  process.exit(1);
}

async function build(styles: Bun.BunPlugin): Promise<void> {
  const begin = performance.now();
  process.stdout.write("Building the studio…");
  const [app, worker] = await Promise.all([
    bundle("main.tsx", "[name]-[hash].[ext]", styles),
    bundle("worker.ts", "[name].[ext]", styles),
  ]);
  const draft = `${target}.${process.pid}`;
  await mkdir(draft, { recursive: true });
  for (const { path, bytes } of app) {
    await writeFile(join(draft, path), bytes);
    await writeFile(
      join(draft, `${path}.zst`),
      zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 19 } }),
    );
    await writeFile(join(draft, `${path}.br`), brotliCompressSync(bytes));
    await writeFile(join(draft, `${path}.gz`), gzipSync(bytes, { level: 9 }));
  }
  for (const { path, bytes } of worker) await writeFile(join(draft, path), bytes);
  const named = (pattern: RegExp) => app.find(({ path, isEntry }) => isEntry && pattern.test(path))?.path ?? "";
  const files = app.map(({ path }) => path);
  const result: Build = { sources, script: named(/\.js$/), style: named(/\.css$/), files };
  await writeFile(join(draft, "build.json"), JSON.stringify(result));
  await rm(target, { recursive: true, force: true });
  await rename(draft, target);
  console.log(` done in ${((performance.now() - begin) / 1000).toFixed(1)} s.`);
}

async function bundle(entry: string, naming: string, styles: Bun.BunPlugin) {
  const { outputs } = await Bun.build({
    entrypoints: [join(root, "src/studio/browser", entry)],
    target: "browser",
    splitting: entry.endsWith("x"),
    minify: true,
    define: { "process.env.NODE_ENV": '"production"' },
    naming: { entry: naming, chunk: naming, asset: naming },
    plugins: [styles],
  });
  return Promise.all(
    outputs.map(async (output) => ({
      path: basename(output.path),
      isEntry: output.kind === "entry-point" || output.path.endsWith(".css"),
      bytes: new Uint8Array(await output.arrayBuffer()),
    })),
  );
}

async function hashSources(): Promise<string> {
  const globs = ["src/studio/browser/**/*", "src/design/*", "client/src/*", "bin/build-studio.ts", "package-lock.json"];
  const found = globs.map((glob) => Array.fromAsync(new Bun.Glob(glob).scan({ cwd: root })));
  const files = (await Promise.all(found)).flat().toSorted();
  const hash = new Bun.CryptoHasher("sha256");
  for (const file of files) hash.update(file).update(await readFile(join(root, file)));
  return hash.digest("hex");
}

async function readBuild(): Promise<Build | null> {
  try {
    return JSON.parse(await readFile(join(target, "build.json"), "utf8")) as Build;
  } catch {
    return null;
  }
}
