// Bundles the program with its bytecode: `npm run bundle -- --outdir=DIRECTORY`.
import { join } from "node:path";
import { parseArgs } from "node:util";

if (import.meta.main) {
  const { values } = parseArgs({ options: { outdir: { type: "string", default: "dist" } } });
  await bundleProgram(values.outdir);
}

/** One CommonJS file, beside which are its bytecode and its source map. */
export async function bundleProgram(directory: string): Promise<void> {
  await Bun.build({
    entrypoints: [join(import.meta.dir, "../src/main.ts")],
    target: "bun",
    format: "cjs",
    bytecode: true,
    minify: true,
    sourcemap: "linked",
    // In a CommonJS module, it is not there.
    define: { "import.meta.path": "module.filename" },
    // They look for native libraries beside their own files.
    external: ["sharp", "@node-rs/argon2", "libheif-js"],
    outdir: directory,
  });
}
