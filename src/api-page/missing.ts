import { html } from "../platform/markup.ts";
import { page } from "./page.ts";

/** What a browser gets for a URL that has no page. */
export function missingPage(): string {
  return page(
    "Page not found",
    "There is no page at this address.",
    html`<main class="door">
      <div class="case">
        <h1>Page not found</h1>
        <p>There is no page at this address. Check the address for typing errors.</p>
        <p><a class="button" href="/">Go to the front page</a></p>
      </div>
      <p class="quiet">Looking for the API? It is described at <a href="/docs">/docs</a>.</p>
    </main>`,
    { styles: ["/assets/home.css"] },
  );
}
