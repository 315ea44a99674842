// Writes dist/: one JavaScript file, and the types. `npm pack` runs it.
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { writeClient } from "./generate.ts";

const here = fileURLToPath(new URL(".", import.meta.url));

await writeClient();
rmSync(`${here}dist`, { recursive: true, force: true });
mkdirSync(`${here}dist`);
const { outputs } = await Bun.build({ entrypoints: [`${here}src/index.ts`], target: "browser" });
for (const output of outputs) writeFileSync(`${here}dist/index.js`, await output.text());

// There is no compiler here that writes declarations. These two files contain nothing else, so they can be copied.
for (const path of ["../build/client/api.ts", "src/types.ts"]) {
  const source = readFileSync(here + path, "utf8");
  const name = basename(path, ".ts");
  writeFileSync(`${here}dist/${name}.d.ts`, source.replaceAll(/from "\.[^"]*?(\w+)\.ts"/g, 'from "./$1.js"'));
}
copyFileSync(`${here}index.d.ts`, `${here}dist/index.d.ts`);
