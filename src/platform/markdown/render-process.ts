/*
 * A separate process that renders Markdown, so that a text which takes too much time or memory can be given up. It takes
 * some texts at a time from its parent, and exits with it.
 */
import type { createHighlight } from "./highlight.ts";
import { renderText } from "./render-text.ts";
import { type Rendered, renderPlain } from "./rendered.ts";
import type { Requested } from "./process-renderer.ts";

process.on("message", (requests: Requested[]) => void renderAll(requests));
process.on("disconnect", () => process.exit());

async function renderAll(requests: Requested[]): Promise<void> {
  // Most texts have no code, and loading the languages doubles the time until the first text is rendered.
  const highlighting = requests.some(({ form }) => form === "highlighted") ? await import("./highlight.ts") : null;
  process.send?.(requests.map((request) => render(request, highlighting?.createHighlight)));
}

function render({ text, form }: Requested, create: typeof createHighlight | undefined): Rendered {
  if (form === "plain") return renderPlain(text);
  try {
    return renderText(text, form === "highlighted" && create ? create() : null);
  } catch {
    // Elements that are nested too deeply.
    return renderPlain(text);
  }
}
