import { findMenuPages } from "../../content/blog/public-pages.ts";
import type { MenuEntry, MenuSection } from "../../core/settings/menu.ts";
import type { Reader } from "../../platform/database/database.ts";
import type { Language } from "./language.ts";
import { createLinks } from "./links.ts";
import { commonTexts } from "./texts/common.ts";

/** An entry of the menu as visitors see it. `section` is the part of the site that it leads to. */
export type MenuItem = Pick<MenuEntry, "kind" | "section" | "place"> & { href: string; label: string };

const paths: Record<MenuSection, string> = {
  blog: "/blog",
  photos: "/photos",
  albums: "/albums",
  files: "/browse",
  feed: "/feed.xml",
  api: "/docs",
};

/** It is the same for everyone: what guests may see. A page that is private, a draft or deleted is left out. */
export async function readMenu(
  db: Reader,
  menu: readonly MenuEntry[],
  { hasFiles, hasAPI, language }: { hasFiles: boolean; hasAPI: boolean; language: Language },
): Promise<MenuItem[]> {
  const isMissing = (section: MenuSection | null) =>
    (section === "files" && !hasFiles) || (section === "api" && !hasAPI);
  const shown = menu.filter(({ isHidden, section }) => !isHidden && !isMissing(section));
  const pages = await findMenuPages(
    db,
    shown.flatMap(({ pageID }) => pageID ?? []),
  );
  const links = createLinks();
  return shown.flatMap(({ kind, section, pageID, url, label, place }) => {
    const page = pages.get(pageID ?? 0);
    const href = section === null ? (page ? links.post(page) : url) : paths[section];
    const name = section === null ? page?.title : commonTexts[language][section];
    return href === null ? [] : [{ kind, section, place, href, label: label || (name ?? href) }];
  });
}
