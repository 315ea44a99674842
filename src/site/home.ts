import { html } from "./markup.ts";
import { page } from "./page.ts";

/** The front door, until the site itself stands here. */
export function homePage(): string {
  return page(
    "Vitrine",
    "Photos, posts, albums and files on a server of one's own.",
    html`<main class="door">
      <div class="case">
        <h1>Vitrine</h1>
        <p>Photos, posts, comments, albums and files, kept on a server of one’s own and shown through one HTTP API.</p>
        <p><a class="button" href="/docs">Read the API, and try it</a></p>
      </div>
      <p class="quiet">This server is running. For tools: <a href="/openapi.json">openapi.json</a></p>
    </main>`,
    { styles: ["/assets/home.css"] },
  );
}
