import type { Child } from "hono/jsx";
import type { z } from "zod";
import type { Photo } from "../../content/photos/photo.ts";
import { missing } from "../../platform/errors.ts";
import type { MediaResult, Stream } from "../../platform/http/content.ts";
import type { Exchange } from "../../platform/http/exchange.ts";
import type { Caller } from "../../platform/http/route.ts";
import type { Settings } from "../../core/settings/settings.ts";
import type { Language } from "./language.ts";
import type { Links } from "./links.ts";
import type { MenuItem } from "./menu.ts";
import type { SectionName } from "./sections.ts";

/** What every page is rendered with. */
export type Visit = {
  settings: Settings;
  language: Language;
  /** Whether the menu shows Files. It is the same for everyone: what guests find there. */
  hasFiles: boolean;
  menu: MenuItem[];
  /** The logo of the site, as everyone sees it. */
  logo: Photo | null;
  /** Who has signed in; null for guests. */
  viewer: Caller | null;
  links: Links;
  /** The origin of the site, for absolute URLs. */
  origin: string;
  /** The path and query of this page, not decoded. */
  path: string;
  search: string;
  exchange: Exchange;
  /** Whether the page is for a static copy of the site: nothing on it may need a server. */
  isCopy: boolean;
  /** Whether the server sends mail. */
  sendsMail: boolean;
};

export type PageCall<Query> = Visit & {
  /** The parts of the path, decoded. */
  params: Record<string, string>;
  query: Query;
};

/** One address of the site. */
export type Page = {
  /** With parts as the router of Hono has them: `:slug`, or `:path{.+}` for all that follows. */
  path: `/${string}`;
  method?: "GET" | "POST";
  /** The rate limit of the API, for pages that cost as much as its requests. Forms that change something always have it. */
  limit?: "api";
  /** Also for those who have to set up a second factor before anything else. */
  withoutFactor?: true;
  /** The parameters that change the page. It is cached for each of their values. */
  query?: z.ZodObject;
  handle(call: PageCall<unknown>): Promise<View | MediaResult>;
};

/** What the frame of the page needs to know of its content. */
export type View = {
  /** Null for the front page, which has the name of the site. */
  title: string | null;
  /** For search engines. Without one, it is made from the title. */
  description?: string | undefined;
  body: Child;
  /** The part of the site that is marked in the navigation. */
  section?: SectionName | "search";
  /** The path under which search engines list the page; null if they should not. */
  canonical: string | null;
  /** Elements for the head: pictures for social networks, structured data, feeds, previous and next pages. */
  head?: Child;
  /** Whether the page is a form, such as that to sign in: it needs more styles. */
  isForm?: true;
  /** Whether the page shows files or what a search has found: it also needs more styles. */
  isListing?: true;
  /** Whether the page is one of a post: it also needs more styles. */
  isPost?: true;
  /** Whether the page has comments: it also needs the styles of posts. */
  hasComments?: boolean;
  /** Whether the page takes mentions by other sites (Webmention): it is public and has comments. */
  takesMentions?: boolean;
  /** Whether the page is the map: it also needs more styles. */
  isMap?: true;
  /** Names of scripts of `browser/`, besides that of every page. */
  scripts?: string[];
  status?: number;
  headers?: Record<string, string> | undefined;
  /** Shows the page with other settings than those that are saved, in a frame of the studio. */
  preview?: Pick<Visit, "settings" | "logo">;
};

export function page<Query extends z.ZodObject>(
  declaration: Omit<Page, "query" | "handle"> & {
    query: Query;
    handle: (call: PageCall<z.output<Query>>) => Promise<View | MediaResult>;
  },
): Page;
export function page(
  declaration: Omit<Page, "query" | "handle"> & { handle: (call: PageCall<null>) => Promise<View | MediaResult> },
): Page;
export function page(declaration: unknown): Page {
  return declaration as Page;
}

/** Whether the page says where other sites send mentions of it (Webmention). */
export const isMentionable = ({ settings, links, isCopy }: Visit, { takesMentions = false }: View): boolean =>
  takesMentions && settings.webmentions && links.prefix === "" && !isCopy;

export const isView = (result: View | MediaResult): result is View => "title" in result;

/** `to` is a path of this site. 301 for one of an earlier site, 308 for one that has changed, 303 after a form. */
export function redirect(to: string, status: 301 | 303 | 308 = 303, headers: Record<string, string> = {}): Stream {
  return { status, headers: { Location: to, "Cache-Control": "no-store", ...headers }, body: null };
}

/** The id in a part of a path. Throws if it is none: the page does not exist. */
export function readID(text: string | undefined): number {
  if (!/^[1-9]\d{0,14}$/.test(text ?? "")) throw missing("such page");
  return Number(text);
}

/** The id at the beginning of an album's part of a path, such as `12-lisbon`. */
export const readAlbumID = (part: string | undefined): number => readID(part?.split("-", 1)[0]);
