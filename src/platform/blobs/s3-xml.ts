/** The content of the first element of that name, with entities decoded; "" if there is none. */
export function textOf(xml: string, name: string): string {
  const text = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? "";
  const signs: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", "#34": '"', "#39": "'" };
  return text.replace(/&([a-z]+|#\d+);/g, (entity, name: string) => signs[name] ?? entity);
}

/** Every element of that name, with its tags. Elements in S3 listings are never nested in elements of the same name. */
export const elements = (xml: string, name: string) => xml.match(new RegExp(`<${name}>[^]*?</${name}>`, "g")) ?? [];
