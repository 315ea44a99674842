import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { hashOfText } from "./hash.ts";

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
  const built = await Promise.all(
    outputs
      .toSorted((one, other) => rank(one) - rank(other))
      .map(async (output) => ({ file: basename(output.path), hash: output.hash ?? "", code: await output.text() })),
  );
  return renameScripts(built);
}

type Built = Script & { hash: string };

/**
 * Gives the scripts names by their code alone. The bundler's hashes also depend on the directory of the sources, which need not
 * be the same for all copies of a server.
 */
function renameScripts(built: Built[]): [Script, ...Script[]] {
  const rename = (text: string, nameOf: (script: Built) => string) =>
    built.reduce((changed, script) => changed.replaceAll(script.hash, nameOf(script)), text);
  const withoutHashes = built.map(({ code }) => rename(code, ({ file, hash }) => file.replace(hash, "")));
  const version = hashOfText(withoutHashes.join("\n"));
  const nameOf = ({ file, hash }: Built) => hashOfText(version + file.replace(hash, "")).slice(0, 10);
  const [entry, ...others] = built.map(({ file, code }) => ({
    file: rename(file, nameOf),
    code: rename(code, nameOf),
  }));
  if (!entry) throw new Error("The bundler has made no script.");
  return [entry, ...others];
}

const rank = ({ kind }: Bun.BuildArtifact) => (kind === "entry-point" ? 0 : 1);
