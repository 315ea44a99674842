/** A media range in lower case, such as `image/webp` or `image/*`, and its weight from 0 (not acceptable) to 1. */
type MediaRange = { type: string; weight: number };

const token = "[!#$%&'*+.^_`|~\\w-]+";
const rangePattern = new RegExp(`^${token}/${token}$`);
const parameterPattern = new RegExp(`^(${token})=(${token}|"(?:[^"\\\\]|\\\\.)*")$`);
const weightPattern = /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/;

/** The media ranges of an `Accept` header (RFC 9110, section 12.5.1). Malformed ones are ignored. */
export function parseAccept(header: string): MediaRange[] {
  return splitElements(header).flatMap(([range = "", ...parameters]) => {
    if (!rangePattern.test(range)) return [];
    let weight = 1;
    for (const parameter of parameters) {
      const [, name = "", value = ""] = parameterPattern.exec(parameter) ?? [];
      if (name === "") return [];
      if (name.toLowerCase() !== "q") continue;
      if (!weightPattern.test(value)) return [];
      weight = Number(value);
      // Parameters after the weight do not describe the media type.
      break;
    }
    return [{ type: range.toLowerCase(), weight }];
  });
}

/** The elements between commas, each split at semicolons. A quoted string may contain both. */
function splitElements(header: string): string[][] {
  const elements: string[][] = [[]];
  let start = 0;
  let isQuoted = false;
  for (let at = 0; at < header.length; at++) {
    const sign = header[at];
    if (isQuoted && sign === "\\") at++;
    else if (sign === '"') isQuoted = !isQuoted;
    else if ((sign === "," || sign === ";") && !isQuoted) {
      addPart(at);
      if (sign === ",") elements.push([]);
      start = at + 1;
    }
  }
  addPart(header.length);
  return elements;

  function addPart(end: number): void {
    const part = header.slice(start, end).trim();
    // An empty part between two semicolons is allowed and has no meaning.
    if (part !== "") elements.at(-1)?.push(part);
  }
}
