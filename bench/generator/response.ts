export type Answer = { status: number; bodyBytes: number };

/**
 * Reads responses from a connection with only one open request at a time. It reads the status and counts the bytes of
 * the body and ignores everything else: the less the generator does, the more is left for the server.
 */
export function createResponseReader(): (bytes: Buffer) => Answer | null {
  let state: "head" | "length" | "chunks" = "head";
  /** Incomplete bytes, which need more to be parsed. */
  let rest: Buffer | null = null;
  /** How many bytes of the body, or of the current chunk and its line break, are missing. */
  let missing = 0;
  let answer: Answer = { status: 0, bodyBytes: 0 };

  return function read(bytes) {
    if (state === "length") return readBody(bytes.length);
    const known = rest ? Buffer.concat([rest, bytes]) : bytes;
    return state === "head" ? readHead(known) : readChunks(known);
  };

  function readHead(bytes: Buffer): Answer | null {
    const end = bytes.indexOf("\r\n\r\n");
    rest = end < 0 ? bytes : null;
    if (end < 0) return null;
    const head = bytes.toString("latin1", 0, end);
    answer = { status: Number(head.slice(9, 12)), bodyBytes: 0 };
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    if (length === undefined && /\r\ntransfer-encoding: *chunked/i.test(head)) {
      state = "chunks";
      return readChunks(bytes.subarray(end + 4));
    }
    state = "length";
    missing = Number(length ?? 0);
    return readBody(bytes.length - end - 4);
  }

  function readBody(length: number): Answer | null {
    answer.bodyBytes += length;
    missing -= length;
    return missing > 0 ? null : done();
  }

  function readChunks(bytes: Buffer): Answer | null {
    let at = Math.min(missing, bytes.length);
    missing -= at;
    while (missing === 0) {
      const end = bytes.indexOf("\r\n", at);
      if (end < 0) break;
      const size = Number.parseInt(bytes.toString("latin1", at, end), 16);
      const next = end + 2 + size + 2;
      if (size === 0 && next > bytes.length) break;
      if (size === 0) return done();
      answer.bodyBytes += size;
      at = Math.min(next, bytes.length);
      missing = next - at;
    }
    rest = at < bytes.length ? bytes.subarray(at) : null;
    return null;
  }

  function done(): Answer {
    state = "head";
    rest = null;
    missing = 0;
    return answer;
  }
}
