import type { Failure } from "./failures.ts";

/*
 * A child process writes lines of text. Beside them, both sides send messages: for the bytes of files that the child offers, and of
 * archives that the parent has.
 */

/** What the child gets after its job. */
export type Request =
  /** The bytes of a file are wanted, as a stream with this number. */
  | { kind: "open"; stream: number; id: number }
  /** So many bytes of a stream were used, or of the lines (stream 0). A line counts as `besideLine` more. */
  | { kind: "used"; stream: number; bytes: number }
  | { kind: "close"; stream: number }
  /** A part of an archive, which follows; or why it cannot be read. */
  | { kind: "part"; stream: number; failure?: string };

/** What the child sends beside its lines. */
export type Message =
  /** Bytes of a stream, which follow. */
  | { kind: "bytes"; stream: number }
  | { kind: "closed"; stream: number; failure?: Failure }
  /** A part of an archive is wanted. */
  | { kind: "part"; stream: number; file: number; start: number; end: number }
  /** It comes on, though there is no line to show for it. */
  | { kind: "working" };

/** By how many bytes of a stream the child may be ahead of those who use it. */
export const maxAhead = 2 ** 20;
export const lineStream = 0;
export const besideLine = 2 ** 10;
/** The most bytes that follow a line. */
export const maxBodyBytes = 2 ** 22;
