import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../kit/root.ts";

/** A test file, and where it runs. Its first lines say so, with the reason; without such a line it runs everywhere. */
export type TestFile = {
  path: string;
  /** "Runs only with TEST_LONG": `npm run test:long` runs it, `npm test` does not. */
  isLong: boolean;
  /** Whether it also runs on PostgreSQL, S3 and Redis: always, in `npm run test:long`, or never. */
  onServers: "always" | "long" | "never";
};

export const marker =
  /^\/\/ Runs (only with TEST_LONG|on the embedded engines only|on other engines only with TEST_LONG): [a-z].+\.$/;

export function listTestFiles(): TestFile[] {
  const paths = [...new Bun.Glob("{src,convert,tests,studio}/**/*.test.ts").scanSync(root)];
  return paths.toSorted().map((path) => describeFile(path, readFileSync(join(root, path), "utf8")));
}

function describeFile(path: string, text: string): TestFile {
  const marks: string[] = [];
  for (const line of text.split("\n")) {
    const mark = marker.exec(line)?.[1];
    if (!mark) break;
    marks.push(mark);
  }
  // What a browser does does not depend on the engines.
  const usesServer =
    /\/kit\/(server|client|people|engine|use-server|share-site)\.ts";$/m.test(text) && !/\/browser\.ts";$/m.test(text);
  const isLong = marks.includes("only with TEST_LONG");
  return { path, isLong, onServers: usesServer ? onServersOf(path, marks) : "never" };
}

function onServersOf(path: string, marks: readonly string[]): TestFile["onServers"] {
  if (marks.includes("on the embedded engines only")) return "never";
  return marks.length === 0 && isOfSecondPass(path) ? "always" : "long";
}

/** The API, the contract tests of the platform, and a story of each kind of record: `src/content/albums/albums.test.ts`. */
const isOfSecondPass = (path: string): boolean =>
  /^(tests\/api\/|src\/platform\/|src\/content\/(\w+)\/\2\.)/.test(path);
