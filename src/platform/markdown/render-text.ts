import type { Highlight } from "./highlight.ts";
import { markdown } from "./markdown.ts";
import { describeRendered, longestHTML, type Rendered, renderPlain } from "./rendered.ts";
import { sanitizeHTML } from "./sanitize.ts";

export function renderText(text: string, highlight: Highlight | null = null): Rendered {
  const html = renderMarkdown(text, highlight);
  return html.length > longestHTML ? renderPlain(text) : describeRendered(text, html);
}

/** Safe HTML. References to records are comments in it: `<!--block photo:12-->` or `<!--inline photo:12-->`. */
export function renderMarkdown(text: string, highlight: Highlight | null = null): string {
  markdown.set({ highlight });
  return sanitizeHTML(markdown.render(text));
}
