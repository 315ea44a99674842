/** A line, which is JSON, and the bytes that may follow it. */
export type Frame = { line: string; body: Uint8Array | null };

/** A line that says first how many bytes follow it. */
const withBody = /^\{"length":(\d{1,9})[,}]/;
const code = (character: string) => character.charCodeAt(0);
const [newLine, quote, backslash] = [code("\n"), code('"'), code("\\")];
const [comma, bracket, brace] = [code(","), code("["), code("{")];

/** The stream is not what it should be. */
export class FrameError extends Error {}

/** Bytes for the other side: a line, and with `body` the bytes after it. */
export function encodeFrame(header: object, body?: Uint8Array): Uint8Array {
  const line = Buffer.from(`${JSON.stringify(body ? { length: body.length, ...header } : header)}\n`);
  return body ? Buffer.concat([line, body]) : line;
}

/** What a line may have: to parse it, the reader stops everything else. */
export type LineLimits = {
  maxLineBytes: number;
  maxValues: number;
  maxEscapes: number;
};

/** Throws if a line exceeds a limit. It gets the line in parts. */
function createLineCheck({ maxLineBytes, maxValues, maxEscapes }: LineLimits) {
  let [bytes, values, escapes] = [0, 0, 0];
  let [isText, isEscaped] = [false, false];

  /** Each byte is looked at once, so these variables are its own ones. */
  function count(part: Uint8Array): void {
    let [isIn, isAfter, found, foundEscapes] = [isText, isEscaped, 0, 0];
    for (let at = 0; at < part.length; at++) {
      const byte = part[at];
      if (isAfter) isAfter = false;
      else if (byte === backslash) {
        isAfter = true;
        foundEscapes++;
      } else if (byte === quote) isIn = !isIn;
      else if (!isIn && (byte === comma || byte === bracket || byte === brace)) found++;
    }
    [isText, isEscaped] = [isIn, isAfter];
    [bytes, values, escapes] = [bytes + part.length, values + found, escapes + foundEscapes];
  }

  return (part: Uint8Array): void => {
    count(part);
    if (bytes > maxLineBytes) throw new FrameError(`A line is longer than ${maxLineBytes} bytes.`);
    if (values > maxValues) throw new FrameError(`A line has more than ${maxValues} values.`);
    if (escapes > maxEscapes) throw new FrameError(`A line has more than ${maxEscapes} escaped characters.`);
  };
}

export const checkLine = (line: Uint8Array, limits: LineLimits): void => createLineCheck(limits)(line);

type Limits = LineLimits & {
  /** 0 if no bytes may follow a line. */
  maxBodyBytes: number;
};

/** Reads lines, and the bytes that follow them, without more memory than the longest of them needs. */
export async function* readFrames(
  chunks: AsyncIterable<Uint8Array>,
  { maxBodyBytes, ...limits }: Limits,
): AsyncGenerator<Frame> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let parts: Uint8Array[] = [];
  let held = 0;
  let line: string | null = null;
  let missing = 0;
  let check = createLineCheck(limits);

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
      check(part);
      if (part.at(-1) !== newLine) continue;
      check = createLineCheck(limits);
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
