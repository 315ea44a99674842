import { rawTypeOfName } from "./images/raw-types.ts";

/** Extensions that the runtime does not know. */
const moreTypes = new Map([
  ["hif", "image/heif"],
  ["jfif", "image/jpeg"],
  ["mpo", "image/jpeg"],
  ["jxl", "image/jxl"],
  ["insv", "video/mp4"],
]);

/** By extension, with the dot. */
const knownTypes = new Map<string, string>();
const maxKnown = 1000;

/** The usual content type of files with this extension, or `application/octet-stream` if there is none. */
export function typeOfName(name: string): string {
  const dot = name.lastIndexOf(".");
  if (dot <= 0) return findType(name);
  const extension = name.slice(dot);
  const known = knownTypes.get(extension);
  if (known !== undefined) return known;
  if (knownTypes.size >= maxKnown) knownTypes.clear();
  const type = findType(name);
  knownTypes.set(extension, type);
  return type;
}

function findType(name: string): string {
  const extension = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  const known = moreTypes.get(extension) ?? rawTypeOfName(name) ?? Bun.file(name).type.split(";")[0];
  return known || "application/octet-stream";
}
