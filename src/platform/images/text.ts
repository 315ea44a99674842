const longest = 200;

/** Text up to its first NUL, in UTF-8 or otherwise Latin-1, as one line that can be stored; null if nothing is left. */
export function decodeText(bytes: Uint8Array): string | null {
  const head = bytes.subarray(0, 4 * longest);
  const end = head.indexOf(0);
  // Only a text that was truncated here may end inside a character.
  return tidy(decode(end < 0 ? head : head.subarray(0, end), end < 0 && head.length < bytes.length));
}

function decode(bytes: Uint8Array, stream: boolean): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream });
  } catch {
    return new TextDecoder("latin1").decode(bytes);
  }
}

export function tidy(text: string): string | null {
  const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim();
  return (
    line
      .slice(0, longest)
      .replace(/[\uD800-\uDBFF]$/, "")
      .trim() || null
  );
}
