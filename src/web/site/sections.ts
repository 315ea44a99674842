/** The parts of the site, in the order of the menu. Their names in each language are in `texts/common.ts`. */
const sections = [
  { name: "blog", path: "/blog" },
  { name: "photos", path: "/photos" },
  { name: "albums", path: "/albums" },
  { name: "files", path: "/browse" },
] as const;

type Section = (typeof sections)[number];
export type SectionName = Section["name"];

/** Those that the menu, the sitemap and the overview show. */
export const sectionsOf = ({ hasFiles }: { hasFiles: boolean }): Section[] =>
  sections.filter(({ name }) => name !== "files" || hasFiles);
