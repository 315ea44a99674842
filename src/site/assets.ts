import { readFileSync } from "node:fs";
import { type Answer, textAnswer } from "../platform/http/answer.ts";
import { hashOfText } from "../platform/hash.ts";
import { bundleScript, type Script } from "../platform/transpile.ts";
import { sources } from "../sources.ts";
import { ratioStyles } from "./ratio.ts";
import { themes } from "../themes/themes.ts";

type Asset = { url: string; answer: Answer };

let assets: Map<string, Asset> | null = null;
let loading: Promise<Map<string, Asset>> | null = null;

/** Must be called before a page is rendered. The files are read, and the scripts bundled, for the first page. */
export async function loadAssets(): Promise<void> {
  if (assets) return;
  loading ??= readAssets().finally(() => (loading = null));
  assets = await loading;
}

/** The styles of every theme, and the scripts, by their names: `magazine.css`. */
async function readAssets(): Promise<Map<string, Asset>> {
  const code = scripts.map(async (name) => {
    const [script, ...others] = await bundleScript(new URL(`site/browser/${name}.ts`, sources));
    return [scriptAsset(`${name}.js`, script), ...others.map((other) => scriptAsset(other.file, other))];
  });
  return new Map([
    ...Object.keys(themes).map(themeAsset),
    ...furtherStyles.map(furtherAsset),
    ...(await Promise.all(code)).flat(),
  ]);
}

const siteStyles = ["frame", "posts", "photos"].map((name) => `site/styles/${name}.css`);
const scripts = ["site"];

/** Stands in the URL of a text, which then changes with the text. */
export const versionOf = (text: string) => hashOfText(text).slice(0, 10);

/** The URL of an asset changes with its content, so browsers may keep it for ever. */
export function assetURL(name: string): string {
  const asset = assets?.get(name);
  if (!asset) throw new Error(`There is no asset ${name}.`);
  return asset.url;
}

export async function findAsset(url: string): Promise<Answer | null> {
  await loadAssets();
  for (const asset of assets?.values() ?? []) if (asset.url === url) return asset.answer;
  return null;
}

function themeAsset(theme: string): [string, Asset] {
  const files = ["design/tokens.css", "design/base.css", "design/parts.css", ...siteStyles];
  const texts = [...files, `themes/${theme}/theme.css`].map(read).map(minifyCSS);
  const text = [...texts, ratioStyles()].join("\n");
  return styleAsset(theme, text);
}

/** Only some pages load them. */
const furtherStyles = ["forms", "lists", "reading"];
const furtherAsset = (name: string) => styleAsset(name, minifyCSS(read(`site/styles/${name}.css`)));

function styleAsset(name: string, text: string): [string, Asset] {
  const url = `/assets/${name}-${versionOf(text)}.css`;
  return [`${name}.css`, createAsset(url, "text/css", text)];
}

const scriptAsset = (name: string, { file, code }: Script): [string, Asset] => [
  name,
  createAsset(`/assets/${file}`, "text/javascript", code),
];

/** Without comments, and without spaces that mean nothing. */
const minifyCSS = (text: string) =>
  text
    .replaceAll(/\/\*.*?\*\//gs, "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ ?([{};,>]) ?/g, "$1")
    .replaceAll(": ", ":")
    .replaceAll("@media (", "@media(")
    .replaceAll(/(?<![\d.])0\.(?=\d)/g, ".")
    .replaceAll(/#([\da-f])\1([\da-f])\2([\da-f])\3\b/g, "#$1$2$3")
    .replaceAll(";}", "}")
    .trim();

const createAsset = (url: string, type: string, text: string): Asset => ({
  url,
  answer: { ...textAnswer(type, text), isImmutable: true },
});

const read = (path: string) => readFileSync(new URL(path, sources), "utf8");
