// Runs on the embedded engines only: it reads the sources.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../kit/root.ts";
import { mutations } from "./list.ts";
import { mutate } from "./mutation.ts";

const read = (path: string) => readFileSync(join(root, path), "utf8");

test.each(mutations.map((one) => [one.breaks, one] as const))("can still be broken: %s", (_breaks, mutation) => {
  const transpiler = new Bun.Transpiler({ loader: mutation.file.endsWith("x") ? "tsx" : "ts" });
  const source = read(mutation.file);
  const broken = mutate(source, mutation);
  // A program that does not even start would fail every test.
  expect(transpiler.transformSync(broken)).not.toBe(transpiler.transformSync(source));
  expect(read(mutation.test)).toContain(`"${mutation.title}"`);
});
