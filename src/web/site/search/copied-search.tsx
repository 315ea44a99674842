/** @jsxImportSource hono/jsx */
import type { Language } from "../language.ts";
import type { View } from "../page.ts";
import { searchTexts } from "../texts/search.ts";

/** The address of the list of the index parts of a static copy. The parts are beside it. */
export const copiedIndexPath = "/search-index.json";

/** The search of a static copy: a script reads the index of the whole copy (`browser/search.ts`). */
export function viewCopiedSearch(language: Language): View {
  const t = searchTexts[language];
  const kinds = Object.fromEntries(Object.entries(t.kind).map(([kind, { one }]) => [kind, one]));
  const texts = { kinds, found: t.found, nothing: t.nothing("…"), failed: t.failed };
  return {
    title: t.title,
    section: "search",
    canonical: null,
    isListing: true,
    scripts: ["search"],
    body: (
      <div class="column search-page" data-index={copiedIndexPath} data-texts={JSON.stringify(texts)}>
        <h1>{t.title}</h1>
        <form class="search-form" action="/search" method="get" role="search">
          <label class="field">
            <span class="visually-hidden">{t.label}</span>
            <input type="search" name="q" maxlength={200} placeholder={t.label} dir="auto" autofocus />
          </label>
          <button class="button" type="submit">
            {t.submit}
          </button>
        </form>
        <noscript>
          <p class="notice">{t.needsScript}</p>
        </noscript>
        <p class="quiet" role="status"></p>
        <ol class="hits"></ol>
      </div>
    ),
  };
}
