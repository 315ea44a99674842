import { findMoment, findPlace, findRating, findTags, type Sidecar } from "./sidecar.ts";

/** Programs may choose other prefixes for these namespaces. */
const prefixes = new Map([
  ["http://purl.org/dc/elements/1.1/", "dc"],
  ["http://ns.adobe.com/tiff/1.0/", "tiff"],
  ["http://ns.adobe.com/exif/1.0/", "exif"],
  ["http://ns.adobe.com/photoshop/1.0/", "photoshop"],
  ["http://ns.adobe.com/xap/1.0/", "xmp"],
  ["http://ns.adobe.com/lightroom/1.0/", "lr"],
  ["http://www.digikam.org/ns/1.0/", "digiKam"],
  ["http://www.w3.org/1999/02/22-rdf-syntax-ns#", "rdf"],
]);
const maxTags = 1000;

type Element = Record<string, unknown>;
type Properties = Map<string, unknown>;

/** Reads an XMP sidecar, in which each property is an attribute or an element. Throws if it is none. */
export function readXmpSidecar(xml: string): Sidecar {
  // Entities can be declared there, which nobody needs here.
  if (/<!DOCTYPE/i.test(xml)) throw new Error("It has a document type.");
  const properties = readProperties(Bun.XML.parse(xml.replace(/^\ufeff/, "")));
  const text = (name: string) => textOf(properties.get(name));
  const list = (name: string) => listOf(properties.get(name));
  return {
    title: text("dc:title"),
    description: text("dc:description") ?? text("tiff:ImageDescription"),
    takenAt: findMoment(["exif:DateTimeOriginal", "photoshop:DateCreated", "xmp:CreateDate"].map(text)),
    place: findPlace(text("exif:GPSLatitude"), text("exif:GPSLongitude")),
    tags: findTags([
      { tags: list("digiKam:TagsList"), separator: "/" },
      { tags: list("lr:hierarchicalSubject"), separator: "|" },
      { tags: list("dc:subject") },
    ]),
    rating: findRating(text("xmp:Rating")),
  };
}

/** The properties of all `rdf:Description` elements, by their usual names. */
function readProperties(document: unknown): Properties {
  const found: Properties = new Map();
  const names = new Map<string, string>();
  const usual = (name: string) => {
    const [, prefix = "", local = name] = /^([^:]*):(.*)$/s.exec(name) ?? [];
    return `${names.get(prefix) ?? prefix}:${local}`;
  };
  let hasDescription = false;
  // The packet, the RDF in it, and the descriptions in that.
  let level = [document].filter(isElement);
  for (let depth = 0; depth < 4 && level.length > 0; depth++) {
    for (const element of level) readPrefixes(element);
    const next: Element[] = [];
    for (const element of level)
      for (const [name, value] of Object.entries(element)) {
        if (name.startsWith("@") || name.startsWith("#")) continue;
        const children = (Array.isArray(value) ? value : [value]).filter(isElement);
        if (!isDescription(name)) next.push(...children);
        else
          for (const description of children) {
            hasDescription = true;
            addProperties(description);
          }
      }
    level = next;
  }
  if (!hasDescription) throw new Error("It is not XMP.");
  return found;

  function readPrefixes(element: Element): void {
    for (const [name, value] of Object.entries(element))
      if (name.startsWith("@xmlns:") && typeof value === "string")
        names.set(name.slice(7), prefixes.get(value) ?? name.slice(7));
  }

  function addProperties(description: Element): void {
    readPrefixes(description);
    for (const [name, value] of Object.entries(description)) {
      const property = usual(name.replace(/^@/, ""));
      if (!found.has(property)) found.set(property, value);
    }
  }
}

const isElement = (value: unknown): value is Element =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isDescription = (name: string) => name.endsWith(":Description");

/** One value: in a list of languages the default one, or else the first. */
function textOf(value: unknown): string | null {
  const entries = entriesOf(value);
  const chosen = entries.find(({ language }) => language === "x-default") ?? entries[0];
  return chosen?.text.trim() ? chosen.text : null;
}

const listOf = (value: unknown): string[] =>
  entriesOf(value)
    .map(({ text }) => text)
    .filter((text) => text.trim() !== "")
    .slice(0, maxTags);

/** The entries of an `rdf:Alt`, `rdf:Bag` or `rdf:Seq`, or the value itself. */
function entriesOf(value: unknown): { text: string; language: unknown }[] {
  if (typeof value === "string") return [{ text: value, language: null }];
  if (!isElement(value)) return [];
  const container = Object.entries(value).find(([name]) => /:(Alt|Bag|Seq)$/.test(name))?.[1];
  const entries = isElement(container) ? Object.entries(container).find(([name]) => name.endsWith(":li"))?.[1] : value;
  return (Array.isArray(entries) ? entries : [entries]).flatMap((entry: unknown) => {
    if (typeof entry === "string") return [{ text: entry, language: null }];
    if (!isElement(entry) || typeof entry["#text"] !== "string") return [];
    return [{ text: entry["#text"], language: entry["@xml:lang"] }];
  });
}
