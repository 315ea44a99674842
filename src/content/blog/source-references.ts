import { decodePart } from "../../platform/text.ts";

/*
 * A file or an album of a source as the target of a link or picture in Markdown: `![A harbour](import:2019%2Fharbour.jpg)`. If
 * it cannot be imported, the text shows what lies at its old address, if it has one: `import:2019%2Fharbour.jpg#https%3A…`.
 */

export const referenceTo = (key: string, oldAddress?: string): string =>
  `import:${encode(key)}${oldAddress && /^https?:/.test(oldAddress) ? `#${encode(oldAddress)}` : ""}`;

const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16)}`);

/** What a reference is replaced by. */
export type Resolved =
  { kind: "photo"; id: number } | { kind: "album"; id: number } | { kind: "file"; id: number } | null;

const target = String.raw`<?import:([^\s()<>"']{1,4000})>?(?:[ \t]{1,10}"[^"\n]{0,500}")?`;
const picture = String.raw`!\[((?:[^\]\\\n]|\\.){0,1000})\]\(${target}\)`;
/** A picture that leads to a file of the source: a photo leads to its page anyway. */
const linkedPicture = new RegExp(String.raw`\[[ \t]{0,10}(${picture})[ \t]{0,10}\]\(${target}\)`, "g");
const pictures = new RegExp(picture, "g");
const links = new RegExp(String.raw`\]\(${target}\)`, "g");

type Reference = { key: string; isPicture: boolean; altText: string; oldAddress: string | null };

/** The files and albums that a text refers to, each once; as a picture, if it is shown as one anywhere. */
export function listReferences(content: string): Reference[] {
  const found = new Map<string, Reference>();
  for (const [, altText = "", encoded = ""] of content.matchAll(pictures)) {
    const { key, oldAddress } = decode(encoded);
    if (!found.has(key)) found.set(key, { key, isPicture: true, altText: altText.replace(/\\(.)/g, "$1"), oldAddress });
  }
  for (const [, encoded = ""] of content.matchAll(links)) {
    const { key, oldAddress } = decode(encoded);
    if (!found.has(key)) found.set(key, { key, isPicture: false, altText: "", oldAddress });
  }
  return [...found.values()];
}

/** The text with references to records of the site. One that leads nowhere leads to its old address, or leaves its words. */
export function fillReferences(content: string, resolve: (key: string) => Resolved): string {
  return content
    .replace(linkedPicture, (_, inner: string) => inner)
    .replace(pictures, (_, altText: string, encoded: string) => {
      const { key, oldAddress } = decode(encoded);
      const record = resolve(key);
      if (record) return `![[${record.kind}:${record.id}]]`;
      return oldAddress === null ? altText : `![${altText}](<${oldAddress}>)`;
    })
    .replace(links, (_, encoded: string) => {
      const { key, oldAddress } = decode(encoded);
      const record = resolve(key);
      return record || oldAddress === null ? `](${pathOf(record)})` : `](<${oldAddress}>)`;
    });
}

function pathOf(record: Resolved): string {
  if (!record) return "";
  return record.kind === "file" ? `/api/v1/files/${record.id}/content` : `/${record.kind}s/${record.id}`;
}

function decode(encoded: string): { key: string; oldAddress: string | null } {
  const [key = "", address] = encoded.split("#").map(decodePart);
  // As an address of the web it has none of these characters.
  return { key, oldAddress: address ? (URL.parse(address)?.href.replace(/[<>\s]/g, "") ?? null) : null };
}
