import { writeFileSync } from "node:fs";
import { join } from "node:path";

export type BadSource = {
  name: string;
  /** Writes the source into a new directory; returns where it is. */
  make(directory: string, dataDir: string): string | string[] | Promise<string | string[]>;
  /** The sentence with which all of it is refused. */
  isRefused?: RegExp;
  /** What is refused of it, by name, and why. */
  refused?: Record<string, RegExp>;
  /** What is imported all the same; `good.txt` if nothing is said. */
  taken?: string[];
  options?: Record<string, string>;
  config?: Record<string, string>;
  isRepeated?: false;
};

/** Writes one file, and returns its place. */
export function write(directory: string, name: string, bytes: string | Uint8Array): string {
  const path = join(directory, name);
  writeFileSync(path, bytes);
  return path;
}
