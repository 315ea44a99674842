import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "../kit/root.ts";

const globs = ["{src,convert,studio}/**/*.{ts,tsx}", "{tests,bench}/**/*.ts", "bin/*.ts", "client/*.ts"];
const files = globs.flatMap((glob) => [...new Bun.Glob(glob).scanSync(root)]);
const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), "utf8")]));

/** For each file the names that others import, and the files that import it while they run. */
const imported = new Map(files.map((file) => [file, { names: new Set<string>(), by: [] as string[] }]));
for (const [file, text] of texts) {
  const find = (path = "") => imported.get(join(dirname(file), path));
  for (const [, names = "", path] of text.matchAll(/^(?:import|export)[^"';]*?\{([^}]*)\} from "(\.[^"]+)"/gm)) {
    for (const name of names.matchAll(/(?:^|,)\s*(?:type )?(\w+)/g)) find(path)?.names.add(name[1] ?? "");
  }
  for (const [, path] of text.matchAll(/\bimport\(\s*"(\.[^"]+)"\s*\)/g)) find(path)?.by.push(text);
}

function exportsOf(text: string): string[] {
  const single = /^export (?:async )?(?:function\*?|const|let|class|type) (\w+)/gm;
  const several = /^export const [[{]([^\]}]+)[\]}]/gm;
  return [
    ...Array.from(text.matchAll(single), ([, name = ""]) => name),
    ...Array.from(text.matchAll(several), ([, names = ""]) => names.split(",").map((name) => name.trim())).flat(),
  ].filter(Boolean);
}

test("every export of the sources is imported by another file, or by a test", () => {
  const exported = [...texts].flatMap(([file, text]) =>
    /^(src|convert|studio)\//.test(file) ? exportsOf(text).map((name) => ({ file, name })) : [],
  );
  expect(exported.length).toBeGreaterThan(1000);
  const unused = exported.filter(({ file, name }) => {
    const { names, by } = imported.get(file) ?? { names: new Set(), by: [] };
    return !names.has(name) && !by.some((text) => new RegExp(`\\b${name}\\b`).test(text));
  });
  expect(unused.map(({ file, name }) => `${file}: ${name}`)).toEqual([]);
});
