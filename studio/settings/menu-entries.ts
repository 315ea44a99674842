import { queryOptions } from "@tanstack/react-query";
import type { MenuEntry, Post } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { language } from "../lib/language.ts";
import { menuTexts as t } from "./menu-texts.ts";

export const maxEntries = 20;

/** All of them. A site has few, and each can be in the menu. */
export const pagesQuery = queryOptions({
  queryKey: ["posts", "pages"],
  queryFn: async ({ signal }) => {
    const pages: Post[] = [];
    let query: Parameters<typeof api.listPosts>[0] | null = {
      kind: "page",
      visibility: "all",
      cursor: "",
      pageSize: 1000,
    };
    while (query) {
      const page: Awaited<ReturnType<typeof api.listPosts>> = await api.listPosts(query, { signal });
      pages.push(...page.items);
      query = page.next;
    }
    return pages.toSorted((one, other) => one.title.localeCompare(other.title, language));
  },
});

type Section = NonNullable<MenuEntry["section"]>;

const entry = { section: null, pageID: null, url: null, label: "", place: "header", isHidden: false } as const;

const sections = Object.keys(t.sections) as Section[];

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

/** A section has the place of the default menu. */
export function entryOf(option: string, defaultMenu: readonly MenuEntry[]): MenuEntry {
  const [kind, name = ""] = option.split(" ");
  if (kind === "section") {
    const found = defaultMenu.find(({ section }) => section === name);
    return found ?? { ...entry, kind, section: name as Section };
  }
  if (kind === "page") return { ...entry, kind, pageID: Number(name) };
  return { ...entry, kind: "link", url: "" };
}

/** What the menu says if the entry has no label. */
export function defaultName({ section, pageID }: MenuEntry, pages: readonly Post[]): string {
  if (section) return t.sections[section];
  if (pageID !== null) return pages.find(({ id }) => id === pageID)?.title ?? t.page(pageID);
  return t.newLink;
}
