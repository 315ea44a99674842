import { type Html, html } from "../../platform/markup.ts";

type Assets = { styles?: string[]; script?: string };

/** The frame of every page. It loads nothing from other origins. */
export function page(title: string, description: string, body: Html, { styles = [], script }: Assets = {}): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="description" content="${description}" />
        <title>${title}</title>
        <link rel="icon" href="${icon}" />
        ${["/assets/design.css", ...styles].map((path) => html`<link rel="stylesheet" href="${path}" />`)}
        ${script && html`<script type="module" src="${script}"></script>`}
      </head>
      <body>
        ${body}
      </body>
    </html> `.toString();
}

/** The logo: a glass case on a plinth. */
export const mark = html`<svg
  class="mark"
  viewBox="0 0 24 24"
  width="24"
  height="24"
  aria-hidden="true"
  focusable="false"
>
  <path d="M5.5 16.5v-13h13v13" fill="none" stroke="currentColor" stroke-width="1.5" />
  <path d="M8.5 10.5l4-4M8.5 14l7.5-7.5" fill="none" stroke="currentColor" stroke-width="1" opacity=".6" />
  <path d="M3 17h18v4H3z" fill="currentColor" />
</svg>`;

const icon = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M5.5 16.5v-13h13v13" fill="#d9ece5" stroke="#0a6e58" stroke-width="2"/><path d="M3 17h18v5H3z" fill="#0a6e58"/></svg>`,
)}`;
