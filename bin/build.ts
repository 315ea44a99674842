// Builds all that browsers load into build/: the fonts, the studio, the site and the API page, each if its sources have
// changed since it was last built. With --current, one that was built from earlier sources is not enough. Before them come the
// types and operations of the client of the API, which follow from the server. With --program, the program is bundled, too.
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from "node:zlib";
import { type Build, isCompressed } from "../src/platform/built-files.ts";
import { writeClient } from "../client/generate.ts";
import { ratioStyles } from "../src/web/site/ratio.ts";
import { drawWorlds } from "./world.ts";
import { bundleProgram } from "./bundle.ts";
import { themeNames } from "../src/core/settings/settings.ts";
import { fontStyles, hasFonts, listFirstFonts, listFontFiles } from "./fonts.ts";
import { readSources, recordFitting } from "./sources.ts";

/** A file as the server knows it, and as it is stored: with a hash of its content in the name, if it has an address of its own. */
type Output = Build["files"][number] & { bytes: Uint8Array };
type Source = { name: string; sources: string[] };
type Part = Source & { build(styles: Bun.BunPlugin): Promise<Output[]> };

const design = ["src/web/design/tokens.css", "src/web/design/base.css", "src/web/design/parts.css"];

const parts: Part[] = [
  // The packages are in the lock file, which every part is built from.
  { name: "fonts", sources: [], build: async () => listFontFiles() },
  {
    name: "studio",
    sources: [
      "studio/**/*",
      "src/web/design/**/*",
      "src/platform/{mercator,slug,markdown/excerpt}.ts",
      "client/src/*",
      "build/client/*.ts",
    ],
    build: async (styles) => {
      const outputs = (await bundle("studio/main.tsx", { plugins: [styles] })).map(addFonts);
      const files = outputs.map(({ file }) => file);
      const script = outputs.find(({ name }) => name === "main.js")?.file;
      const fonts = listFirstFonts();
      const version = hashOf([...files, ...fonts].toSorted().join("\n"));
      const define = { studioBuild: JSON.stringify({ script, files, fonts, version }) };
      return [...outputs, ...(await bundle("studio/worker.ts", { isNamedByContent: false, define }))];
    },
  },
  {
    name: "site",
    sources: [
      "src/web/site/browser/*",
      "src/web/site/styles/*",
      "src/web/site/ratio.ts",
      "src/web/site/search/copied-index.ts",
      "src/platform/search/words.ts",
      "src/platform/mercator.ts",
      "bin/world.ts",
      "src/web/themes/**/*",
      "src/web/design/**/*",
    ],
    build: async () => [
      ...(await bundle("src/web/site/browser/site.ts")),
      ...(await Promise.all(themeNames.map(buildTheme))),
      ...(await bundle("src/web/site/browser/map.ts")),
      ...(await bundle("src/web/site/browser/guests.ts")),
      ...(await bundle("src/web/site/browser/search.ts")),
      ...(await Promise.all(["forms", "lists", "map", "reading"].map(buildPageStyle))),
      ...(await drawWorlds()).map(({ name, text }) => outputOf(name, "svg", text)),
    ],
  },
  {
    name: "api-page",
    sources: ["src/web/api-page/browser/*", "src/web/api-page/assets/*", "src/web/design/**/*"],
    build: async () => [
      ...(await bundle("src/web/api-page/browser/docs.ts", { isNamedByContent: false })),
      styleOf("design", `${fontStyles()}\n${await joinStyles(design)}`, false),
      styleOf("docs", await joinStyles(["src/web/api-page/assets/docs.css"]), false),
      styleOf("operation", await joinStyles(["src/web/api-page/assets/operation.css"]), false),
    ],
  },
];

const client: Source = { name: "client", sources: ["src/**/*.{ts,tsx}", "client/*.ts"] };
const program: Source = {
  name: "program",
  sources: ["src/**/*", "convert/**/*", "bin/bundle.ts", "package.json", "node_modules/.package-lock.json"],
};

/** The bundler's hashes depend on the paths of the sources from here. They are the same for all copies of a server. */
process.chdir(join(import.meta.dir, ".."));
await main();

async function main(): Promise<void> {
  const sources = readSources();
  const isBuilt = await buildForBrowsers();
  if (!process.argv.includes("--program")) return;
  await buildProgram();
  if (isBuilt) recordFitting(sources);
}

/** Returns whether all of it fits its sources. */
async function buildForBrowsers(): Promise<boolean> {
  // Only the studio and the tests import it: both need the development packages.
  if (hasFonts()) await generateClient();
  const states = await Promise.all(parts.map(async (part) => ({ part, ...(await findState(part)) })));
  const stale = states.filter(({ last, sources }) => last?.sources !== sources);
  if (stale.length === 0) return true;
  const tailwind = hasFonts() ? await import("bun-plugin-tailwind").catch(() => null) : null;
  const advice =
    'that needs the development packages: run "npm ci" without --omit=dev, or install the package of a release (docs/operate/deploy.md)';
  if (tailwind) {
    await show("Building the web interface", async () => {
      for (const { part, sources } of stale) await write(part.name, sources, await part.build(tailwind.default));
    });
    return true;
  }
  if (stale.every(({ last }) => last) && !process.argv.includes("--current")) {
    console.log(`The web interface is older than its sources. It was not built again, because ${advice}.`);
  } else {
    console.error(`vitrine: The web interface cannot be built, because ${advice}.`);
    process.exitCode = 1;
  }
  return false;
}

async function buildProgram(): Promise<void> {
  const { sources, last } = await findState(program);
  if (last?.sources === sources) return;
  const draft = `build/program.${process.pid}`;
  await show("Bundling the program", async () => {
    await bundleProgram(draft);
    await finish("program", draft, { sources, files: [] });
  });
}

async function show(title: string, work: () => Promise<void>): Promise<void> {
  const begin = performance.now();
  process.stdout.write(`${title}…`);
  await work();
  console.log(` done in ${((performance.now() - begin) / 1000).toFixed(1)} s.`);
}

async function generateClient(): Promise<void> {
  const { sources, last } = await findState(client);
  if (last?.sources === sources) return;
  await writeClient();
  await writeFile("build/client/build.json", JSON.stringify({ sources, files: [] } satisfies Build));
}

/** What a part would be built from, and what it was last built from. */
async function findState({ name, sources }: Source): Promise<{ sources: string; last: Build | null }> {
  const globs = [...sources, "bin/build.ts", "bin/fonts.ts", "package-lock.json"];
  const found = globs.map((glob) => Array.fromAsync(new Bun.Glob(glob).scan({ dot: glob.includes("/.") })));
  const files = (await Promise.all(found))
    .flat()
    .filter((file) => !/\.test\.tsx?$/.test(file))
    .toSorted();
  const hash = new Bun.CryptoHasher("sha256");
  for (const file of files) hash.update(file).update(await readFile(file));
  const last = await readFile(`build/${name}/build.json`, "utf8").catch(() => "null");
  return { sources: hash.digest("hex"), last: JSON.parse(last) as Build | null };
}

async function write(name: string, sources: string, outputs: Output[]): Promise<void> {
  const draft = `build/${name}.${process.pid}`;
  await mkdir(draft, { recursive: true });
  for (const { file, bytes } of outputs) {
    await writeFile(join(draft, file), bytes);
    if (isCompressed(file)) continue;
    const level = { [constants.ZSTD_c_compressionLevel]: 19 };
    await writeFile(join(draft, `${file}.zst`), zstdCompressSync(bytes, { params: level }));
    await writeFile(join(draft, `${file}.br`), brotliCompressSync(bytes));
    await writeFile(join(draft, `${file}.gz`), gzipSync(bytes, { level: 9 }));
  }
  const files = outputs.map(({ bytes: _, ...described }) => described);
  await finish(name, draft, { sources, files });
}

/** Replaces the part as a whole, also while another process builds the same. */
async function finish(name: string, draft: string, build: Build): Promise<void> {
  const target = `build/${name}`;
  await writeFile(join(draft, "build.json"), JSON.stringify(build));
  for (let tries = 1; ; tries++) {
    await rm(target, { recursive: true, force: true });
    try {
      await rename(draft, target);
      return;
    } catch (error) {
      if (tries === 5) throw error;
    }
  }
}

type BundleOptions = { isNamedByContent?: boolean; plugins?: Bun.BunPlugin[]; define?: Record<string, string> };

/**
 * A script with all that it imports, and with its styles. What it imports while it runs, with `import()`, becomes a script of
 * its own.
 */
async function bundle(
  entry: string,
  { isNamedByContent = true, plugins = [], define = {} }: BundleOptions = {},
): Promise<Output[]> {
  const naming = isNamedByContent ? "[name]-[hash].[ext]" : "[name].[ext]";
  const { outputs } = await Bun.build({
    entrypoints: [entry],
    target: "browser",
    splitting: isNamedByContent,
    minify: true,
    define: { "process.env.NODE_ENV": '"production"', ...define },
    naming: { entry: naming, chunk: naming, asset: naming },
    plugins,
  });
  const [main = ""] = basename(entry).split(".");
  return Promise.all(
    outputs.map(async (output) => {
      const file = basename(output.path);
      const extension = file.endsWith(".css") ? "css" : "js";
      const isEntry = output.kind === "entry-point" || extension === "css";
      const bytes = new Uint8Array(await output.arrayBuffer());
      return { name: isEntry ? `${main}.${extension}` : file, file, isNamedByContent, bytes };
    }),
  );
}

/** What all pages of the site load. */
async function buildTheme(theme: string): Promise<Output> {
  const files = ["frame", "posts", "photos"].map((name) => `src/web/site/styles/${name}.css`);
  const text = await joinStyles([...design, ...files, `src/web/themes/${theme}/theme.css`]);
  return styleOf(theme, `${fontStyles()}\n${text}\n${ratioStyles()}`);
}

/** Not by an `@import`: the bundler would look for the files. */
function addFonts(output: Output): Output {
  const { name, bytes } = output;
  if (!name.endsWith(".css")) return output;
  return styleOf(name.slice(0, -4), `${fontStyles()}\n${new TextDecoder().decode(bytes)}`);
}

/** What only some of them load. */
async function buildPageStyle(name: string): Promise<Output> {
  const shared = name === "map" ? ["src/web/design/map.css"] : [];
  return styleOf(name, await joinStyles([...shared, `src/web/site/styles/${name}.css`]));
}

function styleOf(name: string, text: string, isNamedByContent = true): Output {
  return outputOf(name, "css", text, isNamedByContent);
}

function outputOf(name: string, extension: string, text: string, isNamedByContent = true): Output {
  const file = isNamedByContent ? `${name}-${hashOf(text)}.${extension}` : `${name}.${extension}`;
  return { name: `${name}.${extension}`, file, isNamedByContent, bytes: Buffer.from(text) };
}

function hashOf(text: string): string {
  return new Bun.CryptoHasher("sha256").update(text).digest("hex").slice(0, 10);
}

async function joinStyles(files: string[]): Promise<string> {
  const texts = await Promise.all(files.map((file) => readFile(file, "utf8")));
  return texts.map(minifyCSS).join("\n");
}

/** Without comments, and without spaces that mean nothing. */
function minifyCSS(text: string): string {
  return text
    .replaceAll(/\/\*.*?\*\//gs, "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ ?([{};,>]) ?/g, "$1")
    .replaceAll(": ", ":")
    .replaceAll("@media (", "@media(")
    .replaceAll(/(?<![\d.])0\.(?=\d)/g, ".")
    .replaceAll(/#([\da-f])\1([\da-f])\2([\da-f])\3\b/g, "#$1$2$3")
    .replaceAll(";}", "}")
    .trim();
}
