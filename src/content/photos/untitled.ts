import { titleFrom } from "./photo.ts";

/**
 * Whether a title says no more than the name of the file: it is this name, with or without its extension, or one that a camera,
 * a phone or a messenger gives. For titles of which nobody knows who wrote them.
 */
export function isFileName(title: string, fileName: string | null): boolean {
  const given = title.normalize("NFC").trim();
  return isCameraName(given) || (fileName !== null && namesOf(fileName).includes(given));
}

/** The title of a photo for which nobody has written one: the name of its file, as it was before it got a number. */
export const titleOfFile = (name: string): string => titleFrom(name).replace(number, "") || name;

/** A file whose name was taken has got a number: `harbour (1).jpg`. */
function namesOf(fileName: string): string[] {
  const name = fileName.normalize("NFC");
  const stem = name.replace(extension, "") || name;
  return [name, stem, stem.replace(number, "")].flatMap((one) => [one.trim(), titleFrom(one)]);
}

const isCameraName = (title: string): boolean => {
  const stem = title.replace(extension, "").replace(number, "").replaceAll(/[ _-]/g, "_");
  return cameraNames.some((pattern) => pattern.test(stem));
};

const extension = /\.[a-z0-9]{1,5}$/i;
const number = / ?\(\d{1,4}\)$/;

/** Names with `_` for every space and hyphen. What programs add to them, such as `_HDR` or `~2`, may follow. */
const cameraNames = [
  // IMG_2198, DSC01234, DSCF0042, PXL_20240512_143015123, IMG-20240512-WA0001, VID_20240512_143015
  /^_?(?:img|imgp|dsc|dscn|dscf|dsci|pict|cimg|hpim|rimg|sam|sdc|mvi|mov|vid|pxl|pano|burst|dji|wp)_?e?\d{3,}[\w.~]{0,40}$/i,
  // P1000123, GOPR0042, GX010042
  /^(?:p|gopr|gp|gh|gs|gx)\d{4,8}$/i,
  // 20240512_143015, 2024_05_12_14.30.15
  /^\d{8}_\d{4,9}[\w.~]{0,40}$/,
  /^\d{4}_\d\d_\d\d_(?:at_)?\d\d[._]?\d\d[._]?\d\d[\w.~]{0,40}$/,
  // Screenshot_2024-05-12, WhatsApp Image 2024-05-12 at 14.30.15, signal-2024-05-12-143015
  /^(?:screenshot|screen_shot|bildschirmfoto|whatsapp_image|whatsapp_video|signal)_\d{4}[\w.~]{0,60}$/i,
  // 9C0FD2B8-6E4D-4F0D-9C6B-2A9F3B0E7C11
  /^[0-9a-f]{8}_[0-9a-f]{4}_[0-9a-f]{4}_[0-9a-f]{4}_[0-9a-f]{12}$/i,
];
