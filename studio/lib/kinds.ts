import { BookOpen, File, FileText, Image, Images, type LucideIcon, MessageSquare } from "lucide-react";
import type { TrashEntry } from "../../client/src/index.ts";
import { formatCount } from "./format.ts";
import { language, translate } from "./language.ts";

/** The kinds of records, as the API names them. */
type Kind = TrashEntry["kind"];

type Names = {
  one: string;
  many: string;
  /** After a verb: "changed the photo". */
  object: string;
};

const names = translate<Record<Kind | "page", Names>>({
  en: {
    photo: { one: "Photo", many: "Photos", object: "the photo" },
    album: { one: "Album", many: "Albums", object: "the album" },
    post: { one: "Post", many: "Posts", object: "the post" },
    page: { one: "Page", many: "Pages", object: "the page" },
    file: { one: "File", many: "Files", object: "the file" },
    comment: { one: "Comment", many: "Comments", object: "the comment" },
  },
  de: {
    photo: { one: "Foto", many: "Fotos", object: "Foto" },
    album: { one: "Album", many: "Alben", object: "Album" },
    post: { one: "Beitrag", many: "Beiträge", object: "Beitrag" },
    page: { one: "Seite", many: "Seiten", object: "Seite" },
    file: { one: "Datei", many: "Dateien", object: "Datei" },
    comment: { one: "Kommentar", many: "Kommentare", object: "Kommentar" },
  },
});

type RecordKind = Names & {
  icon: LucideIcon;
  /** The first parts of the keys of queries that a change of such a record makes load again. */
  keys: readonly string[];
  /** The path of its screen in `routes.tsx`, if it has one. */
  screen?: `/${string}/$id`;
};

/** What all screens know of each kind, in the order in which they show the kinds. */
export const recordKinds = {
  photo: { ...names.photo, icon: Image, keys: ["photos", "albums", "timeline"], screen: "/photos/$id" },
  // Photos can be filtered by whether they are in an album.
  album: { ...names.album, icon: Images, keys: ["albums", "photos", "timeline"], screen: "/albums/$id" },
  post: { ...names.post, icon: BookOpen, keys: ["posts"], screen: "/blog/$id" },
  file: { ...names.file, icon: File, keys: ["files"] },
  comment: { ...names.comment, icon: MessageSquare, keys: ["comments"] },
} as const satisfies Record<Kind, RecordKind>;

export const kindNames = Object.keys(recordKinds) as Kind[];

/** To the API, a page is a post; people call it a page. */
export const shownKinds = { ...recordKinds, page: { ...recordKinds.post, ...names.page, icon: FileText } } as const;
export type ShownKind = keyof typeof shownKinds;

type RecordRef = { kind: string; isPage?: boolean };

export const shownKindOf = ({ kind, isPage }: RecordRef): string => (isPage ? "page" : kind);

/** Null for what is not a record, such as an account. */
export const findKind = (shown: RecordRef): (typeof shownKinds)[ShownKind] | null =>
  shownKinds[shownKindOf(shown) as ShownKind] ?? null;

/** "233 photos" */
export const countOf = ({ one, many }: Pick<Names, "one" | "many">, count: number): string =>
  language === "de" ? formatCount(count, one, many) : formatCount(count, one.toLowerCase(), many.toLowerCase());
