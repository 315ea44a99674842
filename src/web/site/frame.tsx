/** @jsxImportSource hono/jsx */
import type { HtmlEscapedString } from "hono/utils/html";
import { assetURL, versionOf } from "./assets.ts";
import { customStylesOf } from "./custom-styles.ts";
import { SiteName } from "./brand.tsx";
import { FooterText } from "./footer-text.tsx";
import { FontLinks } from "./font-links.tsx";
import { coloursOf } from "../themes/colours.ts";
import { directionOf } from "./language.ts";
import type { MenuItem } from "./menu.ts";
import { canSubscribe } from "./newsletter/form.tsx";
import { isMentionable, type View, type Visit } from "./page.ts";
import { QuietFooter, QuietHeader } from "./quiet-frame.tsx";
import { shortened } from "./shortened.ts";
import { commonTexts } from "./texts/common.ts";
import { newsletterTexts } from "./texts/newsletter.ts";
import { webTexts } from "./texts/web.ts";
import { previewStylesURL } from "./unsaved-look.ts";

/** The whole page: what is the same on every page, around the content. */
export function frame(visit: Visit, view: View): string {
  const {
    title,
    description,
    body,
    section,
    canonical,
    head,
    isForm,
    isListing,
    isPost,
    hasComments,
    isMap,
    preview,
    scripts = [],
  } = view;
  const { settings, language, origin } = visit;
  const t = commonTexts[language];
  const name = settings.siteName;
  const isShared = visit.links.prefix !== "";
  const about = shortened(description || (canonical === null ? "" : webTexts[language].about(title, name)));
  const styles = customStylesOf(settings);
  const fonts = coloursOf(settings.theme);
  const usesSerif = fonts.isSerif || (isPost === true && fonts.hasSerifText);
  const whole = (
    <html lang={language} dir={directionOf(language)} data-theme={settings.theme}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="color-scheme" content="light dark" />
        <title>{title === null ? name : `${title} · ${name}`}</title>
        {about === "" ? null : <meta name="description" content={about} />}
        {canonical === null ? (
          <meta name="robots" content="noindex" />
        ) : (
          <link rel="canonical" href={origin + canonical} />
        )}
        <link rel="stylesheet" href={assetURL(`${settings.theme}.css`)} />
        <FontLinks names={usesSerif ? ["sans", "serif"] : ["sans"]} />
        {isForm ? <link rel="stylesheet" href={assetURL("forms.css")} /> : null}
        {isListing ? <link rel="stylesheet" href={assetURL("lists.css")} /> : null}
        {isPost || hasComments ? <link rel="stylesheet" href={assetURL("reading.css")} /> : null}
        {isMap ? <link rel="stylesheet" href={assetURL("map.css")} /> : null}
        {styles === "" ? null : (
          <link rel="stylesheet" href={preview ? previewStylesURL(settings) : customStylesURL(styles)} />
        )}
        {/* What they arrange, such as rows of photos, is arranged before it is shown for the first time: nothing moves. */}
        {(preview ? [] : ["site", ...scripts]).map((script) => (
          <script type="module" src={assetURL(`${script}.js`)} blocking="render" />
        ))}
        <link rel="icon" href="/favicon.ico" sizes="any" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <link rel="manifest" href="/site.webmanifest" />
        {isMentionable(visit, view) ? <link rel="webmention" href="/webmention" /> : null}
        {head}
      </head>
      <body>
        <a class="skip" href="#content">
          {t.skip}
        </a>
        {isShared ? <QuietHeader visit={visit} /> : <Header visit={visit} section={section} />}
        <main id="content" tabindex={-1}>
          {body}
        </main>
        {isShared ? <QuietFooter language={language} /> : <Footer visit={visit} />}
      </body>
    </html>
  );
  return `<!doctype html>${(whole as HtmlEscapedString).toString()}`;
}

function Header({ visit, section }: { visit: Visit; section: View["section"] }) {
  const { language, path } = visit;
  const t = commonTexts[language];
  const items = visit.menu.filter(({ place }) => place === "header");
  return (
    <header class="site-header">
      <div class="bar">
        <SiteName visit={visit} href="/" />
        {items.length === 0 ? null : (
          <nav aria-label={t.menu}>
            <ul>
              {items.map((item) => (
                <li>
                  <a href={item.href} aria-current={currentOf(item, path, section)} dir="auto">
                    {item.label}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
        )}
        <div class="tools">
          <a
            class="icon-button"
            href="/search"
            aria-label={t.search}
            aria-current={section === "search" ? "page" : undefined}
          >
            <SearchIcon />
          </a>
          {visit.isCopy ? null : <Account visit={visit} />}
        </div>
      </div>
    </header>
  );
}

/** Whether the entry leads to this page, or to the part of the site that it belongs to. */
function currentOf({ href, section }: MenuItem, path: string, current: View["section"]): "page" | "true" | undefined {
  if (path === href) return "page";
  return section !== null && section === current ? "true" : undefined;
}

function Account({ visit: { viewer, language, path, search } }: { visit: Visit }) {
  const t = commonTexts[language];
  if (!viewer) {
    const next = path === "/" || path.startsWith("/sign") ? "" : `?next=${encodeURIComponent(path + search)}`;
    return (
      <a class="quiet-link" href={`/signin${next}`} rel="nofollow">
        {t.signIn}
      </a>
    );
  }
  return (
    <details class="menu">
      <summary>{viewer.username}</summary>
      <div class="menu-items">
        {viewer.role === "reader" ? null : <a href="/studio/">{t.studio}</a>}
        <a href={`/people/${encodeURIComponent(viewer.username)}`}>{t.yourPage}</a>
        <form method="post" action="/session/end">
          <button type="submit">{t.signOut}</button>
        </form>
      </div>
    </details>
  );
}

function Footer({ visit }: { visit: Visit }) {
  const { settings, language, menu, path } = visit;
  const t = commonTexts[language];
  return (
    <footer class="site-footer">
      <div class="bar">
        {settings.footer.trim() === "" ? (
          <p dir="auto">{settings.tagline || settings.siteName}</p>
        ) : (
          <FooterText text={settings.footer} />
        )}
        <ul>
          {menu
            .filter(({ place }) => place === "footer")
            .map(({ href, label }) => (
              <li>
                <a href={href} aria-current={path === href ? "page" : undefined} dir="auto">
                  {label}
                </a>
              </li>
            ))}
          {canSubscribe(visit) ? (
            <li>
              <a href="/newsletter" aria-current={path === "/newsletter" ? "page" : undefined}>
                {newsletterTexts[language].title}
              </a>
            </li>
          ) : null}
          <li class="made-with">{t.madeWith}</li>
        </ul>
      </div>
    </footer>
  );
}

const SearchIcon = () => (
  <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" focusable="false">
    <circle cx="10.5" cy="10.5" r="6.5" fill="none" stroke="currentColor" stroke-width="1.75" />
    <path d="M15.5 15.5 21 21" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" />
  </svg>
);

/** Changes with the styles, so that they are loaded again. */
const customStylesURL = (css: string) => `/custom.css?v=${versionOf(css)}`;
