import type { TreeFile } from "../../src/platform/archives/tree.ts";
import { readExiftoolSidecar } from "../../src/platform/sidecars/exiftool-sidecar.ts";
import { maxSidecarBytes, type Sidecar } from "../../src/platform/sidecars/sidecar.ts";
import { readXmpSidecar } from "../../src/platform/sidecars/xmp-sidecar.ts";
import { fold } from "../../src/platform/text.ts";
import type { PhotoDetails } from "../../src/features/imports/item.ts";
import { toPhotoDetails } from "./details.ts";
import { stemOf } from "./parts.ts";

const isSidecar = (name: string) => /\.(xmp|json)$/i.test(name);

/** The sidecars in a directory, by their names in any case. */
export function indexSidecars(files: TreeFile[]): Map<string, TreeFile> {
  const named = files.map((file): [string, TreeFile] => [file.path.at(-1) ?? "", file]);
  return new Map(named.filter(([name]) => isSidecar(name)).map(([name, file]) => [fold(name), file]));
}

/** The sidecar of the first of these files that has one: `X.jpg.xmp` rather than `X.xmp`, which may be of `X.CR2`. */
export function findSidecar(sidecars: Map<string, TreeFile>, names: string[]): TreeFile | null {
  if (sidecars.size === 0 || names.some(isSidecar)) return null;
  for (const extension of [".xmp", ".json"])
    for (const stem of names.flatMap((name) => [name, stemOf(name)])) {
      const found = sidecars.get(fold(`${stem}${extension}`));
      if (found) return found;
    }
  return null;
}

/** What a sidecar says. Null if it is JSON of something else. Throws if it cannot be read. */
export async function readSidecar(file: TreeFile): Promise<Sidecar | null> {
  if (file.size > maxSidecarBytes) throw new Error(`It is larger than ${maxSidecarBytes / 2 ** 20} MiB.`);
  const text = decode(Buffer.concat(await Array.fromAsync(file.open())));
  return /\.json$/i.test(file.path.at(-1) ?? "") ? readExiftoolSidecar(text) : readXmpSidecar(text);
}

/** XMP may be in UTF-16. */
function decode(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  return new TextDecoder().decode(bytes);
}

export function detailsFrom({ takenAt, rating, ...said }: Sidecar, hasStars: boolean): PhotoDetails {
  return {
    ...toPhotoDetails(said),
    ...(takenAt && { [takenAt.hasZone ? "momentTaken" : "clockTaken"]: takenAt.time }),
    ...(hasStars && rating === 5 && { isFavourite: true }),
  };
}
