import { missing } from "../../../platform/errors.ts";
import { versionOf } from "../assets.ts";
import type { Route } from "../../../platform/http/route.ts";
import { customStylesOf } from "../custom-styles.ts";
import { showsSection } from "../../../core/settings/menu.ts";
import { languageFor } from "../language.ts";
import type { Visit } from "../page.ts";
import type { Renderer } from "../render.ts";
import { commonTexts } from "../texts/common.ts";
import { webTexts } from "../texts/web.ts";
import { coloursOf } from "../../themes/colours.ts";
import { iconSides } from "./icons.ts";
import { sectionsOf } from "../sections.ts";
import { shortened } from "../shortened.ts";
import { readPreview, stylesQuery } from "../unsaved-look.ts";
import { webRoute, webRouteWithQuery, webText } from "./web-route.ts";

/** Small files about the site that programs look for at fixed addresses. */
export function siteFileRoutes(renderer: Renderer, securityContact: string | null): Route[] {
  return [
    webRoute(renderer, {
      path: "/robots.txt",
      contentType: "text/plain",
      handle: ({ origin, isCopy }) => webText("text/plain", isCopy ? printCopyRobots(origin) : printRobots(origin)),
    }),

    webRoute(renderer, {
      path: "/site.webmanifest",
      contentType: "application/manifest+json",
      handle: (visit) => webText("application/manifest+json", printManifest(visit)),
    }),

    webRoute(renderer, {
      path: "/llms.txt",
      contentType: "text/plain",
      handle: (visit) => webText("text/plain", printOverview(visit)),
    }),

    webRoute(renderer, {
      path: "/.well-known/security.txt",
      contentType: "text/plain",
      handle({ origin, settings }) {
        // A file without a contact would be invalid (RFC 9116).
        if (securityContact === null) throw missing("security.txt: SECURITY_CONTACT is not set");
        return webText("text/plain", printSecurity(origin, securityContact, languageFor(settings.language)));
      },
    }),

    webRouteWithQuery(renderer, stylesQuery, {
      path: "/custom.css",
      contentType: "text/css",
      handle({ settings, query: { v, theme = settings.theme, ...look } }) {
        const styles = customStylesOf({ ...settings, ...readPreview(look), theme });
        const answer = webText("text/css", styles);
        const isCurrent = v === versionOf(styles);
        return isCurrent ? { ...answer, isImmutable: true } : answer;
      },
    }),
  ];
}

/** Pictures and files that belong to pages may be read; the rest of the API has the same content once more. */
const printRobots = (origin: string) => `User-agent: *
Allow: /api/v1/photos/*/image
Allow: /api/v1/files/*/content
Disallow: /api/
Disallow: /s/
Disallow: /search
Disallow: /session
Disallow: /setup
Disallow: /signin
Disallow: /signup
Disallow: /studio

Sitemap: ${origin}/sitemap.xml
`;

const printCopyRobots = (origin: string) => `User-agent: *
Disallow: /search

Sitemap: ${origin}/sitemap.xml
`;

function printManifest({ settings }: Visit): string {
  const { paper } = coloursOf(settings.theme);
  return JSON.stringify({
    name: settings.siteName,
    short_name: settings.siteName.slice(0, 30).toWellFormed(),
    description: shortened(settings.tagline) || undefined,
    lang: settings.language,
    id: "/",
    start_url: "/",
    scope: "/",
    display: "minimal-ui",
    background_color: paper,
    theme_color: paper,
    icons: iconSides.map((side) => ({ src: `/icon-${side}.png`, sizes: `${side}x${side}`, type: "image/png" })),
  });
}

/** What a language model should read first (llmstxt.org). */
function printOverview(visit: Visit): string {
  const { origin, settings, language } = visit;
  const [t, common] = [webTexts[language], commonTexts[language]];
  const link = (name: string, path: string) => `- [${name}](${origin}${path})`;
  const tagline = shortened(settings.tagline);
  return [
    `# ${settings.siteName}`,
    ...(tagline === "" ? [] : ["", `> ${tagline}`]),
    "",
    `## ${t.pages}`,
    "",
    ...sectionsOf(visit).map(({ name, path }) => link(common[name], path)),
    ...visit.menu.filter(({ kind }) => kind === "page").map(({ label, href }) => link(label, href)),
    "",
    `## ${t.feeds}`,
    "",
    link(`${t.allFeed} (Atom)`, "/feed.xml"),
    link(`${t.allFeed} (JSON Feed)`, "/feed.json"),
    link(`${t.postFeed} (Atom)`, "/blog/feed.xml"),
    link(`${t.photoFeed} (Atom)`, "/photos/feed.xml"),
    link("Sitemap", "/sitemap.xml"),
    "",
    ...(showsSection(settings.menu, "api") && !visit.isCopy
      ? ["## API", "", link("OpenAPI", "/openapi.json"), link(t.apiPage, "/docs"), ""]
      : []),
  ].join("\n");
}

const validDays = 180;
const dayMilliseconds = 86_400_000;

/** The same text for a whole day. */
function printSecurity(origin: string, contact: string, language: string): string {
  const today = Math.floor(Date.now() / dayMilliseconds);
  return `Contact: ${contact}
Expires: ${new Date((today + validDays) * dayMilliseconds).toISOString()}
Preferred-Languages: ${language}
Canonical: ${origin}/.well-known/security.txt
`;
}
