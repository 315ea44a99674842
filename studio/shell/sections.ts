import {
  Activity,
  ArchiveRestore,
  Folder,
  HardDrive,
  House,
  Image,
  Images,
  Link2,
  Map as MapIcon,
  type LucideIcon,
  MessageSquare,
  NotebookPen,
  PackageOpen,
  Settings,
  Trash2,
  UserRound,
  Users,
} from "lucide-react";
import type { User } from "../../client/src/index.ts";
import { translate } from "../lib/language.ts";
import { words } from "../lib/words.ts";

const t = translate({
  en: {
    home: "Home",
    photos: "Photos",
    map: "Map",
    albums: "Albums",
    blog: "Blog",
    files: "Files",
    comments: "Comments",
    shares: "Share links",
    people: "People",
    trash: "Trash",
    storage: "Storage",
    moveIn: "Import",
    activity: "Activity",
    backups: "Backups",
    account: "Account",
  },
  de: {
    home: "Start",
    photos: "Fotos",
    map: "Karte",
    albums: "Alben",
    blog: "Blog",
    files: "Dateien",
    comments: "Kommentare",
    shares: "Freigaben",
    people: "Personen",
    trash: "Papierkorb",
    storage: "Speicher",
    moveIn: "Umzug",
    activity: "Aktivität",
    backups: "Sicherungen",
    account: "Konto",
  },
});

type SectionTo<Path> = {
  to: Path;
  label: string;
  icon: LucideIcon;
  /** Pressed after `g`. */
  key: string;
  /** The group in the navigation: what one makes, what one looks after, and the site. */
  group: "make" | "tend" | "site";
  /** The minimum role. */
  role: User["role"];
  /** On a phone, it is not in the bar, but among the others. */
  isSmall?: true;
};

const sections = [
  { to: "/", label: t.home, icon: House, key: "h", group: "make", role: "author" },
  { to: "/photos", label: t.photos, icon: Image, key: "p", group: "make", role: "author" },
  { to: "/map", label: t.map, icon: MapIcon, key: "w", group: "make", role: "author", isSmall: true },
  { to: "/albums", label: t.albums, icon: Images, key: "a", group: "make", role: "author" },
  { to: "/blog", label: t.blog, icon: NotebookPen, key: "b", group: "make", role: "author" },
  { to: "/files/$", label: t.files, icon: Folder, key: "f", group: "make", role: "author" },
  { to: "/comments", label: t.comments, icon: MessageSquare, key: "c", group: "tend", role: "author" },
  { to: "/shares", label: t.shares, icon: Link2, key: "l", group: "tend", role: "author" },
  { to: "/trash", label: t.trash, icon: Trash2, key: "t", group: "tend", role: "author" },
  { to: "/storage", label: t.storage, icon: HardDrive, key: "s", group: "tend", role: "author" },
  { to: "/move-in", label: t.moveIn, icon: PackageOpen, key: "i", group: "tend", role: "author" },
  { to: "/activity", label: t.activity, icon: Activity, key: "v", group: "site", role: "admin" },
  { to: "/people", label: t.people, icon: Users, key: "u", group: "site", role: "admin" },
  { to: "/backups", label: t.backups, icon: ArchiveRestore, key: "k", group: "site", role: "admin" },
  { to: "/settings", label: words.settings, icon: Settings, key: "e", group: "site", role: "admin" },
  { to: "/account", label: t.account, icon: UserRound, key: "m", group: "site", role: "reader" },
] as const satisfies SectionTo<string>[];

export type Section = SectionTo<(typeof sections)[number]["to"]>;

const ranks = { reader: 0, author: 1, admin: 2 };

/** Those that a person with this role can use. */
export const sectionsFor = (role: User["role"]): Section[] =>
  sections.filter((section) => ranks[section.role] <= ranks[role]);
