const transpiler = new Bun.Transpiler({ loader: "ts", target: "browser" });

/** TypeScript as the JavaScript that a browser runs. An import of `./name.ts` becomes one of `./name.js`. */
export function toJavaScript(source: string): string {
  return transpiler.transformSync(source).replaceAll(/(from\s*"\.\/[\w-]+)\.ts"/g, '$1.js"');
}
