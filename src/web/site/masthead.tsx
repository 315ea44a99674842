/** @jsxImportSource hono/jsx */
import type { Photo } from "../../content/photos/photo.ts";
import type { Visit } from "./page.ts";
import { Picture } from "./photos/picture.tsx";

type FrontProps = { visit: Visit; cover: Photo | null };

/** The name of the site and its tagline, on a front page without a cover. */
export function Masthead({ visit: { settings }, cover }: FrontProps) {
  if (cover) return null;
  return (
    <header class={settings.tagline === "" ? "visually-hidden" : "masthead"}>
      <NameAndTagline settings={settings} />
    </header>
  );
}

/** The same over the cover, from edge to edge. */
export function Hero({ visit: { settings, links, language }, cover }: FrontProps) {
  if (!cover) return null;
  return (
    <header class="hero">
      <Picture photo={cover} alt={cover.altText} links={links} language={language} sizes="100vw" isFirst />
      <div class={settings.tagline === "" ? "hero-text is-short" : "hero-text"}>
        <div class="wide">
          <NameAndTagline settings={settings} />
        </div>
      </div>
    </header>
  );
}

const NameAndTagline = ({ settings: { siteName, tagline } }: Pick<Visit, "settings">) => (
  <>
    <h1 dir="auto">{siteName}</h1>
    {tagline === "" ? null : (
      <p class="lead" dir="auto">
        {tagline}
      </p>
    )}
  </>
);
