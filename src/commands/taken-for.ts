import type { Visibility } from "../core/records/visibility.ts";

/** What a source is, for a sentence that says what it was taken for. */
const names: Record<string, string> = {
  apple: "a copy of iCloud Photos",
  facebook: "an export of Facebook",
  flickr: "an export of Flickr",
  folder: "a folder of files, and no export that is known here",
  ghost: "an export of Ghost",
  immich: "Immich",
  instagram: "an export of Instagram",
  lychee: "the folder of Lychee",
  markdown: "texts in Markdown",
  nextcloud: "the data folder of Nextcloud",
  takeout: "an export of Google Photos",
  vitrine: "another Vitrine",
  webdav: "files of a WebDAV server",
  wordpress: "an export of WordPress",
};

export type TakenFor = {
  /** What calls itself that: `takeout`. */
  kind: string;
  /** Null if that is known only at the end. */
  entries: number | null;
  visibility: Visibility;
};

/** Said before anything of a source is stored. */
export function describeTakenFor({ kind, entries, visibility }: TakenFor, owner: string): string {
  const count = entries === null ? "an unknown number of entries" : `${entries} ${entries === 1 ? "entry" : "entries"}`;
  const who =
    visibility === "private"
      ? `Only ${owner} and admins will see what is imported: --visibility public shows it to everyone.`
      : "Everyone will see what is imported, except what the source says is private.";
  return `Taken for ${names[kind] ?? `what calls itself ${kind}`}, with ${count}. ${who}`;
}
