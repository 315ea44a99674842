// Runs on the embedded engines only: it reads the sources.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../kit/root.ts";
import { mutations } from "./list.ts";
import { readImports } from "../run/imports.ts";
import { mutate, type Mutation } from "./mutation.ts";

const imports = readImports();
const read = (path: string) => readFileSync(join(root, path), "utf8");

test.each(mutations.map((one) => [one.breaks, one] as const))("can still be broken: %s", (_breaks, mutation) => {
  const transpiler = new Bun.Transpiler({ loader: mutation.file.endsWith("x") ? "tsx" : "ts" });
  const source = read(mutation.file);
  const broken = mutate(source, mutation);
  // A program that does not even start would fail every test.
  expect(transpiler.transformSync(broken)).not.toBe(transpiler.transformSync(source));
  // The title of a row is in the file of the kit that goes through the rows.
  const written = [mutation.test, ...(imports.get(mutation.test) ?? [])].map(read).join("");
  expect(written).toContain(`"${mutation.title}"`);
});

test("what protects data or privacy is noticed by npm test: no such test is left to npm run test:long", () => {
  const isLeft = ({ test, title }: Mutation) => {
    const text = read(test);
    const at = text.indexOf(`"${title}"`);
    const call = text.slice(Math.max(0, at - 80), at);
    return (
      /^\/\/ Runs only with TEST_LONG/m.test(text) ||
      /\btestLong\S*\(\s*$|(?:\bif\(isLong|skipIf\(!isLong)[^;]*$/.test(call)
    );
  };
  expect(mutations.filter(isLeft).map(({ breaks }) => breaks)).toEqual([]);
});
