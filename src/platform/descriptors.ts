import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";
import { busy } from "./errors.ts";

const codes = new Set(["EMFILE", "ENFILE"]);
const hasCode = (error: unknown) => codes.has(String((Object(error) as { code?: unknown }).code));

/**
 * Whether something has failed because the process, or the machine, has too many files and connections open. Not all that fails says
 * so, such as the runtime that cannot load a module, and SQLite.
 */
export function isOutOfDescriptors(error: unknown): boolean {
  if (hasCode(error)) return true;
  try {
    closeSync(openSync(devNull, "r"));
    return false;
  } catch (second) {
    return hasCode(second);
  }
}

/** For what opens a file only when a response is sent, which is too late for a status. */
export function checkDescriptors(): void {
  if (isOutOfDescriptors(null)) throw outOfDescriptors();
}

export const outOfDescriptors = () =>
  busy("The server has too many files and connections open; try again in a moment.");
