/** @jsxImportSource hono/jsx */
import { missing, Problem } from "../../../platform/errors.ts";
import { checkName, maxDepth } from "../../../content/files/names.ts";
import { type Directory, root } from "../../../content/files/rows.ts";
import { Breadcrumb } from "../breadcrumb.tsx";
import type { Links } from "../links.ts";
import type { Visit } from "../page.ts";
import { browseTexts } from "../texts/browse.ts";

/** Where browsing starts: the root, or the directory of a share link. */
export type Start = {
  directory: Directory;
  /** What the first step of every path is called. */
  title: string;
  /** The id of the directory, for its archive; null for the root. */
  id: number | null;
};

export const startAtRoot = (visit: Visit): Start => ({
  directory: root,
  title: browseTexts[visit.language].title,
  id: null,
});

/** The names in the path of a page, after a prefix such as `/browse`. Throws if these cannot be names of files. */
export function readNames(path: string, prefix: string): string[] {
  const rest = path.slice(prefix.length + 1);
  if (rest === "") return [];
  const parts = rest.split("/");
  if (parts.length > maxDepth) throw missing("such page");
  try {
    // Each part is decoded separately: a slash in a part is not a separator, and no name has one.
    return parts.map((part) => checkName(decodeURIComponent(part)));
  } catch (error) {
    if (error instanceof URIError || error instanceof Problem) throw missing("such page");
    throw error;
  }
}

/** The address of the file or directory with these names. A share link has its first directory at its own address. */
export const addressOf = (links: Links, names: readonly string[]): string =>
  names.length === 0 && links.prefix !== "" ? links.prefix : links.browse(names);

/** The directories above a file or directory, from the start. */
export function Above({ visit, start, names }: { visit: Visit; start: Start; names: string[] }) {
  const above = [start.title, ...names].slice(0, -1);
  const steps = above.map((name, depth) => ({ href: addressOf(visit.links, names.slice(0, depth)), name }));
  return <Breadcrumb label={browseTexts[visit.language].path} steps={steps} />;
}
