/**
 * A stream of bytes. With `release`, a reader gives a chunk back that nobody uses any more, and its memory is used again; chunks
 * that are not given back are the reader's.
 */
export type ByteStream = AsyncIterable<Uint8Array> & { release?(chunk: Uint8Array): void };
