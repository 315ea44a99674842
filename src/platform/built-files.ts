import { existsSync, readFileSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { programRoot } from "./program-root.ts";
import { type Answer, bytesAnswer, textAnswer } from "./http/answer.ts";
import { once } from "./once.ts";

/** What the build says of a part of it, in `build.json`. */
export type Build = {
  /** A hash of what it was built from. */
  sources: string;
  /** The files, with the names by which the server knows them. */
  files: { name: string; file: string; isNamedByContent: boolean }[];
};

/** `read` reads the file when it is first requested, and keeps it. */
export type BuiltFile = { file: string; read(): Promise<Answer> };

/** Fonts are compressed in themselves. */
export const isCompressed = (file: string): boolean => file.endsWith(".woff2");

const types: Record<string, string> = {
  css: "text/css",
  js: "text/javascript",
  svg: "image/svg+xml",
  txt: "text/plain",
};
const typeOf = (file: string) => types[file.slice(file.lastIndexOf(".") + 1)] ?? "application/octet-stream";

const directoryOf = (part: string) => new URL(`build/${part}/`, programRoot);

/** A clone has no files for browsers before they are built; packages and images have them. */
export const isBuilt = (part: string): boolean => existsSync(new URL("build.json", directoryOf(part)));

/** When the part was built. It may be built again while the server runs. */
export async function findBuildTime(part: string): Promise<number> {
  return (await stat(new URL("build.json", directoryOf(part)))).mtimeMs;
}

/** The files of one part of `build/`, as `npm run build` has written them, by their names. */
export function listBuiltFiles(part: string, headers: Record<string, string> = {}): Map<string, BuiltFile> {
  const directory = directoryOf(part);
  const readBytes = async (file: string) => new Uint8Array(await readFile(new URL(file, directory)));
  const { files } = JSON.parse(readFileSync(new URL("build.json", directory), "utf8")) as Build;
  const readAnswer = async ({ file, isNamedByContent }: Build["files"][number]): Promise<Answer> => {
    const kept = isNamedByContent && ({ isImmutable: true } as const);
    if (isCompressed(file)) return { ...bytesAnswer("font/woff2", await readBytes(file), headers), ...kept };
    const [text, zstd, br, gzip] = await Promise.all([
      readFile(new URL(file, directory), "utf8"),
      readBytes(`${file}.zst`),
      readBytes(`${file}.br`),
      readBytes(`${file}.gz`),
    ]);
    return { ...textAnswer(typeOf(file), text, headers), precompressed: { zstd, br, gzip }, ...kept };
  };
  return new Map(files.map((built) => [built.name, { file: built.file, read: once(() => readAnswer(built)) }]));
}
