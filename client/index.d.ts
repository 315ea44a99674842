// The types of the package. A test compares them with those of src/index.ts.
import type { Client, ClientOptions, ErrorCode, UploadStore } from "./types.js";

export type * from "./api.js";
export type * from "./types.js";

export declare function createClient(options?: ClientOptions): Client;

/** The ETag of a record as the client has read it; null if it came without one, for example in a list. */
export declare function etagOf(record: object): string | null;

/** The slug that the server makes of a title; "" if it has no letters and no digits. */
export declare function slugOf(text: string): string;

/** The excerpt that the server makes of a text in Markdown. */
export declare function excerptOf(content: string): string;

/** Remembers unfinished uploads as long as the program runs. */
export declare function memoryStore(): UploadStore;

/** A request that failed. An aborted one throws the reason of its signal instead. */
export declare class VitrineError extends Error {
  override readonly name = "VitrineError";
  /** The HTTP status; 0 if there was no response. */
  readonly status: number;
  readonly code: ErrorCode;
  /** The field of the input that is wrong. */
  readonly field: string | null;
  /** Identifies the request in the log of the server. */
  readonly requestID: string | null;
  /** Seconds to wait before the next attempt, if the server says so. */
  readonly retryAfter: number | null;
  /**
   * How many times the request was sent. With more than one, a 404 to a DELETE and a 412 can mean that an earlier attempt
   * was carried out and only its response was lost.
   */
  attempts: number;
  constructor(
    message: string,
    details?: {
      status?: number;
      code?: ErrorCode;
      field?: string | null;
      requestID?: string | null;
      retryAfter?: number | null;
      cause?: unknown;
    },
  );
}
