/** @jsxImportSource hono/jsx */
import type { Language } from "./language.ts";
import type { Visit } from "./page.ts";
import { commonTexts } from "./texts/common.ts";

/** Around what a share link shows: the name of the site, without its sections. It leads to the first page of the link. */
export const QuietHeader = ({ visit: { settings, links } }: { visit: Visit }) => (
  <header class="site-header">
    <div class="bar">
      <a class="site-name" href={links.prefix} dir="auto">
        {settings.siteName}
      </a>
    </div>
  </header>
);

export const QuietFooter = ({ language }: { language: Language }) => (
  <footer class="site-footer">
    <div class="bar">
      <p>{commonTexts[language].madeWith}</p>
    </div>
  </footer>
);
