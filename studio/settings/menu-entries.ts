import { queryOptions } from "@tanstack/react-query";
import type { MenuEntry, Post } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { menuTexts as t } from "./menu-texts.ts";

export const maxEntries = 20;

/** The newest pages: far more than a menu has. */
export const pagesQuery = queryOptions({
  queryKey: ["posts", "pages"],
  queryFn: async ({ signal }) => {
    const query = { kind: "page", visibility: "all", cursor: "", pageSize: 100 } as const;
    return (await api.listPosts(query, { signal })).items;
  },
});

type Section = NonNullable<MenuEntry["section"]>;

const entry = { section: null, pageID: null, url: null, label: "", place: "header", isHidden: false } as const;

const sectionEntry = (section: Section): MenuEntry => ({
  ...entry,
  kind: "section",
  section,
  place: section === "feed" || section === "api" ? "footer" : "header",
});

const sections = Object.keys(t.sections) as Section[];

/** The menu of a new site. */
export const defaultMenu = (): MenuEntry[] => sections.map(sectionEntry);

/** What can be added: a link, and the sections and pages that the menu does not have. */
export function optionsFor(menu: readonly MenuEntry[], pages: readonly Post[]) {
  const isFree = (section: Section) => !menu.some((one) => one.section === section);
  const isNew = ({ id }: Post) => !menu.some(({ pageID }) => pageID === id);
  return [
    ...pages.filter(isNew).map(({ id, title }) => ({ value: `page ${id}`, label: t.addPage(title) })),
    ...sections.filter(isFree).map((name) => ({ value: `section ${name}`, label: t.addSection(t.sections[name]) })),
    { value: "link", label: t.addLink },
  ];
}

export function entryOf(option: string): MenuEntry {
  const [kind, name = ""] = option.split(" ");
  if (kind === "section") return sectionEntry(name as Section);
  if (kind === "page") return { ...entry, kind, pageID: Number(name) };
  return { ...entry, kind: "link", url: "" };
}

/** What the menu says if the entry has no label. */
export function defaultName({ section, pageID }: MenuEntry, pages: readonly Post[]): string {
  if (section) return t.sections[section];
  if (pageID !== null) return pages.find(({ id }) => id === pageID)?.title ?? t.page(pageID);
  return t.newLink;
}
