import { rawTypeOfName } from "./images/raw-types.ts";

/** Extensions that the runtime does not know. */
const moreTypes = new Map([
  ["hif", "image/heif"],
  ["jfif", "image/jpeg"],
  ["mpo", "image/jpeg"],
  ["jxl", "image/jxl"],
  ["insv", "video/mp4"],
]);

/** The usual content type of files with this extension, or `application/octet-stream` if there is none. */
export function typeOfName(name: string): string {
  const extension = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  const known = moreTypes.get(extension) ?? rawTypeOfName(name) ?? Bun.file(name).type.split(";")[0];
  return known || "application/octet-stream";
}
