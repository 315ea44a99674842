import { hashOfText } from "../../platform/hash.ts";
import { type BuiltFile, listBuiltFiles } from "../../platform/built-files.ts";
import type { Answer } from "../../platform/http/answer.ts";

/** The styles of every theme, the scripts and the fonts of all pages, by their names: `magazine.css`. */
const assets = new Map([...listBuiltFiles("site"), ...listBuiltFiles("fonts")]);
const byURL = new Map(Array.from(assets.values(), (asset) => [urlOf(asset), asset]));

/** Stands in the URL of a text, which then changes with the text. */
export const versionOf = (text: string) => hashOfText(text).slice(0, 10);

/** The URL of an asset changes with its content, so browsers may keep it for ever. */
export function assetURL(name: string): string {
  const asset = assets.get(name);
  if (!asset) throw new Error(`There is no asset ${name}.`);
  return urlOf(asset);
}

export const listAssetURLs = (): string[] => [...byURL.keys()];

export async function findAsset(url: string): Promise<Answer | null> {
  return byURL.get(url)?.read() ?? null;
}

function urlOf({ file }: BuiltFile): string {
  return `/assets/${file}`;
}
