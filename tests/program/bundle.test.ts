// Runs on the embedded engines only: it is about how the program is built and started.
import { expect, test } from "bun:test";
import {
  cpSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import lock from "../../package-lock.json";
import { root } from "../kit/root.ts";
import { newDirectory, useScratch } from "../kit/scratch.ts";
import { until } from "../kit/until.ts";

const scratch = useScratch();

/** A clone in which all for browsers is built, and whose program is as short as this. */
function makeClone(main: string): string {
  const clone = newDirectory(scratch);
  const names = [
    "bin",
    "client",
    "convert",
    "src",
    "studio",
    "build",
    "package.json",
    "package-lock.json",
    "tsconfig.json",
  ];
  for (const name of names) cpSync(join(root, name), join(clone, name), { recursive: true });
  rmSync(join(clone, "build/program"), { recursive: true, force: true });
  // Without those for development, only the program can be built.
  for (const [path, { dev }] of Object.entries(lock.packages as Record<string, { dev?: boolean }>)) {
    if (!path || dev || path.lastIndexOf("node_modules/") > 0 || !existsSync(join(root, path))) continue;
    mkdirSync(dirname(join(clone, path)), { recursive: true });
    symlinkSync(join(root, path), join(clone, path));
  }
  writeFileSync(join(clone, "src/main.ts"), main);
  return clone;
}

async function start(clone: string, words: string[] = []) {
  const child = Bun.spawn([join(clone, "bin/start"), ...words], { cwd: clone, stdout: "pipe", stderr: "pipe" });
  const [stdout, stderr, code] = [
    await new Response(child.stdout).text(),
    await new Response(child.stderr).text(),
    await child.exited,
  ];
  return { last: stdout.trimEnd().split("\n").at(-1), stdout, stderr, code };
}

const printing = (text: string) =>
  `console.log("${text}", process.argv.slice(2).join(), import.meta.path);\nprocess.exit(3);\n`;

test("npm start bundles the program when its sources have changed, whatever their times say, and only then", async () => {
  const clone = makeClone(printing("one"));
  const [main, bundle] = [join(clone, "src/main.ts"), join(clone, "build/program/main.js")];
  const begun = await start(clone, ["serve", "--port", "1"]);
  expect(begun).toMatchObject({ last: expect.stringMatching(/^one serve,--port,1 /), stderr: "", code: 3 });
  // A file that has just been written is not trusted: until then, the sources are run.
  await until(
    () => start(clone),
    ({ last }) => last === `one  ${bundle}`,
  );
  const { mtimeMs } = statSync(bundle);
  expect(await start(clone)).toEqual({ last: `one  ${bundle}`, stdout: `one  ${bundle}\n`, stderr: "", code: 3 });
  expect(statSync(bundle).mtimeMs).toBe(mtimeMs);

  const before = statSync(main);
  writeFileSync(main, printing("two"));
  utimesSync(main, before.atime, before.mtime);
  expect(statSync(main).size).toBe(before.size);
  expect((await start(clone)).last).toStartWith("two ");
  await until(
    () => start(clone),
    ({ last }) => last === `two  ${bundle}`,
  );

  // As git or a backup brings an older file back.
  const older = join(clone, "older.ts");
  writeFileSync(older, printing("one"));
  utimesSync(older, before.atime, before.mtime);
  renameSync(older, main);
  expect((await start(clone)).last).toStartWith("one ");

  // A clone that was copied has other times, and the same content.
  const copy = newDirectory(scratch);
  await until(
    () => start(clone),
    ({ stdout }) => stdout === `one  ${bundle}\n`,
  );
  cpSync(clone, copy, { recursive: true, verbatimSymlinks: true });
  expect((await start(copy)).stdout).not.toContain("Bundling");
});
