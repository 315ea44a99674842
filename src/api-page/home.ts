import { html } from "../platform/markup.ts";
import { page } from "./page.ts";

/** The front page, until the site itself has one. */
export function homePage(): string {
  return page(
    "Vitrine",
    "Photos, posts, albums and files on your own server.",
    html`<main class="door">
      <div class="case">
        <h1>Vitrine</h1>
        <p>Photos, posts, comments, albums and files, kept on your own server and available through one HTTP API.</p>
        <p><a class="button" href="/docs">Read and try the API</a></p>
      </div>
      <p class="quiet">This server is running. For tools: <a href="/openapi.json">openapi.json</a></p>
    </main>`,
    { styles: ["/assets/home.css"] },
  );
}
