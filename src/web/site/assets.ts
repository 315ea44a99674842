import { hashOfText } from "../../platform/hash.ts";
import { type BuiltFile, listBuiltFiles } from "../../platform/built-files.ts";
import type { Answer } from "../../platform/http/answer.ts";

/** The styles of every theme, and the scripts, by their names: `magazine.css`. */
const assets = listBuiltFiles("site");

/** Stands in the URL of a text, which then changes with the text. */
export const versionOf = (text: string) => hashOfText(text).slice(0, 10);

/** The URL of an asset changes with its content, so browsers may keep it for ever. */
export function assetURL(name: string): string {
  const asset = assets.get(name);
  if (!asset) throw new Error(`There is no asset ${name}.`);
  return urlOf(asset);
}

export async function findAsset(url: string): Promise<Answer | null> {
  for (const asset of assets.values()) if (urlOf(asset) === url) return asset.read();
  return null;
}

const urlOf = ({ file }: BuiltFile) => `/assets/${file}`;
