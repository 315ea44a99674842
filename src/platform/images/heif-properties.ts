import { latin, uint } from "./bytes.ts";
import { type Box, childBoxes, findBox } from "./boxes.ts";
import { readAV1Colours } from "./av1-colours.ts";
import type { Colours } from "./colours.ts";
import type { Area, Size } from "./edits.ts";
import { readShape } from "./heif-crop.ts";
import { locate, readInfos, readReferences } from "./heif.ts";

/** More levels of derived images than any camera writes. */
const maxLevels = 6;
const maxAssociations = 1_000_000;

/**
 * What the `meta` box says about the primary picture. `codec` is the type of the item that holds its first pixels, and `size`
 * is what is shown of the picture. `crops` are the places in the file that refer to the crop of the picture or of its planes.
 */
export type PrimaryPicture = {
  codec: string;
  colours: Colours | null;
  size: Size | null;
  crop: Area | null;
  crops: Range[];
};
type Range = { start: number; end: number };

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
  const own = propertiesOf(bytes, iprp, new Set([primary]));
  const described = [own, propertiesOf(bytes, iprp, new Set([part]))].find((list) =>
    list.some(({ type }) => type === "colr"),
  );
  const colours = described ? readColours(bytes, described) : readCodedColours();
  const shape = readShape(bytes, own);
  const planes = references.filter(({ type, to }) => type === "auxl" && to.includes(primary)).map(({ from }) => from);
  const cropped = shape?.crop ? propertiesOf(bytes, iprp, new Set([primary, ...planes])) : [];
  return {
    codec: item.type,
    colours,
    size: shape?.size ?? null,
    crop: shape?.crop ?? null,
    crops: cropped.filter(({ type }) => type === "clap").map(({ namedAt }) => namedAt),
  };

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

/** The properties of these items, each with the place that says that an item has it. */
function propertiesOf(
  bytes: Uint8Array,
  iprp: Box | undefined,
  ids: ReadonlySet<number>,
): (Box & { namedAt: Range })[] {
  const groups = (iprp && childBoxes(bytes, iprp.from, iprp.end)) ?? [];
  const ipco = findBox(groups, "ipco");
  const all = (ipco && childBoxes(bytes, ipco.from, ipco.end)) ?? [];
  return groups
    .filter(({ type }) => type === "ipma")
    .flatMap((ipma) => [...associations(bytes, ipma)])
    .filter(({ item }) => ids.has(item))
    .flatMap(({ property, start, end }) => {
      const box = all[property - 1];
      return box ? [{ ...box, namedAt: { start, end } }] : [];
    });
}

type Association = Range & { item: number; property: number };

/** Which item has which property, as a position that counts from 1. */
function* associations(bytes: Uint8Array, { from, end }: Box): Generator<Association> {
  const idSize = bytes[from] === 0 ? 2 : 4;
  const isWide = (uint(bytes, from + 1, 3) & 1) === 1;
  let at = from + 8;
  let left = maxAssociations;
  for (let count = uint(bytes, from + 4, 4); count > 0 && at < end; count--) {
    const item = uint(bytes, at, idSize);
    at += idSize;
    for (let properties = bytes[at++] ?? 0; properties > 0 && at < end && left > 0; properties--, left--) {
      const start = at;
      at += isWide ? 2 : 1;
      // The first bit says whether a decoder must know the property.
      yield { item, property: uint(bytes, start, at - start) & (isWide ? 0x7fff : 0x7f), start, end: at };
    }
  }
}
