import { latin, uint } from "./bytes.ts";
import { type Box, childBoxes, findBox } from "./boxes.ts";
import { readAV1Colours } from "./av1-colours.ts";
import type { Colours } from "./colours.ts";
import { locate, readInfos, readReferences } from "./heif.ts";

/** More levels of derived images than any camera writes. */
const maxLevels = 6;
const maxAssociations = 1_000_000;

/** What the `meta` box says about the primary picture. `codec` is the type of the item that holds its first pixels. */
export type PrimaryPicture = { codec: string; colours: Colours | null; size: { width: number; height: number } | null };

/** Null if there is no primary picture, or the box is damaged. */
export function readPrimary(bytes: Uint8Array, meta: Box): PrimaryPicture | null {
  const boxes = childBoxes(bytes, meta.from + 4, meta.end) ?? [];
  const [pitm, iinf, iprp] = ["pitm", "iinf", "iprp"].map((type) => findBox(boxes, type));
  const items = iinf && readInfos(bytes, iinf);
  const references = readReferences(bytes, findBox(boxes, "iref")) ?? [];
  if (!pitm || !items) return null;
  const primary = uint(bytes, pitm.from + 4, bytes[pitm.from] === 0 ? 2 : 4);
  let part = primary;
  for (let level = 0; level < maxLevels; level++)
    part = references.find(({ type, from }) => type === "dimg" && from === part)?.to[0] ?? part;
  const item = items.get(part);
  if (!item) return null;
  const own = propertiesOf(bytes, iprp, primary);
  const described = [own, propertiesOf(bytes, iprp, part)].find((list) => list.some(({ type }) => type === "colr"));
  const colours = described ? readColours(bytes, described) : readCodedColours();
  return { codec: item.type, colours, size: readSize(bytes, own) };

  /** From the coded picture itself. */
  function readCodedColours(): Colours | null {
    const [iloc, idat] = ["iloc", "idat"].map((type) => findBox(boxes, type));
    if (item?.type !== "av01" || !items || !iloc || !locate(bytes, iloc, idat, items)) return null;
    const [first] = item.extents ?? [];
    return first ? readAV1Colours(bytes.subarray(first.start, first.end)) : null;
  }
}

/** Null if there are none, or if a profile describes the colours. */
export function readColours(bytes: Uint8Array, properties: Box[]): Colours | null {
  const described = properties.filter(({ type }) => type === "colr");
  const kindOf = ({ from }: Box) => latin(bytes, from, from + 4);
  const coded = described.find((box) => kindOf(box) === "nclx" || kindOf(box) === "nclc");
  if (!coded || described.some((box) => kindOf(box) === "prof" || kindOf(box) === "rICC")) return null;
  return { primaries: uint(bytes, coded.from + 4, 2), transfer: uint(bytes, coded.from + 6, 2) };
}

/** The size of the upright picture, cropped as the file says. */
function readSize(bytes: Uint8Array, properties: Box[]): PrimaryPicture["size"] {
  const [ispe, clap, irot] = ["ispe", "clap", "irot"].map((type) => findBox(properties, type));
  if (!ispe) return null;
  const fraction = (at: number) => Math.floor(uint(bytes, at, 4) / (uint(bytes, at + 4, 4) || 1));
  const [width, height] = clap
    ? [fraction(clap.from), fraction(clap.from + 8)]
    : [uint(bytes, ispe.from + 4, 4), uint(bytes, ispe.from + 8, 4)];
  return irot && (bytes[irot.from] ?? 0) % 2 === 1 ? { width: height, height: width } : { width, height };
}

/** The properties of an item. */
function propertiesOf(bytes: Uint8Array, iprp: Box | undefined, id: number): Box[] {
  const groups = (iprp && childBoxes(bytes, iprp.from, iprp.end)) ?? [];
  const ipco = findBox(groups, "ipco");
  const all = (ipco && childBoxes(bytes, ipco.from, ipco.end)) ?? [];
  return groups
    .filter(({ type }) => type === "ipma")
    .flatMap((ipma) => [...associations(bytes, ipma)])
    .filter(({ item }) => item === id)
    .flatMap(({ property }) => all[property - 1] ?? []);
}

/** Which item has which property, as a position that counts from 1. */
function* associations(bytes: Uint8Array, { from, end }: Box): Generator<{ item: number; property: number }> {
  const idSize = bytes[from] === 0 ? 2 : 4;
  const isWide = (uint(bytes, from + 1, 3) & 1) === 1;
  let at = from + 8;
  let left = maxAssociations;
  for (let count = uint(bytes, from + 4, 4); count > 0 && at < end; count--) {
    const item = uint(bytes, at, idSize);
    at += idSize;
    for (let properties = bytes[at++] ?? 0; properties > 0 && at < end && left > 0; properties--, left--) {
      yield { item, property: isWide ? uint(bytes, at, 2) & 0x7fff : (bytes[at] ?? 0) & 0x7f };
      at += isWide ? 2 : 1;
    }
  }
}
