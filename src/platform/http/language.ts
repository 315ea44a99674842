const longestHeader = 500;
const known = new Map<string, string | null>();

/**
 * The one of these languages that an `Accept-Language` header prefers (RFC 4647, lookup: `de-AT` is satisfied by `de`), or null.
 */
export function chooseLanguage(header: string | null, languages: readonly string[]): string | null {
  if (header === null || header.length > longestHeader) return null;
  const remembered = known.get(header);
  if (remembered !== undefined) return remembered;
  if (known.size >= 1000) known.clear();
  const chosen = choose(header, languages);
  known.set(header, chosen);
  return chosen;
}

function choose(header: string, languages: readonly string[]): string | null {
  let best: string | null = null;
  let bestWeight = 0;
  for (const element of header.toLowerCase().split(",")) {
    const [tag, weight] = readElement(element);
    const language = languages.find((name) => tag === name || tag.startsWith(`${name}-`));
    if (language === undefined || weight <= bestWeight) continue;
    best = language;
    bestWeight = weight;
  }
  return best;
}

function readElement(element: string): [string, number] {
  const [tag = "", parameter = ""] = element.split(";", 2).map((part) => part.trim());
  const weight = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.exec(parameter)?.[1];
  return [tag, weight === undefined ? 1 : Number(weight)];
}
