const transpiler = new Bun.Transpiler({ loader: "ts", target: "browser" });

/** TypeScript compiled to JavaScript for browsers. An import of `./name.ts` becomes one of `./name.js`. */
export function toJavaScript(source: string): string {
  return transpiler.transformSync(source).replaceAll(/(from\s*"\.\/[\w-]+)\.ts"/g, '$1.js"');
}
