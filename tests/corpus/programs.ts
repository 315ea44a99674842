import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** What exiftool reads of a file: its tags by group and name, such as `GPS:GPSLatitude`. */
export type Tags = Record<string, string | number>;

/** The tags of these files, by path. */
export async function readTags(paths: string[]): Promise<Map<string, Tags>> {
  const arguments_ = ["-j", "-n", "-a", "-G1", "-api", "largefilesupport=1", ...paths];
  const child = Bun.spawn(["exiftool", "-@", "-"], {
    stdin: Buffer.from(arguments_.join("\n")),
    stdout: "pipe",
    stderr: "ignore",
  });
  const text = await new Response(child.stdout).text();
  const found = text === "" ? [] : (JSON.parse(text) as Tags[]);
  return new Map(found.map((tags) => [String(tags["SourceFile"]), tags]));
}

/** A hash of the pixels of the first picture in a file, as ImageMagick decodes it; null if it cannot. */
export async function hashPixels(path: string): Promise<string | null> {
  const text = (await run(["identify", "-quiet", "-format", "%# %w %h", `${path}[0]`])).toString("latin1");
  return text === "" ? null : text;
}

/** The first picture in a file, upright, in sRGB, on white and scaled to a square, as ImageMagick decodes it; null if it cannot. */
export async function drawSquare(path: string, profile: string, side: number): Promise<Buffer | null> {
  const canvas = /\.gif$/i.test(path) ? ["-coalesce"] : [];
  const colours = ["-profile", profile, "-colorspace", "sRGB", "-background", "#fff", "-alpha", "remove"];
  const size = ["-filter", "box", "-resize", `${side}x${side}!`, "-depth", "8", "rgb:-"];
  const pixels = await run(["convert", "-quiet", `${path}[0]`, ...canvas, "-auto-orient", ...colours, ...size]);
  return pixels.length === side * side * 3 ? pixels : null;
}

/** What a program writes: nothing if it fails. */
async function run(command: string[]): Promise<Buffer> {
  const child = Bun.spawn(command, { stdio: ["ignore", "pipe", "ignore"], timeout: 600_000 });
  const output = await new Response(child.stdout).arrayBuffer();
  // A warning, too, makes it exit with a failure.
  await child.exited;
  return Buffer.from(output);
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

/** exiftool calls the pixels of a TIFF that are compressed as JPEG a preview. */
const isPage = (tags: Tags, name: string) =>
  name.endsWith(":PreviewImage") && tags[name.replace("PreviewImage", "Compression")] === jpeg;
const jpeg = 7;

export const privateIn = (tags: Tags): string[] =>
  Object.keys(tags).filter(
    (name) => privateTags.test(name) && !harmless.test(name) && tags[name] !== "" && !isPage(tags, name),
  );
