/*
 * A separate process that renders Markdown, so that a text which takes too much time or memory can be given up. It takes
 * some texts at a time from its parent, and exits with it.
 */
import { renderMarkdown } from "./markdown.ts";
import type { Rendered } from "./renderer.ts";

process.on("message", (texts: string[]) => {
  process.send?.(texts.map(render));
});
process.on("disconnect", () => process.exit());

function render(text: string): Rendered {
  try {
    return { html: renderMarkdown(text) };
  } catch {
    // Elements that are nested too deeply.
    return { html: null };
  }
}
