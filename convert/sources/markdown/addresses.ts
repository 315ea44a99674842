import { type Fields, isOn, listField, textField } from "./fields.ts";
import type { Layout } from "./layouts.ts";

type Place = { path: string[]; fields: Fields; slug: string; title: string; isPage: boolean; language: string };

/** The addresses under which a text was read, the usual one first. */
export function addressesOf(place: Place, written: number | null, layout: Layout): string[] {
  const { fields } = place;
  const own = usualAddress(place, written, layout);
  const isAddress = (text: string) => text.startsWith("/") || /^https?:/i.test(text);
  const others = [
    ...(layout.program === "obsidian" ? [] : listField(fields, "aliases")),
    ...listField(fields, "redirect_from"),
  ].map((text) => (isAddress(text) ? text : `/${text}`));
  const base = pathOf(textField(layout.settings, "baseurl", "baseURL"));
  const all = [...(own ? [own] : []), ...others];
  const withBase = base === "" ? all : all.flatMap((one) => (one.startsWith("/") ? [`${base}${one}`, one] : [one]));
  return [...new Set(withBase)].slice(0, 50);
}

/** The path of an address, without a slash at its end. */
const pathOf = (address: string): string =>
  (/^https?:\/\/[^/]{1,300}(\/[^?#]{0,500})?/i.exec(address)?.[1] ?? (address.startsWith("/") ? address : "")).replace(
    /\/$/,
    "",
  );

function usualAddress(place: Place, written: number | null, layout: Layout): string | null {
  const { fields, path, slug } = place;
  const given = textField(fields, "url", "permalink");
  const fixed = given !== "" && !given.includes(":") && !/^(date|pretty|ordinal|none)$/.test(given) ? given : null;
  if (fixed) return fixed.startsWith("/") ? fixed : `/${fixed}`;
  if (layout.program === "hugo")
    return `${languagePath(place.language, layout.settings)}${hugoAddress(place, written, layout.settings)}`;
  if (layout.program === "jekyll") return jekyllAddress(place, written, given, layout.settings);
  return layout.program === "plain" ? `/${[...path.slice(0, -1), slug].map(urlPart).join("/")}/` : null;
}

const urlPart = (text: string) => encodeURIComponent(text.trim().replace(/\s+/g, "-").toLowerCase());

/** The other languages lie in folders of their own. */
function languagePath(language: string, settings: Fields): string {
  const main = (textField(settings, "defaultContentLanguage", "defaultcontentlanguage") || "en").toLowerCase();
  return language === "" || language.toLowerCase() === main ? "" : `/${language.toLowerCase()}`;
}

function hugoAddress(place: Place, written: number | null, settings: Fields): string {
  const isBundle = /^index\./i.test(place.path.at(-1) ?? "");
  const folders = place.path.slice(1, isBundle ? -2 : -1);
  const patterns = settings["permalinks"] as Fields | undefined;
  const nested = patterns?.["page"] as Fields | undefined;
  const pattern = patterns?.[folders[0] ?? ""] ?? nested?.[folders[0] ?? ""];
  if (typeof pattern === "string") return fill(pattern, place, written, folders);
  return `/${[...folders, place.slug].map(urlPart).join("/")}/`;
}

const jekyllStyles: Record<string, string> = {
  date: "/:categories/:year/:month/:day/:title:output_ext",
  pretty: "/:categories/:year/:month/:day/:title/",
  ordinal: "/:categories/:year/:y_day/:title:output_ext",
  none: "/:categories/:title:output_ext",
};

function jekyllAddress(place: Place, written: number | null, given: string, settings: Fields): string {
  const style = given || textField(settings, "permalink") || "date";
  const folders = place.path.slice(0, -1).filter((name) => !name.startsWith("_"));
  if (place.isPage) {
    const path = [...folders, place.slug].map(urlPart).join("/");
    return style === "pretty" || style.endsWith("/") ? `/${path}/` : `/${path}.html`;
  }
  const categories = [
    ...folders,
    ...listField(place.fields, "categories", /\s+/),
    ...listField(place.fields, "category"),
  ];
  return fill(jekyllStyles[style] ?? style, place, written, categories);
}

const namesOfSlug = /^(slug|filename|slugorfilename|contentbasename|slugorcontentbasename)$/;

function fill(pattern: string, { slug, title }: Place, written: number | null, folders: string[]): string {
  const date = new Date(written ?? 0);
  const two = (number: number) => String(number).padStart(2, "0");
  const day = Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / 86_400_000) + 1;
  const values: Record<string, string> = {
    year: String(date.getUTCFullYear()),
    short_year: two(date.getUTCFullYear() % 100),
    month: two(date.getUTCMonth() + 1),
    i_month: String(date.getUTCMonth() + 1),
    day: two(date.getUTCDate()),
    i_day: String(date.getUTCDate()),
    y_day: String(day).padStart(3, "0"),
    title: urlPart(slug || title),
    section: urlPart(folders[0] ?? ""),
    sections: folders.map(urlPart).join("/"),
    categories: folders.map(urlPart).join("/"),
    output_ext: ".html",
  };
  const filled = pattern.replace(
    /:([a-z_]{1,30})/g,
    (whole, name: string) => values[name] ?? (namesOfSlug.test(name) ? urlPart(slug) : whole),
  );
  return `/${filled}`.replace(/\/{2,}/g, "/");
}

/** Whether Hugo shows nothing of a text on a page of its own. */
export const isHidden = (fields: Fields): boolean =>
  isOn(fields["headless"]) || textField((fields["build"] ?? fields["_build"] ?? {}) as Fields, "render") === "never";
