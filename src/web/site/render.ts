import { showsSection } from "../../core/settings/menu.ts";
import { missing } from "../../platform/errors.ts";
import { hasPublicFiles } from "../../content/files/public-files.ts";
import type { Database } from "../../platform/database/database.ts";
import { type Answer, textAnswer } from "../../platform/http/answer.ts";
import { type Exchange, originOf } from "../../platform/http/exchange.ts";
import { callerHeaders } from "../../platform/http/credentials.ts";
import { chooseLanguage } from "../../platform/http/language.ts";
import { type Caller, type Route, route } from "../../platform/http/route.ts";
import { isStorable } from "../../platform/text.ts";
import type { FixedSettings } from "../../core/settings/store.ts";
import { readSettings } from "../../core/settings/store.ts";
import { findSitePhoto } from "./brand.tsx";
import { findAsset } from "./assets.ts";
import { languageFor, languages } from "./language.ts";
import { frame } from "./frame.tsx";
import { createLinks } from "./links.ts";
import { isMentionable, isView, type Page, type View, type Visit } from "./page.ts";
import { readMenu } from "./menu.ts";
import { policyOf } from "./policy.ts";

export type Renderer = ReturnType<typeof createRenderer>;

/** Turns pages into routes, and what they return into HTML. */
export function createRenderer(
  db: Database,
  fixed: FixedSettings,
  mediaOrigin: string | null,
  { isCopy, sendsMail }: Pick<Visit, "isCopy" | "sendsMail">,
) {
  const pageHeaders = {
    "Content-Security-Policy": policyOf(mediaOrigin),
    "Referrer-Policy": "same-origin",
    Vary: `Accept-Encoding, Accept-Language, ${callerHeaders}`,
  };
  return { toRoute, openVisit, render };

  function toRoute(page: Page): Route {
    const { method = "GET", path, query, withoutFactor } = page;
    return route({
      method,
      path,
      name: `page ${method} ${path}`,
      tag: "Site",
      summary: path,
      isPage: true,
      personal: true,
      limit: method === "GET" && page.limit === undefined ? "pages" : "api",
      ...(query && { query }),
      ...(withoutFactor && { withoutFactor }),
      response: { contentTypes: ["text/html"], description: "The page" },
      async handle({ viewer, query, texts, exchange }) {
        const visit = await openVisit(exchange, viewer);
        const result = await page.handle({ ...visit, params: decodeAll(texts), query });
        return isView(result) ? render(visit, result) : result;
      },
    });
  }

  async function openVisit(exchange: Exchange, viewer: Caller | null): Promise<Visit> {
    const [settings, isAnyPublic] = await Promise.all([readSettings(db, fixed), hasPublicFiles(db)]);
    const chosen = chooseLanguage(exchange.request.headers.get("accept-language"), languages);
    const language = languageFor(chosen ?? settings.language);
    const hasFiles = isAnyPublic && showsSection(settings.menu, "files");
    return {
      settings,
      hasFiles,
      menu: await readMenu(db, settings.menu, { hasFiles, hasAPI: !isCopy, language }),
      logo: await findSitePhoto(db, settings.logoPhotoID),
      language,
      viewer,
      links: createLinks(exchange.grantToken === null ? "" : `/s/${exchange.grantToken}`),
      origin: originOf(exchange),
      path: exchange.path,
      search: exchange.search,
      exchange,
      isCopy,
      sendsMail,
    };
  }

  function render(visit: Visit, view: View): Answer {
    const robots: Record<string, string> = view.canonical === null ? { "X-Robots-Tag": "noindex" } : {};
    // The address of a share link is a secret.
    const referrer: Record<string, string> = visit.links.prefix === "" ? {} : { "Referrer-Policy": "no-referrer" };
    const mentions: Record<string, string> = isMentionable(visit, view)
      ? { Link: '</webmention>; rel="webmention"' }
      : {};
    const headers = { ...pageHeaders, ...robots, ...referrer, ...mentions, ...view.headers };
    if (!view.preview) return textAnswer("text/html", frame(visit, view), headers, view.status);
    const shown = { ...visit, ...view.preview };
    const inFrame = { "Content-Security-Policy": policyOf(mediaOrigin, { "frame-ancestors": "'self'" }) };
    return textAnswer("text/html", frame(shown, view), { ...headers, ...inFrame });
  }
}

/** Throws if a part is not valid UTF-8, or not a text that a record could have: there is no such page. */
export function decodeAll(texts: Record<string, string>): Record<string, string> {
  const decoded = Object.entries(texts).map(([name, text]) => [name, decode(text)] as const);
  return Object.fromEntries(decoded);
}

function decode(text: string): string {
  try {
    const decoded = decodeURIComponent(text);
    if (isStorable(decoded)) return decoded;
  } catch {
    // Not valid UTF-8.
  }
  throw missing("such page");
}

/** Styles, scripts and fonts. */
export const assetRoute: Route = route({
  method: "GET",
  path: "/assets/:file",
  name: "asset",
  tag: "Site",
  summary: "A style, script or font of the site",
  isPage: true,
  limit: "none",
  response: {
    contentTypes: ["text/css", "text/javascript", "font/woff2", "image/svg+xml", "text/plain"],
    description: "The asset",
  },
  async handle({ exchange }) {
    const found = await findAsset(exchange.path);
    if (!found) throw missing("such asset");
    return found;
  },
});
