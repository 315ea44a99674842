import { basename } from "node:path";
import { fileURLToPath } from "node:url";

const transpiler = new Bun.Transpiler({ loader: "ts", target: "browser" });

/** TypeScript compiled to JavaScript for browsers. An import of `./name.ts` becomes one of `./name.js`. */
export function toJavaScript(source: string): string {
  return transpiler.transformSync(source).replaceAll(/(from\s*"\.\/[\w-]+)\.ts"/g, '$1.js"');
}

/** A script for browsers. Its file name changes with its code. */
export type Script = { file: string; code: string };

/**
 * A TypeScript file with all that it imports, as a script for browsers. What it imports while it runs, with `import()`, becomes
 * a script of its own, in a file beside the first.
 */
export async function bundleScript(source: URL): Promise<[Script, ...Script[]]> {
  const name = "[name]-[hash].[ext]";
  const { outputs } = await Bun.build({
    entrypoints: [fileURLToPath(source)],
    target: "browser",
    splitting: true,
    minify: true,
    naming: { entry: name, chunk: name },
  });
  const scripts = outputs.map(async (output) => ({
    kind: output.kind,
    file: basename(output.path),
    code: await output.text(),
  }));
  const [first, ...others] = (await Promise.all(scripts)).toSorted(
    (one, other) => Number(other.kind === "entry-point") - Number(one.kind === "entry-point"),
  );
  if (!first) throw new Error(`${source.pathname} has no script.`);
  return [first, ...others];
}
