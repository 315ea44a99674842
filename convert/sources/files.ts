import { z } from "zod";
import { addNumber, nameKey } from "../../src/content/files/names.ts";
import { isUnusable, type Tree, type TreeFile, UnusableEntry } from "../../src/platform/archives/tree.ts";
import { rawTypeOfName } from "../../src/platform/images/raw-types.ts";
import { fold } from "../../src/platform/text.ts";
import { type Item, note } from "./items.ts";

/** A small file as text, without the mark of its encoding. Throws if it is larger. */
export async function readText(file: TreeFile, maxBytes: number): Promise<string> {
  if (file.size > maxBytes) throw new UnusableEntry(`It is larger than ${Math.round(maxBytes / 2 ** 20)} MiB.`);
  return Buffer.concat(await Array.fromAsync(file.open()))
    .toString()
    .replace(/^\ufeff/, "");
}

/** The first bytes of a file. */
export async function readHead(file: TreeFile, bytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of file.open()) {
    chunks.push(chunk);
    if ((size += chunk.length) >= bytes) break;
  }
  return Buffer.concat(chunks).subarray(0, bytes);
}

/** The beginning of a file as text; "" if it cannot be read. */
export const tryHead = (file: TreeFile, bytes: number): Promise<string> => readHead(file, bytes).then(String, () => "");

export async function readJSON(file: TreeFile, maxBytes: number): Promise<unknown> {
  return JSON.parse(await readText(file, maxBytes));
}

/** A list in JSON without the entries that are not as they should be. */
export const usableIn = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .array(z.unknown())
    .catch([])
    .transform((all): z.output<Schema>[] => all.flatMap((one) => schema.safeParse(one).data ?? []));

/** Settings, keys and caches of programs, which their names hide from people. */
export const isHiddenFile = ({ path }: { path: string[] }) => path.some((name) => name.startsWith("."));

/** What a source has without the hidden files of its tree, and how many these are. */
export async function* withoutHidden<Of extends Tree>(
  tree: Of,
  list: (visible: Of) => AsyncIterable<Item>,
): AsyncGenerator<Item> {
  let count = 0;
  yield* list({
    ...tree,
    async *list() {
      count = 0;
      for await (const entry of tree.list())
        if (isUnusable(entry) || !isHiddenFile(entry)) yield entry;
        else if ("open" in entry) count++;
    },
  });
  if (count > 0)
    yield note("hidden files", `${count} hidden ${count === 1 ? "file" : "files"} left out; --hidden takes them`);
}

/** Gives each path that was given already a number: `IMG_1.jpg`, `IMG_1 (2).jpg`. The case of letters makes no difference. */
export function createUniquePaths(): (path: string[]) => string[] {
  const counts = new Map<string, number>();
  const keyOf = (path: string[]) => path.map(nameKey).join("/");
  return (path) => {
    const [above, name] = [path.slice(0, -1), path.at(-1) ?? ""];
    let number = counts.get(keyOf(path)) ?? 0;
    let unique = path;
    if (number > 0)
      do unique = [...above, addNumber(name, ++number)];
      while (counts.has(keyOf(unique)));
    counts.set(keyOf(path), Math.max(number, 1));
    if (unique !== path) counts.set(keyOf(unique), 1);
    return unique;
  };
}

/** The name without its extension. */
export const stemOf = (name: string) => name.replace(/\.[^.]*$/, "");

/** Whether it may be the moving part of a photo. */
export const isMoving = (media: string) => /\.(mp|mp~\d+|mv|mp4|mov)$/i.test(media);
export const isStill = (media: string) => /\.(jpe?g|heic|heif|hif|avif|png|webp|dng)$/i.test(media);

const isRaw = (name: string) => rawTypeOfName(name) !== undefined;

/** Whose edited copy it is, by the stem: `IMG_E1234` and `IMG_1234_edited` are those of `IMG_1234`. */
function originalStemOf(stem: string): string | null {
  const [, start, number] = /^(img_)e(\d+)$/.exec(stem) ?? [];
  return start ? `${start}${number}` : (/^(.+)_edited$/.exec(stem)?.[1] ?? null);
}

/**
 * The files of a directory that are no photos of their own, because another one shows them: the video of a still, the RAW file
 * beside a picture, and the original of an edited copy. Returns what shows each.
 */
export function findParts(names: string[]): Map<string, string> {
  const keyOf = (name: string) => fold(stemOf(name));
  const indexBy = (test: (name: string) => boolean) =>
    new Map(names.filter(test).map((name): [string, string] => [keyOf(name), name]));
  const stills = indexBy((name) => isStill(name) && !isRaw(name));
  const raws = indexBy(isRaw);
  const videos = indexBy(isMoving);
  const parts = new Map<string, string>();
  for (const name of names) {
    const still = stills.get(keyOf(name)) ?? (isMoving(name) ? raws.get(keyOf(name)) : undefined);
    if (still !== undefined && (isRaw(name) || isMoving(name))) parts.set(name, still);
  }
  for (const edited of [...stills.values(), ...videos.values()]) {
    const stem = parts.has(edited) ? null : originalStemOf(keyOf(edited));
    if (stem === null) continue;
    const original = isMoving(edited) ? videos.get(stem) : (stills.get(stem) ?? raws.get(stem));
    if (original !== undefined && original !== edited && !parts.has(original)) parts.set(original, edited);
  }
  return parts;
}
