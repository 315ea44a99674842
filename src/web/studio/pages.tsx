/** @jsxImportSource hono/jsx */
import type { Child } from "hono/jsx";
import type { HtmlEscapedString } from "hono/utils/html";
import type { Settings } from "../../core/settings/settings.ts";
import { type FixedSettings, readSettings } from "../../core/settings/store.ts";
import type { Database } from "../../platform/database/database.ts";
import { missing } from "../../platform/errors.ts";
import { textAnswer } from "../../platform/http/answer.ts";
import { callerHeaders } from "../../platform/http/credentials.ts";
import type { Exchange } from "../../platform/http/exchange.ts";
import { chooseLanguage } from "../../platform/http/language.ts";
import { type Route, route } from "../../platform/http/route.ts";
import { assetURL } from "../site/assets.ts";
import { FontLinks } from "../site/font-links.tsx";
import { type Language, languageFor, languages } from "../site/language.ts";
import { redirect } from "../site/page.ts";
import { policyOf } from "../site/policy.ts";
import { type App, loadApp, sharePath } from "./app.ts";

const texts = {
  en: { title: "Studio", needsScripts: "The studio needs JavaScript. Please allow it for this site." },
  de: { title: "Studio", needsScripts: "Das Studio braucht JavaScript. Bitte erlauben Sie es für diese Seite." },
};

/** A server of map tiles is asked as on the site: most of these want to know by whose page. */
const headersOf = (mediaOrigin: string | null, tilesOrigin: string | null = null) => ({
  "Content-Security-Policy": policyOf(mediaOrigin, { "frame-src": "'self'", "worker-src": "'self'" }, tilesOrigin),
  "Referrer-Policy": tilesOrigin === null ? "same-origin" : "strict-origin-when-cross-origin",
  "X-Robots-Tag": "noindex",
  Vary: `Accept-Encoding, Accept-Language, ${callerHeaders}`,
});

/** Every address of the studio has the same page: what it shows is decided by the application. */
export function studioPages(db: Database, fixed: FixedSettings, mediaOrigin: string | null): Route[] {
  const headers = headersOf(mediaOrigin);
  return [
    assetRoute("/studio/assets/:file", ({ assets }, { path }) => assets.get(path)),
    assetRoute("/studio/worker.js", ({ worker }) => worker),
    assetRoute("/studio/app.webmanifest", ({ manifest }) => manifest),
    route({
      method: "POST",
      path: sharePath,
      name: `page POST ${sharePath}`,
      tag: "Site",
      summary: "What is shared with the studio while the browser has no worker of it",
      isPage: true,
      limit: "pages",
      response: { contentTypes: ["text/html"], description: "The page that says so" },
      handle: () => redirect("/studio/photos?shared=failed", 303, headers),
    }),
    ...(["/studio", "/studio/", "/studio/:path{.+}"] as const).map(shellRoute),
  ];

  function shellRoute(path: `/${string}`): Route {
    return route({
      method: "GET",
      path,
      name: `page GET ${path}`,
      tag: "Site",
      summary: "The studio",
      isPage: true,
      personal: true,
      withoutFactor: true,
      isNeverKept: true,
      limit: "pages",
      response: { contentTypes: ["text/html"], description: "The page" },
      async handle({ viewer, exchange }) {
        const { path, search, request } = exchange;
        if (!viewer) return redirect(`/signin?next=${encodeURIComponent(path + search)}`, 303, headers);
        const settings = await readSettings(db, fixed);
        const chosen = chooseLanguage(request.headers.get("accept-language"), languages) ?? settings.language;
        const tilesOrigin = settings.mapTiles && new URL(settings.mapTiles.url).origin;
        const page = render(await loadApp(), languageFor(chosen), settings);
        return textAnswer("text/html", page, tilesOrigin ? headersOf(mediaOrigin, tilesOrigin) : headers);
      },
    });
  }
}

function render(app: App, language: Language, settings: Settings): string {
  const { siteName, defaultVisibility, originalVisibility, mapTiles } = settings;
  const t = texts[language];
  const head = (
    <>
      <link rel="stylesheet" href={app.style} />
      <FontLinks names={["sans", "serif"]} />
      <script type="module" src={app.script}></script>
      <link rel="manifest" href="/studio/app.webmanifest" />
    </>
  );
  const body = (
    <>
      <div
        id="studio"
        data-site={siteName}
        data-visibility={defaultVisibility}
        data-originals={originalVisibility}
        data-far={assetURL("world.svg")}
        data-near={assetURL("world-near.svg")}
        data-tiles={mapTiles?.url}
        data-attribution={mapTiles?.attribution}
      ></div>
      <noscript>{t.needsScripts}</noscript>
    </>
  );
  return document({ language, title: `${t.title} · ${siteName}`, head, body });
}

type Parts = { language: Language; title: string; head: Child; body: Child };

function document({ language, title, head, body }: Parts): string {
  const html = (
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <title>{title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <link rel="icon" href="/favicon.ico" sizes="48x48" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        {head}
      </head>
      <body>{body}</body>
    </html>
  );
  return `<!doctype html>${(html as HtmlEscapedString).toString()}`;
}

function assetRoute(path: `/${string}`, find: (app: App, exchange: Exchange) => App["manifest"] | undefined): Route {
  return route({
    method: "GET",
    path,
    name: `asset ${path}`,
    tag: "Site",
    summary: "A part of the studio",
    isPage: true,
    limit: "none",
    response: { contentTypes: ["text/css", "text/javascript", "application/manifest+json"], description: "The asset" },
    async handle({ exchange }) {
      const found = find(await loadApp(), exchange);
      if (!found) throw missing("such asset");
      return found.read();
    },
  });
}
