/** Longer than any entity, and than the marks of texts that are read as they are. */
const longestEntity = 35;
const bare = /&(?!(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]\w{0,30});)/gi;

/**
 * Some programs write addresses with ampersands into their exports as they are: a parser would take everything up to the next
 * semicolon as the name of one entity, with the elements in it. The last call has no chunk.
 */
export function createMender(): (chunk: string | null) => string {
  let rest = "";
  let isRaw = false;
  return (chunk) => {
    const text = rest + (chunk ?? "");
    const parts: string[] = [];
    let position = 0;
    for (;;) {
      const mark = isRaw ? "]]>" : "<![CDATA[";
      const found = text.indexOf(mark, position);
      const end = found >= 0 ? found + mark.length : chunk === null ? text.length : lastSafe(text, position);
      const part = text.slice(position, end);
      parts.push(isRaw ? part : part.replace(bare, "&amp;"));
      position = end;
      if (found < 0) break;
      isRaw = !isRaw;
    }
    rest = text.slice(position);
    return parts.join("");
  };
}

/** Up to here, nothing depends on what follows. */
function lastSafe(text: string, position: number): number {
  const end = text.length - longestEntity;
  const last = text.lastIndexOf("&", end);
  return Math.max(position, last >= end - longestEntity ? last : end);
}
