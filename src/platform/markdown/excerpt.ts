/** The part of the content that is looked at. */
export const lookedThrough = 2000;
const longest = 280;

/** The beginning of a text in Markdown, for lists of posts. */
export const excerptOf = (content: string): string => shortenLine(plainTextOf(content, lookedThrough));

/** The same for a text without any marks. */
export const shorten = (text: string): string => shortenLine(toLine(text.slice(0, lookedThrough).toWellFormed()));

function shortenLine(plain: string): string {
  if (plain.length <= longest) return plain;
  const cut = plain.slice(0, longest);
  const end = cut.lastIndexOf(" ");
  return `${(end > longest / 2 ? cut.slice(0, end) : cut)
    .toWellFormed()
    .replace(/\uFFFD$/, "")
    .trimEnd()}…`;
}

/** The first characters of a text in Markdown, as plain text in one line. */
export const plainTextOf = (content: string, characters: number): string =>
  toLine(
    content
      .slice(0, characters)
      .toWellFormed()
      .replace(/^(```|~~~)[^\n]*$/gm, " ")
      .replace(/!\[\[[^[\]\n]{0,300}\]\]/g, " ")
      .replace(/!\[[^[\]\n]{0,300}\]\([^()\n]{0,300}\)/g, " ")
      .replace(/\[\^[^[\]\n]{0,300}\]:?/g, " ")
      .replace(/\[([^[\]\n]{0,300})\]\([^()\n]{0,300}\)/g, "$1")
      .replace(/<[/!a-z][^<>\n]{0,300}>/gi, " ")
      .replace(/^[ \t]*(#{1,6}|>|[-*+]( \[[ xX]\])?|\d{1,9}[.)])[ \t]+/gm, " ")
      .replace(/^[ \t|:*_=-]+$/gm, " ")
      // An underscore within a word is a part of it.
      .replace(/[*`~|]+|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, ""),
  );

/** Most white space is a single space already, and stays. */
const toLine = (text: string): string => text.replace(/\s{2,}|[^\S ]/g, " ").trim();
