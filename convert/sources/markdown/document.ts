import type { TreeFile } from "../../../src/platform/archives/tree.ts";
import type { FrontMatter } from "../../../src/platform/front-matter.ts";
import { slugOf } from "../../../src/platform/slug.ts";
import { readTime } from "../texts.ts";
import { addressesOf } from "./addresses.ts";
import { type Fields, isOff, isOn, listField, textField } from "./fields.ts";
import type { Layout } from "./layouts.ts";

/** A text of the source, and what its front matter and its place say of it. `path` is below the root of the source. */
export type Document = ReturnType<typeof readDocument>;

export function readDocument(file: TreeFile, path: string[], matter: FrontMatter, layout: Layout) {
  const { fields } = matter;
  const { program } = layout;
  const name = (path.at(-1) ?? "").replace(/\.[^.]{1,10}$/, "");
  const dated = /^(\d{4}-\d{1,2}-\d{1,2})(?:-(.{1,300}))?$/.exec(name);
  const language = program === "hugo" ? (ofLanguage.exec(name)?.[1] ?? "") : "";
  const plainName = language === "" ? name : name.slice(0, -language.length - 1);
  const isBundle = program === "hugo" && /^index$/i.test(plainName);
  const isNamedByDate = program === "jekyll" || program === "plain";
  const base = (isNamedByDate ? dated?.[2] : undefined) ?? (isBundle ? (path.at(-2) ?? name) : plainName);
  const heading = /^\s{0,100}# ([^\n]{1,300})\n?/.exec(matter.body);
  const title = textField(fields, "title") || (program === "obsidian" ? name : (heading?.[1] ?? wordsOf(base)));
  const isRepeated = heading !== null && heading[1]?.trim() === title.trim();
  const body = isRepeated ? matter.body.slice(heading[0].length) : matter.body;
  const written = firstTime(fields["publishDate"], fields["date"], fields["created"], dated?.[1]);
  const isDraft = matter.problem !== null || draftOf(fields, path);
  const document = {
    file,
    path,
    fields,
    body,
    isHTML: /\.html?$/i.test(path.at(-1) ?? ""),
    title,
    slug: textField(fields, "slug") || base,
    /** In which language it says the same as another; "" for the only one. */
    language,
    isPage: isPageOf(layout, path, fields, written !== null),
    publishedAt: isDraft ? null : (written ?? file.modifiedAt ?? Date.now()),
    updatedAt: firstTime(fields["lastmod"], fields["last_modified_at"], fields["updated"], fields["modified"]),
    /** Whether it says itself that it is not for others. */
    isPrivate: isOn(fields["private"]) || isOff(fields["publish"]),
    tags: tagsOf(program, fields),
    author: authorOf(fields),
  };
  return { ...document, oldAddresses: addressesOf(document, written, layout) };
}

const firstTime = (...values: unknown[]): number | null =>
  values.map((value) => (typeof value === "string" ? readTime(value) : null)).find((time) => time !== null) ?? null;

/** Hugo has a file for each language: `index.pt-br.md`. */
const ofLanguage = /^(?:index|[^.].{0,200})\.([a-z]{2}(?:-[a-z\d]{2,8}){0,3}|(?<=^index\.)[a-z]{3})$/i;

const wordsOf = (name: string) => name.replace(/[-_]+/g, " ").replace(/^./, (letter) => letter.toUpperCase());

const draftOf = (fields: Fields, path: string[]): boolean =>
  isOn(fields["draft"]) || isOff(fields["published"]) || path.includes("_drafts");

function isPageOf({ program, settings }: Layout, path: string[], fields: Fields, hasDate: boolean): boolean {
  const kind = textField(fields, "type", "layout");
  if (program === "jekyll") return !path.includes("_posts") && !path.includes("_drafts");
  if (/^pages?$/i.test(kind)) return true;
  if (/^posts?$/i.test(kind)) return false;
  if (program !== "hugo") return false;
  if (/^pages?$/i.test(sectionOf(path, settings) ?? "")) return true;
  const isInMenu = ["menu", "menus"].some((name) => fields[name] !== undefined);
  return sectionOf(path, settings) === null && (!hasDate || kind !== "" || isInMenu);
}

/** The folder of Hugo in which a text lies, with others of its kind; null for one at the top of the site, or of a language. */
export function sectionOf(path: string[], settings: Fields): string | null {
  const languages = Object.keys(settings["languages"] ?? {});
  const isBundle = /^index\./i.test(path.at(-1) ?? "");
  const folders = path.slice(path[0] === "content" ? 1 : 0, isBundle ? -2 : -1);
  return (languages.includes(folders[0] ?? "") ? folders[1] : folders[0]) ?? null;
}

function tagsOf(program: Layout["program"], fields: Fields): string[] {
  const separator = program === "jekyll" ? /[\s,]+/ : /,/;
  const names = ["tags", "tag", "categories", "category"];
  const all = names.flatMap((name) => listField(fields, name, name === "category" ? undefined : separator));
  return [...new Map(all.map((tag) => tag.replace(/^#/, "")).map((tag) => [slugOf(tag) || tag, tag])).values()];
}

function authorOf(fields: Fields): string {
  const first = [fields["author"], fields["authors"]].flat().find((one) => one !== undefined && one !== null);
  if (typeof first === "object" && first !== null) return textField(first as Fields, "name");
  return typeof first === "string" ? first.trim() : "";
}
