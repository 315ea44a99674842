/** The usual content type of files with such a name, `application/octet-stream` when there is none. */
export function typeOfName(name: string): string {
  return Bun.file(name).type.split(";")[0] || "application/octet-stream";
}
