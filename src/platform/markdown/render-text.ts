import type { Highlight } from "./highlight.ts";
import { markdown } from "./markdown.ts";
import { describeRendered, longestHTML, type Rendered, renderPlain } from "./rendered.ts";
import { sanitizeHTML } from "./sanitize.ts";

export function renderText(text: string, highlight: Highlight | null = null): Rendered {
  const unsafe = parseMarkdown(text, highlight);
  // To make so much safe would take seconds, and what is left of it would hardly be short enough.
  const html = unsafe.length > 2 * longestHTML ? unsafe : sanitizeHTML(unsafe);
  return html.length > longestHTML ? renderPlain(text) : describeRendered(text, html);
}

/** Safe HTML. References to records are comments in it: `<!--block photo:12-->` or `<!--inline photo:12-->`. */
export function renderMarkdown(text: string, highlight: Highlight | null = null): string {
  return sanitizeHTML(parseMarkdown(text, highlight));
}

function parseMarkdown(text: string, highlight: Highlight | null): string {
  markdown.set({ highlight });
  return markdown.render(text);
}
