/** A line, which is JSON, and the bytes that may follow it. */
export type Frame = { line: string; body: Uint8Array | null };

/** A line that says first how many bytes follow it. */
const withBody = /^\{"length":(\d{1,9})[,}]/;
const newLine = 10;

/** The stream is not what it should be. */
export class FrameError extends Error {}

/** Bytes for the other side: a line, and with `body` the bytes after it. */
export function encodeFrame(header: object, body?: Uint8Array): Uint8Array {
  const line = Buffer.from(`${JSON.stringify(body ? { length: body.length, ...header } : header)}\n`);
  return body ? Buffer.concat([line, body]) : line;
}

type Limits = {
  maxLineBytes: number;
  /** 0 if no bytes may follow a line. */
  maxBodyBytes: number;
};

/** Reads lines, and the bytes that follow them, without more memory than the longest of them needs. */
export async function* readFrames(
  chunks: AsyncIterable<Uint8Array>,
  { maxLineBytes, maxBodyBytes }: Limits,
): AsyncGenerator<Frame> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let parts: Uint8Array[] = [];
  let held = 0;
  let line: string | null = null;
  let missing = 0;

  for await (let chunk of chunks) {
    while (chunk.length > 0) {
      const part: Uint8Array = line === null ? chunk.subarray(0, endOf(chunk)) : chunk.subarray(0, missing);
      chunk = chunk.subarray(part.length);
      parts.push(part);
      held += part.length;
      if (line !== null) {
        missing -= part.length;
        if (missing > 0) continue;
        yield { line, body: join() };
        line = null;
        continue;
      }
      if (held > maxLineBytes) throw new FrameError(`A line is longer than ${maxLineBytes} bytes.`);
      if (part.at(-1) !== newLine) continue;
      const text = decode(join());
      const length = Number(withBody.exec(text)?.[1] ?? 0);
      if (length > maxBodyBytes) throw new FrameError(`${length} bytes follow a line.`);
      if (length === 0) yield { line: text, body: null };
      else [line, missing] = [text, length];
    }
  }
  if (line !== null) throw new FrameError("The last bytes are missing.");
  if (held > 0) yield { line: decode(join()), body: null };

  function join(): Uint8Array {
    const [only] = parts;
    const whole = parts.length === 1 && only ? only : Buffer.concat(parts, held);
    [parts, held] = [[], 0];
    return whole;
  }

  function decode(bytes: Uint8Array): string {
    try {
      return decoder.decode(bytes).trimEnd();
    } catch {
      throw new FrameError("A line is not valid UTF-8.");
    }
  }
}

const endOf = (chunk: Uint8Array): number => {
  const end = chunk.indexOf(newLine);
  return end < 0 ? chunk.length : end + 1;
};
