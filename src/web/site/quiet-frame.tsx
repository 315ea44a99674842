/** @jsxImportSource hono/jsx */
import { SiteName } from "./brand.tsx";
import type { Language } from "./language.ts";
import type { Visit } from "./page.ts";
import { commonTexts } from "./texts/common.ts";

/** Around what a share link shows: the name of the site, without its sections. It leads to the first page of the link. */
export const QuietHeader = ({ visit }: { visit: Visit }) => (
  <header class="site-header">
    <div class="bar">
      <SiteName visit={visit} href={visit.links.prefix} />
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
