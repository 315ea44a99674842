import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** What exiftool reads of a file: its tags by group and name, such as `GPS:GPSLatitude`. */
export type Tags = Record<string, string | number>;

/** The tags of all files below a directory, by path. */
export async function readTags(directory: string): Promise<Map<string, Tags>> {
  const { stdout } = Bun.spawn(["exiftool", "-j", "-n", "-a", "-G1", "-r", "-api", "largefilesupport=1", directory], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const text = await new Response(stdout).text();
  const found = text === "" ? [] : (JSON.parse(text) as Tags[]);
  return new Map(found.map((tags) => [String(tags["SourceFile"]), tags]));
}

/** A hash of the pixels of the first picture in a file, as ImageMagick decodes it; null if it cannot. */
export async function hashPixels(path: string): Promise<string | null> {
  const child = Bun.spawn(["identify", "-quiet", "-format", "%# %w %h", `${path}[0]`], {
    stdio: ["ignore", "pipe", "ignore"],
    timeout: 60_000,
  });
  const text = await new Response(child.stdout).text();
  return (await child.exited) === 0 && text !== "" ? text : null;
}

/** The files below a directory that are not empty and not too large, sorted by name. */
export function listFiles(directory: string, maxBytes: number): string[] {
  return readdirSync(directory, { recursive: true, encoding: "utf8" })
    .map((name) => join(directory, name))
    .filter((path) => {
      const stats = statSync(path, { throwIfNoEntry: false });
      return stats?.isFile() && stats.size > 0 && stats.size <= maxBytes;
    })
    .toSorted();
}

/** Groups and names of tags that must not be in a file that strangers get. */
const privateTags =
  /^(GPS|XMP-|IPTC|Photoshop|MakerNotes|Canon|Nikon|Sony|Olympus|Panasonic|Pentax|Apple|Samsung|FujiFilm|IFD1:Thumbnail)|SerialNumber|OwnerName|UserComment|ImageDescription|:Software$|:Comment$|ThumbnailImage|PreviewImage$/;
const harmless = /^(ICC|Composite|ExifTool|System|File:(?!Comment))|Photoshop:(X|Y)Resolution/;

export const privateIn = (tags: Tags): string[] =>
  Object.keys(tags).filter((name) => privateTags.test(name) && !harmless.test(name) && tags[name] !== "");
