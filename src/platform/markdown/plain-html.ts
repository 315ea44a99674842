const blankLines = /\n(?:[^\S\n]*\n)+/g;

/** The text itself, as paragraphs and lines. */
export function plainHTML(text: string): string {
  const trimmed = text.trim();
  if (trimmed === "") return "";
  return `<p>${Bun.escapeHTML(trimmed)
    .replace(blankLines, "</p>\n<p>")
    .replaceAll(/(?<!<\/p>)\n/g, "<br>")}</p>`;
}
