import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { programRoot } from "./program-root.ts";
import { type Answer, textAnswer } from "./http/answer.ts";

/** What the build says of a part of it, in `build.json`. */
export type Build = {
  /** A hash of what it was built from. */
  sources: string;
  /** The files, with the names by which the server knows them. */
  files: { name: string; file: string; isNamedByContent: boolean }[];
};

export type BuiltFile = { file: string; answer: Answer };

const directoryOf = (part: string) => new URL(`build/${part}/`, programRoot);

/** A clone has no files for browsers before they are built; packages and images have them. */
export const isBuilt = (part: string): boolean => existsSync(new URL("build.json", directoryOf(part)));

/** When the part was built. It may be built again while the server runs. */
export async function findBuildTime(part: string): Promise<number> {
  return (await stat(new URL("build.json", directoryOf(part)))).mtimeMs;
}

/** The files of one part of `build/`, as `npm run build` has written them, by their names. */
export async function readBuiltFiles(
  part: string,
  headers: Record<string, string> = {},
): Promise<Map<string, BuiltFile>> {
  const directory = directoryOf(part);
  const readBytes = async (file: string) => new Uint8Array(await readFile(new URL(file, directory)));
  const { files } = JSON.parse(await readFile(new URL("build.json", directory), "utf8")) as Build;
  const built = files.map(async ({ name, file, isNamedByContent }) => {
    const [text, zstd, br, gzip] = await Promise.all([
      readFile(new URL(file, directory), "utf8"),
      readBytes(`${file}.zst`),
      readBytes(`${file}.br`),
      readBytes(`${file}.gz`),
    ]);
    const plain = textAnswer(file.endsWith(".css") ? "text/css" : "text/javascript", text, headers);
    const answer: Answer = {
      ...plain,
      precompressed: { zstd, br, gzip },
      ...(isNamedByContent && { isImmutable: true }),
    };
    return [name, { file, answer }] as const;
  });
  return new Map(await Promise.all(built));
}
