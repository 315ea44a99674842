import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";
import { busy } from "./errors.ts";
import type { Log } from "./log.ts";

const codes = new Set(["EMFILE", "ENFILE"]);
const hasCode = (error: unknown) => codes.has(String((Object(error) as { code?: unknown }).code));

/**
 * Whether something has failed because the process, or the machine, has too many files and connections open. Not all that fails says
 * so, such as the runtime that cannot load a module, and SQLite.
 */
export function isOutOfDescriptors(error: unknown): boolean {
  return hasCode(error) || !hasDescriptor();
}

/** Whether one more file can be opened, or as many. */
function hasDescriptor(count = 1): boolean {
  const opened: number[] = [];
  try {
    while (opened.length < count) opened.push(openSync(devNull, "r"));
    return true;
  } catch (error) {
    return !hasCode(error);
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}

const lookMs = 250;
const pauseMs = 5;

/**
 * Without a free descriptor, the runtime tries to accept the next connection in each turn of the event loop, some ten thousand times
 * a second. Until there is one again, each turn then begins with a short pause. Returns how to end that.
 */
export function paceWithoutDescriptors(log: Log): () => void {
  let isOut = false;
  const timer = setInterval(() => {
    if (isOut || hasDescriptor()) return;
    isOut = true;
    log.error("too many files and connections are open, new ones have to wait: raise the limit of descriptors");
    pace();
  }, lookMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    isOut = false;
  };

  function pace(): void {
    if (!isOut || hasDescriptor()) return void (isOut = false);
    Bun.sleepSync(pauseMs);
    setImmediate(pace);
  }
}

/** For what opens files when it is too late for a status, or for another attempt. */
export function checkDescriptors(count = 1): void {
  if (!hasDescriptor(count)) throw outOfDescriptors();
}

export const outOfDescriptors = () =>
  busy("The server has too many files and connections open; try again in a moment.");
