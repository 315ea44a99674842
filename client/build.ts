// Writes dist/: one JavaScript file, and the types. `npm pack` runs it.
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));

rmSync(`${here}dist`, { recursive: true, force: true });
mkdirSync(`${here}dist`);
const { outputs } = await Bun.build({ entrypoints: [`${here}src/index.ts`], target: "browser" });
for (const output of outputs) writeFileSync(`${here}dist/index.js`, await output.text());

// There is no compiler here that writes declarations. These two files contain nothing else, so they can be copied.
for (const name of ["api", "types"]) {
  const source = readFileSync(`${here}src/${name}.ts`, "utf8");
  writeFileSync(`${here}dist/${name}.d.ts`, source.replaceAll(/from "(\.\/\w+)\.ts"/g, 'from "$1.js"'));
}
copyFileSync(`${here}index.d.ts`, `${here}dist/index.d.ts`);
