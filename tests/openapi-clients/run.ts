// Lints the OpenAPI document, generates a client with each generator, and compiles and runs a small program against a server.
// `npm run test:clients` installs the tools into a temporary directory. It needs the network and is not part of `npm
// test`.
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startServer } from "../kit/server.ts";

const tools = [
  "@stoplight/spectral-cli@6.16.3",
  "@redocly/cli@2.73.0",
  "openapi-typescript@7.13.0",
  "openapi-fetch@0.17.0",
  // The last version that runs on Node 20.
  "@hey-api/openapi-ts@0.95.0",
  // The generators need the JavaScript API of TypeScript, which version 7 does not have.
  "typescript@5.9.3",
];

const programs = fileURLToPath(new URL("programs", import.meta.url));
const redoclyConfig = fileURLToPath(new URL("../../redocly.yaml", import.meta.url));
const directory = mkdtempSync(join(tmpdir(), "vitrine-clients-"));

try {
  await using server = await startServer();
  cpSync(programs, directory, { recursive: true });
  writeFileSync(join(directory, "package.json"), JSON.stringify({ private: true, type: "module" }));
  writeFileSync(join(directory, "openapi.json"), await (await fetch(`${server.url}/openapi.json`)).text());
  await run("Install the tools", "npm", [
    "install",
    "--no-save",
    "--no-audit",
    "--no-fund",
    "--ignore-scripts",
    ...tools,
  ]);
  await run("Spectral", "spectral", ["lint", "openapi.json", "--fail-severity=hint"]);
  await run("Redocly", "redocly", ["lint", "openapi.json", `--config=${redoclyConfig}`]);
  await run("Generate with openapi-typescript", "openapi-typescript", [
    "openapi.json",
    "-o",
    "openapi-fetch/schema.d.ts",
  ]);
  await run("Generate with @hey-api/openapi-ts", "openapi-ts", ["-i", "openapi.json", "-o", "hey-api/client"]);
  await run("Compile both programs", "tsc", ["-p", "."]);
  for (const name of ["openapi-fetch", "hey-api"]) {
    await run(`Run the program with ${name}`, process.execPath, [`${name}/program.ts`, server.url]);
  }
  console.log("The document is clean, and both programs compile and run.");
} finally {
  rmSync(directory, { recursive: true, force: true });
}

/** Runs a command in the directory; its output is shown only if it fails. */
async function run(title: string, command: string, words: string[]): Promise<void> {
  console.log(title);
  const child = Bun.spawn([command, ...words], {
    cwd: directory,
    env: {
      ...process.env,
      PATH: `${join(directory, "node_modules/.bin")}:${process.env.PATH}`,
      REDOCLY_TELEMETRY: "off",
      REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
    },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [output, errors, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (code !== 0) throw new Error(`${title} failed:\n${output}${errors}`);
}
