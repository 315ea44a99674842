import type { SourceKind } from "../../convert/sources/kind.ts";

/** The export of a program, of which something is wrong. */
export type OddExport = {
  name: string;
  kind: SourceKind;
  files: Record<string, string | Uint8Array>;
  /** What is refused of it, by key, and why. */
  refused?: Record<string, RegExp>;
  /** The kinds and keys of what it gives all the same; without it, nothing. */
  taken?: string[];
  /** Parts of what these items say, by kind and key. */
  says?: Record<string, object>;
};

export const nested = (depth: number, open: string, inside: string, close: string) =>
  open.repeat(depth) + inside + close.repeat(depth);
