/** Reads `name=value,name=value`, with percent encoding. Null if it is anything else. */
export function parseHeaders(list: string): Record<string, string> | null {
  const headers: Record<string, string> = {};
  for (const pair of list === "" ? [] : list.split(",")) {
    const [, name = "", value = ""] = /^\s*([!#$%&'*+.^`|~\w-]+)\s*=(.*)$/.exec(pair) ?? [];
    const decoded = decode(value.trim());
    if (name === "" || decoded === null || !/^[\x20-\x7e]*$/.test(decoded)) return null;
    headers[name] = decoded;
  }
  return headers;
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
