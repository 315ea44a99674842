import { page } from "./page.ts";

/** The front door, until the site itself stands here. */
export function homePage(): string {
  return page(
    "Vitrine",
    `<main class="door">
      <h1>Vitrine</h1>
      <p>Photos, posts, comments, albums and files, behind one HTTP API. This server is running.</p>
      <p><a class="button" href="/docs">Read the API, and try it</a></p>
      <p class="quiet">Also: <a href="/openapi.json">openapi.json</a> · <a href="/api/v1/photos">photos</a> ·
        <a href="/api/v1/blog">posts</a> · <a href="/api/v1/albums">albums</a> · <a href="/api/v1/files">files</a></p>
    </main>`,
  );
}
