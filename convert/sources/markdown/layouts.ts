import type { TreeFile } from "../../../src/platform/archives/tree.ts";
import { readFrontMatter, readSettings } from "../../../src/platform/front-matter.ts";
import { isHiddenFile, readText } from "../files.ts";
import { keyOf, nameOf } from "../items.ts";
import { type Fields, textField } from "./fields.ts";
import { namesLinkedIn } from "./obsidian.ts";

type Program = "hugo" | "jekyll" | "obsidian" | "plain";

/** How a program lays out its texts. */
export type Layout = {
  program: Program;
  /** The names of the folders above it. */
  root: string[];
  settings: Fields;
};

const isText = (file: TreeFile) => /\.(md|markdown|mdown)$/i.test(nameOf(file));
const longestSettings = 2 ** 20;
/** So many texts tell whether a folder is a blog. */
const textsSeen = 60;

/** By the files that only one program has; or else by its texts, most of which have a title. Null if it is no such folder. */
export async function findLayout(files: TreeFile[]): Promise<Layout | null> {
  const names = new Set(files.map(keyOf));
  const folders = new Set(
    files.flatMap(({ path }) => path.slice(0, -1).map((_, index) => path.slice(0, index + 1).join("/"))),
  );
  const texts = files.filter(isText);
  if (texts.length === 0 && !files.some(({ path }) => path.includes("_posts"))) return null;
  for (const root of rootsIn(files)) {
    const at = (name: string) => [...root, name].join("/");
    if (folders.has(at(".obsidian"))) return { program: "obsidian", root, settings: {} };
    const hugo = findNamed(files, root, /^(hugo|config)\.(toml|ya?ml|json)$/);
    if (folders.has(at("content")) && (hugo || folders.has(at("config/_default"))))
      return {
        program: "hugo",
        root,
        settings: await settingsIn(hugo ?? findNamed(files, [...root, "config", "_default"], /^(hugo|config)\./)),
      };
    const jekyll = findNamed(files, root, /^_config\.(ya?ml|toml)$/);
    if (folders.has(at("_posts")) || (jekyll && (folders.has(at("_drafts")) || names.has(at("index.md")))))
      return { program: "jekyll", root, settings: await settingsIn(jekyll) };
  }
  const { linked, titled, seen } = await readSome(texts, files);
  const hasTitles = titled * 2 > seen && (seen > 1 || files.length <= 20);
  // A blog may have some links of this form, too.
  if (linked > 1 && linked * (hasTitles ? 2 : 10) >= seen && othersIn(files) <= texts.length)
    return { program: "obsidian", root: rootsIn(files).at(-1) ?? [], settings: {} };
  return hasTitles ? { program: "plain", root: [], settings: {} } : null;
}

/** What people add to their texts, and no program does. */
export const isOfPeople = (name: string): boolean =>
  /\.(jpe?g|png|gif|webp|avif|heic|svg|mp4|mov|webm|mp3|m4a|pdf|zip|docx?|xlsx?|odt)$/i.test(name);

/** How many files are neither texts nor what people add to them. */
const othersIn = (files: TreeFile[]): number =>
  files.filter((file) => !isText(file) && !isHiddenFile(file) && !isOfPeople(nameOf(file))).length;

/** The top; or the only folder in it, as archives often have one: beside a blog, anything else would be lost. */
function rootsIn(files: TreeFile[]): string[][] {
  const tops = new Set(files.map(({ path }) => (path.length > 1 ? path[0] : undefined)));
  const [only] = tops;
  return tops.size === 1 && only !== undefined ? [[], [only]] : [[]];
}

const findNamed = (files: TreeFile[], root: string[], name: RegExp): TreeFile | undefined =>
  files.find(
    ({ path }) =>
      path.length === root.length + 1 &&
      root.every((one, index) => path[index] === one) &&
      name.test(path.at(-1) ?? ""),
  );

async function settingsIn(file: TreeFile | undefined): Promise<Fields> {
  const text = file ? await readText(file, longestSettings).catch(() => null) : null;
  return (text !== null && readSettings(file?.path.at(-1) ?? "", text)) || {};
}

/** How many of the first texts have links to other files by their names, as in a vault, and how many a title. */
async function readSome(
  texts: TreeFile[],
  files: TreeFile[],
): Promise<{ linked: number; titled: number; seen: number }> {
  const names = new Set(files.map(({ path }) => (path.at(-1) ?? "").toLowerCase().normalize("NFC")));
  const isHere = (name: string) => names.has(name) || names.has(`${name}.md`);
  const found = { linked: 0, titled: 0, seen: 0 };
  for (const file of texts.slice(0, textsSeen)) {
    found.seen++;
    const text = await readText(file, 2 ** 22).catch(() => null);
    if (text === null) continue;
    if (textField(readFrontMatter(text).fields, "title") !== "") found.titled++;
    if (namesLinkedIn(text).some(isHere)) found.linked++;
  }
  return found;
}

/** Folders of a program itself, and what it writes. */
const ownFolders: Record<Program, RegExp> = {
  hugo: /^(?!content$)/,
  jekyll: /^(_site|_layouts|_includes|_sass|_data|_plugins|vendor|node_modules|\..*)$/,
  obsidian: /^\./,
  plain: /^(node_modules|\..*)$/,
};

/** Whether a file is a text to import, by its path below the root. */
export function isTextOf(program: Program, path: string[]): boolean {
  const name = path.at(-1) ?? "";
  const hasText =
    program === "hugo" || program === "jekyll" ? /\.(md|markdown|mdown|html?)$/i : /\.(md|markdown|mdown)$/i;
  if (!hasText.test(name)) return false;
  const folders = path.slice(0, -1);
  if (program === "hugo") return folders[0] === "content";
  if (folders.some((folder) => ownFolders[program].test(folder))) return false;
  if (program === "jekyll" && folders.length === 0 && /^(index|404|readme|license)\./i.test(name)) return false;
  return true;
}
