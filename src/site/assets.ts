import { readFileSync } from "node:fs";
import { type Answer, textAnswer } from "../platform/http/answer.ts";
import { hashOfText } from "../platform/hash.ts";
import { toJavaScript } from "../platform/transpile.ts";
import { sources } from "../sources.ts";
import { themes } from "./themes/themes.ts";

type Asset = { url: string; answer: Answer };

let assets: Map<string, Asset> | null = null;

/** By their names, such as `magazine.css`. They are read when a page is first requested. */
const allAssets = () => (assets ??= readAssets());

/** The styles of every theme, and the scripts. */
function readAssets(): Map<string, Asset> {
  const styles = Object.keys(themes).map((theme) => {
    const files = [
      "design/tokens.css",
      "design/base.css",
      "design/parts.css",
      ...siteStyles,
      `site/themes/${theme}/theme.css`,
    ];
    return createAsset(theme, "css", "text/css", files.map(read).map(minifyCSS).join("\n"));
  });
  const code = scripts.map((name) =>
    createAsset(name, "js", "text/javascript", toJavaScript(read(`site/browser/${name}.ts`))),
  );
  return new Map([...styles, ...code]);
}

const siteStyles = ["frame", "posts", "photos", "lists", "forms"].map((name) => `site/styles/${name}.css`);
const scripts = ["site"];

/** The URL of an asset changes with its content, so browsers may keep it for ever. */
export function assetURL(name: string): string {
  const asset = allAssets().get(name);
  if (!asset) throw new Error(`There is no asset ${name}.`);
  return asset.url;
}

export function findAsset(url: string): Answer | null {
  for (const asset of allAssets().values()) if (asset.url === url) return asset.answer;
  return null;
}

function createAsset(name: string, extension: string, type: string, text: string): [string, Asset] {
  const url = `/assets/${name}-${hashOfText(text).slice(0, 10)}.${extension}`;
  return [`${name}.${extension}`, { url, answer: { ...textAnswer(type, text), isImmutable: true } }];
}

/** Without comments and indentation. */
const minifyCSS = (text: string) =>
  text
    .replaceAll(/\/\*.*?\*\//gs, "")
    .replaceAll(/\s*\n\s*/g, "\n")
    .trim();

const read = (path: string) => readFileSync(new URL(path, sources), "utf8");
