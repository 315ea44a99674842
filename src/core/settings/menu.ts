import { z } from "zod";
import { id, line } from "../../platform/http/validate.ts";
import { isStorable } from "../../platform/text.ts";

/** The parts of the site that a menu can lead to. */
export const sectionNames = ["blog", "photos", "albums", "files", "feed", "api"] as const;
export type MenuSection = (typeof sectionNames)[number];

/** As many as a header can show. */
const maxMenuEntries = 20;

const kind = z.enum(["section", "page", "link"]).meta({
  description:
    "`section`: a part of the site, in `section`. `page`: a page, in `pageID`; guests see it as long as the page is public. `link`: any address, in `url`.",
  example: "section",
});
const section = z.enum(sectionNames).nullable().meta({ example: "blog" });
const pageID = id().nullable().meta({ example: null });
const url = line(2000)
  .refine(isAddress, { error: "must begin with https://, http://, mailto: or /" })
  .nullable()
  .meta({ example: null });
const label = z
  .string()
  .max(60)
  .refine((value) => isStorable(value) && !/\p{Cc}/u.test(value), {
    error: "must not contain control characters or broken Unicode",
  })
  .meta({ description: "What the menu says. Blank: the name of the section, or the title of the page.", example: "" });
const place = z
  .enum(["header", "footer"])
  .meta({ description: "Where on each page of the site it stands.", example: "header" });
const isHidden = z.boolean().meta({ description: "It keeps its place, and nobody sees it.", example: false });

export const menuEntrySchema = z
  .object({ kind, section, pageID, url, label, place, isHidden })
  .meta({ id: "MenuEntry", description: "One entry of the menu." });

const newEntrySchema = z
  .object({
    kind,
    section: section.default(null),
    pageID: pageID.default(null),
    url: url.default(null),
    label: label.default(""),
    place: place.default("header"),
    isHidden: isHidden.default(false),
  })
  .superRefine((entry, context) => {
    const needed = ({ section: "section", page: "pageID", link: "url" } as const)[entry.kind];
    const complain = (field: string, message: string) =>
      context.addIssue({ code: "custom", path: [field], message, input: entry });
    if (entry[needed] === null) complain(needed, `must be set in an entry of the kind ${entry.kind}`);
    else if (entry.kind === "link" && entry.label.trim() === "") complain("label", "must not be blank for a link");
  })
  // What does not belong to its kind is not stored.
  .transform((entry) => ({
    ...entry,
    section: entry.kind === "section" ? entry.section : null,
    pageID: entry.kind === "page" ? entry.pageID : null,
    url: entry.kind === "link" ? entry.url : null,
    label: entry.label.trim(),
  }))
  .meta({ id: "NewMenuEntry" });

export type MenuEntry = z.output<typeof menuEntrySchema>;

const description = `The menu of the site, in its order: at most ${maxMenuEntries} entries.`;
export const menuSchema = z.array(menuEntrySchema).meta({ description });
export const newMenuSchema = z
  .array(newEntrySchema)
  .max(maxMenuEntries)
  .meta({ description, example: [{ kind: "section", section: "blog" }] });

const sectionEntry = (name: MenuSection, where: MenuEntry["place"]): MenuEntry => ({
  kind: "section",
  section: name,
  pageID: null,
  url: null,
  label: "",
  place: where,
  isHidden: false,
});

export const defaultMenu: MenuEntry[] = [
  ...(["blog", "photos", "albums", "files"] as const).map((name) => sectionEntry(name, "header")),
  ...(["feed", "api"] as const).map((name) => sectionEntry(name, "footer")),
];

export const showsSection = (menu: readonly MenuEntry[], name: MenuSection): boolean =>
  menu.some((entry) => entry.section === name && !entry.isHidden);

/** Whether a browser opens it as a page or a letter, and never runs it: an address elsewhere, or a path of this site. */
export function isAddress(value: string): boolean {
  if (/[\s\\]/.test(value)) return false;
  if (value.startsWith("/")) return !value.startsWith("//") && URL.canParse(value, "http://site");
  return /^(https?:\/\/|mailto:)./i.test(value) && URL.canParse(value);
}
