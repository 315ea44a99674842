/** The usual content type of files with such a name, `application/octet-stream` when there is none. */
export function typeOfName(name: string): string {
  return Bun.file(name).type.split(";")[0] || "application/octet-stream";
}

/** Width and height that an image's header tells, in pixels; null when the bytes are no image this runtime reads. */
export async function readImageSize(
  head: Blob | ReadableStream<Uint8Array>,
): Promise<{ width: number; height: number } | null> {
  const bytes = await new Response(head).arrayBuffer();
  try {
    const { width, height } = await new Bun.Image(bytes).metadata();
    return { width, height };
  } catch {
    return null;
  }
}
