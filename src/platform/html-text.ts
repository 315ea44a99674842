const names: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };

/** The text of a short piece of HTML: paragraphs and breaks are lines, and other markup is left out. */
export function textOfHTML(html: string): string {
  return html
    .replace(/\s+/g, " ")
    .replace(/ ?<(?:br|\/p|\/div|\/li)\b[^<>]*> ?/gi, "\n")
    .replace(/<[^<>]*>/g, "")
    .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,6}));/gi, (entity, decimal, hex, name) =>
      name ? (names[name.toLowerCase()] ?? entity) : characterOf(decimal ? Number(decimal) : parseInt(hex, 16)),
    )
    .trim();
}

const characterOf = (code: number) => (code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "");
