/** What no text of the site can have is left out: control characters and halves of characters. */
export const clean = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\r\n?/g, "\n")
    // eslint-disable-next-line no-control-regex
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g, "");

/** A line that can be stored, whatever bytes a source has for it. By default it is as long as a title can be. */
export const toLine = (text: string, length = 300): string =>
  cut(
    clean(text.slice(0, 4 * length))
      .replace(/[\p{Cc}\s]+/gu, " ")
      .trim(),
    length,
  );

/** A text with its lines. By default it is as long as a description can be. */
export const toText = (text: string, length = 20_000): string => cut(clean(text.slice(0, 4 * length)).trim(), length);

/** Without half a character at its end. */
const cut = (text: string, length: number): string =>
  text.length <= length
    ? text
    : text
        .slice(0, length)
        .toWellFormed()
        .replace(/\ufffd$/, "")
        .trim();
