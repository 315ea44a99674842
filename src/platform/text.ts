/**
 * Whether the text contains neither NUL nor lone surrogates: SQLite would truncate at the former and change the latter.
 */
export function isStorable(value: string): boolean {
  return !value.includes("\0") && value.isWellFormed();
}

/** The same key for names that differ only in case or in the encoding of accents. */
export function fold(value: string): string {
  return value.normalize("NFC").toUpperCase().toLowerCase().normalize("NFC");
}

/**
 * A key whose byte order is the order people expect: ignoring case and accents, and "2" before "10". Each run of digits
 * is prefixed with its length, so that longer numbers come later.
 */
export function naturalOrderKey(value: string): string {
  const letters = fold(value.normalize("NFD").replace(/\p{M}/gu, ""));
  return letters.replace(/\d+/g, (digits) => {
    const number = digits.replace(/^0+(?=\d)/, "");
    return `0${number.length.toString(16).padStart(2, "0")}${number}`;
  });
}

const longestName = 200;

/** A title, or the beginning of a longer text, for lists that show many of them. */
export function shorten(name: string): string {
  return name.length <= longestName ? name : `${name.slice(0, longestName).toWellFormed()}…`;
}

/** At most `bytes` bytes of UTF-8, without cutting a character in half. */
export function truncateUTF8(value: string, bytes: number): string {
  const encoded = new TextEncoder().encode(value);
  if (encoded.length <= bytes) return value;
  return new TextDecoder().decode(encoded.subarray(0, bytes)).replace(/\uFFFD$/, "");
}

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
function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  return text
    .slice(0, length)
    .toWellFormed()
    .replace(/\ufffd$/, "")
    .trim();
}

/** A part of an address with the characters that it stands for; as it is, if it is not valid. */
export function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
