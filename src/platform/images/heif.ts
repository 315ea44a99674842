import { type Block, type Edit, latin, nothing, startsWith, uint } from "./bytes.ts";
import { type Box, childBoxes, emptyBox, findBox, readBoxes } from "./boxes.ts";
import { profileEdits } from "./colour-profile.ts";
import { cleanExif } from "./harmless-exif.ts";
import { hiddenInJPEG } from "./jpeg.ts";
import type { ByteRange } from "../byte-range.ts";
import { complement } from "./ranges.ts";
import { setUint } from "./tiff.ts";

const keptBoxes = new Set(["hdlr", "pitm", "iinf", "iloc", "iprp", "iref", "idat", "grpl", "dinf"]);
const pictureTypes = new Set(
  "hvc1 hvt1 hvc2 lhv1 av01 avc1 vvc1 evc1 jpeg j2k1 unci mski grid iovl iden tmap".split(" "),
);
/** Properties that a decoder needs: sizes, colours, rotation, codec configuration. */
const keptProperties = new Set(
  "ispe pixi colr pasp irot imir clap rloc auxC hvcC lhvC av1C avcC vvcC evcC jpgC j2kH uncC cmpd clli mdcv cclv amve lsel a1op a1lx oinf tols iscl ndwt reve".split(
    " ",
  ),
);
const maxExtents = 100_000;
const maxBeforeExif = 64;
/** More levels of derived images than any camera writes. */
const maxPasses = 6;

type Item = {
  id: number;
  type: string;
  /** The offset of its type. */
  typeAt: number;
  contentType: string;
  /** Null if they cannot be located. */
  extents: ByteRange[] | null;
};

/** The blocks of a `meta` box, and the byte ranges of the pixels. */
type Items = { blocks: Block[]; kept: ByteRange[] };

/** Whether this `meta` box describes pictures. Others hold only tags. */
export const isPictureMeta = (bytes: Uint8Array, meta: Box) =>
  readBoxes(bytes, meta.from + 4, meta.end).boxes.some(
    ({ type, from }) => type === "hdlr" && latin(bytes, from + 8, from + 12) === "pict",
  );

/**
 * Keeps the primary picture and harmless EXIF. Thumbnails, other pictures, XMP and unknown items are overwritten in place,
 * because offsets must not change. Null if the box is damaged or not understood.
 */
export function readItems(bytes: Uint8Array, meta: Box): Items | null {
  const boxes = childBoxes(bytes, meta.from + 4, meta.end) ?? [];
  const [iinf, iloc, pitm, idat] = ["iinf", "iloc", "pitm", "idat"].map((type) => findBox(boxes, type));
  const items = iinf && readInfos(bytes, iinf);
  const references = readReferences(bytes, findBox(boxes, "iref"));
  const properties = propertyEdits(bytes, findBox(boxes, "iprp"));
  if (!items || !iloc || !pitm || !references || !properties || !locate(bytes, iloc, idat, items)) return null;
  const primary = uint(bytes, pitm.from + 4, bytes[pitm.from] === 0 ? 2 : 4);
  const shown = findShown(items, references, primary);
  const pictures = [...shown].flatMap((id) => items.get(id) ?? []);
  const others = [...items.values()].filter(({ id }) => !shown.has(id));
  const gone = others.filter(({ type }) => pictureTypes.has(type));
  const isPreview = references.some(({ type, from }) => type === "thmb" && from === primary);
  if (isPreview || !pictures.every(({ type, extents }) => pictureTypes.has(type) && extents)) return null;

  const described = others.flatMap((item) => describedBlock(bytes, item) ?? []);
  // Pictures may share bytes, as the layers of one image do.
  const hidden = others.flatMap(({ type, extents }) => (pictureTypes.has(type) ? [] : (extents ?? [])));
  const seen = pictures.flatMap(({ type, extents }) => (extents ?? []).flatMap((part) => shownPart(bytes, type, part)));
  const whole = { start: 0, end: bytes.length };
  // EXIF and XMP have their own edits.
  const edited = described.flatMap(({ edits }) => edits);
  const kept = [...complement([...complement(seen, whole), ...hidden], whole), ...edited];
  const edits = [
    ...boxes.filter(({ type }) => !keptBoxes.has(type)).flatMap(emptyBox),
    ...properties,
    ...references.flatMap((reference) => referenceEdits(reference, new Set(gone.map(({ id }) => id)))),
    ...gone.map(({ typeAt }) => hide(typeAt)),
    ...(idat ? complement(kept, { start: idat.from, end: idat.end }).map((range) => ({ ...range, by: 0 })) : []),
  ];
  return { blocks: [...described, { kind: "other", data: nothing, edits }], kept };
}

/** All items by id. Old versions of the box have no item type. */
export function readInfos(bytes: Uint8Array, iinf: Box): Map<number, Item> | null {
  const items = new Map<number, Item>();
  const infos = childBoxes(bytes, iinf.from + (bytes[iinf.from] === 0 ? 6 : 8), iinf.end);
  for (const { from, end } of infos ?? []) {
    const idSize = bytes[from] === 3 ? 4 : 2;
    const id = uint(bytes, from + 4, idSize);
    const typeAt = from + 4 + idSize + 2;
    const type = (bytes[from] ?? 0) >= 2 ? latin(bytes, typeAt, typeAt + 4) : "";
    const [, contentType = ""] = latin(bytes, typeAt + 4, Math.min(end, typeAt + 300)).split("\0");
    items.set(id, { id, type, typeAt, contentType, extents: [] });
  }
  return infos && items;
}

/** Sets the extents of each item, in the file or in the `idat` box. False if the table is damaged. */
export function locate(bytes: Uint8Array, iloc: Box, idat: Box | undefined, items: Map<number, Item>): boolean {
  let at = iloc.from;
  let left = maxExtents;
  const take = (size: number) => uint(bytes, (at += size) - size, size);
  const version = take(1);
  take(3);
  const sizes = take(2);
  const [offsetSize, lengthSize, baseSize] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15];
  const indexSize = version === 0 ? 0 : sizes & 15;
  const idSize = version < 2 ? 2 : 4;
  for (let count = take(idSize); count > 0 && at < iloc.end; count--) {
    const item = items.get(take(idSize));
    const method = version === 0 ? 0 : take(2) & 15;
    const isElsewhere = take(2) !== 0;
    const base = take(baseSize);
    const parts = take(2);
    if ((left -= parts + 1) < 0) return false;
    const source = method === 0 ? { from: 0, end: bytes.length } : method === 1 ? idat : undefined;
    const extents = Array.from({ length: parts }, () => {
      take(indexSize);
      const start = (source?.from ?? 0) + base + take(offsetSize);
      return { start, end: lengthSize === 0 ? (source?.end ?? 0) : start + take(lengthSize) };
    });
    const isInside = source && extents.every(({ start, end }) => start <= end && end <= source.end);
    if (item) item.extents = isInside && !isElsewhere && item.extents?.length === 0 ? extents : null;
  }
  return at === iloc.end;
}

type Reference = { type: string; typeAt: number; from: number; to: number[]; idSize: number; toAt: number };

export function readReferences(bytes: Uint8Array, iref: Box | undefined): Reference[] | null {
  if (!iref) return [];
  const idSize = bytes[iref.from] === 0 ? 2 : 4;
  const boxes = childBoxes(bytes, iref.from + 4, iref.end);
  return (
    boxes &&
    boxes.map(({ type, start, from, end }) => {
      const count = Math.min(uint(bytes, from + idSize, 2), Math.floor((end - from) / idSize));
      const to = Array.from({ length: count }, (_, i) => uint(bytes, from + 2 + idSize * (i + 1), idSize));
      return { type, typeAt: start + 4, from: uint(bytes, from, idSize), to, idSize, toAt: from + 2 + idSize };
    })
  );
}

/** The primary picture, the items it is made from, and its planes, such as alpha or a gain map. */
export function findShown(items: Map<number, Item>, references: Reference[], primary: number): Set<number> {
  const shown = new Set([primary]);
  for (let pass = 0, before = 0; pass < maxPasses && shown.size > before; pass++) {
    before = shown.size;
    for (const { type, from, to } of references) {
      const isPlane = type === "auxl" || (type === "dimg" && items.get(from)?.type === "tmap");
      if (isPlane && to.some((id) => shown.has(id))) shown.add(from);
      if (type === "dimg" && shown.has(from)) for (const id of to) shown.add(id);
    }
  }
  return shown;
}

/** Some decoders refuse a file in which a reference names a picture that is gone: it names another of its pictures instead. */
function referenceEdits({ type, typeAt, from, to, idSize, toAt }: Reference, gone: Set<number>): Edit[] {
  const left = to.find((id) => !gone.has(id));
  if (type === "thmb" || gone.has(from) || left === undefined) return [hide(typeAt)];
  const by = new Uint8Array(idSize);
  setUint(by, 0, left, { size: idSize, little: false });
  return to.flatMap((id, i) => (gone.has(id) ? { start: toAt + idSize * i, end: toAt + idSize * (i + 1), by } : []));
}

/** Decoders ignore items and references of an unknown type. */
const hide = (typeAt: number): Edit => ({ start: typeAt, end: typeAt + 4, by: new TextEncoder().encode("free") });

/** Null for items that are neither EXIF nor XMP. */
function describedBlock(bytes: Uint8Array, { type, contentType, extents }: Item): Block | null {
  const [first] = extents ?? [];
  if (!first) return null;
  if (type === "Exif" && extents?.length === 1) return exifItem(bytes, first);
  if (type !== "mime" || contentType !== "application/rdf+xml") return null;
  const edits = (extents ?? []).map((extent) => ({ ...extent, by: 0x20 }));
  return { kind: "xmp", data: bytes.subarray(first.start, first.end), edits };
}

/** An Exif item starts with the offset of its TIFF block. Some phones write the header of a JPEG segment before that. */
function exifItem(bytes: Uint8Array, { start, end }: ByteRange): Block {
  const skipped = uint(bytes, start, 4);
  const from = skipped <= maxBeforeExif ? Math.min(start + 4 + skipped, end) : start;
  const data = bytes.subarray(from, end);
  const clean = cleanExif(data) ?? data;
  const head = { start, end: Math.min(start + 4, from), by: bytes.subarray(start, Math.min(start + 4, from)) };
  const name = {
    start: head.end,
    end: from,
    by: skipped >= 6 && startsWith(bytes, from - 6, "Exif\0\0") ? nameOfExif(skipped) : 0,
  };
  return {
    kind: "exif",
    data,
    edits: [head, name, { start: from, end, by: clean.length === data.length ? clean : 0 }],
  };
}

/** The name before EXIF at the end of this many bytes. */
function nameOfExif(length: number): Uint8Array {
  const name = new Uint8Array(length);
  name.set(new TextEncoder().encode("Exif\0\0"), length - 6);
  return name;
}

/** Without the application segments of a JPEG. */
const shownPart = (bytes: Uint8Array, type: string, part: ByteRange): ByteRange[] =>
  type === "jpeg" ? complement(hiddenInJPEG(bytes, part), part) : [part];

/** Items refer to properties by position, so a removed property leaves an empty box behind. */
function propertyEdits(bytes: Uint8Array, iprp: Box | undefined): Edit[] | null {
  const groups = (iprp && childBoxes(bytes, iprp.from, iprp.end)) ?? [];
  const ipco = findBox(groups, "ipco");
  const properties = ipco && childBoxes(bytes, ipco.from, ipco.end);
  if (!properties) return null;
  const unknown = properties.filter(({ type }) => !keptProperties.has(type));
  const others = groups.filter(({ type }) => type !== "ipco" && type !== "ipma");
  const profiles = properties.filter(
    ({ type, from }) => type === "colr" && /^(prof|rICC)$/.test(latin(bytes, from, from + 4)),
  );
  return [
    ...[...unknown, ...others].flatMap(emptyBox),
    ...profiles.flatMap(({ from, end }) => profileEdits(bytes, [{ start: from + 4, end }])),
  ];
}
