/** The part of the content that is looked at. */
const looked = 2000;
const longest = 280;

/** The beginning of a text in Markdown as plain text. */
export function excerptOf(content: string): string {
  const plain = content
    .slice(0, looked)
    .toWellFormed()
    .replace(/^(```|~~~)[^\n]*$/gm, " ")
    .replace(/!\[\[[^[\]\n]{0,300}\]\]/g, " ")
    .replace(/!\[[^[\]\n]{0,300}\]\([^()\n]{0,300}\)/g, " ")
    .replace(/\[\^[^[\]\n]{0,300}\]:?/g, " ")
    .replace(/\[([^[\]\n]{0,300})\]\([^()\n]{0,300}\)/g, "$1")
    .replace(/<[/!a-z][^<>\n]{0,300}>/gi, " ")
    .replace(/^[ \t]*(#{1,6}|>|[-*+]( \[[ xX]\])?|\d{1,9}[.)])[ \t]+/gm, " ")
    .replace(/^[ \t|:*_=-]+$/gm, " ")
    .replace(/[*_`~|]+/g, "")
    .replace(/\s+/g, " ")
    .trim();
  if (plain.length <= longest) return plain;
  const cut = plain.slice(0, longest);
  const end = cut.lastIndexOf(" ");
  return `${(end > longest / 2 ? cut.slice(0, end) : cut)
    .toWellFormed()
    .replace(/\uFFFD$/, "")
    .trimEnd()}…`;
}
