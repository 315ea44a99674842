import { latin, startsWith } from "./bytes.ts";
import { directories, numbersOf, openTiff } from "./tiff.ts";

/** RAW formats that begin like TIFF: extensions, the start of the `Make` tag if it identifies them, and the type. */
const makers: [extensions: string, make: string | null, type: string][] = [
  ["nef", "NIKON", "image/x-nikon-nef"],
  ["nrw", null, "image/x-nikon-nrw"],
  ["arw sr2 srf", "SONY", "image/x-sony-arw"],
  ["pef", "PENTAX", "image/x-pentax-pef"],
  ["srw", "SAMSUNG", "image/x-samsung-srw"],
  ["3fr fff", "Hasselblad", "image/x-hasselblad-3fr"],
  ["iiq", "Phase One", "image/x-phaseone-iiq"],
  ["mos", "Leaf", "image/x-leaf-mos"],
  ["dcr", "EASTMAN KODAK", "image/x-kodak-dcr"],
  ["kdc", "Kodak", "image/x-kodak-kdc"],
  ["erf", "SEIKO EPSON", "image/x-epson-erf"],
  ["mef", "Mamiya", "image/x-mamiya-mef"],
  ["cr2", "Canon", "image/x-canon-cr2"],
  ["dng gpr", null, "image/x-adobe-dng"],
];
/** RAW formats with their own signature. */
const others: [extension: string, type: string][] = [
  ["cr3", "image/x-canon-cr3"],
  ["crw", "image/x-canon-crw"],
  ["raf", "image/x-fuji-raf"],
  ["rw2", "image/x-panasonic-rw2"],
  ["orf", "image/x-olympus-orf"],
  ["mrw", "image/x-minolta-mrw"],
  ["x3f", "image/x-sigma-x3f"],
];
const byExtension = new Map([
  ...others,
  ...makers.flatMap(([extensions, , type]) => extensions.split(" ").map((one): [string, string] => [one, type])),
]);
const types = new Set(byExtension.values());

/** Whether this is a RAW format. The picture of such a file is the largest preview inside it. */
export const isRawType = (contentType: string) => types.has(contentType);

export const rawTypeOfName = (name: string) => byExtension.get(name.slice(name.lastIndexOf(".") + 1).toLowerCase());

const [kindOfPage, colours, make, dngVersion] = [0x00fe, 0x0106, 0x010f, 0xc612];
const sensorColours = new Set([32_803, 34_892]);

/** Many RAW files begin like TIFF. The first directory identifies them, or the extension. */
export function typeOfTiff(head: Uint8Array, name: string): string {
  if (startsWith(head, 8, "CR\x02")) return "image/x-canon-cr2";
  if (startsWith(head, 8, "IIII") || startsWith(head, 8, "MMMM")) return "image/x-phaseone-iiq";
  const tiff = openTiff(head);
  const [first] = tiff ? directories(tiff).take(1) : [];
  const find = (tag: number) => first?.entries.find((entry) => entry.tag === tag);
  if (find(dngVersion)) return "image/x-adobe-dng";
  const number = (tag: number) => {
    const entry = find(tag);
    return (tiff && entry && numbersOf(tiff, entry, 1)[0]) ?? 0;
  };
  const { from = 0, to = 0 } = find(make) ?? {};
  const maker = makers.find(([, name]) => name && latin(head, from, to).startsWith(name));
  if (maker && (number(kindOfPage) === 1 || sensorColours.has(number(colours)))) return maker[2];
  return rawTypeOfName(name) ?? "image/tiff";
}
