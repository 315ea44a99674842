import type { Place } from "../../core/images/image.ts";

/** What is known of a picture. */
export type Described = {
  title: string | null;
  description: string;
  altText: string;
  tags: string[];
  isFavourite: boolean;
  takenAt: { time: number; isMoment: boolean } | null;
  place: Place | null;
};

const namespaces = {
  rdf: "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
  dc: "http://purl.org/dc/elements/1.1/",
  xmp: "http://ns.adobe.com/xap/1.0/",
  exif: "http://ns.adobe.com/exif/1.0/",
  photoshop: "http://ns.adobe.com/photoshop/1.0/",
  Iptc4xmpCore: "http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/",
};

/** An XMP sidecar, as photo programs read it. */
export function printSidecar({ title, description, altText, tags, isFavourite, takenAt, place }: Described): string {
  const lines = [
    title ? printText("dc:title", title) : "",
    description ? printText("dc:description", description) : "",
    altText ? printText("Iptc4xmpCore:AltTextAccessibility", altText) : "",
    tags.length > 0 ? `<dc:subject><rdf:Bag>${tags.map(printItem).join("")}</rdf:Bag></dc:subject>` : "",
    takenAt ? printValue("exif:DateTimeOriginal", printTime(takenAt)) : "",
    takenAt ? printValue("photoshop:DateCreated", printTime(takenAt)) : "",
    ...printPlace(place),
    isFavourite ? printValue("xmp:Rating", "5") : "",
  ];
  const declared = Object.entries(namespaces).map(([prefix, uri]) => `xmlns:${prefix}="${uri}"`);
  return `<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF ${declared.join(" ")}>
<rdf:Description rdf:about="">
${lines.filter(Boolean).join("\n")}
</rdf:Description>
</rdf:RDF>
</x:xmpmeta>
<?xpacket end="w"?>
`;
}

function printPlace(place: Place | null): string[] {
  if (!place) return [];
  const { latitude, longitude, altitude, name } = place;
  const hasPoint = latitude !== null && longitude !== null;
  return [
    hasPoint ? printValue("exif:GPSLatitude", printDegrees(latitude, "N", "S")) : "",
    hasPoint ? printValue("exif:GPSLongitude", printDegrees(longitude, "E", "W")) : "",
    hasPoint && altitude !== null ? printAltitude(altitude) : "",
    name ? printValue("Iptc4xmpCore:Location", name) : "",
  ];
}

/** `48,55.684000N`: degrees and minutes. */
function printDegrees(value: number, positive: string, negative: string): string {
  const minutes = Math.round(Math.abs(value) * 60e6);
  return `${Math.floor(minutes / 60e6)},${((minutes % 60e6) / 1e6).toFixed(6)}${value < 0 ? negative : positive}`;
}

const printAltitude = (metres: number): string =>
  printValue("exif:GPSAltitude", `${Math.round(Math.abs(metres) * 100)}/100`) +
  printValue("exif:GPSAltitudeRef", metres < 0 ? "1" : "0");

/** The clock of a camera has no zone. */
const printTime = ({ time, isMoment }: { time: number; isMoment: boolean }): string =>
  new Date(time).toISOString().replace("Z", isMoment ? "+00:00" : "");

const printValue = (name: string, value: string) => `<${name}>${escapeXML(value)}</${name}>`;
const printItem = (value: string) => `<rdf:li>${escapeXML(value)}</rdf:li>`;
const printText = (name: string, value: string) =>
  `<${name}><rdf:Alt><rdf:li xml:lang="x-default">${escapeXML(value)}</rdf:li></rdf:Alt></${name}>`;

const entities: Record<string, string> = { "<": "&lt;", ">": "&gt;", "&": "&amp;", '"': "&quot;" };

/** XML cannot have most control characters at all. */
const escapeXML = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, "")
    .replace(/[<>&"]/g, (character) => entities[character] ?? character);
