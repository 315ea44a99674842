/** The usual content type of files with such a name, `application/octet-stream` when there is none. */
export function typeOfName(name: string): string {
  return Bun.file(name).type.split(";")[0] || "application/octet-stream";
}

/** Width and height that an image's header tells, in pixels; null when the bytes are no image this runtime reads. */
export async function readImageSize(head: Blob): Promise<{ width: number; height: number } | null> {
  try {
    const { width, height } = await new Bun.Image(await head.arrayBuffer()).metadata();
    return { width, height };
  } catch {
    return null;
  }
}
