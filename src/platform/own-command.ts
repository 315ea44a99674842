import { existsSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { getLibraryCache } from "./libraries.ts";
import { programRoot } from "./program-root.ts";

const isExecutable = Bun.isStandaloneExecutable;
/** The file that a person runs. */
export const ownProgram = isExecutable ? process.execPath : fileURLToPath(new URL("bin/vitrine", programRoot));

const childPrograms = {
  decoder: "src/platform/images/decoder-process.ts",
  renderer: "src/platform/markdown/render-process.ts",
  pageReader: "src/features/openweb/page-process.ts",
  placeChecker: "src/platform/database/place-process.ts",
  converter: "convert/main.ts",
};
const threadPrograms = { writer: "src/platform/database/writer-thread.ts" };
/** Child processes and threads of an executable are the same file, with one of these words before the others (`src/executable.ts`). */
export const childWords = {
  decoder: "child-process:decoder",
  renderer: "child-process:renderer",
  pageReader: "child-process:page-reader",
  placeChecker: "child-process:place-checker",
  converter: "child-process:converter",
  command: "child-process:command",
  writer: "thread:writer",
};

/** The words that start a child process. */
export function childCommand(name: keyof typeof childPrograms): string[] {
  if (isExecutable) return [process.execPath, childWords[name], getLibraryCache()];
  return [process.execPath, fileURLToPath(new URL(childPrograms[name], programRoot))];
}

/** The file that a thread runs, and its words. */
export function threadProgram(name: keyof typeof threadPrograms): { file: string; argv: string[] } {
  if (isExecutable) return { file: Bun.main, argv: [childWords[name]] };
  return { file: fileURLToPath(new URL(threadPrograms[name], programRoot)), argv: [] };
}

/**
 * The environment of a child process. It does not need ours and must not see it; nor the `.env` file in the current directory,
 * which the runtime would read. (Executables ignore its option `--no-env-file`.)
 */
export const childEnvironment = { BUN_OPTIONS: "--env-file=/dev/null" };

/**
 * How a person in this directory runs this program: `npx vitrine` where npx finds this very program, because elsewhere it
 * would ask the registry for a package of that name; else by its name, if that is found, or by its path.
 */
export function findOwnCommand(): string {
  if (!isExecutable && Bun.which("npx") && isFoundByNpx(process.cwd())) return "npx vitrine";
  if (isSame(Bun.which("vitrine"))) return "vitrine";
  if (isExecutable) return quoteForShell(ownProgram);
  const words = existsSync(ownProgram) && Bun.which("node") ? ["node", ownProgram] : [process.execPath, Bun.main];
  return words.map(quoteForShell).join(" ");
}

export const quoteForShell = (word: string) =>
  /^[\w./@+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

/** npx looks into the package of a directory, and into the packages that are installed in it and above it. */
function isFoundByNpx(directory: string): boolean {
  const isPackage = existsSync(join(directory, "package.json"));
  if (isPackage && isSame(join(directory, "bin/vitrine"))) return true;
  if (isSame(join(directory, "node_modules/.bin/vitrine"))) return true;
  const above = dirname(directory);
  const isProject = isPackage || existsSync(join(directory, "node_modules"));
  return !isProject && above !== directory && isFoundByNpx(above);
}

function isSame(path: string | null): boolean {
  try {
    return path !== null && realpathSync(resolve(path)) === realpathSync(ownProgram);
  } catch {
    return false;
  }
}

/** The exit code of a command that has done all it could, and has warned. */
export const doneWithWarnings = 3;

type RunOptions = {
  signal?: AbortSignal;
  /** Called with each line of its output. */
  printed?(line: string): void;
};

/** Runs another command of this program in a process of its own, which ends with this one, or when the signal says so. */
export async function runOwnCommand(
  words: string[],
  { signal, printed }: RunOptions = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  const child = spawnOwnCommand(words, signal);
  const [stdout, stderr, code] = await Promise.all([
    readLines(child.stdout, printed),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, stdout, stderr };
}

/** The same for a command whose output is bytes. It waits while nobody reads them. */
export function streamOwnCommand(
  words: string[],
  signal: AbortSignal,
): { stdout: ReadableStream<Uint8Array>; ended: Promise<{ code: number; stderr: string }> } {
  const child = spawnOwnCommand(words, signal);
  const end = async () => ({ stderr: await new Response(child.stderr).text(), code: await child.exited });
  return { stdout: child.stdout, ended: end() };
}

function spawnOwnCommand(words: string[], signal: AbortSignal | undefined) {
  const main = fileURLToPath(new URL("src/main.ts", programRoot));
  const before = isExecutable ? [childWords.command] : ["--no-orphans", main];
  return Bun.spawn([process.execPath, ...before, ...words], {
    ...(signal && { signal }),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
}

async function readLines(stream: ReadableStream<Uint8Array>, printed: (line: string) => void = () => {}) {
  const decoder = new TextDecoder();
  let [text, rest] = ["", ""];
  for await (const chunk of stream) {
    const part = decoder.decode(chunk, { stream: true });
    text += part;
    const lines = `${rest}${part}`.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) printed(line);
  }
  return text;
}
