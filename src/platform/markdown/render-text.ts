import type { Highlight } from "./highlight.ts";
import { renderMarkdown } from "./markdown.ts";
import { describeRendered, longestHTML, type Rendered, renderPlain } from "./rendered.ts";

export function renderText(text: string, highlight: Highlight | null = null): Rendered {
  const html = renderMarkdown(text, highlight);
  return html.length > longestHTML ? renderPlain(text) : describeRendered(text, html);
}
