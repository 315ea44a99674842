import { latin, startsWith, uint } from "./bytes.ts";
import { decodeText } from "./text.ts";
import { type Directory, type Entry, numbersOf, openTiff, readDirectory, type Tiff } from "./tiff.ts";

/** A directory in the notes of a camera's maker. Offsets in it count from the start of `tiff`. */
type Notes = { tiff: Tiff; start: number };

const maxEntries = 1000;

/**
 * The lens in the notes of a camera's maker: its name as Canon, Panasonic and Olympus write it, or its range as Nikon does. Null
 * if there is none, or only a number of which no table says what it means.
 */
export function findLens(tiff: Tiff, { from, to }: Entry): string | null {
  const { bytes } = tiff;
  const note = bytes.subarray(from, to);
  if (startsWith(note, 0, "Nikon\0\x02")) {
    const own = openTiff(note.subarray(10));
    return own && rangeIn({ tiff: own, start: uint(own.bytes, 4, 4, own.little) }, 0x0084);
  }
  if (startsWith(note, 0, "Panasonic\0")) return textIn({ tiff, start: from + 12 }, 0x0051);
  if (startsWith(note, 0, "OLYMPUS\0") || startsWith(note, 0, "OM SYSTEM\0")) return olympusLens(note);
  // The notes of Canon have no header.
  return isDirectoryAt(tiff, from) ? textIn({ tiff, start: from }, 0x0095) : null;
}

function olympusLens(note: Uint8Array): string | null {
  const at = note[0] === 0x4f && note[1] === 0x4c ? 8 : 12;
  const tiff: Tiff = { bytes: note, little: latin(note, at, at + 2) === "II", big: false };
  const equipment = findEntry({ tiff, start: at + 4 }, 0x2010);
  const [start] = equipment
    ? numbersOf(tiff, { ...equipment, type: equipment.type === 13 ? 4 : equipment.type }, 1)
    : [];
  return start === undefined ? null : textIn({ tiff, start }, 0x0203);
}

/** Whether there may be a directory: other makers write anything. */
function isDirectoryAt({ bytes, little }: Tiff, at: number): boolean {
  const count = uint(bytes, at, 2, little);
  return count > 0 && count <= maxEntries && uint(bytes, at + 4, 2, little) <= 13;
}

function findEntry({ tiff, start }: Notes, tag: number): Entry | undefined {
  if (start < 8 || start + 2 > tiff.bytes.length || uint(tiff.bytes, start, 2, tiff.little) > maxEntries)
    return undefined;
  const directory: Directory = readDirectory(tiff, "exif", start);
  return directory.entries.find((entry) => entry.tag === tag);
}

function textIn(notes: Notes, tag: number): string | null {
  const entry = findEntry(notes, tag);
  const text = entry?.type === 2 ? decodeText(notes.tiff.bytes.subarray(entry.from, entry.to)) : null;
  return text && /[a-z]/i.test(text) && /\d/.test(text) ? text : null;
}

/** Shortest and longest focal length and the largest aperture at both, as a name such as `18-55mm f/3.5-5.6`. */
function rangeIn(notes: Notes, tag: number): string | null {
  const entry = findEntry(notes, tag);
  const [short = NaN, long = NaN, wide = NaN, tele = NaN] = entry ? numbersOf(notes.tiff, entry, 4) : [];
  const isRange = [short, long, wide, tele].every((number) => number > 0 && number < 10_000);
  const both = (one: number, other: number) => (one === other ? `${round(one)}` : `${round(one)}-${round(other)}`);
  return isRange ? `${both(short, long)}mm f/${both(wide, tele)}` : null;
}

const round = (number: number) => Math.round(number * 10) / 10;
