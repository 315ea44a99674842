import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { root } from "../kit/root.ts";

/** Which files each file imports; paths are relative to the project. */
export type Imports = Map<string, string[]>;

export function readImports(): Imports {
  const paths = [...new Bun.Glob("{src,convert,tests,studio,client,bench}/**/*.{ts,tsx}").scanSync(root)];
  const loaders = { ts: new Bun.Transpiler({ loader: "ts" }), tsx: new Bun.Transpiler({ loader: "tsx" }) };
  return new Map(
    paths.map((path) => {
      const found = loaders[path.endsWith("x") ? "tsx" : "ts"].scanImports(readFileSync(join(root, path), "utf8"));
      const own = found.filter((one) => one.path.startsWith("."));
      return [path, own.map((one) => normalize(join(dirname(path), one.path)))];
    }),
  );
}

/** All files that import one of these, directly or through others. What imports them only through a file of `except` is left out. */
export function reachedFrom(imports: Imports, files: Iterable<string>, except: (path: string) => boolean): Set<string> {
  const importers = new Map<string, string[]>();
  for (const [from, targets] of imports)
    for (const to of targets) importers.set(to, [...(importers.get(to) ?? []), from]);
  const reached = new Set(files);
  for (const file of reached)
    if (!except(file)) for (const importer of importers.get(file) ?? []) reached.add(importer);
  return reached;
}
