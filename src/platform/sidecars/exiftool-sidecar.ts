import { z } from "zod";
import { findMoment, findPlace, findRating, findTags, type Sidecar } from "./sidecar.ts";

const tagsOfFile = z.record(z.string(), z.unknown());
const documents = z.union([z.tuple([tagsOfFile], z.unknown()).transform(([first]) => first), tagsOfFile]);

/**
 * Reads JSON as ExifTool writes it (`-json`), and osxphotos after it: one object in a list, with tags that may name their group
 * (`XMP:Title`). Null if it is something else.
 */
export function readExiftoolSidecar(json: string): Sidecar | null {
  const tags = documents.safeParse(JSON.parse(json.replace(/^\ufeff/, ""))).data;
  if (!tags || typeof tags["SourceFile"] !== "string") return null;
  const values = new Map<string, unknown>();
  for (const [name, value] of Object.entries(tags)) {
    const tag = name.slice(name.lastIndexOf(":") + 1);
    if (!values.has(tag)) values.set(tag, value);
  }
  const text = (...names: string[]) =>
    names.map((name) => textOf(values.get(name))).find((one) => one !== null) ?? null;
  const list = (name: string) => listOf(values.get(name));
  const withEnd = (start: string | null, end: string | null) => (start === null ? null : `${start}${end ?? ""}`);
  return {
    title: text("Title", "ObjectName"),
    description: text("Description", "ImageDescription", "Caption-Abstract"),
    takenAt: findMoment([
      withEnd(text("DateTimeOriginal"), text("OffsetTimeOriginal")),
      withEnd(text("CreateDate"), text("OffsetTimeDigitized")),
    ]),
    place: findPlace(
      withEnd(text("GPSLatitude"), text("GPSLatitudeRef")),
      withEnd(text("GPSLongitude"), text("GPSLongitudeRef")),
    ),
    tags: findTags([
      { tags: list("TagsList"), separator: "/" },
      { tags: list("HierarchicalSubject"), separator: "|" },
      { tags: list("Subject") },
      { tags: list("Keywords") },
    ]),
    rating: findRating(text("Rating")),
  };
}

const textOf = (value: unknown): string | null =>
  typeof value === "string" || typeof value === "number" ? String(value).trim() || null : null;

const listOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).map(textOf).filter((one) => one !== null);
